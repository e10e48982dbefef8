// Writes a synthetic run directory and its report, for the browser test.
//
//   report_fixture VARIANT DIR
//   report_fixture compare PAGE DIR...
//
// Variants: `full` (fill, 30 min of rest, second fill, two read phases; shape of a 1 TB drive),
// `interrupted` (stops in the first fill, with temperatures and half a line at the end), `hostile`
// (names and configuration that try to leave their place in the page), `short` (one sample of a
// read phase), `empty` (no sample, no phase) and `minimal` (an empty summary object and nothing
// else). Figures are made up; nothing is simulated. The second form lays such directories over each
// other, with a measured curve.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/report/comparison.h"
#include "tools/report/report.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSampleS = 0.1;
constexpr double kDriveGB = 1000.204886016;

// State of the made-up drive and the text of its samples so far.
struct Course {
  std::string csv =
      "t_s,phase,written_GB,read_GB,write_MBps,read_MBps,slc_valid_GB,slc_used_GB,slc_limit_GB,"
      "free_superblocks,waf_window,fold_MBps,gc_MBps,temp_C\n";
  double now_s = 0.0;
  double written_GB = 0.0;
  double read_GB = 0.0;
  double slc_GB = 0.0;
  double limit_GB = 150.0;
  double free = 530.0;
  std::string temperature;  // cell of temp_C; empty without a thermal model
  std::uint32_t noise_state = 1;

  double noise() {  // uniform in [-1, 1)
    noise_state = noise_state * 1664525U + 1013904223U;
    return static_cast<double>(noise_state >> 8) / 8388608.0 - 1.0;
  }

  void row(const std::string& phase, double write, double read, double waf, double fold,
           double gc) {
    fmt::format_to(std::back_inserter(csv),
                   "{:.1f},{},{:.4f},{:.4f},{:.1f},{:.1f},{:.3f},{:.3f},{:.3f},{:.0f},{:.3f},"
                   "{:.1f},{:.1f},{}\n",
                   now_s, phase, written_GB, read_GB, write, read, slc_GB * 0.98, slc_GB, limit_GB,
                   free, waf, fold, gc, temperature);
  }
};

// Writes the whole drive once, or until `stop_s` seconds have passed. `slc_GB` of it go to SLC.
double fill(Course& course, const std::string& phase, double slc_GB, double stop_s, bool thermal) {
  const double begin = course.now_s;
  double done_GB = 0.0;
  while (done_GB < kDriveGB && course.now_s - begin < stop_s) {
    const bool slc = done_GB < slc_GB;
    const double dip = !slc && course.noise() > 0.97 ? 0.45 : 1.0;
    const double write =
        (slc ? 6000.0 + 60.0 * course.noise() : 1800.0 + 150.0 * course.noise()) * dip;
    const double step_GB = write * kSampleS / 1000.0;
    done_GB += step_GB;
    course.now_s += kSampleS;
    course.written_GB += step_GB;
    course.slc_GB += slc ? step_GB : -0.02 * (course.slc_GB > 20.0 ? 1.0 : 0.0);
    course.limit_GB = 12.0 + 138.0 * (1.0 - done_GB / kDriveGB);
    if (thermal) course.temperature = fmt::format("{:.1f}", 40.0 + 0.02 * done_GB);
    course.free = 530.0 - 505.0 * done_GB / kDriveGB;
    const double fold = slc ? 0.0 : 210.0 + 30.0 * course.noise();
    const double gc = slc ? 0.0 : 40.0 + 35.0 * course.noise();
    course.row(phase, write, 0.0, slc ? 1.0 : (write + fold + gc) / write, fold, gc);
  }
  return course.now_s - begin;
}

// Rests until `end` seconds later: folds what is in SLC, then nothing changes until the last row.
void rest(Course& course, const std::string& phase, double seconds) {
  const double end = course.now_s + seconds;
  course.row(phase, 0.0, 0.0, 0.0, 0.0, 0.0);
  while (course.slc_GB > 1.0) {
    course.now_s += kSampleS;
    course.slc_GB -= 0.12;
    course.free += 0.05;
    course.limit_GB += 0.05;
    course.row(phase, 0.0, 0.0, 0.0, 1200.0 + 20.0 * course.noise(), 0.0);
  }
  for (const double when : {course.now_s + kSampleS, end}) {
    course.now_s = when;
    course.row(phase, 0.0, 0.0, 0.0, 0.0, 0.0);
  }
}

