// The options that say where requests go, how long they are, and in which direction.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/suggest.h"
#include "workloads/fio_draft.h"

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
    {"trimwrite", RwKind::kTrimWrite},
    {"randtrimwrite", RwKind::kRandTrimWrite},
};

constexpr size_t kMostShares = 1024;

// Shares that leave some percentages open: those get equal parts of the rest. False: they sum to
// more than 100, or to less with none open.
bool complete_shares(std::vector<std::optional<uint32_t>>& shares) {
  uint32_t sum = 0;
  uint32_t open = 0;
  for (const auto& share : shares) share ? sum += *share : ++open;
  if (sum > 100 || (open == 0 && sum != 100)) return false;
  uint32_t rest = 100 - sum;
  for (auto& share : shares) {
    if (share) continue;
    share = rest / open;
    rest -= rest / open--;
  }
  return true;
}

}  // namespace

bool FioOptionReader::apply_pattern(FioKey key, const FioOption& option, FioDraft& draft) {
  JobSpec& spec = draft.spec;
  switch (key) {
    case FioKey::kRw:
      return read_rw(option, draft), true;
    case FioKey::kBs:
      return read_block_sizes(option, draft), true;
    case FioKey::kBsrange:
      return read_block_range(option, draft), true;
    case FioKey::kBssplit:
      return read_block_split(option, draft), true;
    case FioKey::kBlockalign: {
      PerDirection<uint64_t> align{};
      read_integers(option, draft, align);
      for (size_t i = 0; i < kDirections; ++i) spec.block_align[i] = Bytes(align[i]);
      return true;
    }
    case FioKey::kBsIsSeqRand:
      return read_bool(option, spec.size_by_order), true;
    case FioKey::kBsUnaligned:
      return read_bool(option, draft.unaligned), true;
    case FioKey::kNorandommap:
      return read_bool(option, spec.norandommap), true;
    case FioKey::kRandomGenerator:
      draft.full_cycle = read_word(option, {"tausworthe", "tausworthe64", "lfsr"}) == 2;
      return true;
    case FioKey::kRandomDistribution:
      return read_distribution(option, draft), true;
    case FioKey::kPercentageRandom: {
      PerDirection<uint64_t> percent{100, 100, 100};
      read_integers(option, draft, percent);
      for (size_t i = 0; i < kDirections; ++i) {
        if (percent[i] > 100)
          return refuse(option, fmt::format("{} is outside 0 to 100", percent[i])), true;
        spec.random_percent[i] = static_cast<uint32_t>(percent[i]);
      }
      return true;
    }
    case FioKey::kRwSequencer:
      spec.identical_run = read_word(option, {"sequential", "identical"}) == 1;
      return true;
    case FioKey::kRwmixread:
      return read_percent(option, false, draft), true;
    case FioKey::kRwmixwrite:
      return read_percent(option, true, draft), true;
    case FioKey::kRandrepeat:
      return read_bool(option, draft.randrepeat), true;
    case FioKey::kRandseed:
      return read_integer(option, draft, spec.randseed.emplace()), true;
    default:
      return false;
  }
}

