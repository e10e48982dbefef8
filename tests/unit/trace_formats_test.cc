// Every trace format: recognised from its content, read with the right units and operations.
#include <doctest/doctest.h>

#include <string>

#include "tests/unit/trace_text.h"

namespace ftlsim {
namespace {

constexpr int64_t kUs = 1000;
constexpr int64_t kMs = 1'000'000;
constexpr int64_t kS = 1'000'000'000;

TEST_CASE("trace: MSR Cambridge") {
  const ReadTrace t(
      "128166372003061629,hm,0,Read,383496192,32768,413\r\n"
      "128166372003071629,hm,1,Write,2822144,4096,2326");
  CHECK(t.format == "msr");
  REQUIRE(t.records.size() == 2);
  check_record(t.records[0], (128166372003061629 - 116444736000000000) * 100, TraceOp::kRead,
               383496192, 32768);
  CHECK(t.records[1].time_ns - t.records[0].time_ns == kMs);
  CHECK(t.records[1].op == TraceOp::kWrite);
  CHECK(t.devices[0] == "0");
  CHECK(t.devices[1] == "1");
  const ReadTrace tabs(
      "Timestamp\tHostname\tDiskNumber\tType\tOffset\tSize\tResponseTime\n"
      "128166372003061629\thm\t0\tRead\t0\t512\t413\n");
  CHECK(tabs.format == "msr");
  CHECK(tabs.records.size() == 1);
}

TEST_CASE("trace: SYSTOR '17 with its header, and rows without an operation") {
  const ReadTrace t(
      "Timestamp,Response,IOType,LUN,Offset,Size\n"
      "1455592822.000005000,0.000223,R,0,65536,4096\n"
      "1455592821.000005000,0.000223,W,0,131072,8192\n"
      "1455592822.000006000,,,2,512,512\n");
  CHECK(t.format == "systor17");
  REQUIRE(t.records.size() == 2);
  check_record(t.records[0], 1455592822 * kS + 5 * kUs, TraceOp::kRead, 65536, 4096);
  CHECK(t.filtered() == 1);
  CHECK(t.rejected() == 0);
}

TEST_CASE("trace: FIU, Alibaba, Tencent, K5cloud and SPC have their own orders and units") {
  const ReadTrace fiu("89966 4253 nfsd 508541568 8 W 6 0 531e779d\n");
  CHECK(fiu.format == "fiu");
  check_record(fiu.records.at(0), 89966, TraceOp::kWrite, 508541568ull * 512, 4096);
  const ReadTrace alibaba("7,R,126703661056,4096,1577808000000046\n");
  CHECK(alibaba.format == "alibaba");
  check_record(alibaba.records.at(0), 1577808000000046 * kUs, TraceOp::kRead, 126703661056, 4096);
  CHECK(alibaba.devices.at(0) == "7");
  const ReadTrace tencent("1538323200,12910952,128,1,1063\n");
  CHECK(tencent.format == "tencent");
  check_record(tencent.records.at(0), 1538323200 * kS, TraceOp::kWrite, 12910952ull * 512, 65536);
  const ReadTrace k5("3,12.5,W,1048576,8192\n");
  CHECK(k5.format == "k5cloud");
  check_record(k5.records.at(0), 12 * kS + 500 * kMs, TraceOp::kWrite, 1048576, 8192);
  const ReadTrace spc("0, 20941264, 8192, w, 0.551706\n1,16,512,R,1.25,0x123,5.99,text\n");
  CHECK(spc.format == "spc");
  check_record(spc.records.at(0), 551'706'000, TraceOp::kWrite, 20941264ull * 512, 8192);
  CHECK(spc.records.size() == 2);
}

TEST_CASE("trace: five bare numbers are never guessed") {
  const std::string text = "938513000 4 264719034 16 0\n938828000 3 197570570 16 1\n";
  const ReadTrace unnamed(text);
  CHECK(unnamed.error.find("mqsim, ssdsim, disksim") != std::string::npos);
  const ReadTrace mqsim(text, "mqsim");
  check_record(mqsim.records.at(0), 938513000, TraceOp::kWrite, 264719034ull * 512, 8192);
  CHECK(mqsim.records.at(1).op == TraceOp::kRead);
  const ReadTrace disksim("1.5 4 8 16 0\n", "disksim");
  CHECK(disksim.records.at(0).time_ns == 1'500'000);
}

TEST_CASE("trace: Thesios by the names in its header, files at places of their own") {
  const ReadTrace t(
      "filename,file_offset,application,op_type,request_io_size_bytes,start_time\n"
      "aa,4096,x,WRITE,3390,1705305600.015989780\n"
      "aa,8192,x,READ,0,1705305600.019597054\n"
      "bb,4096,x,READ,100,1705305601.019597054\n");
  CHECK(t.format == "thesios");
  REQUIRE(t.records.size() == 3);
  CHECK(t.records[0].time_ns == 1705305600 * kS + 15'989'780);
  CHECK(t.records[1].offset - t.records[0].offset == 4096);
  CHECK(t.records[2].offset != t.records[0].offset);
  const ReadTrace broken("filename,file_offset,request_io_size_bytes\naa,4096,1\n");
  CHECK(broken.records.empty());
  CHECK(broken.rejected() == 2);
}

TEST_CASE("trace: fio iolog of both versions, with a second log appended") {
  const ReadTrace v3(
      "fio version 3 iolog\n0 f add\n1 f open\n10 f read 4096 4096\n30 f trim 0 8192\n"
      "40 f sync 0 0\nfio version 3 iolog\n0 f add\n5 f write 0 512\n# a comment\n6 f close\n");
  CHECK(v3.format == "fio3");
  REQUIRE(v3.records.size() == 4);
  check_record(v3.records[0], 10 * kUs, TraceOp::kRead, 4096, 4096);
  CHECK(v3.records[1].op == TraceOp::kTrim);
  CHECK(v3.records[2].op == TraceOp::kFlush);
  check_record(v3.records[3], 45 * kUs, TraceOp::kWrite, 0, 512);
  const std::string text =
      "fio version 2 iolog\nf open\nf read 0 4096\nf wait 500 0\nf write 0 512\n"
      "f wait 700 0\nf datasync 0 0\n";
  const ReadTrace v2(text);
  CHECK(v2.format == "fio2");
  REQUIRE(v2.records.size() == 3);
  CHECK(v2.records[1].time_ns == 500 * kMs);
  CHECK(v2.records[2].time_ns == 700 * kMs);
  TraceOptions relative;
  relative.wait = IologWait::kRelativeUs;
  CHECK(ReadTrace(text, "", relative).records.at(2).time_ns == 1200 * kUs);
}

TEST_CASE("trace: blkparse counts one event, knows flushes, and stops at the summary") {
  const std::string text =
      "259,0    0        1     0.000000000  4711  Q   R 16940104 + 8 [fio]\n"
      "259,0    0        2     0.000001500  4711  D   R 16940104 + 8 [fio]\n"
      "259,0    0        3     0.000002500  4711  D  WFS 8 + 8 [a b]\n"
      "259,0    0        4     0.000003500  4711  D FWS [fio]\n"
      "259,0    0        5     0.000004500  4711  D   D 64 + 64 [fio]\n"
      "259,0    0        6     0.000005500  4711  A   W 123 + 8 <- (259,5) 456\n"
      "259,0    0        7     0.000005500  4711  P   N [fio] 1\n"
      "259,0    0        8     0.000096716     0  C   R 16940104 + 8 [0]\n"
      "CPU0 (fio):\n Reads Queued: 1\n";
  const ReadTrace t(text);
  CHECK(t.format == "blkparse");
  REQUIRE(t.records.size() == 4);
  check_record(t.records[0], 1500, TraceOp::kRead, 16940104ull * 512, 4096);
  CHECK(t.records[1].fua);
  CHECK(t.records[2].op == TraceOp::kFlush);
  check_record(t.records[3], 4500, TraceOp::kTrim, 64 * 512, 64 * 512);
  CHECK(t.filtered() == 4);
  CHECK(t.rejected() == 0);
  TraceOptions completed;
  completed.event = BlockEvent::kComplete;
  CHECK(ReadTrace(text, "", completed).records.size() == 1);
}

TEST_CASE("trace: biosnoop goes back to the issue, whatever the command is called") {
  const ReadTrace t(
      "TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  QUE(ms) LAT(ms)\n"
      "5.332998    a b/c d        1061   nvme1n1 W 545728     16384     0.01    0.61\n");
  CHECK(t.format == "biosnoop");
  check_record(t.records.at(0), 5'332'998'000 - 620'000, TraceOp::kWrite, 545728ull * 512, 16384);
  const ReadTrace old(
      "TIME(s)        COMM           PID    DISK    T  SECTOR    BYTES   LAT(ms)\n"
      "0.000004001    supervise      1950   xvda1   R  13092560  4096      0.74\n");
  CHECK(old.records.size() == 1);
  const ReadTrace bpftrace(
      "TIME(ms)     DISK    COMM    PID    LAT(ms)\n611  nvme0n1  bash  4179  10\n");
  CHECK(bpftrace.records.empty());
  CHECK(bpftrace.rejected() == 2);
}

TEST_CASE("trace: nvme_setup_cmd with two events on a line, FUA and admin commands") {
  const std::string setup =
      "nvme_setup_cmd: nvme0: disk=nvme0n1, qid=4, cmdid=7, nsid=1, flags=0x0, "
      "meta=0x0, cmd=";
  const ReadTrace t(
      "# tracer: nop\n"
      "  dd-3  [003] .....  9904.831153: " +
      setup +
      "(nvme_cmd_write slba=10, len=7, ctrl=0x4000, dsmgmt=0, reftag=0)\n"
      "  dd-3  [003] .....  9904.831160: " +
      setup + "(0x12 cdw10=01 00)   dd-4 [014] d.h1. 9904.831170: " + setup +
      "(nvme_cmd_read slba=20, len=0, ctrl=0x0)\n"
      "  up-9  [001] .....  9905.0: nvme_setup_cmd: nvme1: qid=0, cmdid=1, "
      "cmd=(nvme_admin_identify)\n"
      "  dd-3  [003] .....  9905.1: " +
      setup + "(nvme_cmd_flush)\n");
  CHECK(t.format == "nvme_ftrace");
  REQUIRE(t.records.size() == 3);
  check_record(t.records[0], 9904 * kS + 831'153'000, TraceOp::kWrite, 5120, 4096);
  CHECK(t.records[0].fua);
  check_record(t.records[1], 9904 * kS + 831'170'000, TraceOp::kRead, 20 * 512, 512);
  CHECK(t.records[2].op == TraceOp::kFlush);
  CHECK(t.filtered() == 2);
}

TEST_CASE("trace: both forms of Windows ETW") {
  const ReadTrace xperf(
      "BeginHeader\n DiskRead, TimeStamp, Process Name ( PID)\nEndHeader\n"
      "DiskReadInit, 1, x ( 4)\n"
      "DiskRead, 30000, x ( 4), 12, 0xfa, 0x1000, 0x200, 1000, 0, 0x0, 900, Normal, , 0x1, "
      "\"a,b\"\n"
      "DiskFlush, 40000, x ( 4), 12, 0xfa, 500, 0, 0x0, 400, Normal\n");
  CHECK(xperf.format == "etw_xperf");
  REQUIRE(xperf.records.size() == 2);
  check_record(xperf.records[0], 29 * kMs, TraceOp::kRead, 4096, 512);
  CHECK(xperf.records[1].op == TraceOp::kFlush);
  const ReadTrace german(
      "IO Type;Priority;Init Time (s);Complete Time (s);Size (B);Min Offset;Max Offset;Disk\n"
      "Read;Normal;1,080116400;1,080275600;16.384;0x0000000000000400;0x00000000000043FF;1\n"
      "Flush;Normal;1,2;1,3;0;0x0;0x0;1\n");
  CHECK(german.format == "etw_wpa");
  REQUIRE(german.records.size() == 2);
  check_record(german.records[0], 1'080'116'400, TraceOp::kRead, 1024, 16384);
  const ReadTrace english(
      "IO Type,Init Time (s),Size (B),Min Offset,Disk\nWrite,\"1.5\",4096,0x1000,0\n");
  check_record(english.records.at(0), 1'500'000'000, TraceOp::kWrite, 4096, 4096);
}

TEST_CASE("trace: CSV with the user's columns") {
  TraceOptions options;
  options.has_columns = true;
  ColumnsConfig& c = options.columns;
  c.delimiter = Delimiter::kSemicolon;
  c.header = true;
  c.time = "when";
  c.time_unit = TimeUnit::kMilliseconds;
  c.op = "what";
  c.offset = "3";
  c.offset_unit = Bytes(512);
  c.size = "size";
  c.read = "get";
  c.write = "put";
  const ReadTrace t("what;when;sector;size\nput;1.25;8;4096\nget;2;16;512\nodd;3;1;1\n", "",
                    options);
  CHECK(t.format == "csv");
  REQUIRE(t.records.size() == 2);
  check_record(t.records[0], 1'250'000, TraceOp::kWrite, 4096, 4096);
  CHECK(t.first_reason() == "unknown operation");
  c.size = "";
  CHECK(ReadTrace("x", "", options).error.find("'size'") != std::string::npos);
  c.size = "65";
  CHECK(ReadTrace("x", "", options).error.find("outside") != std::string::npos);
}

}  // namespace
}  // namespace ftlsim
