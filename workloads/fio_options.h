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
  kSize,
  kIoSize,
  kOffset,
  kIodepth,
  kNumjobs,
  kRuntime,
  kTimeBased,
  kStonewall,
  kNorandommap,
  kRwmixread,
  kRwmixwrite,
  kRandseed,
  kName,
  kKbBase,
  kIoengine,
  kDirect,
  kBuffered,
  kFilename,
};
inline constexpr size_t kFioKeys = static_cast<size_t>(FioKey::kFilename) + 1;

enum class FioUse : uint8_t {
  kModelled,
  kNoEffect,     // cannot change what the drive sees: accepted with a note
  kNotModelled,  // would: refused, unless its value is the harmless one
};

struct FioOptionInfo {
  std::string_view name;
  FioUse use;
  FioKey key = FioKey::kRw;    // if modelled; the canonical option of an alias
  std::string_view text = {};  // no effect: why; not modelled: its harmless value, if any
};

// The option of that name, or nullptr.
const FioOptionInfo* find_fio_option(std::string_view name);
// The known name nearest to an unknown one.
std::optional<std::string_view> suggest_fio_option(std::string_view name);

}  // namespace ftlsim
