// The keywords of vdbench 5.04.06, section by section, and what becomes of each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ftlsim {

enum class VdbSection : uint8_t { kGeneral, kHd, kSd, kWd, kRd };
std::string_view name_of(VdbSection section);

enum class VdbUse : uint8_t {
  kModelled,
  kNoEffect,     // accepted with one note
  kNotModelled,  // refused, unless its value is `harmless`
};

enum class VdbKey : uint8_t {
  kNone,
  kLun,
  kSize,
  kThreads,
  kOffset,
  kAlign,
  kOpenflags,
  kRange,
  kSd,
  kSkew,
  kXfersize,
  kRdpct,
  kWrpct,
  kSeekpct,
  kWd,
  kIorate,
  kCurve,
  kElapsed,
  kInterval,
  kWarmup,
  kPause,
  kMaxdata,
  kDistribution,
  kForXfersize,
  kForThreads,
  kForRdpct,
  kForSeekpct,
};

struct VdbKeyword {
  std::string_view name;
  VdbUse use = VdbUse::kModelled;
  VdbKey key = VdbKey::kNone;
  std::string_view text;      // why it has no effect, or what is not modelled
  std::string_view harmless;  // value with which a keyword that is not modelled changes nothing
};

// In the order in which vdbench compares them, which decides about keywords cut short.
std::span<const VdbKeyword> vdb_keywords(VdbSection section);

// The keyword that `word` is, or the first that begins with it; null if there is none.
const VdbKeyword* find_vdb_keyword(VdbSection section, std::string_view word);

}  // namespace ftlsim
