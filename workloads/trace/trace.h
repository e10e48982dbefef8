// An open trace: its file, its format and its reader.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workloads/trace/trace_reader.h"

namespace ftlsim {

struct TraceFormatInfo {
  std::string_view name;
  std::string_view doc;
};

// Every format that can be named.
std::span<const TraceFormatInfo> trace_formats();
bool is_trace_format(std::string_view name);

class Trace {
 public:
  // Opens a file. An empty `format` means: from the content. Nothing, and a
  // sentence in `error`, if the file cannot be read, its format is not known,
  // or several formats fit that differ in meaning, or the columns in the
  // options cannot be used.
  static std::unique_ptr<Trace> open(const std::filesystem::path& path, std::string_view format,
                                     const TraceOptions& options, std::string& error);
  // The same of bytes in memory, which must outlive the trace.
  static std::unique_ptr<Trace> of_memory(std::string_view bytes, std::string_view format,
                                          const TraceOptions& options, std::string& error);

  TraceReader& reader() { return *reader_; }
  const DeviceNames& devices() const { return devices_; }
  const TraceInput& input() const { return input_; }
  std::string_view format() const { return format_; }
  DeviceNames& devices() { return devices_; }
  const TraceTally& tally() const { return tally_; }

 private:
  explicit Trace(std::unique_ptr<ByteSource> source) : input_(std::move(source)) {}
  static std::unique_ptr<Trace> start(std::unique_ptr<ByteSource> source, std::string_view format,
                                      const TraceOptions& options, std::string& error);

  TraceInput input_;
  DeviceNames devices_;
  TraceTally tally_;
  std::string_view format_;
  std::unique_ptr<TraceReader> reader_;
};

// Whether the first bytes are those of one of fio's log files of results, which look like columns
// of a trace.
bool is_fio_log(std::string_view head, bool is_whole);

// The formats whose reader makes sense of the first bytes of a file.
std::vector<std::string_view> recognise_trace(std::string_view head, bool is_whole,
                                              const TraceOptions& options);

}  // namespace ftlsim
