#include "tools/trace/trace_convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "sim/diagnostics.h"
#include "workloads/trace/column_formats.h"

namespace ftlsim {
namespace {

constexpr uint64_t kSector = 512;

// The name of a device with everything that could confuse a reader replaced.
std::string plain_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       c == '.' || c == '-' || c == '_';
    out += plain ? c : '_';
  }
  return out.substr(0, 200);
}

class FioWriter final : public TraceWriter {
 public:
  explicit FioWriter(std::string target) : target_(std::move(target)) {}

  bool add(const TraceRecord& record, const DeviceNames& names, std::string& out) override {
    const std::string file = file_of(record, names);
    last_us_ = 1 + static_cast<uint64_t>(record.time_ns) / 1000;
    if (files_.insert(file).second)
      fmt::format_to(std::back_inserter(out), "{0}{1} {2} add\n{1} {2} open\n", header(), last_us_,
                     file);
    if (record.op == TraceOp::kFlush) {
      fmt::format_to(std::back_inserter(out), "{} {} sync 0 0\n", last_us_, file);
      return true;
    }
    if (record.op == TraceOp::kTrim) ++trims_;
    constexpr uint64_t kMost = uint64_t{1} << 30;  // fio reads lengths of 32 bits
    for (uint64_t done = 0; done < record.bytes; done += kMost)
      fmt::format_to(std::back_inserter(out), "{} {} {} {} {}\n", last_us_, file,
                     name_of(record.op), record.offset + done,
                     std::min(kMost, record.bytes - done));
    return true;
  }

  std::string note() const override {
    return trims_ == 0 ? "" : fmt::format("fio before 3.34 leaves the {} trims out", trims_);
  }

  void end(std::string& out) override {
    for (const std::string& file : files_)
      fmt::format_to(std::back_inserter(out), "{} {} close\n", last_us_, file);
  }

 private:
  std::string file_of(const TraceRecord& record, const DeviceNames& names) const {
    if (!target_.empty()) return target_;
    const std::string name = plain_name(names.name(record.device));
    return name.empty() ? "trace" : "trace-" + name;
  }
  std::string_view header() {
    const bool first = files_.size() == 1;
    return first ? "fio version 3 iolog\n" : "";
  }

  std::string target_;
  std::set<std::string> files_;
  uint64_t last_us_ = 1;
  uint64_t trims_ = 0;
};

class MqsimWriter final : public TraceWriter {
 public:
  bool add(const TraceRecord& record, const DeviceNames&, std::string& out) override {
    if (record.op != TraceOp::kRead && record.op != TraceOp::kWrite) return false;
    const uint64_t first = record.offset / kSector;
    const uint64_t end = (record.offset + record.bytes + kSector - 1) / kSector;
    fmt::format_to(std::back_inserter(out), "{} {} {} {} {}\n", record.time_ns, record.device,
                   first, end - first, record.op == TraceOp::kRead ? 1 : 0);
    return true;
  }
};

class CsvWriter final : public TraceWriter {
 public:
  explicit CsvWriter(std::string target) : target_(plain_name(target)) {}

  bool add(const TraceRecord& record, const DeviceNames& names, std::string& out) override {
    if (first_) fmt::format_to(std::back_inserter(out), "{}\n", kOwnCsvHeader);
    first_ = false;
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{}\n", record.time_ns, name_of(record.op),
                   record.offset, record.bytes,
                   target_.empty() ? plain_name(names.name(record.device)) : target_);
    return true;
  }

 private:
  std::string target_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<TraceWriter> make_trace_writer(std::string_view format, const std::string& target) {
  if (format == "fio3") return std::make_unique<FioWriter>(target);
  if (format == "mqsim") return std::make_unique<MqsimWriter>();
  if (format == "csv") return std::make_unique<CsvWriter>(target);
  return nullptr;
}

bool convert_trace(TraceSource& source, TraceWriter& writer, const std::string& path,
                   std::string& error) {
  constexpr size_t kBlock = size_t{256} << 10;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  std::string text;
  TraceRecord record;
  int64_t first_ns = 0;
  bool first = true;
  const auto write = [&] {
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  while (file && source.next(record)) {
    if (first) first_ns = record.time_ns;
    first = false;
    record.time_ns -= first_ns;
    if (writer.add(record, source.trace().devices(), text)) {
      ++source.tally().issued;
    } else {
      source.tally().filtered.add("not in this format");
    }
    if (text.size() >= kBlock) write();
  }
  writer.end(text);
  write();
  file.close();
  if (file) return true;
  error = fmt::format("cannot write {}: {}", quote(path), std::strerror(errno));
  return false;
}

}  // namespace ftlsim
