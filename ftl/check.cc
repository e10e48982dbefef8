#include "ftl/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ftlsim {
namespace {

// More sentences than this say nothing new.
constexpr size_t kMostFaults = 20;

class Checker {
 public:
  explicit Checker(const Firmware& firmware)
      : firmware_(firmware),
        media_(firmware.media()),
        table_(firmware.superblocks()),
        map_(firmware.map()),
        layout_(media_.layout()) {}

  void run() {
    check_map();
    check_pending();
    check_counts();
    check_roles();
    check_media();
    check_causes();
    check_physics();
    if (firmware_.map_cache() != nullptr) check_pages();
  }
  std::vector<std::string> take() { return std::move(faults_); }

 private:
  template <class... Args>
  void expect(bool ok, fmt::format_string<Args...> format, Args&&... args) {
    if (!ok && faults_.size() < kMostFaults)
      faults_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void check_map();
  void check_slot(uint32_t lpn, Ppn ppn);
  void check_pending();
  void check_counts();
  void check_roles();
  void check_media();
  void check_die_block(SuperblockId sb, DieId die);
  void check_parity(SuperblockId sb);
  void check_causes();
  void check_physics();
  void check_pages();

  const Firmware& firmware_;
  const Media& media_;
  const SuperblockTable& table_;
  const FlatMap& map_;
  const Layout& layout_;
  std::vector<std::string> faults_;
};

void Checker::check_map() {
  std::vector<uint32_t> valid(table_.size(), 0);
  uint64_t mapped = 0;
  uint64_t pages = 0;
  for (uint32_t lpn = 0; lpn < map_.units(); ++lpn) {
    const Ppn ppn = map_.lookup(Lpn(lpn), 1).ppn;
    if (!ppn.valid()) continue;
    ++(lpn < map_.user_slots() ? mapped : pages);
    const uint32_t sb = layout_.superblock_of(ppn).value();
    expect(sb < table_.size(), "unit {} is mapped to slot {} past the end", lpn, ppn.value());
    if (sb >= table_.size()) continue;
    ++valid[sb];
    check_slot(lpn, ppn);
  }
  expect(mapped == map_.mapped(), "the map counts {} mapped units, there are {}", map_.mapped(),
         mapped);
  expect(pages == map_.pages_mapped(), "the map counts {} translation pages, there are {}",
         map_.pages_mapped(), pages);
  for (uint32_t s = 0; s < table_.size(); ++s)
    expect(valid[s] == table_.valid(SuperblockId(s)), "superblock {} counts {} valid slots of {}",
           s, table_.valid(SuperblockId(s)), valid[s]);
}

// A mapped slot: the spare area names the unit, and its page is programmed.
void Checker::check_slot(uint32_t lpn, Ppn ppn) {
  const SuperblockId sb = layout_.superblock_of(ppn);
  const CellMode mode = table_[sb].mode;
  expect(media_.spare(ppn) == lpn, "unit {} is at slot {}, whose spare area says {}", lpn,
         ppn.value(), media_.spare(ppn));
  expect(table_[sb].state != SuperblockState::kFree, "unit {} is in the free superblock {}", lpn,
         sb.value());
  const ChunkAddress a = layout_.split(ppn, mode);
  const DieBlock& block = media_.die_block(sb, a.die);
  expect(block.state == BlockState::kErased && block.mode == mode && a.row < block.write_pointer,
         "unit {} is at slot {} of an unwritten page: superblock {} die {} row {}", lpn,
         ppn.value(), sb.value(), a.die.value(), a.row);
  expect((block.good_planes >> layout_.plane_of(a.first) & 1) != 0, "unit {} is in a hole", lpn);
  expect(!table_.parity().is_parity(a.die, a.row), "unit {} is in the parity of die {} row {}", lpn,
         a.die.value(), a.row);
}

void Checker::check_pending() {
  const PendingIndex& pending = firmware_.engine().pending();
  uint32_t units = 0;
  for (uint32_t lpn = 0; lpn < map_.user_slots(); ++lpn) {
    const Ppn ppn = pending.find(Lpn(lpn));
    if (!ppn.valid()) continue;
    ++units;
    const Superblock& s = table_[layout_.superblock_of(ppn)];
    expect(s.state == SuperblockState::kOpen || s.state == SuperblockState::kFilled,
           "unit {} waits for a program in a superblock of state {}", lpn,
           static_cast<int>(s.state));
    expect(s.stream == Stream::kHostSlc || s.stream == Stream::kHostTlc,
           "host unit {} waits in a relocation stream", lpn);
  }
  expect(units == pending.units(), "the pending index counts {} of {} units", pending.units(),
         units);
  expect(units <= firmware_.writer().used(), "{} units are pending in {} buffered slots", units,
         firmware_.writer().used());
}

void Checker::check_counts() {
  std::array<uint64_t, 2> valid{};
  std::array<uint64_t, 2> written{};
  std::array<uint64_t, 2> held{};
  std::array<uint32_t, 2> holding{};
  std::array<uint32_t, 5> states{};
  for (uint32_t s = 0; s < table_.size(); ++s) {
    const SuperblockId sb(s);
    const Superblock& superblock = table_[sb];
    const auto mode = static_cast<size_t>(superblock.mode);
    ++states[static_cast<size_t>(superblock.state)];
    valid[mode] += table_.valid(sb);
    written[mode] += superblock.written;
    expect(superblock.written <= table_.usable(sb, superblock.mode),
           "superblock {} has {} slots written of {}", s, superblock.written,
           table_.usable(sb, superblock.mode));
    expect(table_.valid(sb) <= superblock.written, "superblock {} has {} valid slots of {} written",
           s, table_.valid(sb), superblock.written);
    const bool closed = superblock.state == SuperblockState::kClosed;
    expect((table_.closed_flags()[s] != 0) == closed, "superblock {}: closed flag is wrong", s);
    if (superblock.state == SuperblockState::kFree) continue;
    ++holding[mode];
    held[mode] += table_.usable(sb, CellMode::kTlc);
  }
  for (size_t m = 0; m < 2; ++m) {
    const auto mode = static_cast<CellMode>(m);
    expect(valid[m] == table_.valid_total(mode), "mode {}: {} valid slots, counted {}", m, valid[m],
           table_.valid_total(mode));
    expect(written[m] == table_.written_total(mode), "mode {}: {} slots written, counted {}", m,
           written[m], table_.written_total(mode));
    expect(holding[m] == table_.holding(mode), "mode {}: {} superblocks hold data, counted {}", m,
           holding[m], table_.holding(mode));
    expect(held[m] == table_.capacity_holding(mode), "mode {}: capacity {} holds data, counted {}",
           m, held[m], table_.capacity_holding(mode));
  }
  for (size_t i = 0; i < states.size(); ++i)
    expect(states[i] == table_.count(static_cast<SuperblockState>(i)),
           "{} superblocks in state {}, counted {}", states[i], i,
           table_.count(static_cast<SuperblockState>(i)));
}

void Checker::check_roles() {
  const uint32_t free = table_.count(SuperblockState::kFree);
  const SpaceManager& space = firmware_.space();
  expect(free == space.ring_count() + space.meta(),
         "{} superblocks are in state free, but {} are in the free list and {} hold tables", free,
         space.ring_count(), space.meta());
  for (uint32_t s = table_.size() - space.meta(); s < table_.size(); ++s)
    expect(table_[SuperblockId(s)].state == SuperblockState::kFree,
           "superblock {} is kept for firmware tables, but has state {}", s,
           static_cast<int>(table_[SuperblockId(s)].state));
  std::array<uint32_t, kStreams * kMostHeatClasses> open{};
  for (uint32_t s = 0; s < table_.size(); ++s) {
    const Superblock& superblock = table_[SuperblockId(s)];
    if (superblock.state == SuperblockState::kFree) continue;
    expect(superblock.heat < kMostHeatClasses, "superblock {}: heat class {}", s, superblock.heat);
    if (superblock.state == SuperblockState::kOpen)
      ++open[static_cast<size_t>(superblock.stream) * kMostHeatClasses +
             superblock.heat % kMostHeatClasses];
    const bool slc = superblock.stream == Stream::kHostSlc;
    expect(slc == (superblock.mode == CellMode::kSlc), "superblock {}: stream {} in mode {}", s,
           static_cast<int>(superblock.stream), static_cast<int>(superblock.mode));
  }
  for (size_t i = 0; i < open.size(); ++i)
    expect(open[i] <= firmware_.config().write.open_superblocks,
           "stream {}, heat class {} has {} open superblocks", i / kMostHeatClasses,
           i % kMostHeatClasses, open[i]);
}

void Checker::check_media() {
  for (uint32_t s = 0; s < table_.size(); ++s) {
    for (uint32_t i = 0; i < layout_.width(); ++i)
      check_die_block(SuperblockId(s), layout_.die_of(SuperblockId(s), i));
    if (table_.parity().on() && table_[SuperblockId(s)].state == SuperblockState::kClosed)
      check_parity(SuperblockId(s));
  }
}

void Checker::check_die_block(SuperblockId sb, DieId die) {
  const DieBlock& block = media_.die_block(sb, die);
  if (block.good_planes == 0) return;
  expect(block.write_pointer <= layout_.rows(), "superblock {} die {}: write pointer {}",
         sb.value(), die.value(), block.write_pointer);
  // An erase may still be queued for a superblock that was closed early.
  if (table_[sb].state == SuperblockState::kClosed && firmware_.quiescent())
    expect(block.state == BlockState::kErased && block.mode == table_[sb].mode,
           "superblock {} die {} is closed, its block is not", sb.value(), die.value());
  if (block.state != BlockState::kErased) return;
  for (uint32_t row = 0; row < layout_.rows(); ++row) {
    const bool written = media_.unit_sequence(sb, die, row) != 0;
    expect(written == (row < block.write_pointer),
           "superblock {} die {} row {}: sequence {}, write pointer {}", sb.value(), die.value(),
           row, media_.unit_sequence(sb, die, row), block.write_pointer);
  }
}

// All dies of a group have written the same rows, so that each row has its parity.
void Checker::check_parity(SuperblockId sb) {
  const ParityPlan& parity = table_.parity();
  for (uint32_t i = 0; i < layout_.width(); i += parity.dies()) {
    uint32_t least = layout_.rows();
    uint32_t most = 0;
    for (uint32_t k = i; k < i + parity.dies(); ++k) {
      const DieBlock& block = media_.die_block(sb, layout_.die_of(sb, k));
      if (block.good_planes == 0) continue;
      least = std::min<uint32_t>(least, block.write_pointer);
      most = std::max<uint32_t>(most, block.write_pointer);
    }
    expect(most == 0 || least == most, "superblock {}, dies from {} on: {} to {} rows are written",
           sb.value(), layout_.die_of(sb, i).value(), least, most);
  }
}

void Checker::check_causes() {
  for (size_t mode = 0; mode < 2; ++mode) {
    uint64_t sum = 0;
    for (const auto& by_mode : firmware_.stats().programmed) sum += by_mode[mode];
    expect(sum == media_.counters().slots_programmed[mode],
           "mode {}: {} slots programmed by cause, {} on the medium", mode, sum,
           media_.counters().slots_programmed[mode]);
  }
}

void Checker::check_physics() {
  if (!firmware_.slc().enabled()) return;
  uint64_t reserved = 0;
  for (uint32_t i = table_.size() - firmware_.space().meta(); i < table_.size(); ++i)
    reserved += table_.usable(SuperblockId(i), CellMode::kTlc);
  const uint64_t bits = layout_.geometry().bits_per_cell;
  const uint64_t slc = firmware_.slc().used_slots();
  const uint64_t tlc = table_.valid_total(CellMode::kTlc);
  expect(bits * slc + tlc + reserved <= table_.capacity(),
         "physics: {} x {} SLC slots + {} TLC slots + {} reserved exceed {}", bits, slc, tlc,
         reserved, table_.capacity());
}

// Nothing of the map is lost: what a translation page lacks on flash is in a frame that is changed,
// in the update log, or on its way in a program unit.
void Checker::check_pages() {
  const MapCache& cache = *firmware_.map_cache();
  const PageTiers& tiers = cache.tiers();
  uint32_t logged = 0;
  uint32_t resident = 0;
  uint32_t dirty = 0;
  for (uint32_t page = 0; page < cache.pages(); ++page) {
    const uint32_t count = cache.log().count(page);
    const bool changed = tiers.is_dirty(page);
    logged += count;
    resident += tiers.resident(page);
    dirty += changed;
    expect(!changed || (tiers.resident(page) && count == 0),
           "translation page {} is changed, resident {} and has {} entries in the log", page,
           tiers.resident(page), count);
    if (changed || count != 0 || cache.writing(page) || !media_.has_content()) continue;
    const Ppn ppn = map_.page_at(page);
    const uint64_t stored = ppn.valid() ? media_.content(ppn) : 0;
    expect(stored == cache.version(page), "translation page {} has version {} on flash of {}", page,
           stored, cache.version(page));
  }
  expect(logged == cache.log().used(), "the update log counts {} entries, there are {}",
         cache.log().used(), logged);
  expect(dirty == tiers.dirty(), "{} translation pages are changed, counted {}", dirty,
         tiers.dirty());
  expect(resident <= tiers.frames(), "{} translation pages in {} frames", resident, tiers.frames());
  // So that look-ups never wait for a write.
  expect(dirty < tiers.frames() || tiers.frames() >= cache.pages(), "all of {} frames are changed",
         tiers.frames());
}

}  // namespace

std::vector<std::string> check_invariants(const Firmware& firmware) {
  Checker checker(firmware);
  checker.run();
  return checker.take();
}

std::vector<std::string> check_host_balance(const Firmware& firmware) {
  const FtlStats& s = firmware.stats();
  const uint64_t programmed = s.programmed_by(Cause::kHost);
  const uint64_t buffered = firmware.writer().used();
  if (s.host_write_slots == programmed + s.coalesced_slots + buffered) return {};
  return {fmt::format("{} units accepted, but {} programmed + {} coalesced + {} buffered",
                      s.host_write_slots, programmed, s.coalesced_slots, buffered)};
}

}  // namespace ftlsim
