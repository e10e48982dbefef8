// Small drives for tests: a plain one, and random ones that passed the checks at load.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ftl/config.h"
#include "ftl/device.h"
#include "sim/assert.h"
#include "sim/config.h"
#include "sim/rng.h"

namespace ftlsim::test {

// 2 channels x 1 die x 2 planes, 24 superblocks of 4 rows: 384 slots each, fast, no bad block.
inline DriveConfig tiny_drive() {
  DriveConfig c;
  c.name = "tiny";
  c.lba_size = Bytes(4096);
  GeometryConfig& g = c.nand.geometry;
  g.channels = 2;
  g.dies_per_channel = 1;
  g.planes = 2;
  g.blocks_per_plane = 24;
  g.word_lines = 4;
  g.strings = 4;
  g.page_size = Bytes::kib(16);
  g.factory_bad_blocks = 0.0;
  TimingConfig& t = c.nand.timing;
  t.program = Duration::us(600);
  t.program_slc = Duration::us(100);
  t.erase = Duration::ms(2);
  t.erase_slc = Duration::ms(1);
  c.queues.count = 2;
  c.queues.depth = 64;
  c.queues.mdts = Bytes::kib(128);
  c.buffer.size = Bytes::mib(1);
  c.buffer.relocation_size = Bytes::mib(1);
  c.buffer.idle_flush = Duration::ms(5);
  c.space.meta_superblocks = 1;
  c.gc.low_watermark = 4;
  c.gc.high_watermark = 5;
  c.slc.mode.select("none");
  c.slc.limit.clear();
  c.slc.fold.idle_delay = Duration::ms(2);
  c.read_ahead.streams = 0;
  c.read_ahead.window = Bytes::kib(256);
  return c;
}

inline Bytes superblock_bytes(const DriveConfig& c) {
  const GeometryConfig& g = c.nand.geometry;
  return g.page_size * (uint64_t{g.planes} * g.bits_per_cell * g.superblock_width() * g.rows());
}

// Gives the drive the largest capacity that the reserves allow, less `less` units of 4 KiB. The bad
// blocks of a device depend on the seed of the simulator and its name ("drive").
inline bool fit_capacity(DriveConfig& c, uint64_t seed, uint64_t less) {
  c.capacity = Bytes(0);
  const Media media(c.nand.geometry, seed ^ hash_name("drive"));
  SpaceBudget b = space_budget(c, media);
  const uint64_t size = b.superblock_slots;
  const uint64_t have = b.usable_slots / size;
  if (b.needed() >= have) return false;
  uint64_t slots = (have - b.needed()) * size;
  if (c.map.paged()) {  // a larger drive has more translation pages
    for (;; slots -= size) {
      c.capacity = Bytes(slots * kSlotBytes);
      b = space_budget(c, media);
      if (b.needed() <= have) break;
    }
  }
  c.capacity = Bytes((slots > less ? slots - less : slots) * kSlotBytes);
  return c.capacity >= Bytes::kib(64);
}

// All diagnostics of a configuration, empty if it may be built.
inline std::string problems(const DriveConfig& c, uint64_t seed) {
  Diagnostics d;
  const Origins origins;
  validate(c, origins, d);
  if (!d.has_errors()) {
    const Media media(c.nand.geometry, seed ^ hash_name("drive"));
    check_drive(c, media, origins, d);
  }
  return d.has_errors() ? d.to_string() : std::string();
}

// Sets keys as --set does: {"slc.mode=static", "slc.static.size=1MiB"}. Asserts that they exist.
inline void set_keys(DriveConfig& c, const std::vector<std::string>& overrides) {
  Diagnostics d;
  const std::string text = echo_config(c);
  const bool ok = load_config_text(text, "test", overrides, c, d);
  SIM_ASSERT(ok, "{}", d.to_string());
}

// The points of a dynamic SLC cache that may use everything that is free.
inline void use_slc(DriveConfig& c) {
  const GeometryConfig& g = c.nand.geometry;
  const Bytes all = superblock_bytes(c) * (g.blocks_per_plane * (g.dies() / g.superblock_width()));
  c.slc.mode.select("dynamic");
  c.slc.limit = {{Bytes(0), Bytes(0)}, {all, all / 3}};
}

}  // namespace ftlsim::test
