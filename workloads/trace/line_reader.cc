// The loop over the lines of a text trace, common to all text formats.
#include <utility>

#include "workloads/trace/trace_reader.h"

namespace ftlsim {
namespace {

class LineReader final : public TraceReader {
 public:
  LineReader(std::unique_ptr<LineFormat> format, TraceInput& input, DeviceNames& devices,
             TraceTally& tally)
      : TraceReader(input, devices, tally), format_(std::move(format)), context_{devices, {}, {}} {}

  bool next(TraceRecord& record) override {
    while (next_line()) {
      record = TraceRecord{};
      context_.rest = {};
      switch (format_->parse(line_, record, context_)) {
        case Parsed::kRecord:
          ++tally_.read;
          return true;
        case Parsed::kNothing:
          break;
        case Parsed::kFiltered:
          ++tally_.read;
          tally_.filtered.add(context_.reason);
          break;
        case Parsed::kRejected:
          ++tally_.read;
          tally_.reject(input_.lines(), reason_of_rejection(), line_);
          break;
        case Parsed::kEnd:
          ended_ = true;
          return false;
      }
    }
    return false;
  }

  uint64_t position() const override { return input_.lines(); }
  std::string_view text() const override { return line_; }
  Duration resolution() const override { return format_->resolution(); }

 private:
  // A line that cannot be parsed because it holds a NUL byte should say so.
  std::string_view reason_of_rejection() const {
    return line_.find('\0') == std::string_view::npos ? context_.reason : "NUL byte in the line";
  }

  // Makes line_ the next line that is not empty, or what is left of this one.
  bool next_line() {
    if (!context_.rest.empty()) {
      line_ = context_.rest;
      return true;
    }
    while (!ended_) {
      switch (input_.next_line(line_)) {
        case TraceInput::Line::kLine:
          if (input_.lines() == 1 && line_.starts_with("\xef\xbb\xbf")) line_.remove_prefix(3);
          if (!line_.empty()) return true;
          break;
        case TraceInput::Line::kTooLong:
          ++tally_.read;
          tally_.reject(input_.lines(), "line of more than 64 KiB", line_);
          break;
        case TraceInput::Line::kEnd:
          end();
          break;
      }
    }
    return false;
  }

  // What follows a read error or damaged packed data is lost: that is a record
  // at least.
  void end() {
    ended_ = true;
    if (input_.error().empty()) return;
    ++tally_.read;
    tally_.damaged = true;
    tally_.reject(input_.lines() + 1, "the file cannot be read any further", input_.error());
  }

  std::unique_ptr<LineFormat> format_;
  LineContext context_;
  std::string_view line_;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<TraceReader> make_line_reader(std::unique_ptr<LineFormat> format, TraceInput& input,
                                              DeviceNames& devices, TraceTally& tally) {
  return std::make_unique<LineReader>(std::move(format), input, devices, tally);
}

}  // namespace ftlsim
