// From parameters to definitions. Sections come in the order general, HD, SD, WD, RD: inside a
// later one `sd=` and `wd=` are references.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "sim/suggest.h"
#include "workloads/vdbench/vdb_definitions.h"
#include "workloads/vdbench/vdb_keywords.h"

namespace ftlsim {
namespace {

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

class VdbReader {
 public:
  explicit VdbReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    defaults_.sds.emplace_back();
    defaults_.wds.emplace_back();
    defaults_.rds.emplace_back();
  }

  VdbDefinitions read(const std::vector<VdbParameter>& parameters) {
    for (const VdbParameter& p : parameters)
      if (!begin_section(p)) apply(p);
    return std::move(found_);
  }

 private:
  // A definition begins.
  bool begin_section(const VdbParameter& p) {
    if (p.key == "hd" && section_ <= VdbSection::kHd) {
      section_ = VdbSection::kHd;
      if (p.values[0] != "default" && ++hosts_ == 2) refuse(p, "several hosts are not modelled");
    } else if (p.key == "sd" && section_ <= VdbSection::kSd) {
      begin(p, VdbSection::kSd, defaults_.sds[0], found_.sds, sd_);
    } else if (p.key == "wd" && section_ <= VdbSection::kWd) {
      begin(p, VdbSection::kWd, defaults_.wds[0], found_.wds, wd_);
    } else if (p.key == "rd") {
      begin(p, VdbSection::kRd, defaults_.rds[0], found_.rds, rd_);
    } else {
      return false;
    }
    return true;
  }

  template <class T>
  void begin(const VdbParameter& p, VdbSection section, T& defaults, std::vector<T>& all,
             size_t& current) {
    section_ = section;
    current = all.size();
    if (p.values.size() != 1) return refuse(p, "a definition has one name");
    if (p.values[0] == "default") {
      current = kDefault;
      return;
    }
    for (const T& other : all)
      if (other.name == p.values[0])
        refuse(p, fmt::format("{} is defined already, in line {}", quote(other.name),
                              other.origin.line));
    all.push_back(defaults);
    all.back().name = p.values[0];
    all.back().origin = p.origin;
  }

  void apply(const VdbParameter& p) {
    const VdbKeyword* keyword = find_vdb_keyword(section_, p.key);
    if (keyword == nullptr) return report_unknown(p);
    switch (keyword->use) {
      case VdbUse::kNoEffect:
        if (noted_.insert(keyword->name).second)
          diagnostics_.note(p.origin,
                            fmt::format("'{}' has no effect: {}", keyword->name, keyword->text));
        return;
      case VdbUse::kNotModelled:
        if (keyword->harmless.empty() || p.values.size() != 1 || p.values[0] != keyword->harmless)
          diagnostics_.error(p.origin,
                             fmt::format("{}: not modelled: {}", keyword->name, keyword->text));
        return;
      case VdbUse::kModelled:
        break;
    }
    if (section_ == VdbSection::kSd)
      return apply_sd(p, keyword->key, current_of(sd_, &VdbDefinitions::sds));
    if (section_ == VdbSection::kWd)
      return apply_wd(p, keyword->key, current_of(wd_, &VdbDefinitions::wds));
    apply_rd(p, keyword->key, current_of(rd_, &VdbDefinitions::rds));
  }

  template <class T>
  T& current_of(size_t current, std::vector<T> VdbDefinitions::*list) {
    const bool usable = current != kDefault && current < (found_.*list).size();
    return usable ? (found_.*list)[current] : (defaults_.*list)[0];
  }

  void report_unknown(const VdbParameter& p) {
    std::vector<std::string_view> names;
    for (const VdbKeyword& k : vdb_keywords(section_)) names.push_back(k.name);
    constexpr int kMostSuggestions = 50;  // beyond, it is no parameter file
    std::optional<std::string_view> near;
    if (++unknown_ <= kMostSuggestions) near = suggest(p.key, names);
    refuse(p,
           fmt::format("unknown keyword{}{}",
                       section_ == VdbSection::kGeneral ? " before the first definition"
                                                        : fmt::format(" of {}=", name_of(section_)),
                       near ? fmt::format("; did you mean '{}'?", *near) : ""));
  }

  void apply_sd(const VdbParameter& p, VdbKey key, VdbSd& sd) {
    switch (key) {
      case VdbKey::kLun:
        sd.lun = p.values[0];
        sd.lun_origin = p.origin;
        return;
      case VdbKey::kSize:
        sd.size_origin = p.origin;
        return read_number(p, sd.size);
      case VdbKey::kThreads:
        sd.threads_origin = p.origin;
        return read_number(p, sd.threads);
      case VdbKey::kOffset:
        return read_number(p, sd.offset);
      case VdbKey::kAlign:
        return read_number(p, sd.align);
      case VdbKey::kRange:
        return read_range(p, sd.range);
      default:
        return read_flags(p, sd.sync);
    }
  }

