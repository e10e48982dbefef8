// Bad and odd input: every record is accounted for, whatever the file holds.
#include <bzlib.h>
#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>
#include <string>

#include "tests/unit/trace_text.h"

namespace ftlsim {
namespace {

const std::string kRow = "7,R,4096,4096,1577808000000046\n";

template <class T>
void put(std::string& out, T value, bool swap) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (size_t i = 0; i < sizeof(T); ++i) out += bytes[swap ? sizeof(T) - 1 - i : i];
}

std::string blktrace_record(uint32_t action, uint64_t sector, uint32_t bytes, uint64_t ns,
                            bool swap = false, std::string_view extra = {}) {
  std::string out;
  put<uint32_t>(out, 0x65617407, swap);
  put<uint32_t>(out, 1, swap);
  put<uint64_t>(out, ns, swap);
  put<uint64_t>(out, sector, swap);
  put<uint32_t>(out, bytes, swap);
  put<uint32_t>(out, action, swap);
  put<uint32_t>(out, 4711, swap);
  put<uint32_t>(out, 259u << 20 | 3, swap);
  put<uint32_t>(out, 0, swap);
  put<uint16_t>(out, 0, swap);
  put<uint16_t>(out, static_cast<uint16_t>(extra.size()), swap);
  return out.append(extra);
}
constexpr uint32_t kIssueWrite = 0x0042u << 16 | 7;
constexpr uint32_t kNotify = 0x0400u << 16 | 2;

std::string vscsi1(uint16_t command, uint64_t block, uint32_t bytes, uint64_t us) {
  std::string out;
  put<uint32_t>(out, 1, false);
  put<uint32_t>(out, bytes, false);
  put<uint32_t>(out, 1, false);
  put<uint16_t>(out, command, false);
  put<uint16_t>(out, 0x0100, false);
  put<uint64_t>(out, block, false);
  put<uint64_t>(out, us, false);
  return out;
}

TEST_CASE("trace: blktrace of either byte order, mixed, truncated and with bytes between") {
  const std::string plain = blktrace_record(kNotify, 0, 0, 0, false, "fio") +
                            blktrace_record(kIssueWrite, 8, 4096, 1000, false, "extra") +
                            blktrace_record(0x0041u << 16 | 1, 8, 4096, 500);
  const ReadTrace t(plain);
  CHECK(t.format == "blktrace");
  REQUIRE(t.records.size() == 1);
  check_record(t.records[0], 1000, TraceOp::kWrite, 4096, 4096);
  CHECK(t.devices[0] == "259,3");
  CHECK(t.filtered() == 1);
  const ReadTrace mixed(plain + blktrace_record(kIssueWrite, 16, 512, 2000, true) + "garbage" +
                        blktrace_record(kIssueWrite, 24, 512, 3000) +
                        blktrace_record(kIssueWrite, 32, 512, 4000).substr(0, 30));
  REQUIRE(mixed.records.size() == 3);
  check_record(mixed.records[1], 2000, TraceOp::kWrite, 8192, 512);
  CHECK(mixed.rejected() == 2);
  CHECK(mixed.tally.rejected.entries()[0].reason == "bytes between the records");
  CHECK(mixed.tally.rejected.entries()[1].reason == "truncated record");
  const ReadTrace big(blktrace_record(kIssueWrite, 16, 512, 2000, true));
  CHECK(big.format == "blktrace");
  CHECK(big.records.size() == 1);
}

TEST_CASE("trace: vscsi") {
  const ReadTrace t(vscsi1(0x2a, 8, 4096, 5) + vscsi1(0x88, 16, 512, 6) + vscsi1(0x1a, 0, 0, 7) +
                    vscsi1(0x28, 0, 512, 8).substr(0, 20));
  CHECK(t.format == "vscsi");
  REQUIRE(t.records.size() == 2);
  check_record(t.records[0], 5000, TraceOp::kWrite, 4096, 4096);
  CHECK(t.filtered() == 1);
  CHECK(t.first_reason() == "truncated record");
}

TEST_CASE("trace: odd lines are counted, and the first ones kept with their numbers") {
  const std::string huge(10 << 20, 'x');
  const ReadTrace t("\xef\xbb\xbf" + kRow + "\r\n" + kRow + std::string("7,R,1\0,1,1\n", 11) +
                        huge + "\n" + "7,R,99999999999999999999999,1,1\n7,R,1,1\n7,X,1,1,1\n" +
                        "7,R,0,512,1577808000000046",
                    "alibaba");
  CHECK(t.records.size() == 3);
  CHECK(t.rejected() == 5);
  REQUIRE(t.tally.examples().size() == 5);
  CHECK(t.tally.examples()[0].line == 4);
  CHECK(t.tally.examples()[0].reason == "NUL byte in the line");
  CHECK(t.tally.examples()[1].line == 5);
  CHECK(t.tally.examples()[1].reason == "line of more than 64 KiB");
  CHECK(t.tally.examples()[2].reason == "address is not a number");
  CHECK(t.tally.examples()[3].reason == "wrong number of columns");
  CHECK(t.tally.examples()[4].reason == "unknown operation");
  CHECK(t.tally.examples()[4].start() == "7,X,1,1,1");
  const ReadTrace endless(kRow + huge, "alibaba");
  CHECK(endless.records.size() == 1);
  CHECK(endless.rejected() == 1);
}

TEST_CASE("trace: the wrong format, no format, nothing") {
  const ReadTrace wrong(kRow, "fio3");
  CHECK(wrong.records.empty());
  CHECK(wrong.rejected() == 1);
  CHECK(ReadTrace(kRow, "blktrace").rejected() == 1);
  CHECK(ReadTrace(kRow, "vscsi").rejected() == 1);
  CHECK(ReadTrace("hello\nworld\n").error.find("not recognised") != std::string::npos);
  CHECK(ReadTrace("").error == "the trace is empty");
  const std::string log = "1001, 136, 0, 4096, 0\n2001, 140, 1, 0, 0\n";  // else Tencent's columns
  CHECK(ReadTrace(log).error.find("a log of fio's results") != std::string::npos);
  CHECK(ReadTrace("0, 20941264, 8192, W, 0.551706\n").format == "spc");
  CHECK(ReadTrace("1538323200,12910952,128,0,1063\n").format == "tencent");
  CHECK(ReadTrace("\xff\xfe"
                  "7\0")
            .error.find("UTF-16") != std::string::npos);
  CHECK(ReadTrace(kRow, "alibabba").error.find("did you mean 'alibaba'") != std::string::npos);
}

std::string gzip(const std::string& text) {
  std::string out(text.size() + 200, '\0');
  z_stream s{};
  REQUIRE(deflateInit2(&s, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  s.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  s.avail_in = static_cast<uInt>(text.size());
  s.next_out = reinterpret_cast<Bytef*>(out.data());
  s.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&s, Z_FINISH) == Z_STREAM_END);
  out.resize(s.total_out);
  deflateEnd(&s);
  return out;
}

std::string bzip2(std::string text) {
  std::string out(text.size() + 1000, '\0');
  auto size = static_cast<unsigned>(out.size());
  REQUIRE(BZ2_bzBuffToBuffCompress(out.data(), &size, text.data(),
                                   static_cast<unsigned>(text.size()), 9, 0, 0) == BZ_OK);
  out.resize(size);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

TEST_CASE("trace: packed files, in several members, cut short and damaged") {
  std::string rows;
  for (int i = 0; i < 20'000; ++i) rows += kRow;
  const std::string packed[] = {gzip(rows), bzip2(rows), zstd(rows)};
  const char* names[] = {"gzip", "bzip2", "zstd"};
  for (size_t i = 0; i < 3; ++i) {
    CAPTURE(names[i]);
    const ReadTrace whole(packed[i]);
    CHECK(whole.packing == names[i]);
    CHECK(whole.records.size() == 20'000);
    CHECK(whole.rejected() == 0);
    CHECK(ReadTrace(packed[i] + packed[i]).records.size() == 40'000);
    const ReadTrace cut(packed[i].substr(0, packed[i].size() - 10), "alibaba");
    CHECK(cut.tally.rejected.entries().back().reason == "the file cannot be read any further");
    std::string damaged = packed[i];
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
    CHECK(ReadTrace(damaged, "alibaba").rejected() >= 1);
  }
}

}  // namespace
}  // namespace ftlsim
