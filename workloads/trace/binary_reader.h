// What the readers of binary records have in common: numbers instead of lines,
// and the end of the file, in which the last record may be cut off.
#pragma once

#include "workloads/trace/trace_reader.h"

namespace ftlsim {

class BinaryReader : public TraceReader {
 public:
  using TraceReader::TraceReader;

  uint64_t position() const override { return number_; }
  std::string_view text() const override { return {}; }

 protected:
  // The file ends with `left` bytes of a record, which are consumed and counted
  // once. Always false, for next() to return.
  bool end(size_t left) {
    input_.take(left);
    const bool failed = !input_.error().empty();
    if (ended_ || (left == 0 && !failed)) return false;
    ended_ = true;
    ++number_;
    ++tally_.read;
    tally_.damaged |= failed;
    return reject(failed ? "the file cannot be read any further" : "truncated record",
                  input_.error());
  }

  // Counts the record as one that makes no sense, or as left out. Always false.
  bool reject(std::string_view reason, std::string_view start = {}) {
    tally_.reject(number_, reason, start);
    return false;
  }
  bool leave_out(std::string_view reason) {
    tally_.filtered.add(reason);
    return false;
  }

  uint64_t number_ = 0;  // of the record, from 1
  bool ended_ = false;
};

}  // namespace ftlsim
