#include "workloads/workload_runner.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/assert.h"

namespace ftlsim {
namespace {

uint64_t most_parts(const Workload& workload, Bytes mdts) {
  uint64_t most = 0;
  for (const PhaseSpec& phase : workload.phases) {
    uint64_t parts = 0;
    for (const JobSpec& job : phase.jobs) parts += parts_in_flight(job, mdts);
    most = std::max(most, parts);
  }
  return most;
}

size_t threads_of(const PhaseSpec& phase) {
  size_t sum = 0;
  for (const JobSpec& job : phase.jobs) sum += job.numjobs;
  return sum;
}

// Seconds that a phase may take, for the progress line alone: bytes at 2 GB/s, or its time limit.
// A rest is skipped in no time.
double weight_of(const PhaseSpec& phase) {
  double weight = 0;
  for (const JobSpec& job : phase.jobs) {
    const Bytes bytes = job.io_size.count() != 0 ? job.io_size : job.size;
    const double by_bytes = static_cast<double>(bytes.count()) * job.numjobs / 2e9;
    const double by_time = static_cast<double>(job.runtime.to_ns()) * 1e-9;
    if (job.time_based) {
      weight += by_time;
    } else {
      weight += job.runtime > Duration{} ? std::min(by_time, by_bytes) : by_bytes;
    }
  }
  return weight;
}

// Nothing is asked of the drive until the time is over.
bool rests(const PhaseSpec& phase) {
  return phase.action == PhaseAction::kIdle || (phase.action == PhaseAction::kAge && phase.powered);
}

// Between start_delay and start_delay_max, for each thread its own.
Duration start_delay_of(const JobSpec& job, uint64_t seed, uint32_t clone) {
  const Duration span = job.start_delay_max - job.start_delay;
  if (span <= Duration{}) return job.start_delay;
  Rng rng = job_stream(job, seed, clone, "start");
  const uint64_t drawn = rng.below(static_cast<uint64_t>(span.to_ns()) + 1);
  return job.start_delay + Duration::ns(static_cast<int64_t>(drawn));
}

}  // namespace

WorkloadRunner::WorkloadRunner(Simulator& sim, HostInterface& host, const Workload& workload,
                               uint64_t seed, PhaseObserver& observer)
    : sim_(sim),
      host_(host),
      workload_(&workload),
      seed_(seed),
      observer_(observer),
      parts_(most_parts(workload, host.mdts())),
      figures_(workload.phases.size()),
      phase_event_(this, Phase::kHost),
      steady_event_(this, Phase::kHost),
      warmup_event_(this, Phase::kHost) {
  size_t most_threads = 0;
  size_t most_jobs = 0;
  for (const PhaseSpec& phase : workload.phases) {
    most_threads = std::max(most_threads, threads_of(phase));
    most_jobs = std::max(most_jobs, phase.jobs.size());
    weights_.push_back(weight_of(phase));
    total_weight_ += weights_.back();
  }
  threads_ = std::vector<Thread>(most_threads);
  jobs_.reserve(most_jobs);
  for (uint32_t q = 0; q < host.queue_count(); ++q)
    queues_.emplace_back(host, QueueId(static_cast<uint16_t>(q)));
  SIM_ASSERT(!queues_.empty(), "the device has no submission queue");
}

void WorkloadRunner::start() {
  SIM_ASSERT(!started_, "a workload runner starts once");
  started_ = true;
  host_.set_interrupt_latency(workload_->host.interrupt_latency);
  if (workload_->ambient) host_.set_ambient(*workload_->ambient);
  sim_.schedule(phase_event_, sim_.now());
}

void WorkloadRunner::request_stop() {
  if (finished_ || stopping_) return;
  stopping_ = true;
  for (size_t i = 0; i < thread_count_; ++i)
    if (threads_[i].thread) threads_[i].thread->stop();
  if (replay_) replay_->stop();
  const bool resting = running_ && rests(*result_.spec);
  if (resting) phase_end_ = sim_.now();
  if (resting) sim_.reschedule(phase_event_, sim_.now());
}

void WorkloadRunner::on_phase_event() {
  if (running_) end_phase();
  if (stopping_ || next_phase_ == workload_->phases.size()) {
    finish();
  } else {
    begin_phase();
  }
}

void WorkloadRunner::begin_phase() {
  phase_ = next_phase_++;
  const PhaseSpec& phase = spec();
  result_ = PhaseResult{};
  result_.index = phases_run_++;
  result_.spec = &phase;
  result_.begin = sim_.now();
  running_ = true;
  phase_end_ = sim_.now();
  if (phase.preconditioning) host_.set_preconditioning(true);
  host_.set_read_ahead(phase.read_ahead);
  observer_.on_phase_begin(result_);
  switch (phase.action) {
    case PhaseAction::kJobs:
      begin_jobs(phase);
      break;
    case PhaseAction::kFormat:
      submit_control(Opcode::kFormat);
      break;
    case PhaseAction::kFlush:
      submit_control(Opcode::kFlush);
      break;
    case PhaseAction::kIdle:
      phase_end_ = sim_.now() + phase.idle;
      sim_.schedule(phase_event_, phase_end_);
      break;
    case PhaseAction::kReplay:
      begin_replay(phase);
      break;
    case PhaseAction::kAge:
      begin_age(phase);
      break;
  }
}

// With power the time passes; without, the drive is shut down first, and no time passes here.
void WorkloadRunner::begin_age(const PhaseSpec& phase) {
  if (!phase.powered) {
    submit_control(Opcode::kFlush);
    return;
  }
  ambient_before_ = host_.ambient();
  if (phase.ambient) host_.set_ambient(*phase.ambient);
  phase_end_ = sim_.now() + phase.idle;
  sim_.schedule(phase_event_, phase_end_);
}

void WorkloadRunner::begin_replay(const PhaseSpec& phase) {
  replay_ = std::make_unique<Replay>(
      Replay::Setup{.sim = &sim_,
                    .host = &host_,
                    .cpu = &workload_->host,
                    .queue = &queues_[0],
                    .result = &result_,
                    .owner = this,
                    .spec = &*phase.replay,
                    .observer = phase.replay_job ? io_observer_ : nullptr,
                    .job = phase.replay_job ? &*phase.replay_job : nullptr});
  result_.replay = &replay_->report();
  replay_->start();
}

void WorkloadRunner::on_replay_done(Time at) {
  phase_end_ = at;
  sim_.schedule(phase_event_, phase_end_);
}

void WorkloadRunner::begin_jobs(const PhaseSpec& phase) {
  size_t parts = 0;
  flows_.clear();
  jobs_.clear();
  for (const JobSpec& spec : phase.jobs) {
    Job& job = jobs_.emplace_back();
    job.spec = &spec;
    job.first_thread = thread_count_;
    job.first_part = parts;
    job.threads_running = spec.numjobs;
    if (spec.steady.measure != SteadyMeasure::kNone) job.steady = SteadyState(spec.steady);
    thread_count_ += spec.numjobs;
    parts += parts_in_flight(spec, host_.mdts());
  }
  threads_running_ = thread_count_;
  result_.rate_milli = rate_of_phase(phase);
  if (phase.warmup > Duration{}) sim_.schedule_in(warmup_event_, phase.warmup);
  for (Job& job : jobs_)
    if (job.spec->wait_for == kNoJob) begin_job(job);
}

// Requests per second, in thousandths, that the jobs of the phase share.
uint64_t WorkloadRunner::rate_of_phase(const PhaseSpec& phase) const {
  if (!phase.load) return 0;
  const LoadPoint& load = *phase.load;
  if (load.of_back == 0) return load.rate_milli;
  const double observed = figures_[phase_ - load.of_back].iops;
  const uint64_t rate = rate_for_percent(static_cast<uint64_t>(observed + 0.5), load.percent);
  return std::max<uint64_t>(rate, 1) * 1000;
}

void WorkloadRunner::on_warmup_event() {
  result_.warmup = result_.directions;
  result_.measure_begin = sim_.now();
}

void WorkloadRunner::begin_job(Job& job) {
  job.begin = sim_.now();
  if (job.spec->access.any())
    job.access.emplace(*job.spec, seed_, result_.rate_milli, host_.lba_size());
  for (uint32_t k = 0; k < job.spec->numjobs; ++k) {
    Thread& thread = threads_[job.first_thread + k];
    thread.source.reset();
    if (!job.access) thread.source.emplace(*job.spec, seed_, k);
    thread.thread.emplace(setup_of(job, k));
    if (stopping_ || job.terminated) thread.thread->stop();
  }
  for (uint32_t k = 0; k < job.spec->numjobs; ++k) threads_[job.first_thread + k].thread->start();
  if (job.steady.active() && !steady_event_.pending())
    sim_.schedule_in(steady_event_, job.steady.spec().interval);
}

JobThread::Setup WorkloadRunner::setup_of(Job& job, uint32_t clone) {
  const JobSpec& spec = *job.spec;
  const size_t number = job.first_thread + clone;
  JobThread::Setup setup;
  setup.sim = &sim_;
  setup.host = &host_;
  setup.cpu = &workload_->host;
  setup.queue = &queues_[number % queues_.size()];
  if (job.access) {
    setup.source = &*job.access;
  } else {
    setup.source = &*threads_[number].source;
  }
  setup.result = &result_;
  setup.owner = this;
  setup.parts_per_request = static_cast<uint32_t>(parts_per_request(spec, host_.mdts()));
  const size_t per_thread = size_t{spec.iodepth} * setup.parts_per_request;
  setup.parts = std::span(parts_).subspan(job.first_part + clone * per_thread, per_thread);
  setup.start_delay = start_delay_of(spec, seed_, clone);
  setup.deadline = Time::never();
  if (spec.runtime > Duration{})
    setup.deadline = sim_.now() + setup.start_delay + spec.ramp_time + spec.runtime;
  setup.paced = needs_pace(spec);
  setup.pace = spec.pace;
  setup.batch = spec.batch;
  setup.latency_target = spec.latency_target;
  if (spec.limits != LimitSpec{}) setup.limits = &spec.limits;
  setup.flow = flow_of(spec);
  setup.flow_weight = spec.flow.weight;
  setup.number = static_cast<uint32_t>(number);
  setup.observer = io_observer_;
  setup.job = &spec;
  setup.clone = clone;
  return setup;
}

FlowGroup* WorkloadRunner::flow_of(const JobSpec& job) {
  return job.flow.weight == 0 ? nullptr : &flows_[job.flow.id];
}

void WorkloadRunner::on_thread_done(uint32_t number, Time at) {
  phase_end_ = max(phase_end_, at);
  --threads_running_;
  size_t index = 0;
  while (number >= jobs_[index].first_thread + jobs_[index].spec->numjobs) ++index;
  const ExitSpec& exit = jobs_[index].spec->exit;
  const ThreadError& error = threads_[number].thread->error();
  const bool failed = error.error != JobError::kNone;
  if (failed && result_.threads_failed++ == 0) {
    result_.failed_job = jobs_[index].spec;
    result_.failure = error;
  }
  if (exit.on_end || (exit.on_error && failed)) end_with(jobs_[index]);
  if (--jobs_[index].threads_running == 0) {
    for (Job& job : jobs_)
      if (job.spec->wait_for == index) begin_job(job);
  }
  if (threads_running_ > 0 || phase_event_.pending()) return;
  sim_.cancel(steady_event_);
  sim_.cancel(warmup_event_);
  sim_.schedule(phase_event_, phase_end_);
}

// Stops whom the end of a thread of `job` takes along. Jobs that have not begun begin all the same,
// and end at once.
void WorkloadRunner::end_with(const Job& job) {
  const ExitSpec& exit = job.spec->exit;
  for (Job& other : jobs_) {
    if (exit.what == ExitWhat::kGroup && other.spec->exit.group != exit.group) continue;
    if (std::exchange(other.terminated, true)) continue;
    for (uint32_t k = 0; k < other.spec->numjobs; ++k)
      if (Thread& thread = threads_[other.first_thread + k]; thread.thread) thread.thread->stop();
  }
  if (exit.what == ExitWhat::kAll) phases_to_skip_ = exit.phases_left;
}

// Asks every detector, and stops the jobs that have become steady.
void WorkloadRunner::on_steady_event() {
  Duration next;
  for (Job& job : jobs_) {
    if (!job.steady.active() || job.threads_running == 0) continue;
    next = job.steady.spec().interval;
    uint64_t requests = 0;
    uint64_t bytes = 0;
    Duration latencies;
    const auto first = threads_.begin() + static_cast<std::ptrdiff_t>(job.first_thread);
    if (!first->thread) continue;
    for (auto thread = first; thread != first + job.spec->numjobs; ++thread) {
      requests += thread->thread->requests();
      bytes += thread->thread->bytes();
      latencies += thread->thread->completion_latency();
    }
    if (!job.steady.add(sim_.now() - job.begin, requests, bytes, latencies)) continue;
    for (auto thread = first; thread != first + job.spec->numjobs; ++thread) thread->thread->stop();
  }
  if (next > Duration{}) sim_.schedule_in(steady_event_, next);
}

void WorkloadRunner::submit_control(Opcode opcode) {
  control_ = Command{};
  control_.opcode = opcode;
  control_.queue = queues_[0].id();
  control_.sink = this;
  host_.submit(control_, sim_.now() + workload_->host.submit_cpu);
}

void WorkloadRunner::on_completion(Command& command) {
  SIM_ASSERT(command.status == Status::kSuccess, "a format or flush cannot fail");
  const PhaseSpec& phase = *result_.spec;
  if (phase.action == PhaseAction::kAge)
    host_.rest_unpowered(phase.idle, phase.ambient.value_or(host_.ambient()));
  phase_end_ = sim_.now() + workload_->host.complete_cpu;
  sim_.schedule(phase_event_, phase_end_);
}

void WorkloadRunner::end_phase() {
  SIM_ASSERT(result_.issued() == result_.completed(), "phase {}: issued {}, completed {}",
             result_.spec->name, result_.issued(), result_.completed());
  const PhaseSpec& phase = *result_.spec;
  if (phase.action == PhaseAction::kAge && phase.powered) host_.set_ambient(ambient_before_);
  if (phase.preconditioning) host_.set_preconditioning(false);
  result_.end = phase_end_;
  result_.complete = !stopping_;
  running_ = false;
  for (const Direction d : kAllDirections) earlier_bytes_[index_of(d)] += result_[d].bytes;
  earlier_requests_ += result_.completed();
  earlier_weight_ += weights_[phase_];
  figures_[phase_] = {result_.measured_iops(), result_.measured_bytes_per_second()};
  if (spec().round && result_.complete) judge_round(*spec().round);
  skip_phases(std::exchange(phases_to_skip_, 0));
  if (io_observer_ != nullptr && spec().action == PhaseAction::kJobs)
    for (const Job& job : jobs_)
      if (job.steady.active()) io_observer_->on_job_steady(*job.spec, job.steady);
  observer_.on_phase_end(result_);
  for (size_t i = 0; i < thread_count_; ++i) threads_[i].thread.reset();
  thread_count_ = 0;
  replay_.reset();
}

// Looks at the last rounds, and leaves out those to come if the tracked phases are steady.
void WorkloadRunner::judge_round(const RoundEnd& round) {
  RoundVerdict verdict{round.name, round.number, round.most, true, {}};
  const size_t rounds = std::min(round.number, round.rule.window);
  const size_t first = phase_ + 1 - rounds * round.phases;
  std::vector<double> values(rounds);
  for (const uint32_t tracked : round.tracked) {
    for (size_t i = 0; i < rounds; ++i) {
      const Figures& figures = figures_[first + i * round.phases + tracked];
      values[i] =
          round.rule.measure == RoundMeasure::kIops ? figures.iops : figures.bytes_per_second;
    }
    const SteadyWindow window = judge_window(values, round.rule);
    verdict.tracked.push_back({workload_->phases[first + tracked].name, window});
    verdict.steady = verdict.steady && window.steady;
  }
  if (!verdict.steady && round.number < round.most) return;
  skip_phases(size_t{round.most - round.number} * round.phases);
  result_.verdict = std::move(verdict);
}

// The next phases do not run.
void WorkloadRunner::skip_phases(size_t count) {
  count = std::min(count, workload_->phases.size() - next_phase_);
  for (size_t i = 0; i < count; ++i) total_weight_ -= weights_[next_phase_ + i];
  next_phase_ += count;
}

void WorkloadRunner::finish() {
  finished_ = true;
  observer_.on_workload_end();
}

double WorkloadRunner::phase_fraction() const {
  if (replay_) return replay_->fraction();
  double sum = 0;
  for (size_t i = 0; i < thread_count_; ++i) {
    if (!threads_[i].thread) continue;
    const JobThread& thread = *threads_[i].thread;
    double fraction = thread.source().fraction();
    if (thread.deadline() < Time::never()) {
      const auto passed = static_cast<double>((sim_.now() - result_.begin).to_ns());
      const auto limit = static_cast<double>((thread.deadline() - result_.begin).to_ns());
      fraction = std::max(fraction, passed / limit);
    }
    sum += std::min(fraction, 1.0);
  }
  return thread_count_ == 0 ? 0 : sum / static_cast<double>(thread_count_);
}

double WorkloadRunner::fraction_done() const {
  if (finished_ && !stopping_) return 1;
  if (total_weight_ == 0) return 0;
  const double now = running_ ? weights_[phase_] * phase_fraction() : 0;
  return std::min((earlier_weight_ + now) / total_weight_, 1.0);
}

}  // namespace ftlsim
