#include "tools/run/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "tools/run/numbers.h"

namespace ftlsim {
namespace {

constexpr std::string_view kRowHeader =
    "t_s,phase,written_GB,read_GB,write_MBps,read_MBps,slc_valid_GB,slc_used_GB,slc_limit_GB,"
    "free_superblocks,waf_window,fold_MBps,gc_MBps,temp_C,controller_C,nand_C,power_W\n";

std::string gigabytes(uint64_t bytes) { return fixed(quotient(bytes, 1'000, 0), 6); }

std::string gigabytes_of_slots(uint64_t slots) { return gigabytes(slots * kSlotBytes); }

// MB/s with one decimal from the bytes moved in one interval.
std::string rate(uint64_t bytes) {
  const auto interval = static_cast<uint64_t>(Sampler::kInterval.to_ns());
  return fixed(quotient(static_cast<unsigned __int128>(bytes) * 1'000, interval, 1), 1);
}

std::string degrees(int64_t millidegrees) {
  const uint64_t size = static_cast<uint64_t>(millidegrees < 0 ? -millidegrees : millidegrees);
  const std::string text = fixed((size + 50) / 100, 1);
  return millidegrees < -49 ? "-" + text : text;
}

// W with three decimals: nJ per ns are W.
std::string watts(uint64_t nanojoules, Duration span) {
  return fixed(quotient(nanojoules, static_cast<uint64_t>(span.to_ns()), 3), 3);
}

std::string seconds_text(Time t) {
  return fixed(static_cast<uint64_t>(t.to_ns() / Sampler::kInterval.to_ns()), 1);
}

uint64_t moved_bytes(const PhaseResult& phase) {
  return phase[Direction::kRead].bytes + phase[Direction::kWrite].bytes;
}

void check(const std::ofstream& file, const char* name) {
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", name));
}

}  // namespace

static_assert(Sampler::kInterval == Duration::ms(100), "t_s is written with one decimal");

std::string format_row(const Sample& before, const Sample& now) {
  const uint64_t written = now.written_bytes - before.written_bytes;
  const uint64_t programmed = now.programmed_slots - before.programmed_slots;
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", now.phase, gigabytes(now.written_bytes),
      gigabytes(now.read_bytes), rate(written), rate(now.read_bytes - before.read_bytes),
      gigabytes_of_slots(now.slc_valid_slots), gigabytes_of_slots(now.slc_used_slots),
      gigabytes_of_slots(now.slc_limit_slots), now.free_superblocks,
      fixed(quotient(static_cast<unsigned __int128>(programmed) * kSlotBytes, written, 3), 3),
      rate((now.folded_slots - before.folded_slots) * kSlotBytes),
      rate((now.collected_slots - before.collected_slots) * kSlotBytes),
      degrees(now.temperatures.composite), degrees(now.temperatures.controller),
      degrees(now.temperatures.nand),
      watts(now.energy_nj - before.energy_nj, now.time - before.time));
}

Sampler::Sampler(Simulator& sim, Device& device, const WorkloadRunner& runner,
                 const Recorder& recorder, SampleListener& listener,
                 const std::filesystem::path& timeseries, const std::filesystem::path& fingerprints)
    : sim_(sim),
      device_(device),
      runner_(runner),
      recorder_(recorder),
      listener_(listener),
      rows_(timeseries, std::ios::binary),
      checkpoints_(fingerprints, std::ios::binary),
      event_(this, Phase::kStatistics) {
  rows_ << kRowHeader;
  checkpoints_ << "t_s,events\n";
  check(rows_, "timeseries.csv");
  check(checkpoints_, "fingerprints.csv");
}

// A row belongs to the phase whose work its rates show, also if that has just ended.
size_t Sampler::busiest_phase() const {
  const size_t running = runner_.current().index;
  size_t busiest = running;
  uint64_t most = 0;
  for (size_t p = last_running_; p <= running; ++p) {
    uint64_t bytes = p < recorder_.phases().size() ? recorder_.phases()[p].moved_bytes()
                                                   : moved_bytes(runner_.current());
    if (p == last_running_) bytes -= last_running_bytes_;
    if (bytes <= most) continue;
    most = bytes;
    busiest = p;
  }
  return busiest;
}

Sample Sampler::take() const {
  const Firmware& firmware = device_.firmware();
  Sample s;
  s.phase = busiest_phase();
  s.written_bytes = runner_.completed_bytes(Direction::kWrite);
  s.read_bytes = runner_.completed_bytes(Direction::kRead);
  s.programmed_slots = firmware.stats().programmed_total();
  s.folded_slots = firmware.relocator().moved(Cause::kFold);
  s.collected_slots = firmware.relocator().moved(Cause::kGc);
  s.slc_valid_slots = firmware.superblocks().valid_total(CellMode::kSlc);
  s.slc_used_slots = firmware.slc().used_slots();
  s.slc_limit_slots = firmware.slc().limit_slots();
  s.free_superblocks = firmware.space().free_count();
  s.time = sim_.now();
  const int64_t ambient = firmware.ambient();
  s.temperatures = {ambient, ambient, ambient};
  if (const ThermalControl* thermal = firmware.thermal()) {
    s.temperatures = thermal->temperatures(s.time);
    s.energy_nj = thermal->total_nj(s.time);
  }
  return s;
}

void Sampler::sample() {
  const Sample now = take();
  const Sample before = last_;
  std::string text = format_row(before, now);
  const bool unchanged = text == last_text_;
  if (unchanged && device_.host().outstanding() == 0) {
    held_ = true;
  } else {
    write_row(std::move(text));
  }
  last_ = now;
  last_running_ = runner_.current().index;
  last_running_bytes_ = moved_bytes(runner_.current());
  last_time_ = sim_.now();
  if (sim_.now().to_ns() % Duration::s(1).to_ns() == 0) checkpoint();
  if (runner_.finished()) {
    sim_.stop();
    return;
  }
  listener_.on_sample(before, now);
  schedule_next(unchanged);
}

// The next point of the grid; or, when the last interval changed nothing and temperature and power
// have settled, the last point before anything can happen.
void Sampler::schedule_next(bool unchanged) {
  Time next = sim_.now() + kInterval;
  const Time other = sim_.next_time();
  if (other == Time::never()) {
    stalled_ = true;
    sim_.stop();
    return;
  }
  const ThermalControl* thermal = device_.firmware().thermal();
  const bool still = thermal == nullptr || thermal->settled(sim_.now());
  if (unchanged && still && last_fingerprint_ == device_.firmware().flash().fingerprint().value()) {
    const int64_t points = (other.to_ns() - 1) / kInterval.to_ns();
    next = max(next, Time::at_ns(points * kInterval.to_ns()));
  }
  sim_.schedule(event_, next);
}

void Sampler::write_row(std::string text) {
  if (held_) rows_ << seconds_text(last_time_) << ',' << last_text_;
  held_ = false;
  last_text_ = std::move(text);
  rows_ << seconds_text(sim_.now()) << ',' << last_text_;
}

void Sampler::checkpoint() {
  const uint64_t value = device_.firmware().flash().fingerprint().value();
  if (value == last_fingerprint_) return;
  last_fingerprint_ = value;
  checkpoints_ << fmt::format("{},{:016x}\n", seconds_text(sim_.now()), value);
}

void Sampler::close() {
  if (held_) rows_ << seconds_text(last_time_) << ',' << last_text_;
  held_ = false;
  checkpoint();
  rows_.close();
  checkpoints_.close();
  check(rows_, "timeseries.csv");
  check(checkpoints_, "fingerprints.csv");
}

}  // namespace ftlsim
