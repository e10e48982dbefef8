// Random drives and random lists of steps, both functions of a seed alone. Swarm testing: every
// seed switches features on or off and draws its own weights, so that rare combinations occur.
#pragma once

#include <vector>

#include "ftl/write/stream_plan.h"
#include "tests/support/random_fields.h"
#include "tests/support/tiny_drive.h"
#include "tests/support/token_host.h"

namespace ftlsim::test {

template <class T, size_t N>
T pick(Rng& rng, const T (&choices)[N]) {
  return choices[rng.below(N)];
}

inline uint32_t between(Rng& rng, uint32_t lo, uint32_t hi) {
  return lo + static_cast<uint32_t>(rng.below(hi - lo + 1));
}

inline void random_geometry(DriveConfig& c, Rng& rng) {
  GeometryConfig& g = c.nand.geometry;
  g.channels = between(rng, 1, 2);
  g.dies_per_channel = between(rng, 1, 2);
  g.planes = pick(rng, {1u, 2u, 3u, 4u});
  g.word_lines = between(rng, 2, 4);
  g.strings = between(rng, 1, 2);
  g.bits_per_cell = pick(rng, {3u, 3u, 3u, 2u, 4u});
  g.page_size = Bytes::kib(pick(rng, {16u, 16u, 8u, 4u}));
  if (g.planes * g.bits_per_cell * g.slots_per_page() > 48) g.planes = 2;
  // At least 32 slots in a superblock.
  while (g.dies() * g.rows() * g.planes * g.bits_per_cell * g.slots_per_page() < 32) ++g.word_lines;
  g.blocks_per_plane = between(rng, 16, 40);
  g.factory_bad_blocks = pick(rng, {0.0, 0.0, 0.02, 0.1});
  g.stripe_order = rng.chance(1, 2) ? StripeOrder::kPlaneDiePage : StripeOrder::kPlanePageDie;
}

// Dies of a superblock, stripe order, and parity. Draws from a stream of its own: the other choices
// of a seed do not depend on it.
inline void random_stripes(DriveConfig& c, Rng rng) {
  GeometryConfig& g = c.nand.geometry;
  g.stripe_order = pick(rng, {StripeOrder::kPlaneDiePage, StripeOrder::kPlanePageDie,
                              StripeOrder::kDiePlanePage, StripeOrder::kPagePlaneDie});
  const uint32_t width = pick(rng, {0u, 0u, 1u, 2u});
  if (width != 0 && g.dies() % width == 0) g.superblock_dies = width;
  const uint32_t dies = pick(rng, {0u, 0u, 2u, 4u});
  if (dies != 0 && g.superblock_width() % dies == 0) c.rain.dies = dies;
  // At least 32 slots for data in a superblock.
  const ParityPlan parity(c.rain.dies);
  while (parity.full_slots(Layout(g), CellMode::kTlc) < 32) ++g.word_lines;
  c.write.open_superblocks = between(rng, 1, g.dies() / g.superblock_width());
}

inline void random_timing(DriveConfig& c, Rng& rng) {
  TimingConfig& t = c.nand.timing;
  t.suspend = Duration::us(between(rng, 0, 30));
  t.resume = Duration::us(between(rng, 0, 30));
  t.max_suspends = pick(rng, {0u, 1u, 16u});
  t.cache_read = rng.chance(1, 2);
  t.cache_program = rng.chance(1, 2);
  t.independent_plane_reads = rng.chance(1, 2);
  c.nand.bus.transfer_rate = pick(rng, {200u, 1600u});
  c.sched.policy.select(rng.below(c.sched.policy.family().entries().size()));
  c.sched.overtake = rng.chance(3, 4);
  c.sched.starvation_bound = Duration::us(pick(rng, {50, 1000, 4000}));
  c.sched.power_credits = pick(rng, {0u, 0u, 1u, 2u});
  c.firmware.cores = between(rng, 1, 3);
  c.queues.arbitration = rng.chance(1, 2) ? Arbitration::kRoundRobin : Arbitration::kWeighted;
  c.queues.count = between(rng, 1, 4);
}

inline void random_policies(DriveConfig& c, Rng& rng) {
  c.gc.idle_target = pick(rng, {0.0, 0.1, 0.4});
  c.gc.idle_duty = pick(rng, {1.0, 0.3});
  c.gc.order = pick(
      rng, {RelocationOrder::kCompletion, RelocationOrder::kDieLocal, RelocationOrder::kStripe});
  c.gc.rate = pick(rng, {uint64_t{0}, uint64_t{0}, uint64_t{200'000'000}});
  c.space.meta_superblocks = between(rng, 0, 2);
  c.read_ahead.streams = pick(rng, {0u, 1u, 4u});
  c.read_ahead.window = Bytes::kib(pick(rng, {64u, 128u, 512u}));
  use_slc(c);
  SlcConfig& s = c.slc;
  s.resume = pick(rng, {0.0, 0.5});
  s.forced_destination = rng.chance(1, 2) ? Destination::kSlc : Destination::kTlc;
  s.fold.idle_delay = Duration::us(between(rng, 100, 5000));
  s.fold.paced = rng.chance(1, 2);
  const uint64_t rates[] = {0, 0, 100'000'000};
  s.fold.idle_rate = pick(rng, rates);
  s.fold.foreground_rate = pick(rng, rates);
  s.fold.background_rate = pick(rng, rates);
  c.wear.dynamic = rng.chance(1, 2);
  c.wear.level = rng.chance(1, 3);
  c.wear.gap = between(rng, 1, 5);
  c.wear.rate = pick(rng, {uint64_t{0}, uint64_t{20'000'000}});
  c.wear.slc_weight = pick(rng, {0.0, 0.1, 1.0});
  RandomPolicies random(rng);
  c.visit(random);
  if (rng.chance(1, 3)) s.mode.select("none");
  c.write.streams = rng.chance(2, 3) ? StreamSplit::kByHeat : StreamSplit::kShared;
  if (!c.write.heat.is("none") && rng.chance(1, 2)) c.gc.streams = StreamSplit::kByHeat;
  c.gc.low_watermark = stream_plan(c).relocation_reserve() + between(rng, 0, 1);
  c.gc.high_watermark = c.gc.low_watermark + between(rng, 1, 2);
}

// Size, route, fold trigger, path and victim, and what stays: any of them with any other.
inline void random_slc(DriveConfig& c, Rng& rng) {
  if (!c.slc.enabled()) return;
  const auto any = [&rng](auto& choice) {
    choice.select(static_cast<size_t>(rng.below(choice.family().entries().size())));
  };
  any(c.slc.mode);
  any(c.slc.route);
  if (c.write.heat.is("none") && c.slc.route.is("hot")) c.slc.route.select("random");
  set_keys(c, {"slc.hot.class=1"});
  any(c.slc.keep);
  any(c.slc.at_exhaustion);
  any(c.slc.release);
  any(c.slc.fold.trigger);
  any(c.slc.fold.victim);
  c.slc.fold.path = rng.chance(1, 2) ? FoldPath::kController : FoldPath::kOnChip;
  const GeometryConfig& g = c.nand.geometry;
  if (c.gc.order == RelocationOrder::kStripe || c.rain.dies != 0 ||
      g.superblock_width() != g.dies())
    c.slc.fold.path = FoldPath::kController;
  const uint64_t superblock = superblock_bytes(c).count() / c.nand.geometry.bits_per_cell;
  const auto bytes = [&](uint64_t most) {
    return fmt::format("{}B", std::max<uint64_t>(rng.below(most + 1), 65536));
  };
  const double low = 0.1 * between(rng, 0, 8);
  set_keys(
      c, {"slc.static.size=" + bytes(2 * superblock), "slc.hybrid.static=" + bytes(2 * superblock),
          fmt::format("slc.adaptive.warm_up={}", between(rng, 1, 3)),
          "slc.adaptive.smallest=" + bytes(superblock),
          fmt::format("slc.mix.share={:.2f}", pick(rng, {0.0, 0.25, 0.9})),
          fmt::format("slc.nearly_dead.valid={:.1f}", pick(rng, {0.0, 0.2, 1.0})),
          fmt::format("slc.small.size={}KiB", 4 * between(rng, 1, 8)),
          fmt::format("slc.sequential_bypass.length={}KiB", 4 * between(rng, 1, 256)),
          fmt::format("slc.fold.watermarks.low={:.1f}", low),
          fmt::format("slc.fold.watermarks.high={:.1f}", low + 0.1)});
  // What is kept leaves room in the cache.
  const uint64_t cache = std::max<uint64_t>(largest_cache(c).count(), 1);
  set_keys(c, {fmt::format("slc.keep_newest.size={}B", rng.below(cache)),
               fmt::format("slc.keep_hot.size={}B", rng.below(cache))});
}

inline void random_buffers(DriveConfig& c, Rng& rng) {
  const GeometryConfig& g = c.nand.geometry;
  const Bytes stripe = g.page_size * (uint64_t{g.planes} * g.bits_per_cell * g.superblock_width());
  c.queues.mdts = Bytes::kib(pick(rng, {32u, 128u}));
  const StreamPlan streams = stream_plan(c);
  // The least that is allowed, some units, and some stripes in half of the drives.
  const auto at_least = [&](Bytes least, uint64_t most_stripes) {
    const Bytes units = Bytes::kib(4) * rng.below(64);
    const uint64_t stripes = rng.chance(1, 2) ? 0 : rng.below(most_stripes);
    return std::max(least + units + stripe * stripes, Bytes::kib(64));
  };
  c.buffer.size = at_least(std::max(stripe * (streams.at_once * streams.host), c.queues.mdts), 4);
  c.buffer.relocation_size = at_least(stripe * streams.relocation(), 30);
  c.buffer.idle_flush = Duration::us(pick(rng, {10, 200, 20'000}));
}

// Small nodes that heat and cool within milliseconds, so that steps come and go. Draws from a
// stream of its own: the other choices of a seed do not depend on it.
inline void random_power(DriveConfig& c, Rng rng) {
  if (rng.chance(1, 2)) return;
  NandEnergyConfig& e = c.nand.energy;
  e.sense = e.sense_slc = between(rng, 100, 10'000);
  e.program = between(rng, 10'000, 500'000);
  e.program_slc = between(rng, 1'000, 100'000);
  e.erase = e.erase_slc = between(rng, 10'000, 1'000'000);
  e.transfer = between(rng, 0, 1'000);
  e.standby = between(rng, 0, 10'000);
  c.power.model = PowerModel::kCounted;
  c.power.command = between(rng, 0, 10'000);
  c.power.link = between(rng, 0, 1'000);
  c.power.active = between(rng, 100'000, 3'000'000);
  c.power.idle = between(rng, 50'000, 500'000);
  if (rng.chance(1, 2)) {
    c.power.states = {{3'000'000, true, Duration(), Duration(), Duration()},
                      {20'000, false, Duration::us(50), Duration::us(80), Duration::us(200)},
                      {1'000, false, Duration::us(200), Duration::us(900), Duration::ms(3)}};
  }
  if (rng.chance(1, 4)) return;
  ThermalConfig& t = c.thermal;
  t.model = HeatModel::kTwoNode;
  t.period = Duration::ms(pick(rng, {1, 1, 5}));
  t.controller_capacity = between(rng, 20, 100);
  t.nand_capacity = between(rng, 20, 100);
  t.controller_weight = pick(rng, {0.0, 0.5, 1.0});
  if (rng.chance(1, 2)) t.throttle = {{40'000, 38'000, 0.5, 0}, {45'000, 40'000, 0.0, 50'000'000}};
  if (rng.chance(1, 2)) t.critical = {50'000, 47'000};
}

// A map that is mostly on flash: few frames, small pages, a short log.
inline void random_map(DriveConfig& c, Rng& rng) {
  MapConfig& m = c.map;
  m.cache.select(1 + rng.below(map_caches().entries().size() - 1));
  m.sram = Bytes::kib(pick(rng, {16u, 16u, 32u, 64u}));
  m.hmb = Bytes::kib(pick(rng, {0u, 4u, 16u, 64u}));
  m.log = Bytes::kib(pick(rng, {1u, 1u, 2u, 8u}));
  m.page_entries = pick(rng, {16u, 16u, 64u, 256u, 1024u});
  m.dirty_limit = pick(rng, {0.01, 0.3, 0.75});
  c.gc.low_watermark = stream_plan(c).relocation_reserve() + between(rng, 0, 1);
  c.gc.high_watermark = c.gc.low_watermark + between(rng, 1, 2);
}

// A drive that passes validate() and check_drive(), often as full as they allow.
inline DriveConfig random_drive(uint64_t seed, bool paged_map = false) {
  for (uint32_t attempt = 0;; ++attempt) {
    Rng rng(seed, fmt::format("test/drive/{}", attempt));
    DriveConfig c = tiny_drive();
    c.lba_size = Bytes(rng.chance(1, 2) ? 512 : 4096);
    random_geometry(c, rng);
    random_stripes(c, Rng(seed, fmt::format("test/stripes/{}", attempt)));
    random_timing(c, rng);
    random_policies(c, rng);
    random_buffers(c, rng);
    random_power(c, Rng(seed, fmt::format("test/power/{}", attempt)));
    if (paged_map) random_map(c, rng);
    random_slc(c, rng);
    const bool tight = rng.chance(2, 3);
    const uint64_t less = rng.below(superblock_bytes(c).count() / kSlotBytes * 4);
    if (fit_capacity(c, seed, tight ? 0 : less) && problems(c, seed).empty()) return c;
  }
}

struct Weights {
  uint32_t read, write, trim, flush, idle, format;
  uint32_t fua;         // of 100 writes
  uint32_t most_units;  // length of a command
  uint32_t hot;         // of 100 commands go to a tenth of the drive
  uint32_t sequential;  // of 100 commands follow the one before
  bool partial;         // blocks smaller than a unit
};

inline Weights random_weights(Rng& rng) {
  Weights w{};
  const uint32_t scale[] = {0, 1, 10, 100};
  w.read = pick(rng, {10u, 50u, 100u});
  w.write = pick(rng, {20u, 100u, 200u});
  w.trim = pick(rng, scale) / 2;
  w.flush = pick(rng, scale) / 4;
  w.idle = rng.chance(1, 2) ? 0 : between(rng, 1, 4);
  w.format = rng.chance(1, 4) ? 1 : 0;
  w.fua = pick(rng, {0u, 0u, 5u, 100u});
  w.most_units = pick(rng, {1u, 4u, 32u});
  w.hot = pick(rng, {0u, 50u, 95u});
  w.sequential = pick(rng, {0u, 30u, 95u});
  w.partial = rng.chance(1, 3);
  return w;
}

// `n` steps; the whole list is made before the drive exists.
inline std::vector<Step> random_steps(const DriveConfig& c, Rng& rng, const Weights& w, size_t n) {
  std::vector<Step> steps;
  const uint32_t per_unit = static_cast<uint32_t>(kSlotBytes / c.lba_size.count());
  const uint64_t blocks = c.capacity / c.lba_size;
  const auto most =
      static_cast<uint32_t>(std::min<uint64_t>(w.most_units, c.queues.mdts.count() / kSlotBytes));
  const uint32_t total = w.read + w.write + w.trim + w.flush + w.idle + w.format;
  uint64_t next = 0;
  while (steps.size() < n) {
    Step s;
    auto draw = static_cast<uint32_t>(rng.below(total));
    const auto take = [&draw](uint32_t weight) {
      const bool hit = draw < weight;
      draw -= hit ? 0 : weight;
      return hit;
    };
    s.kind = take(w.read)    ? Step::Kind::kRead
             : take(w.write) ? Step::Kind::kWrite
             : take(w.trim)  ? Step::Kind::kTrim
             : take(w.flush) ? Step::Kind::kFlush
             : take(w.idle)  ? Step::Kind::kIdle
                             : Step::Kind::kFormat;
    s.idle = Duration::us(between(rng, 100, 40'000));
    s.fua = s.kind == Step::Kind::kWrite && rng.below(100) < w.fua;
    const bool moves = s.kind <= Step::Kind::kTrim;
    if (moves) {
      s.blocks = between(rng, 1, most) * per_unit;
      const uint64_t span = rng.below(100) < w.hot ? std::max<uint64_t>(blocks / 10, 1) : blocks;
      s.lba = rng.below(100) < w.sequential ? next : rng.below(span);
      if (!w.partial) s.lba -= s.lba % per_unit;
      if (w.partial && per_unit > 1 && rng.chance(1, 2)) s.blocks = between(rng, 1, s.blocks);
      if (s.lba >= blocks) s.lba = 0;
      s.blocks = static_cast<uint32_t>(std::min<uint64_t>(s.blocks, blocks - s.lba));
      next = s.lba + s.blocks;
    }
    steps.push_back(s);
  }
  return steps;
}

}  // namespace ftlsim::test
