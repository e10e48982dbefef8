// A trace file as lines or as binary records, through one buffer of fixed size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/trace/byte_source.h"

namespace ftlsim {

class TraceInput {
 public:
  // The longest line that is read; what is longer is passed over as one line.
  static constexpr size_t kMaxLine = size_t{64} << 10;

  enum class Line : uint8_t { kLine, kTooLong, kEnd };

  explicit TraceInput(std::unique_ptr<ByteSource> source);

  // The first bytes, up to kMaxLine, without consuming anything. Only before
  // the first read.
  std::string_view head();

  // The next line without its end (LF or CR LF); the last one may lack it. The
  // view holds until the next call. kTooLong: `line` is the start of the line,
  // the rest has been passed over.
  Line next_line(std::string_view& line);

  // The next `size` bytes (at most kMaxLine), fewer only at the end. Holds
  // until the next call.
  std::string_view take(size_t size) {
    if (end_ - begin_ < size) [[unlikely]]
      fill(size);
    const std::string_view bytes(buffer_.data() + begin_, std::min(size, end_ - begin_));
    begin_ += bytes.size();
    return bytes;
  }
  // The same without consuming them.
  std::string_view peek(size_t size) {
    if (end_ - begin_ < size) [[unlikely]]
      fill(size);
    return {buffer_.data() + begin_, std::min(size, end_ - begin_)};
  }

  // Lines or takes so far; what the caller counts for binary records is up to
  // it.
  uint64_t lines() const { return lines_; }
  const std::string& error() const { return source_->error(); }
  double fraction() const { return source_->fraction(); }
  std::string_view packing() const { return source_->packing(); }

 private:
  // Makes `size` bytes available behind begin_ if the source has them.
  void fill(size_t size);
  Line long_line(std::string_view& line);

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  bool ended_ = false;
  uint64_t lines_ = 0;
};

}  // namespace ftlsim
