#include "workloads/trace/trace_input.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/assert.h"

namespace ftlsim {
namespace {

constexpr size_t kBuffer = size_t{256} << 10;

std::string_view without_cr(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

TraceInput::TraceInput(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(kBuffer) {}

void TraceInput::fill(size_t size) {
  SIM_ASSERT(size <= kMaxLine + 1, "{} bytes at once", size);
  if (buffer_.size() - begin_ < size) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  while (!ended_ && end_ - begin_ < size) {
    const size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
    ended_ = got == 0;
    end_ += got;
  }
}

std::string_view TraceInput::head() { return peek(kMaxLine); }

TraceInput::Line TraceInput::next_line(std::string_view& line) {
  const char* from = buffer_.data() + begin_;
  const auto* stop = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
  if (stop == nullptr) [[unlikely]] {
    fill(kMaxLine + 1);
    from = buffer_.data() + begin_;
    stop = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
    if (stop == nullptr) return long_line(line);
  }
  ++lines_;
  const auto length = static_cast<size_t>(stop - from);
  line = without_cr({from, length});
  begin_ += length + 1;
  return length <= kMaxLine ? Line::kLine : Line::kTooLong;
}

// The bytes at hand hold no line end: the last line, or one that is too long.
TraceInput::Line TraceInput::long_line(std::string_view& line) {
  const size_t length = end_ - begin_;
  if (length == 0) return Line::kEnd;
  ++lines_;
  if (length <= kMaxLine) {  // fill() reached the end
    line = without_cr({buffer_.data() + begin_, length});
    begin_ = end_;
    return Line::kLine;
  }
  // The start moves to the front of the buffer and stays there; the rest is
  // read over behind it.
  constexpr size_t kKept = 256;
  std::memmove(buffer_.data(), buffer_.data() + begin_, kKept);
  line = {buffer_.data(), kKept};
  for (;;) {
    const size_t got = source_->read(buffer_.data() + kKept, buffer_.size() - kKept);
    begin_ = kKept;
    end_ = kKept + got;
    if (got == 0) {
      ended_ = true;
      return Line::kTooLong;
    }
    const auto* stop = static_cast<const char*>(std::memchr(buffer_.data() + kKept, '\n', got));
    if (stop == nullptr) continue;
    begin_ = static_cast<size_t>(stop - buffer_.data()) + 1;
    return Line::kTooLong;
  }
}

}  // namespace ftlsim
