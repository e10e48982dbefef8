#include "nand/reliability/snapshot.h"

#include <algorithm>

#include "sim/math.h"

namespace ftlsim {
namespace {

constexpr double kSecondsPerDay = 86'400;
constexpr double kLowestRber = 1e-5;
constexpr double kPerDecade = 4;
constexpr double kLn10 = 2.302585092994045684;

// Adds the valid slots of one block.
void add_block(ReliabilitySnapshot& out, const Reliability& r, const Media& media, SuperblockId sb,
               DieId die, Time now, uint64_t slots) {
  const auto n = static_cast<double>(slots);
  const double days = r.block_age(sb, die, now) / kSecondsPerDay;
  const double cycles = r.cycles(sb, die);
  out.slots += slots;
  out.mean_days += n * days;
  out.oldest_days = std::max(out.oldest_days, days);
  out.mean_cycles += n * cycles;
  out.most_cycles = std::max(out.most_cycles, cycles);
  const auto age_class = std::lower_bound(out.kDays.begin(), out.kDays.end(), days);
  out.by_age[static_cast<size_t>(age_class - out.kDays.begin())] += slots;

  const uint32_t pages = media.layout().pages(media.die_block(sb, die).mode);
  const uint32_t codewords = media.layout().slots_per_page();
  uint64_t left = slots;
  for (uint32_t page = 0; page < pages; ++page) {
    const uint64_t of_page = page + 1 == pages ? left : slots / pages;
    left -= of_page;
    const auto weight = static_cast<double>(of_page);
    const PageState s = r.page_state(sb, die, page, now);
    const double rber = r.model().rber_of(s, 0);
    out.mean_rber += weight * rber;
    const double at = exact_log(rber / kLowestRber) / kLn10 * kPerDecade + 1;
    const double most = ReliabilitySnapshot::kRberClasses - 1;
    out.by_rber[static_cast<size_t>(std::clamp(at, 0.0, most))] += of_page;
    const double failure = r.model().first_read_failure(s, codewords);
    out.first_read_failure += weight * failure;
    if (failure > 0) out.mean_retries += weight * r.model().mean_retries(s, codewords);
  }
}

}  // namespace

double ReliabilitySnapshot::rber_end(uint32_t index) {
  return kLowestRber * exact_exp(index * kLn10 / kPerDecade);
}

ReliabilitySnapshot take_snapshot(const Reliability& reliability, const Media& media, Time now,
                                  const std::vector<uint32_t>& valid) {
  ReliabilitySnapshot out;
  for (uint32_t s = 0; s < media.superblocks(); ++s) {
    const SuperblockId sb(s);
    if (valid[s] == 0) continue;
    std::vector<DieId> dies;
    for (uint32_t i = 0; i < media.layout().width(); ++i) {
      const DieId die = media.layout().die_of(sb, i);
      const DieBlock& block = media.die_block(sb, die);
      if (block.good_planes != 0 && block.write_pointer != 0) dies.push_back(die);
    }
    uint64_t left = valid[s];
    for (size_t i = 0; i < dies.size(); ++i) {
      const uint64_t share = i + 1 == dies.size() ? left : valid[s] / dies.size();
      left -= share;
      if (share != 0) add_block(out, reliability, media, sb, dies[i], now, share);
    }
  }
  const double n = out.slots == 0 ? 1 : static_cast<double>(out.slots);
  for (double* mean : {&out.mean_days, &out.mean_cycles, &out.mean_rber, &out.first_read_failure,
                       &out.mean_retries})
    *mean /= n;
  return out;
}

}  // namespace ftlsim
