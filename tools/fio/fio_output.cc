#include "tools/fio/fio_output.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace ftlsim {

std::optional<FioFormat> fio_format(std::string_view name) {
  if (name == "normal") return FioFormat::kNormal;
  if (name == "json") return FioFormat::kJson;
  if (name == "json+") return FioFormat::kJsonPlus;
  if (name == "terse" || name == "minimal") return FioFormat::kTerse;
  return std::nullopt;
}

std::string render_fio(const FioReport& report, FioFormat format) {
  switch (format) {
    case FioFormat::kJson:
      return render_fio_json(report, false);
    case FioFormat::kJsonPlus:
      return render_fio_json(report, true);
    case FioFormat::kTerse:
      return render_fio_terse(report);
    case FioFormat::kNormal:
      break;
  }
  return render_fio_normal(report);
}

double fio_rate(uint64_t count, Duration span) {
  return static_cast<double>(count) * 1e9 / static_cast<double>(std::max<int64_t>(span.to_ns(), 1));
}

int64_t fio_milliseconds(Duration span) {
  return std::max<int64_t>((span + Duration::us(500)) / Duration::ms(1), span > Duration{} ? 1 : 0);
}

double fio_percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

double fio_group_rate(const FioReport& report, uint32_t group, size_t direction) {
  double sum = 0;
  for (const FioResult& result : report.results)
    if (result.group == group) sum += fio_rate(result.directions[direction].bytes, result.span());
  return sum;
}

double fio_group_rate(const FioReport& report, uint32_t group) {
  double sum = 0;
  for (size_t i = 0; i < kDirections; ++i) sum += fio_group_rate(report, group, i);
  return sum;
}

std::string fio_date(int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  return fmt::format("{:%a %b %e %H:%M:%S %Y}", fmt::gmtime(time));
}

}  // namespace ftlsim
