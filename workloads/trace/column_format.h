// The line format of traces that are columns.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/trace/columns.h"
#include "workloads/trace/trace_reader.h"

namespace ftlsim {

// A ColumnsConfig with everything resolved but the names in the header.
struct ColumnMap {
  enum Role : uint8_t { kTime, kOp, kOffset, kSize, kDevice, kLatency };
  static constexpr size_t kRoles = 6;
  static constexpr size_t kMaxColumns = 64;
  static constexpr int kNone = -1;

  enum class Header : uint8_t {
    kNone,
    kSkipped,  // a first line that is no record is taken for one
    kNamed,    // the first line names the columns
  };

  struct Op {
    std::string text;
    TraceOp op;
  };

  char delimiter = ',';
  Header header = Header::kSkipped;
  size_t columns = 0;  // exactly so many; 0: at least those that are used
  std::array<int, kRoles> index{kNone, kNone, kNone, kNone, kNone, kNone};  // from 0
  std::array<std::string, kRoles> names;  // in a kNamed header; empty: `index` counts
  TimeUnit time_unit = TimeUnit::kSeconds;
  TimeUnit latency_unit = TimeUnit::kSeconds;
  uint64_t offset_unit = 1;
  uint64_t size_unit = 1;
  std::vector<Op> ops;
  std::string_view empty_op;   // why a record with an empty operation is left out
  bool whole_seconds = false;  // times have no fraction: to be spread over the second
  bool in_files = false;       // the device is a file, and the address one within it
};

// The map that the user wrote. Nothing, and a sentence in `error`, if it cannot
// be used.
bool make_column_map(const ColumnsConfig& config, ColumnMap& map, std::string& error);

std::unique_ptr<LineFormat> make_column_format(ColumnMap map);

}  // namespace ftlsim
