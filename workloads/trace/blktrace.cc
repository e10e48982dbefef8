// The binary records of blktrace: 48 bytes and `pdu_len` more, in the byte
// order of the traced host, which every record shows by its magic. One kind of
// event counts, as in blkparse.cc.
#include <fmt/format.h>

#include "workloads/trace/binary.h"
#include "workloads/trace/binary_reader.h"
#include "workloads/trace/formats.h"

namespace ftlsim {
namespace {

constexpr size_t kHeaderBytes = 48;
constexpr uint32_t kMagic = 0x65617400;
constexpr uint32_t kMagicMask = 0xffffff00;

// Categories, in the upper half of the action.
constexpr uint32_t kCategoryRead = 0x0001;
constexpr uint32_t kCategoryWrite = 0x0002;
constexpr uint32_t kCategoryFlush = 0x0004;
constexpr uint32_t kCategoryPassThrough = 0x0200;
constexpr uint32_t kCategoryNotify = 0x0400;
constexpr uint32_t kCategoryDiscard = 0x2000;
constexpr uint32_t kCategoryFua = 0x8000;

constexpr uint32_t kQueue = 1;
constexpr uint32_t kIssue = 7;
constexpr uint32_t kComplete = 8;

char letter_of_action(uint32_t action) {
  constexpr std::string_view kLetters = "?QMFGSRDCPUTIXBA";
  return action < kLetters.size() ? kLetters[action] : '?';
}

uint32_t number_of(BlockEvent event) {
  switch (event) {
    case BlockEvent::kQueue:
      return kQueue;
    case BlockEvent::kComplete:
      return kComplete;
    case BlockEvent::kIssue:
      break;
  }
  return kIssue;
}

class BlktraceReader final : public BinaryReader {
 public:
  BlktraceReader(BlockEvent event, TraceInput& input, DeviceNames& devices, TraceTally& tally)
      : BinaryReader(input, devices, tally), action_(number_of(event)) {}

  bool next(TraceRecord& record) override {
    for (;;) {
      const std::string_view header = input_.peek(kHeaderBytes);
      if (header.size() < kHeaderBytes) return end(header.size());
      const auto magic = binary::get<uint32_t>(header, 0);
      const bool swap = (magic & kMagicMask) != kMagic;
      if (swap && (binary::swapped(magic) & kMagicMask) != kMagic) [[unlikely]] {
        skip_to_magic();
        continue;
      }
      ++number_;
      if (parse(header, swap, record)) return true;
    }
  }

 private:
  // Consumes the record. True if it counts.
  bool parse(std::string_view h, bool swap, TraceRecord& record) {
    const auto time = binary::get<uint64_t>(h, 8, swap);
    const auto sector = binary::get<uint64_t>(h, 16, swap);
    const auto bytes = binary::get<uint32_t>(h, 24, swap);
    const auto action = binary::get<uint32_t>(h, 28, swap);
    const auto device = binary::get<uint32_t>(h, 36, swap);
    const size_t extra = binary::get<uint16_t>(h, 46, swap);
    record = TraceRecord{};
    record.time_ns = static_cast<int64_t>(time);
    input_.take(kHeaderBytes);
    if (extra > 0 && input_.take(extra).size() < extra) {
      ++tally_.read;
      ended_ = true;
      return reject("truncated record");
    }
    const uint32_t category = action >> 16;
    if ((category & kCategoryNotify) != 0) return false;  // a process name, a time, a message
    ++tally_.read;
    const uint32_t kind =
        action & 0xff;  // above that: whether the extra bytes name a control group
    if (kind != action_) return leave_out(event_reason(letter_of_action(kind)));
    if (time > static_cast<uint64_t>(kMaxTraceNs)) return reject("time out of range");
    return take_record(category, sector, bytes, device, record);
  }

  bool take_record(uint32_t category, uint64_t sector, uint32_t bytes, uint32_t device,
                   TraceRecord& record) {
    if ((category & kCategoryPassThrough) != 0) return leave_out("command without data");
    if ((category & kCategoryDiscard) != 0) {
      record.op = TraceOp::kTrim;
    } else if ((category & kCategoryWrite) != 0) {
      record.op =
          bytes == 0 && (category & kCategoryFlush) != 0 ? TraceOp::kFlush : TraceOp::kWrite;
    } else if ((category & kCategoryRead) != 0) {
      record.op = TraceOp::kRead;
    } else if ((category & kCategoryFlush) != 0) {
      record.op = TraceOp::kFlush;
    } else {
      return leave_out("command without data");
    }
    record.fua = (category & kCategoryFua) != 0;
    if (__builtin_mul_overflow(sector, uint64_t{512}, &record.offset))
      return reject("address or size beyond 2^64 bytes");
    record.bytes = bytes;
    if (device != device_ || !has_device_) name_device(device);
    record.device = device_id_;
    return true;
  }

  void name_device(uint32_t device) {
    fmt::memory_buffer name;
    fmt::format_to(std::back_inserter(name), "{},{}", device >> 20, device & 0xfffff);
    device_id_ = devices_.id_of({name.data(), name.size()});
    device_ = device;
    has_device_ = true;
  }

  // Passes over bytes that belong to no record, counted as one.
  void skip_to_magic() {
    ++number_;
    ++tally_.read;
    reject("bytes between the records");
    for (;;) {
      input_.take(1);
      const std::string_view bytes = input_.peek(4);
      if (bytes.size() < 4) {
        input_.take(bytes.size());
        return;
      }
      const auto magic = binary::get<uint32_t>(bytes, 0);
      if ((magic & kMagicMask) == kMagic || (binary::swapped(magic) & kMagicMask) == kMagic) return;
    }
  }

  uint32_t action_;
  uint32_t device_ = 0;
  uint32_t device_id_ = 0;
  bool has_device_ = false;
};

}  // namespace

std::unique_ptr<TraceReader> make_blktrace_reader(const TraceOptions& options, TraceInput& input,
                                                  DeviceNames& devices, TraceTally& tally) {
  return std::make_unique<BlktraceReader>(options.event, input, devices, tally);
}

}  // namespace ftlsim