void read_for(Course& course, const std::string& phase, double seconds, double rate) {
  const double end = course.now_s + seconds;
  while (course.now_s < end - kSampleS / 2) {
    const double read = rate * (1.0 + 0.01 * course.noise());
    course.now_s += kSampleS;
    course.read_GB += read * kSampleS / 1000.0;
    course.row(phase, 0.0, read, 0.0, 0.0, 0.0);
  }
}

Json direction(double commands, double bytes, double seconds, double mean_us) {
  return {{"commands", commands},
          {"bytes", bytes},
          {"MBps", seconds > 0.0 ? bytes / seconds / 1e6 : 0.0},
          {"iops", seconds > 0.0 ? commands / seconds : 0.0},
          {"latency_us",
           {{"min", mean_us * 0.21},
            {"mean", mean_us},
            {"p50", mean_us * 0.92},
            {"p90", mean_us * 1.6},
            {"p99", mean_us * 3.3},
            {"p99_9", mean_us * 11.0},
            {"p99_99", mean_us * 17.0},
            {"max", mean_us * 29.0}}}};
}

Json phase(const std::string& name, const std::string& kind, double seconds, double gigabytes,
           double command_bytes, double mean_us) {
  const double bytes = gigabytes * 1e9;
  const double commands = command_bytes > 0.0 ? bytes / command_bytes : 0.0;
  const bool reads = kind == "read";
  const Json none = direction(0.0, 0.0, 0.0, 0.0);
  return {{"name", name},
          {"kind", kind},
          {"sim_s", seconds},
          {"wall_s", 12.5},
          {"commands", commands},
          {"mean_MBps", seconds > 0.0 ? bytes / seconds / 1e6 : 0.0},
          {"iops", seconds > 0.0 ? commands / seconds : 0.0},
          {"waf", reads || bytes <= 0.0 ? 0.0 : 1.146},
          {"read", reads ? direction(commands, bytes, seconds, mean_us) : none},
          {"write", reads ? none : direction(commands, bytes, seconds, mean_us)},
          {"trim", none}};
}

