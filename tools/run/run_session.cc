#include "tools/run/run_session.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tools/report/course.h"
#include "tools/report/report.h"
#include "tools/report/run_data.h"
#include "tools/run/run_table.h"

namespace ftlsim {
namespace {

uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

RunSession::RunSession(const DriveInput& drive, const Workload& workload, uint64_t seed,
                       OutputDir& out, const volatile std::sig_atomic_t& interrupted, bool terminal)
    : out_(out),
      interrupted_(interrupted),
      progress_(terminal),
      sim_(seed),
      device_(sim_, drive.config, drive.id),
      recorder_(device_),
      speed_map_(device_.host().capacity(), out.partial_path() / "speed_map.csv"),
      runner_(sim_, device_.host(), workload, seed, *this),
      sampler_(sim_, device_, runner_, recorder_, *this, out.partial_path() / "timeseries.csv",
               out.partial_path() / "fingerprints.csv") {
  facts_.drive = drive.id;
  facts_.workload = workload.name;
  facts_.seed = seed;
  facts_.space = space_budget(drive.config, device_.media());
  facts_.calibrated = calibrated_keys(drive.path);
}

// Phases without a map cost their requests nothing but what others want to see.
void RunSession::on_phase_begin(const PhaseResult& result) {
  recorder_.on_phase_begin(result);
  speed_map_.set_next(requests_);
  runner_.set_io_observer(speed_map_.begin(result) ? &speed_map_ : requests_);
}

void RunSession::on_phase_end(const PhaseResult& result) {
  recorder_.on_phase_end(result);
  const PhaseAction action = result.spec->action;
  if (action != PhaseAction::kIdle && action != PhaseAction::kAge) facts_.asked = true;
  const bool loads = action == PhaseAction::kJobs || action == PhaseAction::kReplay;
  if (loads && result.complete && result.completed() + result.flushes.completed == 0)
    facts_.silent_phases.push_back(result.spec->name);
  if (const std::optional<SpeedSummary> speed = speed_map_.end()) recorder_.add_speed(*speed);
}

void RunSession::on_sample(const Sample& before, const Sample& now) {
  if (interrupted_ != 0) runner_.request_stop();
  if (!progress_.due()) return;
  const auto per_second = [](uint64_t bytes) {
    return bytes * static_cast<uint64_t>(Duration::s(1) / Sampler::kInterval);
  };
  ProgressState state;
  state.phase = runner_.current().spec->name;
  state.now = sim_.now();
  state.fraction = runner_.fraction_done();
  state.write_bytes_per_s = per_second(now.written_bytes - before.written_bytes);
  state.read_bytes_per_s = per_second(now.read_bytes - before.read_bytes);
  state.slc_used_slots = now.slc_used_slots;
  state.slc_limit_slots = now.slc_limit_slots;
  progress_.show(state);
}

void RunSession::run() {
  const auto begin = std::chrono::steady_clock::now();
  runner_.start();
  sampler_.start();
  sim_.run();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  progress_.clear();
  if (!runner_.finished()) {
    throw std::runtime_error(fmt::format(
        "the simulation has stalled in phase '{}' at {} ns with {} commands outstanding: a defect "
        "of the simulator",
        runner_.current().spec->name, sim_.now().to_ns(), device_.host().outstanding()));
  }
  finish(wall.count());
}

// From the samples, if a phase wants such figures.
std::vector<HoldSeries> RunSession::holds_of(const nlohmann::ordered_json& summary) const {
  const std::vector<PhaseRecord>& phases = recorder_.phases();
  if (std::none_of(phases.begin(), phases.end(),
                   [](const PhaseRecord& p) { return p.hold > Duration{}; }))
    return {};
  std::ifstream in(out_.partial_path() / "timeseries.csv", std::ios::binary);
  const std::string csv{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const TimeSeries series = parse_time_series(csv);
  return find_holds(series, find_phases(series, summary), summary);
}

void RunSession::finish(double wall_s) {
  sampler_.close();
  device_.settle();
  speed_map_.close();
  StatRegistry registry;
  device_.register_stats(registry);
  recorder_.register_stats(registry);
  facts_.complete = runner_.complete();
  facts_.end = recorder_.phases().empty() ? sim_.now() : recorder_.phases().back().end;
  facts_.events = sim_.events_fired();
  facts_.fingerprint = device_.firmware().flash().fingerprint().value();
  facts_.violated_laws = registry.check_laws();
  facts_.wall_s = wall_s;
  facts_.peak_rss_bytes = peak_rss_bytes();
  nlohmann::ordered_json summary = summary_json(facts_, recorder_, device_, registry);
  const std::vector<HoldSeries> holds = holds_of(summary);
  if (!holds.empty()) summary["holds"] = holds_json(holds);
  out_.write("summary.json", summary.dump(2) + "\n");

  RunData data;
  std::string error;
  if (!load_run(out_.partial_path().string(), data, error)) throw std::runtime_error(error);
  out_.write("report.html", render_report(data));
  table_ = run_table(facts_, recorder_, data, holds);
}

}  // namespace ftlsim
