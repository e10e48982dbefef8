// One table entry per published trace that is columns. Units and orders of
// columns differ in ways that no content shows, so they are written down here
// once.
#include "workloads/trace/column_formats.h"

namespace ftlsim {
namespace {

using Header = ColumnMap::Header;
using Index = std::array<int, ColumnMap::kRoles>;  // time, op, offset, size,
                                                   // device, latency
constexpr int kNo = ColumnMap::kNone;

std::vector<ColumnMap::Op> ops(std::string_view read, std::string_view write) {
  return {{std::string(read), TraceOp::kRead}, {std::string(write), TraceOp::kWrite}};
}

std::vector<ColumnMap::Op> letters() {
  return {
      {"R", TraceOp::kRead}, {"W", TraceOp::kWrite}, {"r", TraceOp::kRead}, {"w", TraceOp::kWrite}};
}

ColumnTrace msr() {
  ColumnMap m;
  m.columns = 7;  // Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
  m.index = Index{0, 3, 4, 5, 2, kNo};
  m.time_unit = TimeUnit::kFiletime;
  m.ops = ops("Read", "Write");
  return {"msr", "MSR Cambridge CSV", m};
}

ColumnTrace systor() {
  ColumnMap m;
  m.columns = 6;  // Timestamp,Response,IOType,LUN,Offset,Size
  m.index = Index{0, 2, 4, 5, 3, kNo};
  m.ops = ops("R", "W");
  m.empty_op = "no operation given";
  return {"systor17", "SYSTOR '17 CSV", m};
}

ColumnTrace fiu() {
  ColumnMap m;
  m.delimiter = ' ';
  m.columns = 9;  // ts pid process lba size R/W major minor md5
  m.index = Index{0, 5, 3, 4, 7, kNo};
  m.time_unit = TimeUnit::kNanoseconds;
  m.offset_unit = m.size_unit = 512;
  m.ops = ops("R", "W");
  return {"fiu", "FIU IODedup text", m};
}

ColumnTrace alibaba() {
  ColumnMap m;
  m.columns = 5;  // device_id,opcode,offset,length,timestamp
  m.index = Index{4, 1, 2, 3, 0, kNo};
  m.time_unit = TimeUnit::kMicroseconds;
  m.ops = ops("R", "W");
  return {"alibaba", "Alibaba 2020 block traces", m};
}

ColumnTrace tencent() {
  ColumnMap m;
  m.columns = 5;  // Timestamp,Offset,Size,IOType,VolumeID
  m.index = Index{0, 3, 1, 2, 4, kNo};
  m.offset_unit = m.size_unit = 512;
  m.ops = ops("0", "1");
  m.whole_seconds = true;
  return {"tencent", "Tencent CBS", m};
}

ColumnTrace k5cloud() {
  ColumnMap m;
  m.columns = 5;  // volume,timestamp,op,offset,size
  m.index = Index{1, 2, 3, 4, 0, kNo};
  m.ops = letters();
  return {"k5cloud", "K5cloud CSV", m};
}

ColumnTrace spc() {
  ColumnMap m;  // ASU,LBA,size,op,timestamp[,...]
  m.index = Index{4, 3, 1, 2, 0, kNo};
  m.offset_unit = 512;  // the size is in bytes
  m.ops = letters();
  return {"spc", "SPC-1 / UMass", m};
}

ColumnTrace five_numbers(std::string_view name, std::string_view doc, TimeUnit unit,
                         std::string_view read, std::string_view write) {
  ColumnMap m;
  m.delimiter = ' ';
  m.header = Header::kNone;
  m.columns = 5;  // time device LBA size op
  m.index = Index{0, 4, 2, 3, 1, kNo};
  m.time_unit = unit;
  m.offset_unit = m.size_unit = 512;
  m.ops = ops(read, write);
  return {name, doc, m};
}

ColumnTrace thesios() {
  ColumnMap m;
  m.header = Header::kNamed;
  m.names = {"start_time", "op_type", "file_offset", "request_io_size_bytes", "filename", ""};
  m.index = Index{0, 0, 0, 0, 0, kNo};
  m.ops = ops("READ", "WRITE");
  m.in_files = true;
  return {"thesios", "Thesios CSV (each file at a place drawn from its name)", m};
}

ColumnTrace own() {
  ColumnMap m;
  m.header = Header::kNamed;
  m.names = {"time_ns", "op", "offset_bytes", "size_bytes", "device", ""};
  m.index = Index{0, 0, 0, 0, 0, kNo};
  m.time_unit = TimeUnit::kNanoseconds;
  m.ops = ops("read", "write");
  m.ops.push_back({"trim", TraceOp::kTrim});
  m.ops.push_back({"flush", TraceOp::kFlush});
  return {"csv", "CSV: what `trace convert` writes, or any with `columns` given", m};
}

}  // namespace

std::span<const ColumnTrace> column_traces() {
  static const std::vector<ColumnTrace> kTraces = {
      own(),
      thesios(),
      msr(),
      systor(),
      fiu(),
      alibaba(),
      tencent(),
      k5cloud(),
      spc(),
      five_numbers("mqsim", "MQSim ASCII: ns, sectors, 0 = write", TimeUnit::kNanoseconds, "1",
                   "0"),
      five_numbers("ssdsim", "SSDSim ASCII: ns, sectors, 1 = read", TimeUnit::kNanoseconds, "1",
                   "0"),
      five_numbers("disksim", "DiskSim ASCII: ms, sectors, 1 = read", TimeUnit::kMilliseconds, "1",
                   "0"),
  };
  return kTraces;
}

}  // namespace ftlsim
