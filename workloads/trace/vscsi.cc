// CloudPhysics' binary traces of virtual disks, versions 1 (32 bytes a record)
// and 2 (40 bytes), little-endian. The upper byte of the field `ver` tells them
// apart.
#include "workloads/trace/binary.h"
#include "workloads/trace/binary_reader.h"
#include "workloads/trace/formats.h"

namespace ftlsim {
namespace {

struct Layout {
  size_t size;
  size_t length;
  size_t command;
  size_t version;
  size_t block;
  size_t time;
};
constexpr Layout kVersion1{32, 4, 12, 14, 16, 24};
constexpr Layout kVersion2{40, 8, 0, 2, 16, 24};

class VscsiReader final : public BinaryReader {
 public:
  using BinaryReader::BinaryReader;

  bool next(TraceRecord& record) override {
    if (number_ == 0) choose_layout();
    for (;;) {
      const std::string_view bytes = input_.take(layout_.size);
      if (bytes.size() < layout_.size) return end(bytes.size());
      ++number_;
      ++tally_.read;
      if (parse(bytes, record)) return true;
    }
  }

 private:
  void choose_layout() {
    const std::string_view bytes = input_.peek(kVersion2.size);
    const bool second = bytes.size() == kVersion2.size && bytes[kVersion2.version + 1] == 2;
    layout_ = second ? kVersion2 : kVersion1;
    version_ = second ? 2 : 1;
  }

  bool parse(std::string_view bytes, TraceRecord& record) {
    record = TraceRecord{};
    if (binary::get<uint16_t>(bytes, layout_.version) >> 8 != version_)
      return reject("no record of this version");
    const auto block = binary::get<uint64_t>(bytes, layout_.block);
    const auto time = binary::get<uint64_t>(bytes, layout_.time);
    if (__builtin_mul_overflow(block, uint64_t{512}, &record.offset) ||
        time > static_cast<uint64_t>(kMaxTraceNs) / 1000)
      return reject("address or time out of range");
    record.time_ns = static_cast<int64_t>(time * 1000);
    record.bytes = binary::get<uint32_t>(bytes, layout_.length);
    return parse_command(binary::get<uint16_t>(bytes, layout_.command), record);
  }

  // The operation codes of SCSI.
  bool parse_command(uint16_t command, TraceRecord& record) {
    switch (command) {
      case 0x08:
      case 0x28:
      case 0x88:
      case 0xa8:
        record.op = TraceOp::kRead;
        return true;
      case 0x0a:
      case 0x2a:
      case 0x8a:
      case 0xaa:
        record.op = TraceOp::kWrite;
        return true;
      case 0x35:
      case 0x91:
        record.op = TraceOp::kFlush;
        record.bytes = 0;
        return true;
      default:
        return leave_out("command without data");
    }
  }

  Layout layout_ = kVersion1;
  int version_ = 1;
};

}  // namespace

std::unique_ptr<TraceReader> make_vscsi_reader(TraceInput& input, DeviceNames& devices,
                                               TraceTally& tally) {
  return std::make_unique<VscsiReader>(input, devices, tally);
}

}  // namespace ftlsim
