#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "workloads/iometer/icf_settings.h"
#include "workloads/text_file.h"

namespace ftlsim {
namespace {

constexpr size_t kMaxIcfLines = 100'000;
constexpr uint64_t kMostSeconds = uint64_t{100} * 366 * 86'400;

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool begins(std::string_view line, std::string_view start) {
  return line.size() >= start.size() && same(line.substr(0, start.size()), start);
}

// The pieces between commas.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

// The words between blanks and commas.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view kSeparators = " \t,";
  while (true) {
    const size_t begin = line.find_first_not_of(kSeparators);
    if (begin == std::string_view::npos) return words;
    const size_t end = std::min(line.find_first_of(kSeparators, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

std::optional<uint64_t> integer(std::string_view text) {
  uint64_t value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

class IcfReader {
 public:
  IcfReader(const std::string& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  IcfSettings read(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte-order mark
    for (int number = 1; !text.empty(); ++number) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      lines_.push_back({line, number});
      if (lines_.size() > kMaxIcfLines) {
        error(fmt::format("more than {} lines", kMaxIcfLines));
        return std::move(settings_);
      }
    }
    check_version();
    while (const Line* line = next()) {
      if (begins(line->text, "'TEST SETUP")) read_setup();
      if (begins(line->text, "'ACCESS SPECIFICATIONS")) read_specs();
      if (begins(line->text, "'MANAGER LIST")) read_managers();
    }
    return std::move(settings_);
  }

 private:
  struct Line {
    std::string_view text;
    int number = 0;
  };

  const Line* next() { return at_ < lines_.size() ? &lines_[at_++] : nullptr; }
  Origin place() const { return {file_, at_ > 0 ? lines_[at_ - 1].number : 0, 0}; }
  void error(const std::string& text) { diagnostics_.error(place(), text); }
  static bool is_label(std::string_view line) { return line.starts_with('\''); }

  // The value of the label that was read last: the next line that is no label. Empty, with the
  // line left where it is, if a label comes that ends something.
  std::string_view value() {
    while (at_ < lines_.size() && is_label(lines_[at_].text)) {
      if (begins(lines_[at_].text, "'End")) return {};
      ++at_;
    }
    const Line* line = next();
    return line == nullptr ? std::string_view() : line->text;
  }

  void check_version() {
    const Line* line = next();
    const std::vector<std::string_view> words =
        words_of(line == nullptr ? std::string_view() : line->text);
    if (words.size() < 2 || !same(words[0], "Version"))
      return error("no version in the first line: not an Iometer configuration");
    // Before that the access specifications had no names; the versions were dates.
    const std::string_view year = words[1].substr(0, words[1].find('.'));
    if (year == "3" || year == "1998")
      error(fmt::format("version {} is too old: 1999 is the first that is read", quote(words[1])));
  }

  // A whole number in a range.
  uint64_t number(std::string_view text, std::string_view what, uint64_t least, uint64_t most) {
    const std::optional<uint64_t> n = integer(text);
    if (n && *n >= least && *n <= most) return *n;
    error(fmt::format("{}: {} is no whole number from {} to {}", what, quote(text), least, most));
    return least;
  }
  uint32_t small(std::string_view text, std::string_view what, uint32_t least, uint32_t most) {
    return static_cast<uint32_t>(number(text, what, least, most));
  }

  void read_setup() {
    while (const Line* line = next()) {
      const std::string_view label = line->text;
      if (begins(label, "'END test setup")) return;
      if (begins(label, "'Run Time")) {
        read_run_time();
      } else if (begins(label, "'Ramp Up Time")) {
        const uint64_t seconds = number(value(), "ramp-up time", 0, kMostSeconds);
        settings_.ramp_time = Duration::s(static_cast<int64_t>(seconds));
      } else if (begins(label, "'Queue Depth Cycling")) {
        read_cycling();
      } else if (begins(label, "'Test Type")) {
        read_test_type();
      }
    }
    error("the section 'TEST SETUP' has no end");
  }

  void read_run_time() {
    const std::vector<std::string_view> words = words_of(value());
    settings_.run_time_origin = place();
    if (words.size() != 3) return error("run time: three numbers are expected (h, min, s)");
    const uint64_t hours = number(words[0], "run time, hours", 0, kMostSeconds / 3600);
    const uint64_t minutes = number(words[1], "run time, minutes", 0, kMostSeconds / 60);
    const uint64_t seconds = number(words[2], "run time, seconds", 0, kMostSeconds);
    settings_.run_time = Duration::s(static_cast<int64_t>(hours * 3600 + minutes * 60 + seconds));
  }

  void read_cycling() {
    const std::vector<std::string_view> words = words_of(value());
    settings_.cycle_origin = place();
    if (words.size() != 4)
      return error("queue depth cycling: start, end, step and type are expected");
    constexpr uint32_t kMost = 65'536;
    settings_.cycle_first = small(words[0], "queue depth cycling, start", 1, kMost);
    settings_.cycle_last = small(words[1], "queue depth cycling, end", 1, kMost);
    settings_.cycle_step = small(words[2], "queue depth cycling, step", 1, kMost);
    settings_.cycle_exponential = same(words[3], "EXPONENTIAL");
    if (!settings_.cycle_exponential && !same(words[3], "LINEAR"))
      error(fmt::format("queue depth cycling: the type {} is neither LINEAR nor EXPONENTIAL",
                        quote(words[3])));
  }

  void read_test_type() {
    const std::string_view word = value();
    if (same(word, "NORMAL")) {
      settings_.test = IcfTest::kNormal;
    } else if (same(word, "CYCLE_OUTSTANDING_IOS")) {
      settings_.test = IcfTest::kCycleOutstanding;
    } else {
      error(fmt::format("test type: {} is not modelled (known: NORMAL, CYCLE_OUTSTANDING_IOS)",
                        quote(word)));
    }
  }

  void read_specs() {
    while (const Line* line = next()) {
      if (begins(line->text, "'END access specifications")) return;
      if (begins(line->text, "'Access specification name")) read_spec();
    }
    error("the section 'ACCESS SPECIFICATIONS' has no end");
  }

  void read_spec() {
    const std::string_view named = value();
    IcfSpec spec;
    spec.origin = place();
    spec.name = std::string(trimmed(named.substr(0, named.rfind(','))));
    while (at_ < lines_.size() && is_label(lines_[at_].text)) {
      if (begins(lines_[at_].text, "'End") ||
          begins(lines_[at_].text, "'Access specification name"))
        break;
      ++at_;
    }
    uint32_t sum = 0;
    while (at_ < lines_.size() && !is_label(lines_[at_].text)) {
      if (lines_[at_].text.empty()) {
        ++at_;
        continue;
      }
      ++at_;
      if (const std::optional<IcfAccess> access = access_of(lines_[at_ - 1].text)) {
        sum += access->of_size;
        if (access->of_size > 0) spec.lines.push_back(*access);
      }
    }
    if (sum != 100)
      diagnostics_.error(spec.origin,
                         fmt::format("access specification {}: the percentages of size sum to {}, "
                                     "not to 100",
                                     quote(spec.name), sum));
    settings_.specs.push_back(std::move(spec));
  }

  std::optional<IcfAccess> access_of(std::string_view line) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() != 8) {
      error(
          "eight numbers are expected: size, % of size, % reads, % random, delay, burst, align, "
          "reply");
      return std::nullopt;
    }
    constexpr uint64_t kMostBytes = uint64_t{1} << 30;
    IcfAccess access;
    access.origin = place();
    access.size = number(fields[0], "size", 1, kMostBytes);
    access.of_size = small(fields[1], "% of size", 0, 100);
    access.reads = small(fields[2], "% reads", 0, 100);
    access.random = small(fields[3], "% random", 0, 100);
    access.delay_ms = number(fields[4], "delay", 0, kMostSeconds);
    access.burst = std::max(small(fields[5], "burst", 0, 1'000'000'000), 1u);
    access.align = number(fields[6], "align", 0, kMostBytes);
    if (number(fields[7], "reply", 0, kMostBytes) != 0)
      error("reply: not modelled: only network targets reply");
    return access;
  }

  void read_managers() {
    while (const Line* line = next()) {
      const std::string_view label = line->text;
      if (begins(label, "'END manager list")) return;
      if (same(label, "'Worker")) read_worker();
    }
    error("the section 'MANAGER LIST' has no end");
  }

  void read_worker() {
    IcfWorker worker;
    worker.name = std::string(value());
    worker.origin = place();
    while (const Line* line = next()) {
      const std::string_view label = line->text;
      if (same(label, "'End worker")) {
        settings_.workers.push_back(std::move(worker));
        return;
      }
      if (same(label, "'Worker type")) {
        if (!same(value(), "DISK")) error("worker type: only DISK is modelled");
      } else if (begins(label, "'Number of outstanding IOs")) {
        read_outstanding(worker);
      } else if (begins(label, "'Disk maximum size,starting sector")) {
        const std::vector<std::string_view> fields = fields_of(value());
        worker.sectors_origin = place();
        if (fields.size() < 2) return error("disk maximum size and starting sector are expected");
        constexpr uint64_t kMostSectors = uint64_t{1} << 50;
        worker.sectors = number(fields[0], "disk maximum size", 0, kMostSectors);
        worker.first_sector = number(fields[1], "starting sector", 0, kMostSectors);
      } else if (same(label, "'Assigned access specs")) {
        read_assigned(worker);
      } else if (same(label, "'Target")) {
        worker.targets.emplace_back(value());
        worker.targets_origin = place();
      }
    }
    error(fmt::format("worker {} has no end", quote(worker.name)));
  }

  void read_outstanding(IcfWorker& worker) {
    const std::vector<std::string_view> fields = fields_of(value());
    worker.outstanding_origin = place();
    worker.outstanding = small(fields[0], "number of outstanding I/Os", 1, 65'536);
    if (fields.size() > 1 && same(fields[1], "ENABLED"))
      error("test connection rate: not modelled: only network targets have connections");
  }

  // Names up to the end of the list.
  void read_assigned(IcfWorker& worker) {
    while (const Line* line = next()) {
      if (begins(line->text, "'End assigned access specs")) return;
      if (line->text.empty() || is_label(line->text)) continue;
      worker.specs.emplace_back(line->text);
      worker.spec_origins.push_back(place());
    }
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  std::vector<Line> lines_;
  size_t at_ = 0;  // the next line
  IcfSettings settings_;
};

}  // namespace

IcfSettings read_icf(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  return IcfReader(file, diagnostics).read(text);
}

bool looks_like_icf(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  return begins(head, "Version ") && (head.find("'TEST SETUP") != std::string_view::npos ||
                                      head.find("'ACCESS SPEC") != std::string_view::npos ||
                                      head.find("'MANAGER LIST") != std::string_view::npos);
}

}  // namespace ftlsim
