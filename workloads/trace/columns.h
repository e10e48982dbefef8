// Traces whose lines are columns: which column is what, and in which unit. Most
// published block traces are of this kind and are tables of this form
// (column_formats.cc); the format "csv" takes its table from the user.
//
//   columns: {header: true, time: Timestamp, time_unit: us, op: 3, offset: 4,
//   size: 5}
#pragma once

#include <cstdint>
#include <string>

#include "sim/config_visitor.h"
#include "sim/units.h"

namespace ftlsim {

enum class TimeUnit : uint8_t { kSeconds, kMilliseconds, kMicroseconds, kNanoseconds, kFiletime };
constexpr uint64_t nanoseconds_of(TimeUnit unit) {
  constexpr uint64_t kNs[] = {1'000'000'000, 1'000'000, 1'000, 1, 100};
  return kNs[static_cast<size_t>(unit)];
}

enum class Delimiter : uint8_t { kComma, kSemicolon, kTab, kPipe, kBlanks };
constexpr char char_of(Delimiter delimiter) {
  constexpr char kChars[] = {',', ';', '\t', '|', ' '};
  return kChars[static_cast<size_t>(delimiter)];
}

// A column is its number from 1, or its name in the header; empty if there is
// none.
struct ColumnsConfig {
  Delimiter delimiter = Delimiter::kComma;
  bool header = false;
  std::string time;
  TimeUnit time_unit = TimeUnit::kSeconds;
  std::string op;
  std::string offset;
  Bytes offset_unit = Bytes(1);
  std::string size;
  Bytes size_unit = Bytes(1);
  std::string device;
  std::string latency;  // times are those of the completion; this column leads
                        // back to the issue
  TimeUnit latency_unit = TimeUnit::kMicroseconds;
  // The words for each operation, separated by blanks.
  std::string read = "R r Read read READ";
  std::string write = "W w Write write WRITE";
  std::string trim = "D T Trim trim TRIM Discard discard DISCARD Unmap unmap UNMAP";
  std::string flush = "F Flush flush FLUSH";

  void visit(FieldVisitor& v);
};

}  // namespace ftlsim
