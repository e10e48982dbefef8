// Replacement policies of the map cache on sequences worked out by hand, and the tables they and
// the map cache stand on against plain containers.
#include <doctest/doctest.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ftl/config.h"
#include "ftl/map/index_list.h"
#include "ftl/map/page_tiers.h"
#include "ftl/map/update_log.h"
#include "sim/rng.h"

namespace ftlsim {
namespace {

class KeepSome final : public FrameKeeper {
 public:
  bool give_up(uint32_t frame) override { return kept.count(frame) == 0; }
  std::set<uint32_t> kept;
};

// A cache of pages that does what its policy says.
class Cache {
 public:
  Cache(std::string_view policy, uint32_t frames) : pages_(frames, kNone) {
    config_.cache.select(policy);
    order_ = config_.cache.make({frames});
  }

  // True if the page was there.
  bool use(uint32_t page) {
    const auto at = std::find(pages_.begin(), pages_.end(), page);
    if (at != pages_.end()) {
      order_->touch(static_cast<uint32_t>(at - pages_.begin()));
      ++hits;
      return true;
    }
    auto frame = std::find(pages_.begin(), pages_.end(), kNone);
    if (frame == pages_.end()) {
      const uint32_t f = order_->victim(keeper);
      REQUIRE(f != Replacement::kNone);
      order_->remove(f);
      frame = pages_.begin() + f;
    }
    *frame = page;
    order_->insert(static_cast<uint32_t>(frame - pages_.begin()));
    return false;
  }
  void use_all(const std::vector<uint32_t>& pages) {
    for (const uint32_t p : pages) use(p);
  }
  std::set<uint32_t> content() const {
    std::set<uint32_t> s(pages_.begin(), pages_.end());
    s.erase(kNone);
    return s;
  }
  Replacement& order() { return *order_; }

