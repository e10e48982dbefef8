// What became of the records of a trace.
//
// Law, at the end of a trace: read == issued + filtered.total() +
// rejected.total(). A record is a line (or a binary entry) that stands for an
// I/O or an event of one; headers, comments and empty lines are none. Filtered:
// understood, and left out for a reason. Rejected: not usable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ftlsim {

// Counts by reason. A reason is a string with static storage; allocates
// nothing.
class ReasonCounts {
 public:
  struct Entry {
    std::string_view reason;
    uint64_t count = 0;
  };

  void add(std::string_view reason, uint64_t count = 1);
  std::span<const Entry> entries() const { return std::span(entries_).first(used_); }
  uint64_t total() const;

 private:
  static constexpr size_t kMost = 32;
  std::array<Entry, kMost> entries_{};
  size_t used_ = 0;
};

// One of the first rejected records.
struct RejectedRecord {
  uint64_t line = 0;  // or number of the binary record, from 1
  std::string_view reason;
  std::array<char, 80> text{};
  size_t length = 0;

  std::string_view start() const { return {text.data(), length}; }
};

struct TraceTally {
  uint64_t read = 0;
  uint64_t issued = 0;
  ReasonCounts filtered;
  ReasonCounts rejected;
  bool damaged = false;  // the file could not be read to its end: an unknown number is missing

  // Counts the record as rejected, and keeps it if it is among the first.
  // `text`: how it begins.
  void reject(uint64_t line, std::string_view reason, std::string_view text);
  std::span<const RejectedRecord> examples() const { return std::span(first_).first(kept_); }
  bool balanced() const { return read == issued + filtered.total() + rejected.total(); }

 private:
  std::array<RejectedRecord, 5> first_{};
  size_t kept_ = 0;
};

}  // namespace ftlsim
