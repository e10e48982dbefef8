// Writes a trace in another format: fio's iolog of version 3, MQSim's ASCII, or our CSV.
//
// Times are counted from the first record. fio loses the first gap of a log that begins at 0, so
// its times begin at 1 us; every file has its add, open and close lines, without which fio fails.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tools/trace/trace_source.h"

namespace ftlsim {

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  // Appends the record as text. Times do not go backwards and begin at 0. False: this format cannot
  // say it.
  virtual bool add(const TraceRecord& record, const DeviceNames& names, std::string& out) = 0;
  virtual void end(std::string&) {}
  // What the reader of the file should know; empty: nothing.
  virtual std::string note() const { return ""; }
};

// `format`: fio3, mqsim or csv; nothing for another. `target`: the name of the one file or device
// that all records go to; empty: one each.
std::unique_ptr<TraceWriter> make_trace_writer(std::string_view format, const std::string& target);

// Reads `source` to its end and writes it to the file `path`. Records that the format cannot say
// are left out. False, and a sentence in `error`, if the file cannot be written.
bool convert_trace(TraceSource& source, TraceWriter& writer, const std::string& path,
                   std::string& error);

}  // namespace ftlsim