  void apply_wd(const VdbParameter& p, VdbKey key, VdbWd& wd) {
    switch (key) {
      case VdbKey::kSd:
        return read_names(p, wd.sds);
      case VdbKey::kSkew:
        return read_number(p, wd.skew);
      case VdbKey::kXfersize:
        wd.xfersize_origin = p.origin;
        read_numbers(p, VdbUnit::kBytes, wd.xfersize);
        return check_sizes(p, wd.xfersize);
      case VdbKey::kRdpct:
        return read_percent(p, wd.rdpct);
      case VdbKey::kWrpct:
        read_percent(p, wd.rdpct);
        wd.rdpct = 100 - wd.rdpct;
        return;
      case VdbKey::kSeekpct:
        return read_seek(p, wd);
      case VdbKey::kRange:
        return read_range(p, wd.range);
      default:
        return read_flags(p, wd.sync);
    }
  }

  void apply_rd(const VdbParameter& p, VdbKey key, VdbRd& rd) {
    switch (key) {
      case VdbKey::kWd:
        return read_names(p, rd.wds);
      case VdbKey::kSd:
        return read_names(p, rd.sds);
      case VdbKey::kIorate:
        return read_rates(p, rd);
      case VdbKey::kCurve:
        return read_numbers(p, VdbUnit::kBytes, rd.curve_points);
      case VdbKey::kElapsed:
        rd.elapsed_origin = p.origin;
        return read_time(p, rd.elapsed);
      case VdbKey::kInterval:
        return read_time(p, rd.interval);
      case VdbKey::kWarmup:
        return read_time(p, rd.warmup);
      case VdbKey::kPause:
        return read_time(p, rd.pause);
      case VdbKey::kMaxdata:
        return read_number(p, rd.maxdata);
      case VdbKey::kDistribution:
        return read_distribution(p, rd);
      case VdbKey::kForXfersize:
        return read_loop(p, VdbLoopKey::kXfersize, rd);
      case VdbKey::kForThreads:
        return read_loop(p, VdbLoopKey::kThreads, rd);
      case VdbKey::kForRdpct:
        return read_loop(p, VdbLoopKey::kRdpct, rd);
      case VdbKey::kForSeekpct:
        return read_loop(p, VdbLoopKey::kSeekpct, rd);
      default:
        return read_flags(p, rd.sync);
    }
  }

  // Values.

  void read_names(const VdbParameter& p, std::vector<std::string>& target) {
    std::string error;
    const auto names = expand_vdb_names(p.values, error);
    if (!names) return refuse(p, error);
    target = *names;
  }

  void read_numbers(const VdbParameter& p, VdbUnit unit, std::vector<double>& target) {
    std::string error;
    const auto numbers = expand_vdb_numbers(p.values, unit, error);
    if (!numbers) return refuse(p, error);
    std::vector<double> values;
    for (const VdbNumber& number : *numbers) values.push_back(number.value);
    target = std::move(values);
  }

  void read_number(const VdbParameter& p, double& target) {
    std::vector<double> values;
    read_numbers(p, VdbUnit::kBytes, values);
    if (values.size() > 1) return refuse(p, "one value is expected");
    if (values.size() == 1) target = values[0];
  }

  void read_time(const VdbParameter& p, double& seconds) {
    constexpr double kMost = 100.0 * 366 * 86'400;
    std::vector<double> values;
    read_numbers(p, VdbUnit::kTime, values);
    if (values.size() > 1) return refuse(p, "one value is expected");
    if (values.size() != 1) return;
    if (values[0] > kMost) return refuse(p, "longer than a hundred years");
    seconds = values[0];
  }

  void read_percent(const VdbParameter& p, double& target) {
    double value = target;
    read_number(p, value);
    if (value > 100) return refuse(p, fmt::format("{} is outside 0 to 100", value));
    target = value;
  }

  // vdbench has 512 here; the drive's own logical block is checked with the job.
  void check_sizes(const VdbParameter& p, const std::vector<double>& sizes) {
    const bool range = sizes.size() == 3;
    if (sizes.size() > 3 && sizes.size() % 2 != 0)
      refuse(p, "sizes and percentages come in pairs, as in (4k,50,8k,50)");
    if (range && sizes[0] >= sizes[1])
      refuse(p, "of (min,max,align) the second must be the larger size");
  }

  void read_range(const VdbParameter& p, std::optional<VdbRange>& target) {
    std::vector<double> values;
    std::vector<VdbNumber> none;
    read_numbers(p, VdbUnit::kBytes, values);
    if (values.size() != 2) return refuse(p, "two values are expected, as in (10,20)");
    if (values[0] >= values[1]) return refuse(p, "the second value must be the higher one");
    target = VdbRange{values[0], values[1], p.origin};
  }

