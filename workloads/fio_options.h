// Every option that fio 3.33 knows, and what this simulator does with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ftlsim {

// Options that shape a job here.
enum class FioKey : uint8_t {
  kRw,
  kBs,
  kBsrange,
  kBssplit,
  kBlockalign,
  kSize,
  kIoSize,
  kNumberIos,
  kLoops,
  kOffset,
  kOffsetIncrement,
  kIodepth,
  kBatchSubmit,
  kBatchComplete,
  kIodepthLow,
  kNumjobs,
  kRuntime,
  kTimeBased,
  kRampTime,
  kStartdelay,
  kStonewall,
  kWaitFor,
  kNewGroup,
  kNorandommap,
  kPercentageRandom,
  kRandomDistribution,
  kRandomGenerator,
  kRwSequencer,
  kRwmixread,
  kRwmixwrite,
  kRandrepeat,
  kRandseed,
  kZonemode,
  kZonesize,
  kZonerange,
  kZoneskip,
  kRate,
  kRateIops,
  kRateProcess,
  kIoSubmitMode,
  kRateIgnoreThinktime,
  kThinktime,
  kThinktimeSpin,
  kThinktimeBlocks,
  kThinktimeBlocksType,
  kThinktimeIotime,
  kFsync,
  kSync,
  kEndFsync,
  kWritefua,
  kVerify,
  kDoVerify,
  kVerifyOnly,
  kVerifyBacklog,
  kVerifyBacklogBatch,
  kFlow,
  kFlowId,
  kSteadystate,
  kSsDur,
  kSsRamp,
  kSsInterval,
  kLatencyTarget,
  kLatencyWindow,
  kLatencyPercentile,
  kLatencyRun,
  kWriteBwLog,
  kWriteIopsLog,
  kWriteLatLog,
  kWriteHistLog,
  kLogAvgMsec,
  kLogHistMsec,
  kLogHistCoarseness,
  kLogWindowMax,
  kLogOffset,
  kLogPrio,
  kLogIssueTime,
  kPerJobLogs,
  kBwAverage,
  kIopsAverage,
  kGroupReporting,
  kUnified,
  kClatPercentiles,
  kLatPercentiles,
  kSlatPercentiles,
  kPercentileList,
  kName,
  kKbBase,
  kIoengine,
  kDirect,
  kBuffered,
  kFilename,
  kDirectory,
  kFilenameFormat,
  kNrfiles,
  kFilesize,
  kFileServiceType,
  kExitall,
  kExitWhat,
  kExitallOnError,
  kRateMin,
  kRateIopsMin,
  kRateCycle,
  kMaxLatency,
  kContinueOnError,
  kTrimPercentage,
  kTrimBacklog,
  kTrimBacklogBatch,
  kBsIsSeqRand,
  kBsUnaligned,
  kOffsetAlign,
  kFillDevice,
  kReadIolog,
  kReplayNoStall,
  kReplayTimeScale,
  kReplayScale,
  kReplayAlign,
  kReplaySkip,
};
inline constexpr size_t kFioKeys = static_cast<size_t>(FioKey::kReplaySkip) + 1;

enum class FioUse : uint8_t {
  kModelled,
  kNoEffect,     // cannot change what the drive sees: accepted with a note
  kNotModelled,  // would: refused, unless its value is the harmless one
};

struct FioOptionInfo {
  std::string_view name;
  FioUse use;
  FioKey key = FioKey::kRw;      // if modelled; the canonical option of an alias
  std::string_view text = {};    // no effect: why; not modelled: its harmless value, if any
  std::string_view remedy = {};  // not modelled: what to write instead, if there is anything
};

// The option of that name, or nullptr.
const FioOptionInfo* find_fio_option(std::string_view name);
// The name under which fio reports an option that may be written under another.
std::string_view canonical_fio_name(std::string_view name);
// The known name nearest to an unknown one.
std::optional<std::string_view> suggest_fio_option(std::string_view name);

}  // namespace ftlsim
