// Transitions and counters of superblocks, the free list and its reserve, and victim choice.
#include <doctest/doctest.h>

#include <stdexcept>

#include "ftl/gc/victim_policy.h"
#include "ftl/space/space_manager.h"
#include "ftl/space/superblock_table.h"

namespace ftlsim {
namespace {

using State = SuperblockState;

GeometryConfig geometry() {
  GeometryConfig g;
  g.channels = g.dies_per_channel = 1;
  g.planes = 2;
  g.blocks_per_plane = 10;
  g.word_lines = 4;
  g.strings = 1;
  g.factory_bad_blocks = 0;
  return g;
}

struct Parts {
  Media media{geometry(), 1};
  SuperblockTable table{media};
  FtlStats stats;
  SpaceManager space{table, 1, stats};

  SuperblockId choose(std::string_view name, bool slc, bool tlc) const {
    return PolicyChoice<VictimFamily>(gc_victims(), name).make({table})->choose({slc, tlc, Time()});
  }
  SuperblockId greedy(bool slc, bool tlc) const { return choose("greedy", slc, tlc); }
  SuperblockId fifo(bool slc, bool tlc) const { return choose("fifo", slc, tlc); }

  SuperblockId closed(Stream stream, CellMode mode, uint32_t valid) {
    const SuperblockId sb = space.take(true);
    REQUIRE(sb.valid());
    table.open(sb, stream, mode);
    table.add_written(sb, table.usable(sb, mode));
    table.add_valid(table.layout().first_ppn(sb), valid);
    table.set_state(sb, State::kFilled);
    table.set_state(sb, State::kClosed);
    return sb;
  }
};

}  // namespace

TEST_CASE("only legal transitions pass") {
  const State states[] = {State::kFree, State::kOpen, State::kFilled, State::kClosed,
                          State::kVictim};
  const auto legal = [](State from, State to) {
    return (from == State::kFree && to == State::kOpen) ||
           (from == State::kOpen && to == State::kFilled) ||
           (from == State::kFilled && to == State::kClosed) ||
           (from == State::kClosed && (to == State::kVictim || to == State::kFree)) ||
           (from == State::kVictim && to == State::kFree);
  };
  for (size_t from = 0; from < 5; ++from)
    for (const State to : states) {
      Parts p;
      const SuperblockId sb(0);
      if (from > 0) p.table.open(sb, Stream::kHostTlc, CellMode::kTlc);
      for (size_t s = 2; s <= from; ++s) p.table.set_state(sb, states[s]);
      if (legal(states[from], to))
        CHECK_NOTHROW(p.table.set_state(sb, to));
      else
        CHECK_THROWS_AS(p.table.set_state(sb, to), std::logic_error);
    }
}

TEST_CASE("a superblock with data is not released") {
  Parts other;
  const SuperblockId full = other.closed(Stream::kHostTlc, CellMode::kTlc, 3);
  CHECK_THROWS_AS(other.space.release(full), std::logic_error);
  Parts p;
  const SuperblockId sb = p.closed(Stream::kHostTlc, CellMode::kTlc, 3);
  CHECK(p.table.remove_valid(p.table.layout().first_ppn(sb), 3));
  CHECK_THROWS_AS(p.table.remove_valid(p.table.layout().first_ppn(sb), 1), std::logic_error);
  p.space.superblock_dead(sb);
  CHECK(p.table[sb].state == State::kFree);
  CHECK(p.table.written_total(CellMode::kTlc) == 0);
}

TEST_CASE("host streams leave the relocation reserve, tables keep their superblock") {
  Parts p;
  CHECK(p.space.free_count() == 9);
  for (uint32_t i = 0; i < 9 - SpaceManager::kRelocationReserve; ++i) {
    const SuperblockId sb = p.space.take(false);
    REQUIRE(sb.valid());
    CHECK(sb.value() != 9);
    p.table.open(sb, Stream::kHostTlc, CellMode::kTlc);
  }
  CHECK(!p.space.take(false).valid());
  CHECK(p.space.take(true).valid());
}

TEST_CASE("a read in flight holds back an erase") {
  Parts p;
  for (uint32_t i = 0; i < 9; ++i) p.space.take(true);
  CHECK(p.space.free_count() == 0);
  const SuperblockId sb(4);
  p.table.open(sb, Stream::kGc, CellMode::kTlc);
  p.table.set_state(sb, State::kFilled);
  p.table.set_state(sb, State::kClosed);
  p.space.release(sb);
  ++p.table.at(sb).readers;
  CHECK(!p.space.take(true).valid());
  --p.table.at(sb).readers;
  CHECK(p.space.take(true) == sb);
}

TEST_CASE("greedy takes the fewest valid slots, of equals the oldest, never a full one") {
  Parts p;
  const uint32_t size = p.table.layout().superblock_slots(CellMode::kTlc);
  CHECK(!p.greedy(true, true).valid());
  p.closed(Stream::kHostTlc, CellMode::kTlc, size);
  CHECK(!p.greedy(true, true).valid());
  const SuperblockId older = p.closed(Stream::kGc, CellMode::kTlc, 10);
  p.closed(Stream::kGc, CellMode::kTlc, 10);
  CHECK(p.greedy(true, true) == older);
  const SuperblockId slc = p.closed(Stream::kHostSlc, CellMode::kSlc, 5);
  const SuperblockId younger = p.closed(Stream::kHostSlc, CellMode::kSlc, 2);
  CHECK(p.greedy(true, true) == younger);
  CHECK(p.greedy(false, true) == older);
  CHECK(p.fifo(true, false) == slc);
}

}  // namespace ftlsim
