#include "workloads/fio_draft.h"

#include <fmt/format.h>

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "sim/suggest.h"

namespace ftlsim {
namespace {

struct RwName {
  std::string_view name;
  RwKind kind;
};
constexpr RwName kRwNames[] = {
    {"read", RwKind::kRead},
    {"write", RwKind::kWrite},
    {"trim", RwKind::kTrim},
    {"rw", RwKind::kReadWrite},
    {"readwrite", RwKind::kReadWrite},
    {"randread", RwKind::kRandRead},
    {"randwrite", RwKind::kRandWrite},
    {"randtrim", RwKind::kRandTrim},
    {"randrw", RwKind::kRandReadWrite},
};

// Splits at any of `separators`; n separators give n + 1 pieces.
std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const size_t end = text.find_first_of(separators);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string_view text_of(const FioOption& option) {
  return option.value ? std::string_view(*option.value) : std::string_view();
}

}  // namespace

void FioOptionReader::refuse(const FioOption& option, const std::string& text) {
  diagnostics_.error(option.origin, fmt::format("{}: {}", option.key, text));
}

void FioOptionReader::note_once(const std::string& subject, const Origin& where,
                                const std::string& text) {
  if (noted_.insert(subject).second) diagnostics_.note(where, text);
}

void FioOptionReader::apply(const FioSection& section, FioDraft& draft) {
  std::map<std::string_view, int> lines;
  for (const FioOption& option : section.options)
    if (option.key == "kb_base") read_kb_base(option, draft);  // counts for the whole section
  for (const FioOption& option : section.options) {
    const auto [first, fresh] = lines.emplace(option.key, option.origin.line);
    if (!fresh)
      diagnostics_.warning(option.origin,
                           fmt::format("option '{}' stands in line {} of this section already; "
                                       "the last one counts, as in fio",
                                       option.key, first->second));
    apply_option(option, draft);
  }
}

void FioOptionReader::apply_option(const FioOption& option, FioDraft& draft) {
  const FioOptionInfo* info = find_fio_option(option.key);
  if (info == nullptr) {
    constexpr int kMostSuggestions = 50;  // beyond, it is no job file, and a search costs time
    std::optional<std::string_view> near;
    if (++unknown_options_ <= kMostSuggestions) near = suggest_fio_option(option.key);
    diagnostics_.error(option.origin,
                       fmt::format("unknown option {}{}", quote(option.key),
                                   near ? fmt::format("; did you mean '{}'?", *near) : ""));
    return;
  }
  switch (info->use) {
    case FioUse::kModelled:
      draft.places[static_cast<size_t>(info->key)] = option.origin;
      apply_modelled(info->key, option, draft);
      break;
    case FioUse::kNoEffect:
      note_once(option.key, option.origin,
                fmt::format("option '{}' has no effect: {}", option.key, info->text));
      break;
    case FioUse::kNotModelled:
      if (info->text.empty() || text_of(option) != info->text)
        diagnostics_.error(option.origin,
                           fmt::format("fio option '{}' is not modelled yet", option.key));
      break;
  }
}

void FioOptionReader::apply_modelled(FioKey key, const FioOption& option, FioDraft& draft) {
  switch (key) {
    case FioKey::kRw:
      return read_rw(option, draft);
    case FioKey::kBs:
      return read_block_sizes(option, draft);
    case FioKey::kSize:
      return read_amount(option, draft, draft.size.emplace());
    case FioKey::kIoSize:
      return read_amount(option, draft, draft.io_size.emplace());
    case FioKey::kOffset:
      return read_amount(option, draft, draft.offset);
    case FioKey::kIodepth:
      return read_integer(option, draft, draft.iodepth);
    case FioKey::kNumjobs:
      return read_integer(option, draft, draft.numjobs);
    case FioKey::kRuntime:
      return read_runtime(option, draft);
    case FioKey::kTimeBased:
      return read_bool(option, draft.time_based);
    case FioKey::kStonewall:
      return read_bool(option, draft.stonewall);
    case FioKey::kNorandommap:
      return read_bool(option, draft.norandommap);
    case FioKey::kRwmixread:
      return read_percent(option, false, draft);
    case FioKey::kRwmixwrite:
      return read_percent(option, true, draft);
    case FioKey::kRandseed:
      return read_integer(option, draft, draft.randseed.emplace());
    case FioKey::kName:
      draft.name = text_of(option);
      if (draft.name.empty()) refuse(option, "has no value");
      return;
    case FioKey::kKbBase:
      return;  // read before all others
    case FioKey::kIoengine:
      draft.ioengine = text_of(option);
      return;
    case FioKey::kDirect:
      return read_bool(option, draft.direct);
    case FioKey::kBuffered:
      read_bool(option, draft.direct);
      draft.direct = !draft.direct;
      return;
    case FioKey::kFilename:
      return read_filename(option);
  }
}

void FioOptionReader::read_rw(const FioOption& option, FioDraft& draft) {
  const std::string_view text = text_of(option);
  const std::string_view word = text.substr(0, text.find(':'));
  std::vector<std::string_view> names;
  for (const RwName& rw : kRwNames) {
    if (rw.name == word) {
      draft.rw = rw.kind;
      if (word != text)
        refuse(option, fmt::format("the suffix in {} is not modelled yet", quote(text)));
      return;
    }
    names.push_back(rw.name);
  }
  if (word == "trimwrite" || word == "randtrimwrite") {
    refuse(option, fmt::format("'{}' is not modelled yet", word));
    return;
  }
  const std::optional<std::string_view> near = suggest(word, names);
  refuse(option, fmt::format("unknown kind {}{} (known: {})", quote(word),
                             near ? fmt::format("; did you mean '{}'?", *near) : "",
                             fmt::join(names, ", ")));
}

// "R,W,T": a missing value keeps its default; one value is for all, two leave the second for trims
// too. "4k-64k" and "4k:64k" are R and W as well, not a range.
void FioOptionReader::read_block_sizes(const FioOption& option, FioDraft& draft) {
  const std::string_view text = text_of(option);
  const std::vector<std::string_view> pieces = split(text, ",-:");
  if (text.find_first_of("-:") != std::string_view::npos)
    diagnostics_.warning(option.origin,
                         fmt::format("{}: in fio {} is no range but a size for reads and one for "
                                     "writes; write it with ','",
                                     option.key, quote(text)));
  if (pieces.size() > kDirections) {
    refuse(option, fmt::format("{} has more than 3 values", quote(text)));
    return;
  }
  for (size_t i = 0; i < kDirections; ++i) {
    const size_t source = pieces.size() == 1 ? 0 : pieces.size() == 2 && i == 2 ? 1 : i;
    const bool repeated = source != i;
    if (pieces[source].empty() && pieces.size() > 1) {
      draft.block_size[i] = 4096;
    } else if (repeated) {
      draft.block_size[i] = draft.block_size[source];
    } else {
      read_integer({option.key, std::string(pieces[source]), option.origin}, draft,
                   draft.block_size[i]);
    }
  }
}

void FioOptionReader::read_percent(const FioOption& option, bool of_writes, FioDraft& draft) {
  uint64_t value = 50;
  read_integer(option, draft, value);
  if (value > 100) {
    refuse(option, fmt::format("{} is outside 0 to 100", value));
    return;
  }
  draft.read_percent = of_writes ? 100 - value : value;
}

void FioOptionReader::read_amount(const FioOption& option, const FioDraft& draft,
                                  FioAmount& target) {
  std::string error;
  bool decimal_kib = false;
  const std::optional<FioAmount> amount =
      parse_fio_amount(text_of(option), draft.kb_base, decimal_kib, error);
  if (!amount) return refuse(option, error);
  target = *amount;
  if (decimal_kib)
    diagnostics_.note(option.origin,
                      fmt::format("{}: fio takes {} as {} bytes (powers of 1000); powers of 1024 "
                                  "are written as k, m, g",
                                  option.key, quote(text_of(option)), amount->value));
}

void FioOptionReader::read_integer(const FioOption& option, const FioDraft& draft,
                                   uint64_t& target) {
  FioAmount amount{target, false};
  if (text_of(option).ends_with('%'))
    return refuse(option, fmt::format("{}: a percentage is possible for size, io_size and offset",
                                      quote(text_of(option))));
  read_amount(option, draft, amount);
  target = amount.value;
}

void FioOptionReader::read_bool(const FioOption& option, bool& target) {
  std::string error;
  const std::optional<bool> value = parse_fio_bool(option.value, error);
  if (!value) return refuse(option, error);
  target = *value;
}

void FioOptionReader::read_runtime(const FioOption& option, FioDraft& draft) {
  std::string error;
  const std::optional<Duration> value = parse_fio_time(text_of(option), error);
  if (!value) return refuse(option, error);
  draft.runtime = *value;
}

void FioOptionReader::read_kb_base(const FioOption& option, FioDraft& draft) {
  if (text_of(option) == "1000") {
    draft.kb_base = KbBase::k1000;
  } else if (text_of(option) == "1024") {
    draft.kb_base = KbBase::k1024;
  } else {
    refuse(option, fmt::format("{} is neither 1000 nor 1024", quote(text_of(option))));
  }
}

void FioOptionReader::read_filename(const FioOption& option) {
  const std::string_view text = text_of(option);
  for (size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    if (at == 0 || text[at - 1] != '\\')
      return refuse(option, "several files in one job are not modelled yet");
  }
  note_once("filename", option.origin,
            "option 'filename' has no effect: the job works on the simulated drive");
}

}  // namespace ftlsim
