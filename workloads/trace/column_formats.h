// The published traces that are columns.
#pragma once

#include <span>
#include <string_view>

#include "workloads/trace/column_format.h"

namespace ftlsim {

struct ColumnTrace {
  std::string_view name;
  std::string_view doc;
  ColumnMap map;
};

std::span<const ColumnTrace> column_traces();

// The CSV that `trace convert` writes; its header says the units.
inline constexpr std::string_view kOwnCsvHeader = "time_ns,op,offset_bytes,size_bytes,device";

}  // namespace ftlsim
