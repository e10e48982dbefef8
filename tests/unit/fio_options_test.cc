// The options of fio job files beyond the plain ones: what each of them becomes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "workloads/fio_jobs.h"

namespace ftlsim {
namespace {

const DriveLimits kDrive{Bytes::gib(1), Bytes(512), Bytes::kib(128)};

Workload file(const std::string& text, std::string* messages = nullptr) {
  Diagnostics diagnostics;
  const std::optional<Workload> workload = parse_fio_jobs(text, "t.fio", "t", kDrive, diagnostics);
  INFO(text << "\n" << diagnostics.to_string());
  REQUIRE(workload.has_value());
  if (messages != nullptr) *messages = diagnostics.to_string();
  return *workload;
}

JobSpec job(const std::string& options, std::string* messages = nullptr) {
  return file("[j]\ndirect=1\n" + options, messages).phases.at(0).jobs.at(0);
}

TEST_CASE("suffixes of the kind") {
  CHECK(job("rw=randread:8").random_run == 8);
  CHECK(job("rw=randrw:8\nrw_sequencer=identical").identical_run);
  CHECK(job("rw=read:4k").sequential_gap == 4096);
  CHECK(job("rw=write:-8k").sequential_gap == -8192);
  CHECK(job("rw=trimwrite").rw == RwKind::kTrimWrite);
  CHECK(job("rw=randtrimwrite").rw == RwKind::kRandTrimWrite);
}

TEST_CASE("request sizes") {
  const JobSpec range = job("rw=randrw\nbsrange=4k-16k,8k-8k");
  CHECK(range.block_size[0] == Bytes::kib(4));
  CHECK(range.largest_block(Direction::kRead) == Bytes::kib(16));
  CHECK(range.largest_block(Direction::kWrite) == Bytes::kib(8));
  CHECK(range.mixed_sizes());
  CHECK_FALSE(job("rw=randread\nbsrange=4k:4k").mixed_sizes());

  const JobSpec split = job("rw=randrw\nbssplit=4k/10:64k/50:32k/,8k/100");
  REQUIRE(split.block_mix[0].size() == 3);
  CHECK(split.block_mix[0][1].size == Bytes::kib(64));
  CHECK(split.block_mix[0][2].percent == 40);
  CHECK(split.block_size[0] == Bytes::kib(4));
  CHECK(split.largest_block(Direction::kRead) == Bytes::kib(64));
  CHECK(split.largest_block(Direction::kWrite) == Bytes::kib(8));

  const JobSpec open = job("bssplit=4k:8k:16k");
  CHECK(open.block_mix[0][0].percent == 33);
  CHECK(open.block_mix[0][2].percent == 34);
  CHECK(job("bs=512\nba=4k").block_align[0] == Bytes::kib(4));
  CHECK(job("bssplit=4k/50:8k/50\nbs=16k").block_mix[0].size() == 2);
  // fio 3.33 takes bssplit before bsrange, and that before bs, whatever their order.
  CHECK(job("bssplit=8k/100\nbsrange=4k-64k").block_max[0] == Bytes(0));
  CHECK(job("bsrange=4k-64k\nbssplit=8k/100").block_size[0] == Bytes::kib(8));
  CHECK(job("bsrange=8k-64k\nbs=4k").block_size[0] == Bytes::kib(8));
  CHECK(job("bs=4k\nbsrange=8k-64k").block_max[0] == Bytes::kib(64));
}

TEST_CASE("regions and amounts") {
  const JobSpec clones =
      job("filename=/dev/sda\nsize=64m\noffset=1m\noffset_increment=64m\nnumjobs=3");
  CHECK(clones.region_of(2).offset == Bytes::mib(129));
  CHECK(clones.size_of(2) == Bytes::mib(64));
  const JobSpec open = job("offset_increment=25%\nnumjobs=4");
  CHECK(open.region_of(3).offset == Bytes::mib(768));
  CHECK(open.size_of(3) == Bytes::mib(256));
  CHECK(job("number_ios=10\nloops=3").number_ios == 10);
  CHECK(job("loops=3").loops == 3);
  const JobSpec strided =
      job("zonemode=strided\nzonesize=16k\nzonerange=32k\nzoneskip=64k\nsize=1m");
  CHECK(strided.stride.bytes == Bytes::kib(16));
  CHECK(strided.stride.range == Bytes::kib(32));
  CHECK(strided.stride.skip == Bytes::kib(64));
  CHECK(job("zonesize=16k").stride.bytes == Bytes(0));  // only zonemode makes it count
}

TEST_CASE("distributions") {
  CHECK(job("random_distribution=random").distribution.spread == Spread::kUniform);
  CHECK(job("random_distribution=zipf").distribution.parameter == 1.1);
  const DistributionSpec zipf = job("random_distribution=zipf:0.99:0.5").distribution;
  CHECK(zipf.spread == Spread::kZipf);
  CHECK(zipf.parameter == doctest::Approx(0.99));
  CHECK(zipf.centre == 0.5);
  CHECK(job("random_distribution=pareto:0.3").distribution.spread == Spread::kPareto);
  CHECK(job("random_distribution=normal:20").distribution.parameter == 20);
  const DistributionSpec zoned = job("random_distribution=zoned:50/5:30/15:20/").distribution;
  REQUIRE(zoned.zones[0].size() == 3);
  CHECK(zoned.zones[0][0].access_percent == 50);
  CHECK(zoned.zones[0][2].size_percent == 80);
  const DistributionSpec absolute =
      job("random_distribution=zoned_abs:60/64m:40/128m").distribution;
  CHECK(absolute.zones[0][1].size == Bytes::mib(128));
  const DistributionSpec each = job("random_distribution=zoned:50/5:50/,10/10:90/90").distribution;
  CHECK(each.zones[0][1].size_percent == 95);
  CHECK(each.zones[1][0].access_percent == 10);
  CHECK(each.zones[2][0].access_percent == 10);  // two values: the second is for trims too
  CHECK(job("percentage_random=10,90").random_percent[2] == 90);
  CHECK(job("norandommap\nrandom_generator=lfsr").norandommap == false);
}

TEST_CASE("repetition: the same numbers in every run, or others for every job") {
  CHECK(job("").randrepeat);
  CHECK(job("").stream == "t/j");
  const Workload w = file("[a]\nrandrepeat=0\n[a]\nrandrepeat=0\nstonewall\n");
  CHECK_FALSE(w.phases[0].jobs[0].randrepeat);
  CHECK(w.phases[0].jobs[0].stream != w.phases[1].jobs[0].stream);
}

TEST_CASE("pace: rates, pauses, batches") {
  const JobSpec rates = job("rw=randrw\nbs=4k\nrate=1m,500k\nrate_process=poisson");
  CHECK(rates.pace.rate[0] == 1u << 20);
  CHECK(rates.pace.rate[1] == 500u << 10);
  CHECK(rates.pace.poisson);
  CHECK(job("rw=randrw\nrate=,500k").pace.rate[0] == 0);
  CHECK(job("bs=8k\nrate_iops=100").pace.rate[0] == 819'200);
  CHECK(job("rw=randread\nbssplit=4k/50:64k/50\nrate_iops=100").pace.rate[0] == 409'600);
  CHECK(job("rate_iops=100\nio_submit_mode=offload").pace.open_loop);
  CHECK_FALSE(job("io_submit_mode=offload").pace.open_loop);  // nothing is due

  const JobSpec thinks =
      job("thinktime=500\nthinktime_blocks=4\nthinktime_spin=100\nthinktime_blocks_type=issue\n"
          "thinktime_iotime=2s");
  CHECK(thinks.pace.think == Duration::us(500));
  CHECK(thinks.pace.think_blocks == 4);
  CHECK(thinks.pace.think_on_issue);
  CHECK(thinks.pace.think_iotime == Duration::s(2));
  CHECK(job("thinktime_blocks=4").pace == PaceSpec{});

  const JobSpec batch =
      job("iodepth=64\niodepth_batch=16\niodepth_batch_complete_min=8\niodepth_low=16");
  CHECK(batch.batch.submit == 16);
  CHECK(batch.batch.complete == 8);
  CHECK(batch.batch.low == 16);
  CHECK(job("iodepth=4\niodepth_batch_complete=0").batch == BatchSpec{});
  CHECK(job("ramp_time=5\nruntime=10\ntime_based").ramp_time == Duration::s(5));
  CHECK(job("startdelay=2-5").start_delay_max == Duration::s(5));
}

TEST_CASE("what follows the writes") {
  CHECK(job("rw=write\nfsync=32").sync.every_writes == 32);
  CHECK(job("rw=write\nfdatasync=8").sync.every_writes == 8);
  CHECK(job("rw=write\nend_fsync=1").sync.at_end);
  CHECK(job("rw=write\nsync=1").sync.fua);
  CHECK(job("rw=write\nsync=dsync").sync.fua);
  CHECK_FALSE(job("rw=write\nsync=none").sync.fua);
  CHECK(job("rw=write\nverify=crc32c").verify.enabled);
  CHECK_FALSE(job("rw=write\nverify=crc32c\ndo_verify=0").verify.enabled);
  CHECK_FALSE(job("rw=read\nverify=crc32c").verify.enabled);
  CHECK(job("rw=write\nverify=md5\nverify_backlog=100").verify.backlog == 100);
  CHECK(job("rw=write\nverify=md5\nverify_only=1").verify.only);
}

TEST_CASE("jobs among each other") {
  const Workload w = file("[a]\nflow=1\n[b]\nflow=8\nwait_for=a\n[c]\nstonewall\nwait_for=a\n");
  CHECK(w.phases[0].jobs[1].wait_for == 0);
  CHECK(w.phases[0].jobs[1].flow.weight == 8);
  CHECK(w.phases[1].jobs[0].wait_for == kNoJob);
  const JobSpec steady = job("ss=iops_slope:0.3%\nss_dur=30\nss_ramp=10s\nruntime=60\ntime_based");
  CHECK(steady.steady.measure == SteadyMeasure::kIops);
  CHECK(steady.steady.slope);
  CHECK(steady.steady.percent);
  CHECK(steady.steady.limit == doctest::Approx(0.3));
  CHECK(steady.steady.duration == Duration::s(30));
  CHECK(steady.steady.ramp == Duration::s(10));
  CHECK(job("ss=bw:5m\nss_dur=30").steady.limit == 5'242'880);
  CHECK(job("steadystate=iops:10%%\nss_dur=30").steady.limit == 10);  // as some generators write it
  const JobSpec target = job("latency_target=2ms\nlatency_window=1s\nlatency_percentile=99.9");
  CHECK(target.latency_target.target == Duration::ms(2));
  CHECK(target.latency_target.percentile == doctest::Approx(99.9));
}

TEST_CASE("reports: logs, groups, and the options as fio prints them") {
  std::string messages;
  const Workload w = file(
      "[global]\nbs=8k\ntime_based\nruntime=5\nwrite_bw_log=/tmp/x/g1\nlog_avg_msec=500\ndirect=1\n"
      "[one]\nreadwrite=randread\nwrite_lat_log\nwrite_hist_log=h\nlog_hist_msec=200\n"
      "percentile_list=50:99.9\ngroup_reporting\n",
      &messages);
  const JobReport& report = w.phases[0].jobs[0].report;
  CHECK(report.bw_log == "g1");
  CHECK(report.lat_log == "one");
  CHECK(report.hist_log == "h");
  CHECK_FALSE(report.iops_log.has_value());
  CHECK(report.window == Duration::ms(500));
  CHECK(report.hist_window == Duration::ms(200));
  CHECK(report.percentiles == std::vector<double>{50, 99.9});
  CHECK(report.group_reporting);
  CHECK(messages.find("log files go into the run directory") != std::string::npos);
  // Without the options that have no value, under their canonical names.
  CHECK(report.options[0] == FioOptionText{"rw", "randread"});
  CHECK(report.options.size() == 4);
  CHECK(w.global_options.size() == 5);
}

}  // namespace
}  // namespace ftlsim
