#include "workloads/vdbench/vdb_keywords.h"

#include <array>

namespace ftlsim {
namespace {

constexpr VdbUse kNoEffect = VdbUse::kNoEffect;
constexpr VdbUse kRefused = VdbUse::kNotModelled;
constexpr VdbUse kModelled = VdbUse::kModelled;

constexpr std::string_view kHost = "there is one host, the simulated one";
constexpr std::string_view kOfContent = "the drive does not look at the data";
constexpr std::string_view kReports = "it is about vdbench's reports";
constexpr std::string_view kCommand = "commands of the host are not run";
constexpr std::string_view kOfFiles = "file systems are not modelled";
constexpr std::string_view kChecking = "data validation is not modelled";

constexpr VdbKeyword kGeneral[] = {
    {"compratio", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"compression", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"compressionseed", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"dedupratio", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"dedupunit", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"dedupsets", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"deduphotsets", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"dedupflipflop", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"port", kNoEffect, VdbKey::kNone, kHost, {}},
    {"pattern", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"data_errors", kNoEffect, VdbKey::kNone, "no data are checked", {}},
    {"dataerrors", kNoEffect, VdbKey::kNone, "no data are checked", {}},
    {"validate", kRefused, VdbKey::kNone, kChecking, "no"},
    {"journal", kRefused, VdbKey::kNone, kChecking, "no"},
    {"startcmd", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"start_cmd", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"endcmd", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"end_cmd", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"heartbeat_error", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"debug", kNoEffect, VdbKey::kNone, kReports, {}},
    {"unix2windows", kNoEffect, VdbKey::kNone, kHost, {}},
    {"formatxfersize", kRefused, VdbKey::kNone, "formatting of files is not modelled", {}},
    {"create_anchors", kRefused, VdbKey::kNone, kOfFiles, "no"},
    {"formatsds", kRefused, VdbKey::kNone, "write the storage with a run of its own", "no"},
    {"report", kNoEffect, VdbKey::kNone, kReports, {}},
    {"report_run_totals", kNoEffect, VdbKey::kNone, kReports, {}},
    {"histogram", kNoEffect, VdbKey::kNone, kReports, {}},
    {"psrset", kNoEffect, VdbKey::kNone, kHost, {}},
    {"auxreport", kNoEffect, VdbKey::kNone, kReports, {}},
    {"monitor", kNoEffect, VdbKey::kNone, kReports, {}},
    {"concatenatesds", kRefused, VdbKey::kNone, "all storage is one drive", "no"},
    {"messagescan", kNoEffect, VdbKey::kNone, kReports, {}},
    {"abort_failed_skew", kNoEffect, VdbKey::kNone, kReports, {}},
    {"misc", kNoEffect, VdbKey::kNone, kReports, {}},
    {"pattern_buffer", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"showlba", kNoEffect, VdbKey::kNone, kReports, {}},
    {"loop", kRefused, VdbKey::kNone, "use the step 'repeat' of a procedure", {}},
    {"fsd", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"fwd", kRefused, VdbKey::kNone, kOfFiles, {}},
};

// Everything about a host is without effect as long as there is one.
constexpr VdbKeyword kHostKeywords[] = {
    {"system", kNoEffect, VdbKey::kNone, kHost, {}},
    {"vdbench", kNoEffect, VdbKey::kNone, kHost, {}},
    {"jvms", kNoEffect, VdbKey::kNone, kHost, {}},
    {"shell", kNoEffect, VdbKey::kNone, kHost, {}},
    {"user", kNoEffect, VdbKey::kNone, kHost, {}},
    {"clients", kRefused, VdbKey::kNone, kHost, "1"},
    {"mount", kNoEffect, VdbKey::kNone, kHost, {}},
    {"label", kNoEffect, VdbKey::kNone, kHost, {}},
};

constexpr VdbKeyword kSd[] = {
    {"host", kNoEffect, VdbKey::kNone, kHost, {}},
    {"hd", kNoEffect, VdbKey::kNone, kHost, {}},
    {"lun", kModelled, VdbKey::kLun, {}, {}},
    {"count", kRefused, VdbKey::kNone, "several luns are not modelled", {}},
    {"size", kModelled, VdbKey::kSize, {}, {}},
    {"threads", kModelled, VdbKey::kThreads, {}, {}},
    {"hitarea", kNoEffect, VdbKey::kNone, "hits are refused", {}},
    {"offset", kModelled, VdbKey::kOffset, {}, {}},
    {"align", kModelled, VdbKey::kAlign, {}, {}},
    {"kstat", kNoEffect, VdbKey::kNone, kReports, {}},
    {"instance", kNoEffect, VdbKey::kNone, kReports, {}},
    {"replay", kRefused, VdbKey::kNone, "replay a trace with the step 'replay'", {}},
    {"journal", kRefused, VdbKey::kNone, kChecking, "no"},
    {"resetlun", kRefused, VdbKey::kNone, "resets are not modelled", {}},
    {"resetbus", kRefused, VdbKey::kNone, "resets are not modelled", {}},
    {"openflags", kModelled, VdbKey::kOpenflags, {}, {}},
    {"range", kModelled, VdbKey::kRange, {}, {}},
    {"dedupratio", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"dedupunit", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"dedupsets", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"streams", kRefused, VdbKey::kNone, "streams are not modelled", {}},
};

constexpr VdbKeyword kWd[] = {
    {"sd", kModelled, VdbKey::kSd, {}, {}},
    {"skew", kModelled, VdbKey::kSkew, {}, {}},
    {"xfersize", kModelled, VdbKey::kXfersize, {}, {}},
    {"readpct", kModelled, VdbKey::kRdpct, {}, {}},
    {"rdpct", kModelled, VdbKey::kRdpct, {}, {}},
    {"writepct", kModelled, VdbKey::kWrpct, {}, {}},
    {"wrpct", kModelled, VdbKey::kWrpct, {}, {}},
    {"range", kModelled, VdbKey::kRange, {}, {}},
    {"hotband", kRefused, VdbKey::kNone, "hot bands are not modelled", {}},
    {"seekpct", kModelled, VdbKey::kSeekpct, {}, {}},
    {"stride", kRefused, VdbKey::kNone, "strides are not modelled", {}},
    {"priority", kRefused, VdbKey::kNone, "priorities are not modelled", {}},
    {"iorate", kRefused, VdbKey::kNone, "rates of one workload are not modelled; use skew", {}},
    {"rhpct", kRefused, VdbKey::kNone, "hits of a host's cache are not modelled", "0"},
    {"whpct", kRefused, VdbKey::kNone, "hits of a host's cache are not modelled", "0"},
    {"host", kNoEffect, VdbKey::kNone, kHost, {}},
    {"hd", kNoEffect, VdbKey::kNone, kHost, {}},
    {"openflags", kModelled, VdbKey::kOpenflags, {}, {}},
    {"user", kRefused, VdbKey::kNone, "user classes are not modelled", {}},
    {"threads", kRefused, VdbKey::kNone, "threads belong to a storage or a run", {}},
    {"streams", kRefused, VdbKey::kNone, "streams are not modelled", {}},
};

constexpr VdbKeyword kRd[] = {
    {"wd", kModelled, VdbKey::kWd, {}, {}},
    {"sd", kModelled, VdbKey::kSd, {}, {}},
    {"fsd", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"iorate", kModelled, VdbKey::kIorate, {}, {}},
    {"maxdata", kModelled, VdbKey::kMaxdata, {}, {}},
    {"maxdataread", kRefused, VdbKey::kNone, "use maxdata", {}},
    {"maxdatawritten", kRefused, VdbKey::kNone, "use maxdata", {}},
    {"curve", kModelled, VdbKey::kCurve, {}, {}},
    {"stopcurve", kRefused, VdbKey::kNone, "all points of a curve run", {}},
    {"elapsed", kModelled, VdbKey::kElapsed, {}, {}},
    {"interval", kModelled, VdbKey::kInterval, {}, {}},
    {"warmup", kModelled, VdbKey::kWarmup, {}, {}},
    {"replay", kRefused, VdbKey::kNone, "replay a trace with the step 'replay'", {}},
    {"pause", kModelled, VdbKey::kPause, {}, {}},
    {"forxfersize", kModelled, VdbKey::kForXfersize, {}, {}},
    {"forthreads", kModelled, VdbKey::kForThreads, {}, {}},
    {"forrdpct", kModelled, VdbKey::kForRdpct, {}, {}},
    {"forrhpct", kRefused, VdbKey::kNone, "hits of a host's cache are not modelled", "0"},
    {"forwhpct", kRefused, VdbKey::kNone, "hits of a host's cache are not modelled", "0"},
    {"forseekpct", kModelled, VdbKey::kForSeekpct, {}, {}},
    {"forhitarea", kNoEffect, VdbKey::kNone, "hits are refused", {}},
    {"forcompratio", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"forcompression", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"fordepth", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"forwidth", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"forfiles", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"forsizes", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"fortotalsize", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"foroperations", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"xfersize", kModelled, VdbKey::kForXfersize, {}, {}},
    {"threads", kModelled, VdbKey::kForThreads, {}, {}},
    {"rdpct", kModelled, VdbKey::kForRdpct, {}, {}},
    {"rhpct", kRefused, VdbKey::kNone, "hits of a host's cache are not modelled", "0"},
    {"whpct", kRefused, VdbKey::kNone, "hits of a host's cache are not modelled", "0"},
    {"seekpct", kModelled, VdbKey::kForSeekpct, {}, {}},
    {"hitarea", kNoEffect, VdbKey::kNone, "hits are refused", {}},
    {"compratio", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"compression", kNoEffect, VdbKey::kNone, kOfContent, {}},
    {"distribution", kModelled, VdbKey::kDistribution, {}, {}},
    {"startcmd", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"start_cmd", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"endcmd", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"end_cmd", kNoEffect, VdbKey::kNone, kCommand, {}},
    {"fwd", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"fwdrate", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"operations", kRefused, VdbKey::kNone, kOfFiles, {}},
    {"format", kRefused, VdbKey::kNone, kOfFiles, "no"},
    {"openflags", kModelled, VdbKey::kOpenflags, {}, {}},
    {"mount", kNoEffect, VdbKey::kNone, kHost, {}},
};

}  // namespace

std::string_view name_of(VdbSection section) {
  constexpr std::array<std::string_view, 5> kNames{"general", "hd", "sd", "wd", "rd"};
  return kNames[static_cast<size_t>(section)];
}

std::span<const VdbKeyword> vdb_keywords(VdbSection section) {
  switch (section) {
    case VdbSection::kGeneral:
      return kGeneral;
    case VdbSection::kHd:
      return kHostKeywords;
    case VdbSection::kSd:
      return kSd;
    case VdbSection::kWd:
      return kWd;
    case VdbSection::kRd:
      break;
  }
  return kRd;
}

const VdbKeyword* find_vdb_keyword(VdbSection section, std::string_view word) {
  const std::span<const VdbKeyword> all = vdb_keywords(section);
  for (const VdbKeyword& keyword : all)
    if (keyword.name == word) return &keyword;
  for (const VdbKeyword& keyword : all)
    if (keyword.name.starts_with(word)) return &keyword;
  return nullptr;
}

}  // namespace ftlsim
