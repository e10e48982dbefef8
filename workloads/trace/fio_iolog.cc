// fio's I/O logs, versions 2 and 3. A file may hold several logs, each with its
// header, since fio appends; the clock of a later one goes on where the one
// before ended.
#include <algorithm>
#include <array>
#include <utility>

#include "workloads/trace/formats.h"
#include "workloads/trace/trace_text.h"

namespace ftlsim {
namespace {

using trace_text::parse_u64;

constexpr std::string_view kHeader = "fio version ";

struct Action {
  std::string_view word;
  TraceOp op;
};
constexpr Action kActions[] = {
    {"read", TraceOp::kRead},  {"write", TraceOp::kWrite},    {"trim", TraceOp::kTrim},
    {"sync", TraceOp::kFlush}, {"datasync", TraceOp::kFlush},
};

class FioIolog final : public LineFormat {
 public:
  explicit FioIolog(IologWait wait) : wait_(wait) {}

  Parsed parse(std::string_view line, TraceRecord& record, LineContext& context) override {
    if (line.starts_with(kHeader)) return start_log(line, context);
    if (line.front() == '#') return Parsed::kNothing;
    if (version_ == 0)
      return reject(context, "no iolog: the line 'fio version 3 iolog' is missing");
    std::array<std::string_view, 6> words;
    const size_t n = trace_text::split(line, ' ', words);
    if (n == 0) return Parsed::kNothing;
    if (n > 5) return reject(context, "wrong number of fields");
    size_t at = 0;
    if (version_ == 3) {
      uint64_t us = 0;
      if (!parse_u64(words[at++], us) || us > kMostUs - begin_us())
        return reject(context, "time is not a number");
      clock_ns_ = begin_ns_ + static_cast<int64_t>(us) * 1000;
      last_ns_ = std::max(last_ns_, clock_ns_);
    }
    const auto rest = std::span(words).subspan(at, n - at);
    return parse_entry(rest, record, context);
  }

 private:
  static constexpr auto kMostUs = static_cast<uint64_t>(kMaxTraceNs / 1000);

  uint64_t begin_us() const { return static_cast<uint64_t>(begin_ns_ / 1000); }

  Parsed start_log(std::string_view line, LineContext& context) {
    const std::string_view version = line.substr(kHeader.size());
    version_ = version == "3 iolog" ? 3 : version == "2 iolog" ? 2 : 0;
    begin_ns_ = clock_ns_ = last_ns_;
    return version_ != 0 ? Parsed::kNothing : reject(context, "not version 2 or 3 of the iolog");
  }

  // file action [offset length], or in version 2: file wait time 0
  Parsed parse_entry(std::span<const std::string_view> words, TraceRecord& record,
                     LineContext& context) {
    if (words.size() < 2) return reject(context, "wrong number of fields");
    const std::string_view action = words[1];
    if (words.size() == 2 && (action == "add" || action == "open" || action == "close"))
      return Parsed::kNothing;
    if (action == "wait") return wait(words, context);
    const auto* known = std::find_if(std::begin(kActions), std::end(kActions),
                                     [&](const Action& a) { return a.word == action; });
    if (known == std::end(kActions)) return reject(context, "unknown action");
    record.op = known->op;
    record.time_ns = clock_ns_;
    record.device = context.devices.id_of(words[0]);
    const bool flush = record.op == TraceOp::kFlush;
    if (flush && words.size() == 2) return Parsed::kRecord;
    if (words.size() != 4) return reject(context, "wrong number of fields");
    uint64_t bytes = 0;
    if (!parse_u64(words[2], record.offset)) return reject(context, "address is not a number");
    if (!parse_u64(words[3], bytes)) return reject(context, "size is not a number");
    record.bytes = flush ? 0 : bytes;
    return Parsed::kRecord;
  }

  // fio ignores it in version 3.
  Parsed wait(std::span<const std::string_view> words, LineContext& context) {
    if (version_ == 3) return Parsed::kNothing;
    uint64_t time = 0;
    if (words.size() < 3 || !parse_u64(words[2], time) || time > (kMostUs - begin_us()) / 1000)
      return reject(context, "time is not a number");
    const auto t = static_cast<int64_t>(time);
    clock_ns_ = wait_ == IologWait::kRelativeUs ? clock_ns_ + t * 1000
                                                : std::max(clock_ns_, begin_ns_ + t * 1'000'000);
    clock_ns_ = std::min(clock_ns_, kMaxTraceNs);
    last_ns_ = std::max(last_ns_, clock_ns_);
    return Parsed::kNothing;
  }

  IologWait wait_;
  int version_ = 0;
  int64_t begin_ns_ = 0;  // of the log within the file
  int64_t clock_ns_ = 0;
  int64_t last_ns_ = 0;  // the latest so far
};

}  // namespace

std::unique_ptr<LineFormat> make_fio_iolog(const TraceOptions& options) {
  return std::make_unique<FioIolog>(options.wait);
}

}  // namespace ftlsim