  void read_flags(const VdbParameter& p, VdbSync& sync) {
    sync = {};
    for (const std::string& value : p.values) {
      const std::string flag = lowered(value);
      if (flag == "o_direct" || flag == "directio" || flag == "f_nocache") {
        sync.direct = true;
      } else if (flag == "o_sync" || flag == "o_dsync" || flag == "o_rsync") {
        sync.fua = true;
      } else if (flag == "directio_off" || flag == "clear_cache" || flag == "clearcache") {
        diagnostics_.note(p.origin, fmt::format("openflags: '{}' has no effect: there is no cache "
                                                "of the host",
                                                flag));
      } else {
        refuse(p, fmt::format("the flag {} is not modelled", quote(value)));
      }
    }
  }

  void read_seek(const VdbParameter& p, VdbWd& wd) {
    const std::string word = lowered(p.values[0]);
    if (p.values.size() != 1) return refuse(p, "one value is expected");
    wd.ends = word == "eof";
    if (std::string_view("sequential").starts_with(word) || wd.ends) {
      wd.seekpct = 0;
    } else if (std::string_view("random").starts_with(word)) {
      wd.seekpct = 100;
    } else if (std::string_view("poisson").starts_with(word)) {
      refuse(p, "not modelled: 'poisson'");
    } else {
      read_percent(p, wd.seekpct);
    }
  }

  void read_rates(const VdbParameter& p, VdbRd& rd) {
    rd.rates_origin = p.origin;
    rd.rates.clear();
    rd.curve = p.values.size() == 1 && lowered(p.values[0]) == "curve";
    if (rd.curve) return;
    std::vector<std::string> plain;
    for (const std::string& value : p.values) {
      if (lowered(value) != "max") {
        plain.push_back(value);
        continue;
      }
      add_rates(p, plain, rd);
      plain.clear();
      rd.rates.push_back({true, {}});
    }
    add_rates(p, plain, rd);
  }

  void add_rates(const VdbParameter& p, const std::vector<std::string>& values, VdbRd& rd) {
    constexpr double kMostRate = 1e9;
    std::string error;
    const auto numbers = expand_vdb_numbers(values, VdbUnit::kBytes, error);
    if (!numbers) return refuse(p, error + " (known words: max, curve)");
    for (const VdbNumber& number : *numbers) {
      if (number.value > kMostRate || number.value < 0.001)
        return refuse(p, "a rate lies between 0.001 and 1e9 requests a second");
      rd.rates.push_back({false, number});
    }
  }

  void read_distribution(const VdbParameter& p, VdbRd& rd) {
    const std::string word = lowered(p.values[0]);
    if (p.values.size() == 1 && std::string_view("exponential").starts_with(word)) {
      rd.arrivals = Arrivals::kExponential;
    } else if (p.values.size() == 1 && std::string_view("uniform").starts_with(word)) {
      rd.arrivals = Arrivals::kUniform;
    } else if (p.values.size() == 1 && std::string_view("deterministic").starts_with(word)) {
      rd.arrivals = Arrivals::kRegular;
    } else {
      refuse(p, "not modelled; known: exponential, uniform, deterministic");
    }
  }

  void read_loop(const VdbParameter& p, VdbLoopKey key, VdbRd& rd) {
    VdbLoop loop{key, {}, p.origin};
    read_numbers(p, VdbUnit::kBytes, loop.values);
    if (key == VdbLoopKey::kRdpct || key == VdbLoopKey::kSeekpct)
      for (const double value : loop.values)
        if (value > 100) return refuse(p, fmt::format("{} is outside 0 to 100", value));
    for (VdbLoop& other : rd.loops)
      if (other.key == key) return void(other = std::move(loop));
    rd.loops.push_back(std::move(loop));
  }

  void refuse(const VdbParameter& p, const std::string& text) {
    diagnostics_.error(p.origin, fmt::format("{}: {}", p.key, text));
  }

  static constexpr size_t kDefault = SIZE_MAX;

  Diagnostics& diagnostics_;
  VdbDefinitions found_;
  VdbDefinitions defaults_;  // one of each
  VdbSection section_ = VdbSection::kGeneral;
  size_t sd_ = kDefault;
  size_t wd_ = kDefault;
  size_t rd_ = kDefault;
  int hosts_ = 0;
  int unknown_ = 0;
  std::set<std::string_view> noted_;
};

}  // namespace

std::string_view name_of(VdbLoopKey key) {
  switch (key) {
    case VdbLoopKey::kXfersize:
      return "xfersize";
    case VdbLoopKey::kThreads:
      return "threads";
    case VdbLoopKey::kRdpct:
      return "rdpct";
    case VdbLoopKey::kSeekpct:
      break;
  }
  return "seekpct";
}

VdbDefinitions read_vdb_definitions(const std::vector<VdbParameter>& parameters,
                                    Diagnostics& diagnostics) {
  return VdbReader(diagnostics).read(parameters);
}

}  // namespace ftlsim
