#include "workloads/trace/replay_stream.h"

#include <algorithm>

#include "workloads/block_layer.h"

namespace ftlsim {
namespace {

constexpr uint64_t kMaxTransfer = Bytes::gib(4).count();
constexpr uint64_t kMaxTrim = Bytes::tib(1024).count();
constexpr int64_t kMaxSpanNs = int64_t{30} * 366 * 86'400 * 1'000'000'000;

Direction direction_of(TraceOp op) {
  return op == TraceOp::kRead   ? Direction::kRead
         : op == TraceOp::kTrim ? Direction::kTrim
                                : Direction::kWrite;
}

int64_t scaled(int64_t ns, uint64_t scale_q32) {
  const auto v = static_cast<unsigned __int128>(ns) * scale_q32 >> 32;
  return v > static_cast<unsigned __int128>(kMaxSpanNs) ? kMaxSpanNs : static_cast<int64_t>(v);
}

}  // namespace

ReplayStream::ReplayStream(Trace& trace, const ReplaySpec& spec, const DriveLimits& drive)
    : trace_(trace), spec_(spec), drive_(drive), order_(trace.reader().resolution().to_ns()) {
  if (!spec.device.empty()) device_ = trace.devices().id_of(spec.device);
}

bool ReplayStream::next(ReplayRequest& request) {
  if (!pending_ && (stopped_ || !next_record())) return false;
  request.fua = record_.fua;
  request.due = due_;
  request.gap = gap_;
  gap_ = Duration{};
  request.flush = record_.op == TraceOp::kFlush;
  request.direction = direction_of(record_.op);
  if (request.flush) {
    request.offset = request.bytes = 0;
    pending_ = false;
  } else {
    cut(request);
  }
  request.last = !pending_;
  ++requests_;
  if (request.last) ++trace_.reader().tally().issued;
  return true;
}

// The next piece of the record; one across the end of the drive goes on at its start.
void ReplayStream::cut(ReplayRequest& request) {
  const uint64_t slot = split_limit(request.direction, drive_.mdts) * kReplayPartsPerRequest;
  const uint64_t capacity = drive_.capacity.count();
  request.offset = record_.offset;
  request.bytes = std::min({left_, slot, capacity - record_.offset});
  left_ -= request.bytes;
  record_.offset = (record_.offset + request.bytes) % capacity;
  pending_ = left_ > 0;
}

bool ReplayStream::next_record() {
  for (;;) {
    while (order_.needs_input()) {
      TraceRecord record;
      if (!trace_.reader().next(record)) {
        order_.end();
      } else if (admit(record)) {
        order_.push(record);
      }
    }
    if (!order_.pop(record_)) return false;
    if (!started_) first_ns_ = record_.time_ns;
    if (record_.time_ns - first_ns_ > kMaxSpanNs) {
      trace_.reader().tally().rejected.add("more than 30 years after the first record");
      continue;
    }
    set_times();
    if (!spec_.skip[static_cast<size_t>(record_.op)]) break;
    trace_.reader().tally().filtered.add("of a kind that is skipped");
  }
  left_ = record_.bytes;
  pending_ = true;
  return true;
}

// The gap is that to the record before, even if that was skipped: so fio does it.
void ReplayStream::set_times() {
  const Duration due = Duration::ns(scaled(record_.time_ns - first_ns_, spec_.time_scale_q32));
  gap_ = started_ ? due - due_ : Duration{};
  due_ = due;
  started_ = true;
}

// Decides whether a record that has just been read is replayed, and where.
bool ReplayStream::admit(TraceRecord& record) {
  TraceReader& reader = trace_.reader();
  if (!spec_.device.empty() && record.device != device_) {
    reader.tally().filtered.add("other device");
    return false;
  }
  if (record.op == TraceOp::kFlush) return true;
  record.offset /= spec_.address_divisor;
  if (spec_.address_align != 0) record.offset &= ~(spec_.address_align - 1);
  const bool trim = record.op == TraceOp::kTrim;
  if (record.bytes == 0) {
    reader.reject_last("size of zero");
  } else if (record.bytes > (trim ? kMaxTrim : kMaxTransfer)) {
    reader.reject_last(trim ? "size above 1 PiB" : "size above 4 GiB");
  } else if (record.offset > UINT64_MAX / 2) {
    reader.reject_last("address above 8 EiB");
  } else {
    return place(record);
  }
  return false;
}

// Brings the record onto the drive, in whole logical blocks.
bool ReplayStream::place(TraceRecord& record) {
  const uint64_t capacity = drive_.capacity.count();
  if (spec_.address_policy == AddressPolicy::kScale && spec_.address_span > capacity) {
    record.offset = static_cast<uint64_t>(static_cast<unsigned __int128>(record.offset) * capacity /
                                          spec_.address_span);
    ++moved_;
  }
  const uint64_t block = drive_.lba_size.count();
  const uint64_t begin = record.offset / block * block;
  const uint64_t end = (record.offset + record.bytes + block - 1) / block * block;
  if (begin != record.offset || end != record.offset + record.bytes) ++rounded_;
  record.offset = begin;
  record.bytes = end - begin;
  return end <= capacity || keep_inside(record);
}

bool ReplayStream::keep_inside(TraceRecord& record) {
  TraceReader& reader = trace_.reader();
  const uint64_t capacity = drive_.capacity.count();
  switch (spec_.address_policy) {
    case AddressPolicy::kDrop:
      reader.tally().filtered.add(kPastTheEndOfDrive);
      return false;
    case AddressPolicy::kError:
      reader.reject_last(kPastTheEndOfDrive);
      return false;
    case AddressPolicy::kScale:
    case AddressPolicy::kWrap:
      break;
  }
  if (record.bytes > capacity) {
    reader.reject_last("larger than the drive");
    return false;
  }
  if (spec_.address_policy == AddressPolicy::kWrap) {
    record.offset %= capacity;
    ++moved_;
  } else {
    record.offset = capacity - record.bytes;  // its address fits, its length does not
  }
  return true;
}

void ReplayStream::stop() {
  stopped_ = true;
  const uint64_t left = order_.size() + (pending_ ? 1 : 0);
  pending_ = false;
  if (left > 0) trace_.reader().tally().filtered.add("not reached before the stop", left);
}

void ReplayStream::fill(ReplayReport& report) const {
  report.format = trace_.format();
  report.packing = trace_.input().packing();
  report.tally = trace_.tally();
  report.requests = requests_;
  report.moved = moved_;
  report.rounded = rounded_;
  report.backward_steps = order_.backward_steps();
  report.delayed = order_.delayed();
  report.recorded = due_;
}

}  // namespace ftlsim
