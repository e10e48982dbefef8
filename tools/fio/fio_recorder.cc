#include "tools/fio/fio_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ftlsim {

namespace {

// The jobs of a phase that fio's results speak of.
std::vector<const JobSpec*> reported_jobs(const PhaseSpec& phase) {
  std::vector<const JobSpec*> jobs;
  if (phase.prepares) return jobs;
  for (const JobSpec& job : phase.jobs) jobs.push_back(&job);
  if (phase.replay_job) jobs.push_back(&*phase.replay_job);
  return jobs;
}

}  // namespace

void add_fio_plot_logs(Workload& workload, Duration window) {
  for (PhaseSpec& phase : workload.phases) {
    if (phase.prepares) continue;
    for (JobSpec& job : phase.jobs) {
      JobReport& report = job.report;
      if (report.bw_log || report.iops_log || report.lat_log) continue;
      report.bw_log = report.iops_log = report.lat_log =
          fmt::format("{}-iodepth-{}-numjobs-{}", fio_name(job.rw), job.iodepth, job.numjobs);
      report.window = window;
    }
  }
}

bool wants_fio_logs(const Workload& workload) {
  for (const PhaseSpec& phase : workload.phases)
    for (const JobSpec* job : reported_jobs(phase))
      if (job->report.bw_log || job->report.iops_log || job->report.lat_log || job->report.hist_log)
        return true;
  return false;
}

FioRecorder::FioRecorder(const Workload& workload, std::optional<std::filesystem::path> log_folder)
    : workload_(workload), log_folder_(std::move(log_folder)) {
  uint32_t number = 0;
  uint32_t group = 0;
  for (const PhaseSpec& phase : workload.phases) {
    bool first = true;
    for (const JobSpec* job : reported_jobs(phase)) {
      if (log_folder_) FioThreadLogs::remove_shared(*job, *log_folder_);
      if (number > 0 && (first || job->report.new_group)) ++group;
      first = false;
      places_[job] = {number, group};
      number += job->numjobs;
    }
  }
  threads_.resize(number);
}

void FioRecorder::on_thread_begin(uint32_t thread, const JobSpec& job, uint32_t clone, Time at) {
  if (of_phase_.size() <= thread) of_phase_.resize(thread + size_t{1});
  of_phase_[thread] = kUnreported;
  const auto place = places_.find(&job);
  if (place == places_.end()) return;
  const uint32_t number = place->second.first_thread + clone;
  of_phase_[thread] = number;
  Thread& t = threads_[number];
  t.begun = true;
  t.ramp_end = at + job.ramp_time;
  t.ramping = job.ramp_time > Duration{};
  t.result.job = &job;
  t.result.group = place->second.group;
  count_from(t, at);
  if (log_folder_) t.logs = FioThreadLogs(job, number + 1, *log_folder_);
}

void FioRecorder::count_from(Thread& thread, Time start) {
  const JobReport& report = thread.result.job->report;
  thread.start = thread.result.begin = thread.result.end = start;
  thread.bw = {report.bw_average, {}};
  thread.iops = {report.iops_average, {}};
}

// What was counted in the ramp is forgotten. A thread that ends before keeps it, as in fio.
void FioRecorder::end_ramp(Thread& thread) {
  FioResult fresh;
  fresh.job = thread.result.job;
  fresh.group = thread.result.group;
  thread.result = std::move(fresh);
  thread.flush.reset();
  thread.ramping = false;
  count_from(thread, thread.ramp_end);
}

