#include "workloads/fio_draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sim/assert.h"
#include "sim/suggest.h"

namespace ftlsim {

std::vector<std::string_view> split_text(std::string_view text, std::string_view separators) {
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

std::vector<FioOptionText> option_texts(const FioSection& section) {
  std::vector<FioOptionText> texts;
  for (const FioOption& option : section.options)
    if (option.value) texts.emplace_back(canonical_fio_name(option.key), *option.value);
  return texts;
}

void FioOptionReader::refuse(const FioOption& option, const std::string& text) {
  diagnostics_.error(option.origin, fmt::format("{}: {}", option.key, text));
}

void FioOptionReader::refuse_option(const FioOption& option, const FioOptionInfo& info) {
  diagnostics_.error(
      option.origin,
      fmt::format("fio option '{}'{} is not modelled{}{}", option.key,
                  option.value ? fmt::format(" with the value {}", quote(*option.value)) : "",
                  info.remedy.empty() ? "" : ": ", info.remedy));
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
  if (!section.global()) draft.spec.report.options = option_texts(section);
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
      if (info->text.empty() || text_of(option) != info->text) refuse_option(option, *info);
      break;
  }
}

void FioOptionReader::apply_modelled(FioKey key, const FioOption& option, FioDraft& draft) {
  if (apply_pattern(key, option, draft) || apply_region(key, option, draft) ||
      apply_pace(key, option, draft) || apply_sync(key, option, draft) ||
      apply_report(key, option, draft) || apply_files(key, option, draft) ||
      apply_limits(key, option, draft) || apply_replay(key, option, draft))
    return;
  switch (key) {
    case FioKey::kIodepth:
      return read_integer(option, draft, draft.iodepth);
    case FioKey::kNumjobs:
      return read_integer(option, draft, draft.numjobs);
    case FioKey::kStonewall:
      return read_bool(option, draft.stonewall);
    case FioKey::kWaitFor:
      draft.wait_for = text_of(option);
      return;
    case FioKey::kName:
      draft.spec.name = text_of(option);
      if (draft.spec.name.empty()) refuse(option, "has no value");
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
    default:
      break;
  }
  SIM_ASSERT(false, "option {} has no reader", option.key);
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

void FioOptionReader::read_integer(const FioOption& option, const FioDraft& draft, uint32_t& target,
                                   uint32_t least, uint32_t most) {
  uint64_t value = target;
  read_integer(option, draft, value);
  if (value < least || value > most)
    return refuse(option, fmt::format("{} is outside {} to {}", value, least, most));
  target = static_cast<uint32_t>(value);
}

void FioOptionReader::read_integers(const FioOption& option, const FioDraft& draft,
                                    PerDirection<uint64_t>& target) {
  const std::vector<std::string_view> pieces = split_text(text_of(option), ",");
  if (pieces.size() > kDirections)
    return refuse(option, fmt::format("{} has more than 3 values", quote(text_of(option))));
  for (size_t i = 0; i < kDirections; ++i) {
    const std::string_view piece = pieces[std::min(i, pieces.size() - 1)];
    if (piece.empty() && pieces.size() > 1) continue;
    read_integer({option.key, std::string(piece), option.origin}, draft, target[i]);
  }
}

void FioOptionReader::read_bytes(const FioOption& option, const FioDraft& draft, Bytes& target) {
  uint64_t value = target.count();
  read_integer(option, draft, value);
  target = Bytes(value);
}

void FioOptionReader::read_number(const FioOption& option, double& target) {
  std::string error;
  if (const std::optional<double> value = parse_fio_number(text_of(option), error)) {
    target = *value;
  } else {
    refuse(option, error);
  }
}

void FioOptionReader::read_time(const FioOption& option, Duration unit, Duration& target) {
  std::string error;
  const std::optional<Duration> value = parse_fio_time(text_of(option), unit, error);
  if (!value) return refuse(option, error);
  target = *value;
}

std::optional<size_t> FioOptionReader::read_word(const FioOption& option,
                                                 const std::vector<std::string_view>& words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (text_of(option) == words[i]) return i;
  const std::optional<std::string_view> near = suggest(text_of(option), words);
  refuse(option, fmt::format("unknown word {}{} (known: {})", quote(text_of(option)),
                             near ? fmt::format("; did you mean '{}'?", *near) : "",
                             fmt::join(words, ", ")));
  return std::nullopt;
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

}  // namespace ftlsim
