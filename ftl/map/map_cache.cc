#include "ftl/map/map_cache.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {
namespace {

constexpr uint64_t kLogEntryBytes = 8;  // unit and slot
// Commands inside the device at once, as in the controller, and lists that nobody waits for any
// more.
constexpr uint64_t kMostCommands = 65536;
constexpr uint32_t kMoreWaiting = 64;

}  // namespace

MapCache::MapCache(Simulator& sim, const DriveConfig& config, const Media& media,
                   DieScheduler& scheduler, FlatMap& map, SuperblockTable& table,
                   WriteEngine& engine, Rebuilder& rebuilder, Link& link, ProgressSink& progress,
                   FtlStats& stats)
    : sim_(sim),
      media_(media),
      scheduler_(scheduler),
      map_(map),
      table_(table),
      engine_(engine),
      rebuilder_(rebuilder),
      progress_(progress),
      stats_(stats),
      ecc_(config.firmware.ecc_latency),
      errors_(media.reliability() != nullptr),
      entries_shift_(static_cast<uint32_t>(std::countr_zero(config.map.page_entries))),
      pages_(config.map_pages()),
      tiers_(config.map, pages_, link, *this, stats),
      log_(pages_, config.map.page_entries,
           static_cast<uint32_t>(config.map.log.count() / kLogEntryBytes)),
      dirty_limit_(std::max(1u, static_cast<uint32_t>(static_cast<double>(tiers_.frames()) *
                                                      config.map.dirty_limit))),
      merge_limit_(std::max(1u, std::min(kFetches, tiers_.sram_frames()) / 2)),
      version_(pages_),
      writing_(pages_),
      fetch_of_(pages_),
      fetches_(std::make_unique<Fetch[]>(kFetches)),
      waiting_(
          std::min<uint64_t>(kMostCommands, uint64_t{config.queues.count} * config.queues.depth) +
          kMoreWaiting) {
  free_fetches_.reserve(kFetches);
  for (uint32_t i = kFetches; i-- > 0;) free_fetches_.push_back(i);
  reset_waiting();
}

void MapCache::reset_waiting() {
  free_waiting_.clear();
  free_waiting_.reserve(waiting_.size());
  for (uint32_t i = static_cast<uint32_t>(waiting_.size()); i-- > 0;) free_waiting_.push_back(i);
  stalled_ = full_ = Queue{};
  lanes_ = {};
}

void MapCache::reset() {
  SIM_ASSERT(fetching_ == 0, "format with {} reads of the map in flight", fetching_);
  tiers_.reset();
  log_.clear();
  version_.clear();
  writing_.clear();
  merging_ = 0;
  reset_waiting();
}

void MapCache::push(Queue& queue, uint32_t id) {
  waiting_[id].next = kNone;
  if (queue.head == kNone)
    queue.head = id;
  else
    waiting_[queue.tail].next = id;
  queue.tail = id;
}

uint32_t MapCache::pop(Queue& queue) {
  const uint32_t id = queue.head;
  queue.head = waiting_[id].next;
  return id;
}

// --- look-ups ---

bool MapCache::request(Lpn lpn, uint32_t n, Event& waiter) {
  Waiting w;
  w.waiter = &waiter;
  w.first = lpn.value();
  w.n = n;
  return ask(w);
}

bool MapCache::request_modify(Lpn lpn, uint32_t n, Event& waiter) {
  Waiting w;
  w.waiter = &waiter;
  w.first = lpn.value();
  w.n = n;
  w.update = true;
  return ask(w);
}

bool MapCache::request_update(Event& waiter) {
  Waiting w;
  w.waiter = &waiter;
  w.update = true;
  return ask(w);
}

bool MapCache::request_units(const UnitSource& units, Event& waiter) {
  Lane& lane = lane_of(waiter);
  if (lane.answered == units.first) {
    if (sim_.now() >= lane.answered_at) return true;
    // The lane's event may have been set for an earlier time, by a limit of its rate or by the end
    // of idle work, and have fired since: without this nobody would ask again.
    if (!waiter.pending()) sim_.schedule(waiter, lane.answered_at);
    return false;
  }
  if (lane.waiting != kNone) {
    if (waiting_[lane.waiting].units.first == units.first) return false;
    waiting_[lane.waiting].waiter = nullptr;  // its victim died meanwhile
    waiting_[lane.waiting].lane = nullptr;
    lane.waiting = kNone;
  }
  // What it moves would only add to a log that is full; the next page to come wakes it.
  if (log_.full() && merging_ != 0) return false;
  Waiting w;
  w.waiter = &waiter;
  w.units = units;
  w.n = units.n;
  w.lane = &lane;
  return ask(w);
}

