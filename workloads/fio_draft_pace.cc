// The options that say when requests are issued, in what batches, and when a job ends.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workloads/fio_draft.h"

namespace ftlsim {

bool FioOptionReader::apply_pace(FioKey key, const FioOption& option, FioDraft& draft) {
  JobSpec& spec = draft.spec;
  constexpr uint32_t kMost = UINT32_MAX;
  switch (key) {
    case FioKey::kRuntime:
      return read_time(option, Duration::s(1), spec.runtime), true;
    case FioKey::kTimeBased:
      return read_bool(option, spec.time_based), true;
    case FioKey::kRampTime:
      return read_time(option, Duration::s(1), spec.ramp_time), true;
    case FioKey::kStartdelay:
      return read_start_delay(option, draft), true;
    case FioKey::kBatchSubmit:
      return read_integer(option, draft, spec.batch.submit, 1, kMost), true;
    case FioKey::kBatchComplete:
      // 0 polls without waiting for any; a full queue waits for one even then.
      read_integer(option, draft, spec.batch.complete, 0, kMost);
      spec.batch.complete = std::max(spec.batch.complete, 1u);
      return true;
    case FioKey::kIodepthLow:
      return read_integer(option, draft, spec.batch.low, 1, kMost), true;
    case FioKey::kRate:
      return read_integers(option, draft, draft.rate), check_rates(option, draft), true;
    case FioKey::kRateIops:
      return read_integers(option, draft, draft.rate_iops), check_rates(option, draft), true;
    case FioKey::kRateProcess:
      spec.pace.poisson = read_word(option, {"linear", "poisson"}) == 1;
      return true;
    case FioKey::kIoSubmitMode:
      spec.pace.open_loop = read_word(option, {"inline", "offload"}) == 1;
      return true;
    case FioKey::kRateIgnoreThinktime:
      return read_bool(option, spec.pace.rate_ignores_think), true;
    case FioKey::kThinktime:
      return read_time(option, Duration::us(1), spec.pace.think), true;
    case FioKey::kThinktimeSpin: {
      Duration spin;  // part of the pause: the thread does the same for as long
      return read_time(option, Duration::us(1), spin), true;
    }
    case FioKey::kThinktimeBlocks:
      return read_integer(option, draft, spec.pace.think_blocks, 1, kMost), true;
    case FioKey::kThinktimeBlocksType:
      spec.pace.think_on_issue = read_word(option, {"complete", "issue"}) == 1;
      return true;
    case FioKey::kThinktimeIotime:
      return read_time(option, Duration::s(1), spec.pace.think_iotime), true;
    default:
      return false;
  }
}

bool FioOptionReader::apply_sync(FioKey key, const FioOption& option, FioDraft& draft) {
  JobSpec& spec = draft.spec;
  switch (key) {
    case FioKey::kFsync:
      return read_integer(option, draft, spec.sync.every_writes), true;
    case FioKey::kSync:
      return read_sync(option, draft), true;
    case FioKey::kWritefua:
      return read_bool(option, spec.sync.fua), true;
    case FioKey::kEndFsync:
      return read_bool(option, spec.sync.at_end), true;
    case FioKey::kVerify:
      draft.verify = text_of(option) != "0" && text_of(option) != "none";
      return true;
    case FioKey::kDoVerify:
      return read_bool(option, draft.do_verify), true;
    case FioKey::kVerifyOnly:
      return read_bool(option, spec.verify.only), true;
    case FioKey::kVerifyBacklog:
      return read_integer(option, draft, spec.verify.backlog), true;
    case FioKey::kVerifyBacklogBatch:
      return read_integer(option, draft, spec.verify.backlog_batch), true;
    case FioKey::kTrimPercentage:
      return read_integer(option, draft, spec.verify.trim_percent, 0, 100), true;
    case FioKey::kTrimBacklog:
      return read_integer(option, draft, spec.verify.trim_backlog), true;
    case FioKey::kTrimBacklogBatch:
      return read_integer(option, draft, spec.verify.trim_batch), true;
    case FioKey::kFlow:
      return read_integer(option, draft, spec.flow.weight, 0, 1'000'000), true;
    case FioKey::kFlowId:
      return read_integer(option, draft, spec.flow.id), true;
    case FioKey::kSteadystate:
      return read_steady_state(option, draft), true;
    case FioKey::kSsDur:
      return read_time(option, Duration::s(1), spec.steady.duration), true;
    case FioKey::kSsRamp:
      return read_time(option, Duration::s(1), spec.steady.ramp), true;
    case FioKey::kSsInterval:
      return read_time(option, Duration::s(1), spec.steady.interval), true;
    case FioKey::kLatencyTarget:
      return read_time(option, Duration::us(1), spec.latency_target.target), true;
    case FioKey::kLatencyWindow:
      return read_time(option, Duration::us(1), spec.latency_target.window), true;
    case FioKey::kLatencyPercentile:
      return read_number(option, spec.latency_target.percentile), true;
    case FioKey::kLatencyRun:
      return read_bool(option, spec.latency_target.keep_running), true;
    default:
      return false;
  }
}

bool FioOptionReader::apply_limits(FioKey key, const FioOption& option, FioDraft& draft) {
  LimitSpec& limits = draft.spec.limits;
  switch (key) {
    case FioKey::kRateMin:
      return read_integers(option, draft, limits.rate_min), true;
    case FioKey::kRateIopsMin:
      return read_integers(option, draft, limits.iops_min), true;
    case FioKey::kRateCycle:
      return read_milliseconds(option, draft, limits.rate_cycle), true;
    case FioKey::kMaxLatency:
      return read_latencies(option, limits.max_latency), true;
    case FioKey::kContinueOnError:
      return read_continue(option, draft), true;
    case FioKey::kExitall:
      return read_bool(option, draft.exitall), true;
    case FioKey::kExitallOnError:
      return read_bool(option, draft.spec.exit.on_error), true;
    case FioKey::kExitWhat:
      if (const std::optional<size_t> word = read_word(option, {"group", "stonewall", "all"}))
        draft.spec.exit.what = static_cast<ExitWhat>(*word);
      return true;
    default:
      return false;
  }
}

// "R,W,T" as in read_integers(), in microseconds or with a unit.
void FioOptionReader::read_latencies(const FioOption& option, PerDirection<Duration>& target) {
  const std::vector<std::string_view> pieces = split_text(text_of(option), ",");
  if (pieces.size() > kDirections)
    return refuse(option, fmt::format("{} has more than 3 values", quote(text_of(option))));
  for (size_t i = 0; i < kDirections; ++i) {
    const std::string_view piece = pieces[std::min(i, pieces.size() - 1)];
    if (piece.empty() && pieces.size() > 1) continue;
    read_time({option.key, std::string(piece), option.origin}, Duration::us(1), target[i]);
  }
}

// The kinds of errors that do not end the job. What a verification finds cannot go wrong here, and
// trims count as writes, as in fio.
void FioOptionReader::read_continue(const FioOption& option, FioDraft& draft) {
  const std::optional<size_t> word =
      option.value ? read_word(option, {"none", "0", "read", "write", "io", "verify", "all", "1"})
                   : size_t{7};
  if (!word) return;
  const bool all = *word == 4 || *word >= 6;
  const bool reads = all || *word == 2;
  const bool writes = all || *word == 3;
  draft.spec.limits.ends_on_error = {!reads, !writes, !writes};
  draft.spec.report.counts_errors = *word >= 2;
}

void FioOptionReader::check_rates(const FioOption& option, const FioDraft& draft) {
  const auto limited = [](const PerDirection<uint64_t>& rates) {
    return std::any_of(rates.begin(), rates.end(), [](uint64_t rate) { return rate != 0; });
  };
  if (limited(draft.rate) && limited(draft.rate_iops))
    refuse(option, "rate and rate_iops exclude each other, as in fio; take one of them out");
}

// A time, or two with '-' between which it is drawn.
void FioOptionReader::read_start_delay(const FioOption& option, FioDraft& draft) {
  const std::vector<std::string_view> ends = split_text(text_of(option), "-");
  if (ends.size() > 2)
    return refuse(option, fmt::format("{} is not a range of times", quote(text_of(option))));
  JobSpec& spec = draft.spec;
  for (size_t i = 0; i < ends.size(); ++i)
    read_time({option.key, std::string(ends[i]), option.origin}, Duration::s(1),
              i == 0 ? spec.start_delay : spec.start_delay_max);
  if (ends.size() == 1) spec.start_delay_max = spec.start_delay;
  if (spec.start_delay_max < spec.start_delay) std::swap(spec.start_delay, spec.start_delay_max);
}

// "iops:10%", "bw_slope:5000"
void FioOptionReader::read_steady_state(const FioOption& option, FioDraft& draft) {
  const std::string_view text = text_of(option);
  const size_t colon = text.find(':');
  const std::optional<size_t> kind =
      read_word({option.key, std::string(text.substr(0, colon)), option.origin},
                {"iops", "iops_slope", "bw", "bw_slope", "lat", "lat_slope"});
  if (!kind) return;
  SteadySpec& steady = draft.spec.steady;
  steady.measure = *kind < 2   ? SteadyMeasure::kIops
                   : *kind < 4 ? SteadyMeasure::kBandwidth
                               : SteadyMeasure::kLatency;
  steady.slope = *kind % 2 == 1;
  std::string limit(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  steady.percent = limit.ends_with('%');
  while (limit.ends_with('%')) limit.pop_back();
  if (steady.percent || *kind < 2)
    return read_number({option.key, limit, option.origin}, steady.limit);
  if (steady.measure == SteadyMeasure::kLatency) {
    Duration latency;
    read_time({option.key, limit, option.origin}, Duration::us(1), latency);
    steady.limit = static_cast<double>(latency.to_ns());
    return;
  }
  uint64_t bytes = 0;
  read_integer({option.key, limit, option.origin}, draft, bytes);
  steady.limit = static_cast<double>(bytes);
}

// O_SYNC and O_DSYNC on a drive: every write is on the medium before it completes.
void FioOptionReader::read_sync(const FioOption& option, FioDraft& draft) {
  const std::optional<size_t> word =
      option.value ? read_word(option, {"none", "0", "sync", "1", "dsync"}) : size_t{3};
  if (word) draft.spec.sync.fua = *word >= 2;
}

}  // namespace ftlsim
