#include "ftl/refresh/refresh_config.h"

#include <fmt/format.h>

#include "ftl/config.h"

namespace ftlsim {
namespace {

constexpr Duration kHundredYears = Duration::s(int64_t{100} * 366 * 86'400);
constexpr uint64_t kMaxRefreshRate = 100'000'000'000;

}  // namespace

void RefreshConfig::visit(FieldVisitor& v) {
  v.field({"period", "time between two looks at the oldest superblock"}, period, Duration::ms(1),
          Duration::s(366 * 86'400));
  v.field({"age", "age at 25 degrees after which a superblock is written anew, 0: no limit"}, age,
          Duration(), kHundredYears);
  v.ratio({"rber", "raw bit error rate at which it is, 0: no limit"}, rber, 0.0, 0.5);
  v.field({"reads", "read reclaim: page reads of a die block at which it is, 0: no limit"}, reads,
          0, UINT32_MAX);
  v.rate({"rate", "limit of the reads for it, 0: none"}, rate, 0, kMaxRefreshRate);
}

void PatrolConfig::visit(FieldVisitor& v) {
  v.field({"period", "time in which every closed superblock is visited once, 0: no patrol"}, period,
          Duration(), kHundredYears);
  v.ratio({"share", "of its word lines that are read; at least one is"}, share, 0.0, 1.0);
  v.field({"retries", "retries of a patrol read above which a superblock is refreshed, 0: never"},
          retries, 0, 100);
}

void validate_refresh(const DriveConfig& c, const Origins& o, Diagnostics& d) {
  if (c.nand.reliability.on()) return;
  const auto refuse = [&](bool is_on, const char* key) {
    if (is_on)
      d.error(o.origin_of(key),
              fmt::format("{}: needs a drive whose data age; set nand.reliability.model ({}) or "
                          "leave the key out",
                          key, o.place_of("nand.reliability.model")));
  };
  refuse(c.refresh.age > Duration(), "refresh.age");
  refuse(c.refresh.rber > 0, "refresh.rber");
  refuse(c.refresh.reads != 0, "refresh.reads");
  refuse(c.patrol.on(), "patrol.period");
}

}  // namespace ftlsim