MapCache::Lane& MapCache::lane_of(Event& waiter) {
  for (Lane& lane : lanes_) {
    if (lane.waiter == nullptr) lane.waiter = &waiter;
    if (lane.waiter == &waiter) return lane;
  }
  SIM_ASSERT(false, "more lanes of relocation ask for the map than there are");
  return lanes_.front();
}

bool MapCache::prepare(Lpn lpn) {
  const uint32_t page = page_of(lpn.value());
  if (tiers_.resident(page)) {
    tiers_.use(page, sim_.now());
    return true;
  }
  if (at_hand(page) || log_.covers(page, lpn.value(), lpn.value())) return true;
  fetch(page, false);
  return false;
}

// The units of one page from `position` on; false at the end.
bool MapCache::next_group(const Waiting& w, uint32_t position, Group& group) const {
  if (w.units.first == nullptr) {
    if (position >= w.n) return false;
    const uint32_t page = page_of(w.first + position);
    group = {page, position, std::min(w.n, ((page + 1) << entries_shift_) - w.first)};
    return true;
  }
  const auto of_user = [this, &w](uint32_t i) { return w.units[i] < map_.user_slots(); };
  while (position < w.n && !of_user(position)) ++position;
  if (position >= w.n) return false;
  const uint32_t page = page_of(w.units[position]);
  uint32_t end = position + 1;
  while (end < w.n && of_user(end) && page_of(w.units[end]) == page) ++end;
  group = {page, position, end};
  return true;
}

bool MapCache::in_log(const Waiting& w, const Group& group) const {
  if (w.units.first == nullptr)
    return log_.covers(group.page, w.first + group.begin, w.first + group.end - 1);
  for (uint32_t i = group.begin; i < group.end; ++i)
    if (!log_.covers(group.page, w.units[i], w.units[i])) return false;
  return true;
}

// No copy of it exists: none of its units was written since it was empty, but for those in the log.
bool MapCache::empty_page(uint32_t page) const {
  return !tiers_.resident(page) && writing_[page] == 0 && !map_.page_at(page).valid();
}

// Its content is in the controller or the host buffer, or known without.
bool MapCache::at_hand(uint32_t page) const {
  return tiers_.resident(page) || writing_[page] != 0 || !map_.page_at(page).valid();
}

// When the entries of a group are at hand; never: its page has to be read. Counts the look-up.
Time MapCache::lookup(const Waiting& w, const Group& group) {
  const bool host = w.units.first == nullptr;
  ++(host ? stats_.map_lookups : stats_.map_moved_lookups);
  const uint32_t page = group.page;
  const PageTiers::Tier tier = tiers_.tier(page);
  if (tier != PageTiers::Tier::kNone) {
    if (host) ++(tier == PageTiers::Tier::kSram ? stats_.map_hits_sram : stats_.map_hits_hmb);
    return tiers_.use(page, sim_.now());
  }
  if (in_log(w, group)) {
    stats_.map_hits_log += host;
  } else if (writing_[page] != 0) {
    stats_.map_hits_unit += host;
  } else if (!map_.page_at(page).valid()) {
    stats_.map_hits_empty += host;
  } else {
    ++(host ? stats_.map_misses : stats_.map_moved_misses);
    return Time::never();
  }
  return sim_.now();
}

// Sends for every page that is missing, then waits for one after the other.
bool MapCache::ask(Waiting w) {
  w.ready = sim_.now();
  uint32_t missing = kNone;
  Group group;
  for (uint32_t position = 0; next_group(w, position, group); position = group.end) {
    const Time when = lookup(w, group);
    if (when < Time::never()) {
      w.ready = max(w.ready, when);
      continue;
    }
    fetch(group.page, w.units.first == nullptr);
    if (missing == kNone) missing = group.begin;
  }
  if (missing != kNone) {
    w.position = missing;
    const uint32_t id = enlist(w);
    if (w.lane != nullptr) w.lane->waiting = id;
    if (!advance(id)) push(stalled_, id);
    return false;
  }
  if (w.update && log_.full()) {
    ++stats_.map_waits;
    push(full_, enlist(w));
    return false;
  }
  if (w.ready == sim_.now()) return true;
  wake(w);
  return false;
}