bool FioOptionReader::apply_region(FioKey key, const FioOption& option, FioDraft& draft) {
  JobSpec& spec = draft.spec;
  switch (key) {
    case FioKey::kSize:
      return read_amount(option, draft, draft.size.emplace()), true;
    case FioKey::kIoSize:
      return read_amount(option, draft, draft.io_size.emplace()), true;
    case FioKey::kOffset:
      return read_amount(option, draft, draft.offset), true;
    case FioKey::kOffsetIncrement:
      return read_amount(option, draft, draft.offset_increment), true;
    case FioKey::kOffsetAlign:
      return read_integer(option, draft, draft.offset_align), true;
    case FioKey::kFillDevice:
      return read_bool(option, draft.fill_device), true;
    case FioKey::kNumberIos:
      return read_integer(option, draft, spec.number_ios), true;
    case FioKey::kLoops:
      return read_integer(option, draft, spec.loops, 1, 1'000'000'000), true;
    case FioKey::kZonemode: {
      const std::optional<size_t> mode = read_word(option, {"none", "strided", "zbd"});
      draft.strided = mode == 1;
      if (mode == 2) refuse(option, "'zbd' is not modelled: the drive has no zones");
      return true;
    }
    case FioKey::kZonesize:
      return read_bytes(option, draft, draft.stride.bytes), true;
    case FioKey::kZonerange:
      return read_bytes(option, draft, draft.stride.range), true;
    case FioKey::kZoneskip:
      return read_bytes(option, draft, draft.stride.skip), true;
    default:
      return false;
  }
}

void FioOptionReader::read_rw(const FioOption& option, FioDraft& draft) {
  const std::string_view text = text_of(option);
  const size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  std::vector<std::string_view> names;
  for (const RwName& rw : kRwNames) {
    if (rw.name == word) {
      draft.spec.rw = rw.kind;
      draft.spec.random_run = 1;
      draft.spec.sequential_gap = 0;
      if (colon != std::string_view::npos) read_rw_suffix(option, text.substr(colon + 1), draft);
      return;
    }
    names.push_back(rw.name);
  }
  const std::optional<std::string_view> near = suggest(word, names);
  refuse(option, fmt::format("unknown kind {}{} (known: {})", quote(word),
                             near ? fmt::format("; did you mean '{}'?", *near) : "",
                             fmt::join(names, ", ")));
}

// Of a random kind the number of requests per random offset, of a sequential one the gap between
// requests.
void FioOptionReader::read_rw_suffix(const FioOption& option, std::string_view suffix,
                                     FioDraft& draft) {
  const bool negative = suffix.starts_with('-');
  if (negative) suffix.remove_prefix(1);
  uint64_t value = 0;
  read_integer({option.key, std::string(suffix), option.origin}, draft, value);
  if (value > uint64_t{1} << 40) return refuse(option, fmt::format("{} is too large", value));
  if (!is_random(draft.spec.rw)) {
    const auto gap = static_cast<int64_t>(value);
    draft.spec.sequential_gap = negative ? -gap : gap;
  } else if (negative || value == 0 || value > UINT32_MAX) {
    refuse(option, "a random kind takes a number of requests from 1 on behind the ':'");
  } else {
    draft.spec.random_run = static_cast<uint32_t>(value);
  }
}

// "R,W,T": a missing value keeps its default; one value is for all, two leave the second for trims
// too. "4k-64k" and "4k:64k" are R and W as well, not a range.
void FioOptionReader::read_block_sizes(const FioOption& option, FioDraft& draft) {
  const std::string_view text = text_of(option);
  const std::vector<std::string_view> pieces = split_text(text, ",-:");
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

// Whatever their order, fio takes bssplit before bsrange, and that before bs.
void FioDraft::settle_sizes() {
  for (size_t i = 0; i < kDirections; ++i) {
    if (!spec.block_mix[i].empty()) {
      const auto smallest =
          std::min_element(spec.block_mix[i].begin(), spec.block_mix[i].end(),
                           [](const SizeShare& a, const SizeShare& b) { return a.size < b.size; });
      block_size[i] = smallest->size.count();
      spec.block_max[i] = Bytes(0);
    } else if (range_low[i] != 0) {
      block_size[i] = range_low[i];
    }
  }
}

// "min-max" or "min:max", once or per direction.
void FioOptionReader::read_block_range(const FioOption& option, FioDraft& draft) {
  const std::vector<std::string_view> pieces = split_text(text_of(option), ",");
  if (pieces.size() > kDirections)
    return refuse(option, fmt::format("{} has more than 3 values", quote(text_of(option))));
  for (size_t i = 0; i < kDirections; ++i) {
    const std::string_view piece = pieces[std::min(i, pieces.size() - 1)];
    if (piece.empty() && pieces.size() > 1) continue;
    const std::vector<std::string_view> ends = split_text(piece, "-:");
    if (ends.size() != 2)
      return refuse(option, fmt::format("{} is not a range such as 4k-64k", quote(piece)));
    PerDirection<uint64_t> bounds{};
    read_integer({option.key, std::string(ends[0]), option.origin}, draft, bounds[0]);
    read_integer({option.key, std::string(ends[1]), option.origin}, draft, bounds[1]);
    const auto [low, high] = std::minmax(bounds[0], bounds[1]);
    if (low == 0) return refuse(option, fmt::format("{}: a size must be above 0", quote(piece)));
    draft.range_low[i] = low;
    draft.spec.block_max[i] = Bytes(high);
  }
}

// "size/percent:size/percent...", once or per direction.
void FioOptionReader::read_block_split(const FioOption& option, FioDraft& draft) {
  const std::vector<std::string_view> directions = split_text(text_of(option), ",");
  if (directions.size() > kDirections)
    return refuse(option, fmt::format("{} has more than 3 values", quote(text_of(option))));
  for (size_t i = 0; i < kDirections; ++i) {
    const std::string_view text = directions[std::min(i, directions.size() - 1)];
    if (text.empty() && directions.size() > 1) continue;
    std::vector<SizeShare> mix;
    std::vector<std::optional<uint32_t>> shares;
    for (const std::string_view piece : split_text(text, ":")) {
      if (piece.empty()) continue;
      const size_t slash = piece.find('/');
      SizeShare& share = mix.emplace_back();
      read_bytes({option.key, std::string(piece.substr(0, slash)), option.origin}, draft,
                 share.size);
      if (share.size == Bytes(0)) return refuse(option, "a size must be above 0");
      std::optional<uint32_t>& percent = shares.emplace_back();
      if (slash == std::string_view::npos || slash + 1 == piece.size()) continue;
      read_integer({option.key, std::string(piece.substr(slash + 1)), option.origin}, draft,
                   percent.emplace(0), 0, 100);
    }
    if (mix.empty() || mix.size() > kMostShares)
      return refuse(option, fmt::format("{} has no size, or too many", quote(text)));
    if (!complete_shares(shares))
      return refuse(option, fmt::format("the percentages in {} do not sum to 100", quote(text)));
    for (size_t k = 0; k < mix.size(); ++k) mix[k].percent = *shares[k];
    draft.spec.block_mix[i] = std::move(mix);
  }
}

void FioOptionReader::read_distribution(const FioOption& option, FioDraft& draft) {
  const std::string_view text = text_of(option);
  const size_t colon = text.find(':');
  const std::string rest(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  const std::optional<size_t> kind =
      read_word({option.key, std::string(text.substr(0, colon)), option.origin},
                {"random", "zipf", "pareto", "normal", "gauss", "zoned", "zoned_abs"});
  DistributionSpec& spec = draft.spec.distribution;
  spec = DistributionSpec{};
  if (!kind || *kind == 0) return;
  if (*kind >= 5) return read_zones(option, rest, *kind == 6, draft);
  read_spread(option,
              *kind == 1   ? Spread::kZipf
              : *kind == 2 ? Spread::kPareto
                           : Spread::kNormal,
              rest, spec);
}

// "parameter:centre", each of which may be missing.
void FioOptionReader::read_spread(const FioOption& option, Spread spread,
                                  std::string_view parameters, DistributionSpec& spec) {
  const std::vector<std::string_view> values = split_text(parameters, ":");
  spec.spread = spread;
  spec.parameter = spread == Spread::kZipf ? 1.1 : spread == Spread::kPareto ? 0.2 : 0;
  if (!values[0].empty())
    read_number({option.key, std::string(values[0]), option.origin}, spec.parameter);
  if (values.size() > 1)
    read_number({option.key, std::string(values[1]), option.origin}, spec.centre.emplace(0));
  if (spec.spread == Spread::kZipf &&
      (spec.parameter <= 0 || spec.parameter == 1 || spec.parameter > 10))
    refuse(option, "zipf takes a theta above 0, up to 10, and not 1");
  if (spec.spread == Spread::kPareto && (spec.parameter <= 0 || spec.parameter >= 1))
    refuse(option, "pareto takes a power between 0 and 1");
  if (spec.spread == Spread::kNormal && spec.parameter > 100)
    refuse(option, "normal takes a deviation of 0 to 100 percent");
  if (values.size() > 2 || (spec.centre && *spec.centre > 1))
    refuse(option, fmt::format("{}: behind the parameter only a centre from 0 to 1 is possible",
                               quote(text_of(option))));
}

// "accesses/size:accesses/size...", once or per direction; two are for reads and for the others.
void FioOptionReader::read_zones(const FioOption& option, std::string_view text, bool absolute,
                                 FioDraft& draft) {
  const std::vector<std::string_view> directions = split_text(text, ",");
  if (directions.size() > kDirections)
    return refuse(option, fmt::format("{} has more than 3 values", quote(text)));
  DistributionSpec& spec = draft.spec.distribution;
  for (size_t i = 0; i < kDirections; ++i) {
    const size_t source = std::min(i, directions.size() - 1);
    if (source != i) {
      spec.zones[i] = spec.zones[source];
    } else if (!read_zones_of(option, directions[i], absolute, draft, spec.zones[i])) {
      return;
    }
  }
  spec.spread = Spread::kZoned;
}

// Sizes are percentages of the region, or bytes.
bool FioOptionReader::read_zones_of(const FioOption& option, std::string_view text, bool absolute,
                                    const FioDraft& draft, std::vector<AccessZone>& zones) {
  std::vector<std::optional<uint32_t>> accesses;
  std::vector<std::optional<uint32_t>> sizes;
  for (const std::string_view piece : split_text(text, ":")) {
    if (piece.empty()) continue;
    const size_t slash = piece.find('/');
    const std::string access(piece.substr(0, slash));
    const std::string size(slash == std::string_view::npos ? "" : piece.substr(slash + 1));
    AccessZone& zone = zones.emplace_back();
    std::optional<uint32_t>& share = accesses.emplace_back();
    if (!access.empty())
      read_integer({option.key, access, option.origin}, draft, share.emplace(0), 0, 100);
    std::optional<uint32_t>& part = sizes.emplace_back();
    if (absolute) {
      read_bytes({option.key, size, option.origin}, draft, zone.size);
    } else if (!size.empty()) {
      read_integer({option.key, size, option.origin}, draft, part.emplace(0), 0, 100);
    }
  }
  if (zones.empty() || zones.size() > kMostShares)
    return refuse(option, "zoned takes parts such as 50/5:50/95"), false;
  if (!complete_shares(accesses) || (!absolute && !complete_shares(sizes))) {
    refuse(option, fmt::format("the percentages in {} do not sum to 100", quote(text)));
    return false;
  }
  for (size_t i = 0; i < zones.size(); ++i) {
    zones[i].access_percent = *accesses[i];
    if (!absolute) zones[i].size_percent = *sizes[i];
  }
  return true;
}

}  // namespace ftlsim
