// Figures by hand: the formulas of `explain`, the memory estimate, rows of the time series.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tools/explain/figures.h"
#include "tools/run/memory.h"
#include "tools/run/numbers.h"
#include "tools/run/progress.h"
#include "tools/run/sampler.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

TEST_CASE("quotients are rounded half up") {
  CHECK(quotient(1, 3, 3) == 333);
  CHECK(quotient(2, 3, 3) == 667);
  CHECK(quotient(1, 2, 0) == 1);
  CHECK(quotient(5, 0, 2) == 0);
  CHECK(quotient(UINT64_MAX, UINT64_MAX, 4) == 10'000);
  CHECK(rounded(1, 3, 2) == 0.33);
  CHECK(fixed(1234, 1) == "123.4");
  CHECK(fixed(7, 3) == "0.007");
  CHECK(mb_per_s(1'000'000'000, Duration::ms(500)) == 2000.0);
  CHECK(write_amplification(3, 2 * kSlotBytes) == 1.5);
}

TEST_CASE("a row of the time series") {
  Sample before;
  Sample now;
  now.phase = 2;
  before.written_bytes = 1'000'000'000;
  now.written_bytes = 1'409'600'000;
  now.programmed_slots = 150'000;
  now.folded_slots = 2'500;
  now.slc_valid_slots = 1'000'000;
  now.slc_used_slots = 2'000'000;
  now.slc_limit_slots = 3'000'000;
  now.free_superblocks = 42;
  now.temperatures = {81'250, -4'960, 38'049};
  now.energy_nj = 475'250'000;
  now.time = Time::at_ns(100'000'000);
  CHECK(format_row(before, now) ==
        "2,1.409600,0.000000,4096.0,0.0,4.096000,8.192000,12.288000,42,1.500,102.4,0.0,38.0,"
        "81.3,-5.0,4.753\n");
  CHECK(format_row(now, now) ==
        "2,1.409600,0.000000,0.0,0.0,4.096000,8.192000,12.288000,42,0.000,0.0,0.0,38.0,81.3,"
        "-5.0,0.000\n");
}

TEST_CASE("the progress line") {
  ProgressState state;
  state.phase = "fill";
  state.now = Time::at_ns(12'500'000'000);
  state.fraction = 0.25;
  state.write_bytes_per_s = 1'800'000'000;
  state.slc_used_slots = 250'000;
  state.slc_limit_slots = 500'000;
  state.speed = 9.5;
  CHECK(format_progress(state) ==
        " 25.0 %  fill  12.5 s  write 1800 MB/s  read 0 MB/s  SLC 1.0/2.0 GB  9.5x real time");
}

// The die of a 176-layer drive: 4 planes of 16 KiB pages, three bits.
DriveConfig drive() {
  DriveConfig config;
  config.nand.bus.command_overhead = Duration::ns(0);
  config.slc.limit = {{Bytes::gib(10), Bytes::gib(1)}, {Bytes::gib(110), Bytes::gib(21)}};
  return config;
}

TEST_CASE("rates of a die") {
  NandConfig nand = drive().nand;
  CHECK(unit_bytes(nand, CellMode::kTlc) == Bytes(196'608));
  CHECK(unit_bytes(nand, CellMode::kSlc) == Bytes(65'536));
  CHECK(bus_time(nand, 16) == Duration::ns(40'960));
  CHECK(die_program_rate(nand, CellMode::kTlc) == 168'041'025);
  nand.timing.cache_program = false;
  CHECK(die_program_rate(nand, CellMode::kTlc) ==
        uint64_t{196'608} * 1'000'000'000 / (1'170'000 + 122'880));
  CHECK(die_read_iops(nand) == 80'000);
  nand.timing.independent_plane_reads = false;
  CHECK(die_read_iops(nand) == 20'000);
  CHECK(die_read_rate(nand) == uint64_t{65'536} * 1'000'000'000 / 50'000);
  nand.timing.cache_read = false;
  CHECK(die_read_rate(nand) == uint64_t{65'536} * 1'000'000'000 / 90'960);
  CHECK(die_fold_rate(nand) == uint64_t{196'608} * 1'000'000'000 / (3 * 25'000 + 1'170'000));
}

TEST_CASE("rates of the drive are the least of its parts") {
  DriveConfig config = drive();
  config.nand.geometry.channels = 8;
  config.nand.geometry.dies_per_channel = 2;
  CHECK(drive_program_rate(config, CellMode::kTlc) == 16 * uint64_t{168'041'025});
  config.sched.power_credits = 4;
  CHECK(programming_dies(config) == 4);
  CHECK(drive_program_rate(config, CellMode::kTlc) ==
        4 * uint64_t{196'608} * 1'000'000'000 / 1'170'000);
  config.sched.power_credits = 100;
  CHECK(programming_dies(config) == 16);
  CHECK(drive_read_rate(config) == link_rate(config.link));
  config.link.generation = 1;
  config.link.lanes = 1;
  CHECK(drive_program_rate(config, CellMode::kTlc) == link_rate(config.link));
  CHECK(link_rate(config.link) < 250'000'000);
  CHECK(firmware_iops(config.firmware, 0) == 2'000'000);
}

TEST_CASE("the SLC limit is piecewise linear and physical") {
  const DriveConfig config = drive();
  CHECK(slc_limit(config, Bytes::gib(60)) == Bytes::gib(11));
  CHECK(slc_limit(config, Bytes::gib(110)) == Bytes::gib(21));
  CHECK(slc_limit(config, Bytes::gib(999)) == Bytes::gib(21));
  CHECK(slc_limit(config, Bytes::gib(10)) == Bytes::gib(1));
  CHECK(slc_limit(config, Bytes::gib(0)) == Bytes(0));
  DriveConfig none = config;
  none.slc.mode.select("none");
  CHECK(slc_limit(none, Bytes::gib(110)) == Bytes(0));
}

TEST_CASE("memory: an estimate for any workload, less for one that writes little") {
  const DriveConfig config = drive();
  const Media media(config.nand.geometry, 1);
  const MemoryEstimate all = estimate_memory(config, media);
  CHECK(all.map == uint64_t{config.user_slots()} * 4);
  CHECK(all.spare > all.map);

  Workload workload;
  workload.phases.emplace_back();
  CHECK(estimate_memory(config, media, workload).map < 4u << 20);
  JobSpec job;
  job.rw = RwKind::kWrite;
  job.size = config.capacity;
  workload.phases.back().jobs.push_back(job);
  CHECK(estimate_memory(config, media, workload).map == all.map);
  CHECK(estimate_memory(config, media, workload).spare == all.spare);

  CHECK(memory_shortage(all, all.total()).empty());
  const std::string text = memory_shortage(all, 1'500'000'000);
  CHECK(text.find(fmt::format("{:.2f} GB of memory", static_cast<double>(all.total()) * 1e-9)) !=
        std::string::npos);
  CHECK(text.find("1.50 GB are available") != std::string::npos);
}

TEST_CASE("memory: what the kernel and the control groups leave") {
  std::string pattern = (fs::temp_directory_path() / "ftlsim-memory-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  const fs::path root = pattern;
  const auto write = [&root](const std::string& name, const std::string& text) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  };
  CHECK_FALSE(available_memory(root).has_value());
  write("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n");
  CHECK(available_memory(root) == 8'192'000);
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/memory.max", "5000000\n");
  write("sys/fs/cgroup/a/memory.current", "3000000\n");
  write("sys/fs/cgroup/a/memory.stat", "anon 2\ninactive_file 1000000\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  CHECK(available_memory(root) == 3'000'000);
  fs::remove_all(root);
}

}  // namespace
}  // namespace ftlsim