uint32_t MapCache::enlist(const Waiting& w) {
  SIM_ASSERT(!free_waiting_.empty(), "too many wait for the map");
  const uint32_t id = free_waiting_.back();
  free_waiting_.pop_back();
  waiting_[id] = w;
  return id;
}

// Goes on to the next page that is not at hand. False: its read cannot be started now.
bool MapCache::advance(uint32_t id) {
  Waiting& w = waiting_[id];
  Group group;
  for (; next_group(w, w.position, group); w.position = group.end) {
    if (at_hand(group.page) || in_log(w, group)) continue;
    if (!fetch(group.page, w.units.first == nullptr)) return false;
    push(fetch_of(group.page)->waiting, id);
    return true;
  }
  finish(id);
  return true;
}

void MapCache::finish(uint32_t id) {
  const Waiting& w = waiting_[id];
  if (w.update && log_.full()) {
    ++stats_.map_waits;
    push(full_, id);
    return;
  }
  if (w.lane != nullptr) w.lane->waiting = kNone;
  if (w.waiter != nullptr) wake(w);
  free_waiting_.push_back(id);
}

void MapCache::wake(const Waiting& w) {
  const Time when = max(w.ready, sim_.now());
  if (w.lane != nullptr) {
    w.lane->answered = w.units.first;
    w.lane->answered_at = when;
  }
  if (!w.waiter->pending()) sim_.schedule(*w.waiter, when);
}

// --- pages on flash ---

// Reads a page that is not at hand, unless it is on its way. False: no frame or operation is free.
bool MapCache::fetch(uint32_t page, bool urgent) {
  if (fetch_of_[page] != 0) return true;
  if (free_fetches_.empty()) return false;
  const uint32_t frame = tiers_.make_room(sim_.now());
  if (frame == PageTiers::kNone) return false;
  const uint32_t index = free_fetches_.back();
  free_fetches_.pop_back();
  fetch_of_[page] = static_cast<uint16_t>(index + 1);
  Fetch& f = fetches_[index];
  f.page = page;
  f.frame = frame;
  f.merge = false;
  f.waiting = Queue{};
  const Ppn ppn = map_.page_at(page);
  const Layout& layout = table_.layout();
  const SuperblockId sb = layout.superblock_of(ppn);
  const CellMode mode = table_[sb].mode;
  const ChunkAddress a = layout.split(ppn, mode);
  f.op.kind = OpKind::kRead;
  f.op.purpose = Purpose::kMap;
  f.op.mode = mode;
  f.op.die = a.die;
  f.op.superblock = sb;
  f.op.row = a.row;
  f.op.page = a.page;
  f.op.first = ppn;
  f.op.slots = 1;
  f.op.plane_mask = layout.plane_mask(a.first, 1);
  f.op.urgent = urgent;
  f.op.sink = this;
  f.op.owner = &f;
  ++table_.at(sb).readers;
  ++fetching_;
  ++stats_.map_reads;
  scheduler_.submit(f.op);
  return true;
}

void MapCache::operation_done(Operation& op) {
  if (rebuilder_.take(op)) return;
  Fetch& f = *static_cast<Fetch*>(op.owner);
  const uint32_t page = f.page;
  --table_.at(op.superblock).readers;
  --fetching_;
  fetch_of_[page] = 0;
  tiers_.put(f.frame, page);
  if (f.merge) --merging_;
  const bool lost = op.lost != 0 || media_.is_lost(op.first);
  stats_.map_lost_pages += lost;
  if ((lost || log_.count(page) != 0) && (f.merge || budget())) change(page);
  Queue waiting = f.waiting;
  free_fetches_.push_back(static_cast<uint32_t>(&f - fetches_.get()));
  const Time ready = sim_.now() + (errors_ ? op.decode : ecc_);
  while (waiting.head != kNone) {
    const uint32_t id = pop(waiting);
    Waiting& w = waiting_[id];
    w.ready = max(w.ready, ready);
    Group group;
    if (next_group(w, w.position, group)) w.position = group.end;  // this page
    if (!advance(id)) push(stalled_, id);
  }
  progress_.progress();
}

