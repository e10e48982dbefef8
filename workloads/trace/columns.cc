#include "workloads/trace/columns.h"

namespace ftlsim {
namespace {

constexpr Choice<TimeUnit> kUnits[] = {
    {"s", TimeUnit::kSeconds, "seconds"},
    {"ms", TimeUnit::kMilliseconds, "milliseconds"},
    {"us", TimeUnit::kMicroseconds, "microseconds"},
    {"ns", TimeUnit::kNanoseconds, "nanoseconds"},
    {"filetime", TimeUnit::kFiletime, "100 ns since 1601, as Windows counts"},
};

constexpr Choice<Delimiter> kDelimiters[] = {
    {"comma", Delimiter::kComma, "a comma"},
    {"semicolon", Delimiter::kSemicolon, "a semicolon"},
    {"tab", Delimiter::kTab, "a tab"},
    {"pipe", Delimiter::kPipe, "a vertical bar"},
    {"blanks", Delimiter::kBlanks, "any number of blanks and tabs"},
};

}  // namespace

void ColumnsConfig::visit(FieldVisitor& v) {
  const Bytes least = Bytes(1);
  const Bytes most = Bytes::mib(1);
  v.choice({"delimiter", "what separates the columns"}, delimiter, kDelimiters);
  v.field({"header", "whether the first line names the columns"}, header);
  v.field({"time", "column of the time: its number from 1, or its name in the header"}, time);
  v.choice({"time_unit", "unit of the time"}, time_unit, kUnits);
  v.field({"op", "column of the operation"}, op);
  v.field({"offset", "column of the address"}, offset);
  v.field({"offset_unit", "bytes that an address counts, 512B for sectors"}, offset_unit, least,
          most);
  v.field({"size", "column of the length"}, size);
  v.field({"size_unit", "bytes that a length counts, 512B for sectors"}, size_unit, least, most);
  v.field({"device", "column of the device, disk or volume"}, device);
  v.field({"latency", "column of the latency, if the time is that of the completion"}, latency);
  v.choice({"latency_unit", "unit of the latency"}, latency_unit, kUnits);
  v.field({"read", "the words for a read, separated by blanks"}, read);
  v.field({"write", "the words for a write"}, write);
  v.field({"trim", "the words for a trim"}, trim);
  v.field({"flush", "the words for a flush"}, flush);
}

}  // namespace ftlsim
