// Readers: from a trace file to TraceRecords, one at a time.
//
// A reader counts every record of the file in the tally: those that it returns,
// those that it leaves out (filtered), those that make no sense (rejected). It
// returns records in the order of the file, with whatever times they have.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/units.h"
#include "workloads/trace/device_names.h"
#include "workloads/trace/trace_input.h"
#include "workloads/trace/trace_options.h"
#include "workloads/trace/trace_record.h"
#include "workloads/trace/trace_tally.h"

namespace ftlsim {

class TraceReader {
 public:
  TraceReader(TraceInput& input, DeviceNames& devices, TraceTally& tally)
      : input_(input), devices_(devices), tally_(tally) {}
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;
  virtual ~TraceReader() = default;

  // The next usable record, counted as read. False at the end of the trace.
  virtual bool next(TraceRecord& record) = 0;

  // Line or binary record, from 1, and start of the text, of the last record
  // returned; for messages.
  virtual uint64_t position() const = 0;
  virtual std::string_view text() const = 0;
  // Times are whole units of this; above 1 ms the records of one unit are
  // spread over it.
  virtual Duration resolution() const { return Duration::ns(1); }

  // Counts a record that next() has returned as not usable after all.
  void reject_last(std::string_view reason) { tally_.reject(position(), reason, text()); }

  TraceInput& input() { return input_; }
  const TraceInput& input() const { return input_; }
  DeviceNames& devices() { return devices_; }
  const DeviceNames& devices() const { return devices_; }
  TraceTally& tally() { return tally_; }
  const TraceTally& tally() const { return tally_; }

 protected:
  TraceInput& input_;
  DeviceNames& devices_;
  TraceTally& tally_;
};

// What a line is.
enum class Parsed : uint8_t {
  kRecord,    // the record has been filled in
  kNothing,   // a header, a comment, a line about something else: no record
  kFiltered,  // a record that is left out; the reason says why
  kRejected,  // a record that makes no sense; the reason says why
  kEnd,       // the records end here, whatever follows
};

struct LineContext {
  DeviceNames& devices;
  std::string_view reason;  // static storage; for kFiltered and kRejected
  std::string_view rest;    // a second record on the same line, to be parsed next
};

// One text format. May keep state from line to line.
class LineFormat {
 public:
  virtual ~LineFormat() = default;
  // `record` is fresh; the line is not empty and has no line end.
  virtual Parsed parse(std::string_view line, TraceRecord& record, LineContext& context) = 0;
  virtual Duration resolution() const { return Duration::ns(1); }
};

// The reader of all text formats.
std::unique_ptr<TraceReader> make_line_reader(std::unique_ptr<LineFormat> format, TraceInput& input,
                                              DeviceNames& devices, TraceTally& tally);

// Shorthands for LineFormat::parse().
inline Parsed reject(LineContext& context, std::string_view reason) {
  context.reason = reason;
  return Parsed::kRejected;
}
inline Parsed filter(LineContext& context, std::string_view reason) {
  context.reason = reason;
  return Parsed::kFiltered;
}

}  // namespace ftlsim