bool MapCache::write_page(uint32_t page) {
  const Ppn ppn = engine_.place_page(page, version_[page]);
  if (!ppn.valid()) return false;
  writing_[page] = ppn.value() + 1;
  return true;
}

void MapCache::page_written(uint32_t page, Ppn ppn) {
  if (writing_[page] != ppn.value() + 1) {
    ++stats_.map_superseded;
    return;
  }
  writing_[page] = 0;
  map_.set_page(page, ppn);
}

// --- changes ---

void MapCache::updated(Lpn lpn, uint32_t n) {
  const uint32_t end = lpn.value() + n;
  for (uint32_t unit = lpn.value(); unit < end;) {
    const uint32_t page = page_of(unit);
    const uint32_t next = std::min(end, (page + 1) << entries_shift_);
    mark(page, unit, next - 1);
    unit = next;
  }
}

// A page of which nothing is left needs no copy; of others the range changes.
void MapCache::unmapping(Lpn lpn, uint32_t n) {
  const uint32_t end = lpn.value() + n;
  for (uint32_t unit = lpn.value(); unit < end;) {
    const uint32_t page = page_of(unit);
    const uint32_t begin = page << entries_shift_;
    const uint32_t past = std::min((page + 1) << entries_shift_, map_.user_slots());
    const uint32_t next = std::min(end, past);
    if (unit == begin && next == past) {
      log_.drop(page);
      tiers_.drop(page);
      map_.drop_page(page);
      if (writing_[page] != 0) writing_[page] = 0;
      if (version_[page] != 0) version_[page] = 0;
    } else if (!empty_page(page) || log_.count(page) != 0) {
      uint32_t u = unit;
      while (u < next && !map_.lookup(Lpn(u), 1).ppn.valid()) ++u;
      if (u < next) mark(page, unit, next - 1);
    }
    unit = next;
  }
}

void MapCache::mark(uint32_t page, uint32_t first, uint32_t last) {
  ++version_[page];
  if (tiers_.resident(page) && (tiers_.is_dirty(page) || budget())) {
    change(page);
    return;
  }
  const Fetch* f = fetch_of(page);
  log_.add(page, first, last, f == nullptr || !f->merge);
}

// A resident page is brought up to date.
void MapCache::change(uint32_t page) {
  log_.drop(page);
  tiers_.change(page);
}

// Puts a page whose content is at hand into a frame, and what the log has of it.
bool MapCache::bring(uint32_t page) {
  const uint32_t frame = tiers_.make_room(sim_.now());
  if (frame == PageTiers::kNone) return false;
  tiers_.put(frame, page);
  change(page);
  return true;
}

void MapCache::clean() {
  while (tiers_.dirty() != 0 && (idle_ || !budget()))
    if (!tiers_.clean_oldest()) break;
}

void MapCache::merge() {
  while (idle_ || log_.above_half()) {
    const uint32_t page = log_.oldest();
    if (page == UpdateLog::kNone) return;
    if (!budget()) clean();
    if (!budget() || merging_ >= merge_limit_) return;
    if (tiers_.resident(page)) {
      change(page);
      continue;
    }
    if (at_hand(page)) {
      if (!bring(page)) return;
      continue;
    }
    if (!fetch(page, false)) return;
    fetch_of(page)->merge = true;
    ++merging_;
    ++stats_.map_merges;
    log_.step_out(page);
  }
}

void MapCache::pump() {
  if (pumping_) return;
  pumping_ = true;
  while (stalled_.head != kNone) {
    const uint32_t id = pop(stalled_);
    if (advance(id)) continue;
    // It keeps its turn.
    waiting_[id].next = stalled_.head;
    if (stalled_.head == kNone) stalled_.tail = id;
    stalled_.head = id;
    break;
  }
  clean();
  merge();
  clean();  // what merging has changed: nobody may ask again
  while (full_.head != kNone && !log_.full()) finish(pop(full_));
  pumping_ = false;
}

}  // namespace ftlsim