void FioRecorder::on_request(const IoEvent& event) {
  if (of_phase_[event.thread] == kUnreported) return;
  Thread& t = threads_[of_phase_[event.thread]];
  if (t.ramping && event.completed >= t.ramp_end) end_ramp(t);
  const Duration at = event.completed - t.start;
  const auto lat = static_cast<uint64_t>((event.completed - event.called).to_ns());
  count_flush(t);
  if (event.flush) {
    t.flush = lat;
    return;
  }
  const JobReport& report = t.result.job->report;
  average(t.bw, report.bw_average, at, true, t);
  average(t.iops, report.iops_average, at, false, t);
  const size_t i = index_of(event.direction);
  if (event.failed) {  // issued, but nothing came of it
    ++t.result.directions[i].requests;
    ++t.result.errors;
    return;
  }
  t.bw.amount[i] += event.bytes;
  ++t.iops.amount[i];
  FioDirectionResult& d = t.result.directions[i];
  d.bytes += event.bytes;
  ++d.requests;
  d.slat.add(static_cast<uint64_t>((event.issued - event.called).to_ns()), report.slat_percentiles);
  d.clat.add(static_cast<uint64_t>((event.completed - event.issued).to_ns()),
             report.clat_percentiles);
  d.lat.add(lat, report.lat_percentiles);
  t.result.shares.add(event.depth, lat);
  if (!t.ramping) t.logs.add(event, at);
}

void FioRecorder::count_flush(Thread& thread) {
  if (thread.flush) thread.result.sync.add(*thread.flush);
  thread.flush.reset();
}

// Closes the averaging windows that end up to `at`.
void FioRecorder::average(Average& average, Duration length, Duration at, bool of_bytes,
                          Thread& thread) {
  if (length <= Duration{} || at < average.end) return;
  __extension__ using Wide = unsigned __int128;
  for (size_t i = 0; i < kDirections; ++i) {
    const uint64_t amount = std::exchange(average.amount[i], 0);
    if (amount == 0) continue;
    const auto rate =
        static_cast<uint64_t>(Wide{amount} * 1'000'000'000 / static_cast<uint64_t>(length.to_ns()));
    FioDirectionResult& d = thread.result.directions[i];
    of_bytes ? d.bw.add(rate / 1024) : d.iops.add(rate);
  }
  average.end = length * (at / length + 1);
}

void FioRecorder::on_thread_error(uint32_t thread, const ThreadError& error) {
  if (of_phase_[thread] != kUnreported) threads_[of_phase_[thread]].result.error = error;
}

void FioRecorder::on_thread_end(uint32_t thread, Time at) {
  if (of_phase_[thread] == kUnreported) return;
  Thread& t = threads_[of_phase_[thread]];
  if (t.ramping && at >= t.ramp_end) end_ramp(t);
  const JobReport& report = t.result.job->report;
  // fio does not count the flush at the end of a job.
  if (!t.result.job->sync.at_end) count_flush(t);
  const Duration ran = max(at, t.start) - t.start;
  average(t.bw, report.bw_average, ran, true, t);
  average(t.iops, report.iops_average, ran, false, t);
  t.result.end = max(at, t.start);
  t.result.runtime = ran;
  t.logs.close(ran);
  end_ = max(end_, at);
}

void FioRecorder::on_job_steady(const JobSpec& job, const SteadyState& steady) {
  const auto place = places_.find(&job);
  if (place == places_.end()) return;
  FioSteady result{steady.attained(), steady.criterion(),        steady.deviation(),
                   steady.iops(),     steady.bytes_per_second(), steady.mean_latency_ns()};
  // fio's window has its full length from the start.
  const auto length = static_cast<size_t>(job.steady.duration / job.steady.interval);
  result.iops.resize(length);
  result.bw.resize(length);
  result.lat.resize(length);
  for (uint32_t k = 0; k < job.numjobs; ++k)
    threads_[place->second.first_thread + k].result.steady = result;
}

FioReport FioRecorder::report() const {
  FioReport report;
  report.global_options = workload_.global_options;
  report.end = end_;
  for (const Thread& t : threads_) {
    if (!t.begun) continue;
    FioResult* last = report.results.empty() ? nullptr : &report.results.back();
    const bool joins = last != nullptr && t.result.job->report.group_reporting &&
                       last->job->report.group_reporting && last->group == t.result.group;
    if (joins) {
      last->merge(t.result);
    } else {
      report.results.push_back(t.result);
    }
  }
  return report;
}

}  // namespace ftlsim
