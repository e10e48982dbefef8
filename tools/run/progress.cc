#include "tools/run/progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "nand/config.h"

namespace ftlsim {

std::string format_progress(const ProgressState& s) {
  const auto gb = [](uint64_t slots) { return static_cast<double>(slots * kSlotBytes) * 1e-9; };
  const auto mb = [](uint64_t bytes) { return static_cast<double>(bytes) * 1e-6; };
  return fmt::format(
      "{:5.1f} %  {}  {:.1f} s  write {:.0f} MB/s  read {:.0f} MB/s  "
      "SLC {:.1f}/{:.1f} GB  {:.1f}x real time",
      s.fraction * 100, s.phase, static_cast<double>(s.now.to_ns()) * 1e-9, mb(s.write_bytes_per_s),
      mb(s.read_bytes_per_s), gb(s.slc_used_slots), gb(s.slc_limit_slots), s.speed);
}

ProgressLine::ProgressLine(bool terminal) : terminal_(terminal) {}

bool ProgressLine::due() const { return terminal_ && Clock::now() - last_ >= kPeriod; }

void ProgressLine::show(ProgressState state) {
  last_ = Clock::now();
  const std::chrono::duration<double> wall = last_ - begin_;
  state.speed = static_cast<double>(state.now.to_ns()) * 1e-9 / wall.count();
  fmt::print(stderr, "\r{}\x1b[K", format_progress(state));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace ftlsim
