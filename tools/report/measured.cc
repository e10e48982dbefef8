#include "tools/report/measured.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>

#include "tools/report/csv.h"

namespace ftlsim {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr const char* kColumns =
    "write_MBps, and t_s or written_GB or both, named in the first line";

struct Header {
  std::size_t time = kNone;
  std::size_t written = kNone;
  std::size_t rate = kNone;
  bool complete() const { return rate != kNone && (time != kNone || written != kNone); }
};

Header read_header(std::string_view line) {
  Header header;
  const std::vector<std::string> names = split_csv(line);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "t_s") header.time = i;
    if (names[i] == "written_GB") header.written = i;
    if (names[i] == "write_MBps") header.rate = i;
  }
  return header;
}

// Appends the cell of a row to a column. An empty string, or what is wrong with it.
std::string append_cell(const std::vector<std::string>& cells, std::size_t cell, const char* name,
                        bool rises, std::vector<double>& column) {
  if (cell == kNone) return "";
  if (cell >= cells.size()) return fmt::format("the row has no {}", name);
  const double value = parse_number(cells[cell]);
  if (!(value >= 0.0))
    return fmt::format("{} is '{:.40}'; a number that is not negative is needed", name,
                       cells[cell]);
  if (rises && !column.empty() && value < column.back())
    return fmt::format("{} falls from {} to {}", name, column.back(), value);
  column.push_back(value);
  return "";
}

// Fills the one of time and volume that the file does not have. False: the rate is 0 while the
// volume rises.
bool derive(MeasuredCurve& curve) {
  const bool by_time = curve.written_GB.empty();
  std::vector<double>& given = by_time ? curve.t_s : curve.written_GB;
  std::vector<double>& other = by_time ? curve.written_GB : curve.t_s;
  if (!other.empty()) return true;
  double sum = 0.0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const double step = given[i] - (i == 0 ? 0.0 : given[i - 1]);
    const double rate = (curve.write_MBps[i] + curve.write_MBps[i == 0 ? 0 : i - 1]) / 2.0;
    if (!by_time && step > 0.0 && rate <= 0.0) return false;
    if (step > 0.0) sum += by_time ? step * rate / 1000.0 : step * 1000.0 / rate;
    other.push_back(sum);
  }
  return true;
}

}  // namespace

std::optional<MeasuredCurve> parse_measured(std::string_view csv, const std::string& file,
                                            std::string& error) {
  MeasuredCurve curve;
  curve.name = std::filesystem::path(file).stem().string();
  std::optional<Header> header;
  int number = 0;
  const auto fail = [&](const std::string& what) {
    error = fmt::format("{}:{}: error: {}", file, number, what);
    return std::nullopt;
  };
  while (!csv.empty()) {
    const std::size_t end = csv.find('\n');
    std::string_view line = csv.substr(0, end);
    csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    if (!header) {
      header = read_header(line);
      if (!header->complete())
        return fail(fmt::format("columns are missing; needed are {}", kColumns));
      continue;
    }
    const std::vector<std::string> cells = split_csv(line);
    for (const std::string& wrong :
         {append_cell(cells, header->time, "t_s", true, curve.t_s),
          append_cell(cells, header->written, "written_GB", true, curve.written_GB),
          append_cell(cells, header->rate, "write_MBps", false, curve.write_MBps)})
      if (!wrong.empty()) return fail(wrong);
  }
  if (!header) return fail(fmt::format("the file has no header; needed are {}", kColumns));
  if (curve.write_MBps.size() < 2) return fail("two rows are needed for a curve");
  if (!derive(curve)) return fail("written_GB rises where write_MBps is 0");
  return curve;
}

std::optional<MeasuredCurve> load_measured(const std::string& path, std::string& error) {
  std::error_code code;
  const std::optional<std::string> text =
      std::filesystem::is_regular_file(path, code) ? read_text_file(path) : std::nullopt;
  if (!text) {
    error = fmt::format("{}: error: cannot be read", path);
    return std::nullopt;
  }
  return parse_measured(*text, path, error);
}

}  // namespace ftlsim