  KeepSome keeper;
  uint64_t hits = 0;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  MapConfig config_;
  std::vector<uint32_t> pages_;
  std::unique_ptr<Replacement> order_;
};

using Set = std::set<uint32_t>;

// Skewed: half of the accesses go to a sixteenth of the pages.
std::vector<uint32_t> skewed(uint32_t pages, size_t n, uint64_t seed) {
  Rng rng(seed, "test/skewed");
  std::vector<uint32_t> list(n);
  for (uint32_t& p : list)
    p = static_cast<uint32_t>(rng.below(rng.chance(1, 2) ? pages / 16 : pages));
  return list;
}

}  // namespace

TEST_CASE("LRU gives up the page that was not used for the longest time") {
  Cache c("lru", 3);
  c.use_all({1, 2, 3, 1, 4});  // 2 is the oldest use
  CHECK(c.content() == Set{1, 3, 4});
  c.use_all({3, 5});
  CHECK(c.content() == Set{3, 4, 5});
  c.keeper.kept = {};
  CHECK(c.hits == 2);
}

TEST_CASE("LRU equals a list, and a bigger cache never has fewer hits") {
  const std::vector<uint32_t> list = skewed(256, 20'000, 1);
  uint64_t before = 0;
  for (const uint32_t frames : {1u, 2u, 5u, 16u, 64u, 100u, 256u}) {
    Cache c("lru", frames);
    std::list<uint32_t> model;
    uint64_t hits = 0;
    for (const uint32_t page : list) {
      const auto at = std::find(model.begin(), model.end(), page);
      const bool hit = at != model.end();
      hits += hit;
      if (hit) model.erase(at);
      model.push_front(page);
      if (model.size() > frames) model.pop_back();
      REQUIRE(c.use(page) == hit);
    }
    CHECK(c.hits == hits);
    CHECK(c.hits >= before);
    before = c.hits;
  }
  CHECK(before == 20'000 - std::set<uint32_t>(list.begin(), list.end()).size());
}

TEST_CASE("CLOCK gives a page that was used a second chance") {
  Cache c("clock", 4);
  c.use_all({1, 2, 3, 4});
  c.use_all({1, 3});  // used again
  c.use(5);           // the hand clears 1 and takes 2
  CHECK(c.content() == Set{1, 3, 4, 5});
  c.use(6);  // clears 3, takes 4
  CHECK(c.content() == Set{1, 3, 5, 6});
  c.use(7);  // 1 had its chance
  CHECK(c.content() == Set{3, 5, 6, 7});
  // All used: one turn clears them, and the first goes after all.
  c.use_all({3, 5, 6, 7});
  c.use(8);
  CHECK(c.content().size() == 4);
  CHECK(c.content().count(8) == 1);
  CHECK(c.content().count(5) == 0);  // the hand was at its frame
}

TEST_CASE("segmented LRU protects what was used again from a scan") {
  Cache c("slru", 5);  // four of them may be protected
  c.use_all({1, 2, 1, 2});
  std::vector<uint32_t> scan;
  for (uint32_t p = 100; p < 120; ++p) scan.push_back(p);
  c.use_all(scan);
  CHECK(c.content().count(1) == 1);
  CHECK(c.content().count(2) == 1);
  Cache lru("lru", 5);
  lru.use_all({1, 2, 1, 2});
  lru.use_all(scan);
  CHECK(lru.content().count(1) == 0);
  // Five pages used again do not fit four: the oldest goes back and is the next to be given up.
  Cache full("slru", 5);
  full.use_all({1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  CHECK(full.content() == Set{1, 2, 3, 4, 5});
  full.use(6);
  CHECK(full.content() == Set{2, 3, 4, 5, 6});
}

TEST_CASE("no policy takes a frame that is kept, or one that is empty") {
  for (const char* name : {"lru", "clock", "slru"}) {
    CAPTURE(name);
    Cache c(name, 4);
    c.use_all({1, 2, 3, 4});
    c.keeper.kept = {0, 1, 3};
    c.use(5);
    CHECK(c.content() == Set{1, 2, 4, 5});
    c.keeper.kept = {0, 1, 2, 3};
    CHECK(c.order().victim(c.keeper) == Replacement::kNone);
    c.order().clear();
    c.keeper.kept = {};
    CHECK(c.order().victim(c.keeper) == Replacement::kNone);
  }
}

TEST_CASE("an index list equals a list") {
  IndexList list(50);
  std::list<uint32_t> model;
  Rng rng(1, "test/index_list");
  for (int i = 0; i < 20'000; ++i) {
    const auto k = static_cast<uint32_t>(rng.below(50));
    const auto at = std::find(model.begin(), model.end(), k);
    REQUIRE(list.contains(k) == (at != model.end()));
    if (at != model.end()) {
      REQUIRE(list.before(k) == (at == model.begin() ? IndexList::kNone : *std::prev(at)));
      model.erase(at);
      list.remove(k);
    } else if (rng.chance(1, 2)) {
      model.push_front(k);
      list.push_front(k);
    } else {
      model.push_back(k);
      list.push_back(k);
    }
    REQUIRE(list.size() == model.size());
    REQUIRE(list.front() == (model.empty() ? IndexList::kNone : model.front()));
    REQUIRE(list.back() == (model.empty() ? IndexList::kNone : model.back()));
  }
}

TEST_CASE("the update log equals sets, oldest page first") {
  constexpr uint32_t kEntries = 32;
  UpdateLog log(40, kEntries, 100);
  std::map<uint32_t, std::set<uint32_t>> model;
  std::vector<uint32_t> line;
  Rng rng(1, "test/update_log");
  for (int i = 0; i < 20'000; ++i) {
    const auto page = static_cast<uint32_t>(rng.below(40));
    const uint32_t first = page * kEntries + static_cast<uint32_t>(rng.below(kEntries));
    const uint32_t last = first + static_cast<uint32_t>(rng.below((page + 1) * kEntries - first));
    if (rng.chance(1, 3)) {
      log.drop(page);
      model.erase(page);
      std::erase(line, page);
    } else {
      log.add(page, first, last, true);
      for (uint32_t u = first; u <= last; ++u) model[page].insert(u);
      if (std::find(line.begin(), line.end(), page) == line.end()) line.push_back(page);
    }
    size_t used = 0;
    for (const auto& [p, units] : model) used += units.size();
    REQUIRE(log.used() == used);
    REQUIRE(log.count(page) == (model.count(page) == 0 ? 0 : model[page].size()));
    REQUIRE(log.oldest() == (line.empty() ? UpdateLog::kNone : line.front()));
    REQUIRE(log.full() == (used >= 100));
    bool all = true;
    for (uint32_t u = first; u <= last; ++u)
      all = all && model.count(page) != 0 && model[page].count(u) != 0;
    REQUIRE(log.covers(page, first, last) == all);
  }
}

TEST_CASE("pages fall from SRAM to host memory and come back, together as one LRU") {
  class Writer final : public PageWriter {
   public:
    bool write_page(uint32_t page) override {
      if (open) written.push_back(page);
      return open;
    }
    bool open = true;
    std::vector<uint32_t> written;
  };
  MapConfig config;
  config.cache.select("lru");
  config.sram = Bytes::kib(8);
  config.hmb = Bytes::kib(12);
  Link link{LinkConfig()};
  FtlStats stats;
  Writer writer;
  PageTiers tiers(config, 64, link, writer, stats);
  REQUIRE(tiers.sram_frames() == 2);
  REQUIRE(tiers.hmb_frames() == 3);
  const Time now = Time::at_ns(1'000'000);
  Cache model("lru", 5);
  for (const uint32_t page : skewed(32, 5'000, 2)) {
    REQUIRE(tiers.resident(page) == model.use(page));
    if (tiers.resident(page)) {
      const bool near = tiers.tier(page) == PageTiers::Tier::kSram;
      const Time when = tiers.use(page, now);
      CHECK((when == now) == near);
    } else {
      tiers.put(tiers.make_room(now), page);
    }
    CHECK(tiers.tier(page) == PageTiers::Tier::kSram);
  }
  // A changed page is written before it goes; while it cannot be, another one goes.
  tiers.reset();
  for (uint32_t page = 0; page < 5; ++page) tiers.put(tiers.make_room(now), page);
  tiers.change(0);
  tiers.use(1, now);
  tiers.use(2, now);
  tiers.use(3, now);
  tiers.use(4, now);  // 0 is the oldest
  writer.open = false;
  tiers.put(tiers.make_room(now), 10);
  CHECK(tiers.resident(0));
  CHECK(!tiers.resident(1));
  CHECK(writer.written.empty());
  writer.open = true;
  tiers.put(tiers.make_room(now), 11);
  CHECK(writer.written == std::vector<uint32_t>{0});
  CHECK(!tiers.resident(0));
  CHECK(tiers.dirty() == 0);
}

}  // namespace ftlsim