Json summary_of(const std::string& drive, const std::string& workload, bool complete) {
  Json dies = Json::array();
  for (int i = 0; i < 16; ++i) {
    dies.push_back(
        {{"id", i}, {"read", 0.05 + 0.002 * i}, {"program", 0.71 - 0.004 * i}, {"erase", 0.02}});
  }
  Json channels = Json::array();
  for (int i = 0; i < 8; ++i) channels.push_back({{"id", i}, {"busy", 0.38 + 0.01 * i}});
  return {{"schema", 1},
          {"complete", complete},
          {"drive", drive},
          {"workload", workload},
          {"seed", 1},
          {"fingerprint", {{"events", "9f86d081884c7d65"}, {"stats", "2c26b46b68ffc68f"}}},
          {"sim_s", 3100.5},
          {"wall_s", 17.25},
          {"peak_rss_bytes", 2147483648U},
          {"commands", 22481000},
          {"waf", 1.146},
          {"waf_by_cause",
           {{"host", 1.0},
            {"fold", 0.104},
            {"gc", 0.037},
            {"wear", 0.0},
            {"refresh", 0.0},
            {"meta", 0.004},
            {"pad", 0.001},
            {"parity", 0.0}}},
          {"phases", Json::array()},
          {"utilisation", {{"dies", dies}, {"channels", channels}}},
          {"calibrated", {"slc.limit_curve", "fold.max_rate"}}};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string configuration(const std::string& comment) {
  return "# " + comment + "\ndrive:\n  name: p41-1tb\n  capacity: 1000204886016 B\nnand:\n" +
         "  channels: 8\n  dies_per_channel: 2\n  planes: 4\n  t_read: 41us\n  t_program: 390us\n" +
         "slc:\n  policy: dynamic\n  limit: [[0, 12 GB], [530, 150 GB]]\n";
}

void add_placement(Json& read, double dies) {
  read["placement"] = {{"windows", 381469},       {"slc_share", 0.0},
                       {"dies_per_MiB", dies},    {"busiest_die_pages", 64.0 / dies},
                       {"ideal_die_pages", 4.0},  {"senses_per_MiB", 16.0},
                       {"planes_per_sense", 4.0}, {"extents_per_MiB", 17.0 - dies}};
  read["speed_map"] = {{"regions", 11920},
                       {"MBps", {{"min", 3100.0}, {"p50", 6900.0}, {"max", 7100.0}}}};
}

void add_age(Json& read, double days) {
  read["data_age"] = {{"clock_days", days + 1.0}, {"mean_days", days},
                      {"min_days", 0.5 * days},   {"max_days", days + 0.5},
                      {"rber_mean", 1e-4 * days}, {"rber_max", 1.5e-4 * days}};
  read["retries"] = {{"mean", 0.02},
                     {"lost", 0},
                     {"pages", {{"0", 48000000}, {"1", 900000}, {"2", 4000}, {"11", 30}}}};
  read["refresh"] = {{"bytes", 4000000000ULL}, {"superblocks", 2}, {"patrol_reads", 4096}};
}

// A file of 400 GB of which every eighth region is read at half the rate of the others.
std::string speed_map(std::size_t phase, Course& course) {
  std::string csv = "phase,region,begin_GB,read_MB,time_ms,MBps\n";
  for (int region = 0; region < 11920; ++region) {
    const double rate = (region / 40 % 8 == 0 ? 3300.0 : 6800.0) + 90.0 * course.noise();
    fmt::format_to(std::back_inserter(csv), "{},{},{:.3f},33.554,{:.3f},{:.3f}\n", phase, region,
                   region * 0.033554432, 33554.432 / rate, rate);
  }
  return csv;
}

void write_full(const std::string& dir, const std::string& drive, const std::string& workload,
                const std::string& first, const std::string& comment) {
  Course course;
  Json summary = summary_of(drive, workload, true);
  Json& phases = summary["phases"];
  const double fill_s = fill(course, "\"" + first + "\"", 150.0, 1e9, false);
  phases.push_back(phase(first, "write", fill_s, kDriveGB, 131072.0, 1710.0));
  rest(course, "rest 30 min", 1800.0);
  phases.push_back(phase("rest 30 min", "idle", 1800.0, 0.0, 0.0, 0.0));
  const double second_s = fill(course, "second fill", 42.0, 1e9, false);
  phases.push_back(phase("second fill", "write", second_s, kDriveGB, 131072.0, 2210.0));
  read_for(course, "4 KiB random read", 60.0, 3900.0);
  phases.push_back(phase("4 KiB random read", "read", 60.0, 234.0, 4096.0, 33.6));
  read_for(course, "128 KiB sequential read", 60.0, 6900.0);
  phases.push_back(phase("128 KiB sequential read", "read", 60.0, 414.0, 131072.0, 598.0));
  for (const double rate : {6700.0, 6200.0}) {
    phases.push_back(phase("third fill", "write", second_s, kDriveGB, 131072.0, 2210.0));
    phases.push_back(phase("128 KiB sequential read", "read", 60.0, 0.06 * rate, 131072.0, 640.0));
    add_placement(phases.back(), 16.0 - (6900.0 - rate) / 400.0);
    add_age(phases.back(), 30.0 + (6900.0 - rate) / 5.0);
  }
  write_file(dir + "/speed_map.csv", speed_map(phases.size() - 1, course));
  summary["sim_s"] = course.now_s;
  write_file(dir + "/summary.json", summary.dump(1));
  write_file(dir + "/timeseries.csv", course.csv);
  write_file(dir + "/effective.yaml", configuration(comment));
}

void write_interrupted(const std::string& dir) {
  Course course;
  Json summary = summary_of("p41-1tb", "dirty-test", false);
  summary.erase("utilisation");
  const double seconds = fill(course, "first fill", 150.0, 80.0, true);
  summary["phases"].push_back(
      phase("first fill", "write", seconds, course.written_GB, 131072.0, 900.0));
  summary["sim_s"] = course.now_s;
  write_file(dir + "/summary.json", summary.dump(1));
  write_file(dir + "/timeseries.csv", course.csv + "80.1,first fi");
  write_file(dir + "/effective.yaml", configuration("interrupted"));
}

void write_short(const std::string& dir) {
  Course course;
  Json summary = summary_of("p41-1tb", "short", true);
  read_for(course, "read", kSampleS, 3000.0);
  summary["phases"].push_back(phase("read", "read", kSampleS, course.read_GB, 4096.0, 40.0));
  summary["waf_by_cause"] = Json::object();
  summary["sim_s"] = course.now_s;
  write_file(dir + "/summary.json", summary.dump(1));
  write_file(dir + "/timeseries.csv", course.csv);
}

bool write_variant(const std::string& variant, const std::string& dir) {
  const std::string attack = "</script><script>throw 1</script><!-- @DATA@ \" & '";
  if (variant == "full") {
    write_full(dir, "p41-1tb", "dirty-test", "first fill", "all defaults filled in");
  } else if (variant == "hostile") {
    write_full(dir, attack, attack, "</script><b>&amp;<!--", "</pre></details>" + attack);
  } else if (variant == "interrupted") {
    write_interrupted(dir);
  } else if (variant == "short") {
    write_short(dir);
  } else if (variant == "empty") {
    Json summary = summary_of("p41-1tb", "nothing", true);
    summary.erase("utilisation");
    summary["waf_by_cause"] = Json::object();
    write_file(dir + "/summary.json", summary.dump(1));
    write_file(dir + "/timeseries.csv", "t_s,phase,written_GB,read_GB,write_MBps,read_MBps\n");
  } else if (variant == "minimal") {
    write_file(dir + "/summary.json", "{}");
  } else {
    return false;
  }
  return true;
}

bool load(const std::string& dir, RunData& run) {
  std::string error;
  const bool loaded = load_run(dir, run, error);
  if (!loaded) fmt::print(stderr, "report_fixture: {}\n", error);
  return loaded;
}

int compare(const std::string& page, const std::vector<std::string>& dirs) {
  Comparison comparison;
  ConfigDifference difference{"slc.limit[0].limit", {}};
  for (const std::string& dir : dirs) {
    if (!load(dir, comparison.runs.emplace_back())) return 1;
    comparison.figures.push_back(run_figures(comparison.runs.back(), "</script>" + dir));
    difference.values.push_back("<b>" + dir);
  }
  comparison.differences.push_back(difference);
  MeasuredCurve curve;
  curve.name = "</script>drive";
  for (int i = 0; i < 600; ++i) {
    curve.t_s.push_back(i);
    curve.write_MBps.push_back(i < 30 ? 5900.0 : 1700.0);
    curve.written_GB.push_back(i < 30 ? 5.9 * i : 5.9 * 30 + 1.7 * (i - 30));
  }
  comparison.measured = curve;
  std::ofstream(page, std::ios::binary) << render_comparison(comparison);
  return 0;
}

}  // namespace
}  // namespace ftlsim

int main(int argc, char** argv) {
  if (argc >= 4 && std::string(argv[1]) == "compare")
    return ftlsim::compare(argv[2], {argv + 3, argv + argc});
  if (argc != 3) {
    fmt::print(stderr, "usage: report_fixture full|hostile|interrupted|short|empty|minimal DIR\n");
    return 2;
  }
  const std::string dir = argv[2];
  mkdir(dir.c_str(), 0755);  // an existing directory is fine; the load below tells if not
  if (!ftlsim::write_variant(argv[1], dir)) {
    fmt::print(stderr, "report_fixture: unknown variant '{}'\n", argv[1]);
    return 2;
  }
  ftlsim::RunData run;
  if (!ftlsim::load(dir, run)) return 1;
  std::ofstream(dir + "/report.html", std::ios::binary) << ftlsim::render_report(run);
  return 0;
}
