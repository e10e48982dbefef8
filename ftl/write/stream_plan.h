// Which write streams a drive has. Each keeps a superblock of its own open (or several,
// write.open_superblocks), and each that relocation writes needs a free one in reserve, so that
// streams are what the spare of a drive pays for.
#pragma once

#include <cstdint>

namespace ftlsim {

struct DriveConfig;

struct StreamPlan {
  bool slc = false;      // host data in SLC, and folding them
  uint32_t classes = 1;  // of write.heat
  uint32_t host = 1;     // TLC streams of host data: one for each class, or one (write.streams)
  uint32_t collect = 1;  // streams of collection: one, or one for each class (gc.streams)
  bool wear = false;     // static wear levelling
  bool map = false;      // translation pages of a drive without DRAM
  // Superblocks that a stream of host data, of folding or of collection has open at once.
  uint32_t at_once = 1;

  // Open superblocks, and those among them in TLC mode. Folding may find its stream open even when
  // the cache is off, so that it counts among the latter.
  uint32_t open() const { return at_once * ((slc ? 2u : 0u) + host + collect) + more(); }
  uint32_t open_tlc() const { return at_once * (1 + host + collect) + more(); }
  // Superblocks that relocation has open.
  uint32_t relocation() const { return at_once * (1 + collect) + (wear ? 1u : 0u); }
  // Free superblocks that host streams may not take. Collection may need one for each that it has
  // open at once; as many more are the copies of a half-done victim, which come back when that is
  // empty; one is for superblocks with holes. Levelling has a victim of its own, and the map may
  // need one while a victim is emptied.
  uint32_t relocation_reserve() const { return 1 + at_once * (1 + collect) + more(); }
  // Of these, those that the stream of the map leaves to the others.
  uint32_t kept_from_map() const { return relocation_reserve() - 2; }

 private:
  uint32_t more() const { return (wear ? 1u : 0u) + (map ? 1u : 0u); }
};

StreamPlan stream_plan(const DriveConfig& config);

}  // namespace ftlsim
