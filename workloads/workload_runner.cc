#include "workloads/workload_runner.h"

#include <algorithm>
#include <span>

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

}  // namespace

WorkloadRunner::WorkloadRunner(Simulator& sim, HostInterface& host, const Workload& workload,
                               uint64_t seed, PhaseObserver& observer)
    : sim_(sim),
      host_(host),
      workload_(&workload),
      seed_(seed),
      observer_(observer),
      parts_(most_parts(workload, host.mdts())),
      phase_event_(this, Phase::kHost) {
  size_t most_threads = 0;
  for (const PhaseSpec& phase : workload.phases) {
    most_threads = std::max(most_threads, threads_of(phase));
    weights_.push_back(weight_of(phase));
    total_weight_ += weights_.back();
  }
  threads_ = std::vector<Thread>(most_threads);
  for (uint32_t q = 0; q < host.queue_count(); ++q)
    queues_.emplace_back(host, QueueId(static_cast<uint16_t>(q)));
  SIM_ASSERT(!queues_.empty(), "the device has no submission queue");
}

void WorkloadRunner::start() {
  SIM_ASSERT(!started_, "a workload runner starts once");
  started_ = true;
  host_.set_interrupt_latency(workload_->host.interrupt_latency);
  sim_.schedule(phase_event_, sim_.now());
}

void WorkloadRunner::request_stop() {
  if (finished_ || stopping_) return;
  stopping_ = true;
  for (size_t i = 0; i < thread_count_; ++i) threads_[i].thread->stop();
  const bool resting = running_ && result_.spec->action == PhaseAction::kIdle;
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
  const PhaseSpec& phase = workload_->phases[next_phase_];
  result_ = PhaseResult{};
  result_.index = next_phase_++;
  result_.spec = &phase;
  result_.begin = sim_.now();
  running_ = true;
  phase_end_ = sim_.now();
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
  }
}

void WorkloadRunner::begin_jobs(const PhaseSpec& phase) {
  size_t used_parts = 0;
  for (const JobSpec& job : phase.jobs) {
    const auto per_request = static_cast<uint32_t>(parts_per_request(job, host_.mdts()));
    const size_t per_thread = size_t{job.iodepth} * per_request;
    for (uint32_t k = 0; k < job.numjobs; ++k) {
      Thread& thread = threads_[thread_count_];
      thread.source.emplace(job, seed_, k);
      thread.thread.emplace(JobThread::Setup{
          .sim = &sim_,
          .host = &host_,
          .cpu = &workload_->host,
          .queue = &queues_[thread_count_ % queues_.size()],
          .source = &*thread.source,
          .result = &result_,
          .owner = this,
          .parts = std::span(parts_).subspan(used_parts, per_thread),
          .parts_per_request = per_request,
          .deadline = job.runtime > Duration{} ? sim_.now() + job.runtime : Time::never(),
      });
      used_parts += per_thread;
      ++thread_count_;
    }
  }
  threads_running_ = thread_count_;
  for (size_t i = 0; i < thread_count_; ++i) threads_[i].thread->start();
}

void WorkloadRunner::on_thread_done(Time at) {
  phase_end_ = max(phase_end_, at);
  if (--threads_running_ == 0) sim_.schedule(phase_event_, phase_end_);
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
  phase_end_ = sim_.now() + workload_->host.complete_cpu;
  sim_.schedule(phase_event_, phase_end_);
}

void WorkloadRunner::end_phase() {
  SIM_ASSERT(result_.issued() == result_.completed(), "phase {}: issued {}, completed {}",
             result_.spec->name, result_.issued(), result_.completed());
  result_.end = phase_end_;
  result_.complete = !stopping_;
  running_ = false;
  for (const Direction d : kAllDirections) earlier_bytes_[index_of(d)] += result_[d].bytes;
  earlier_requests_ += result_.completed();
  earlier_weight_ += weights_[result_.index];
  thread_count_ = 0;
  observer_.on_phase_end(result_);
}

void WorkloadRunner::finish() {
  finished_ = true;
  observer_.on_workload_end();
}

double WorkloadRunner::phase_fraction() const {
  double sum = 0;
  for (size_t i = 0; i < thread_count_; ++i) {
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
  const double now = running_ ? weights_[result_.index] * phase_fraction() : 0;
  return std::min((earlier_weight_ + now) / total_weight_, 1.0);
}

}  // namespace ftlsim
