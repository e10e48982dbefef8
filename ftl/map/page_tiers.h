// The frames of the map cache: which translation page is in SRAM, which in the host memory buffer.
//
// A page is in one frame at most. It is changed ("dirty") or equal to its copy on flash or in a
// program unit; a changed page gives its frame up only after the writer has taken it. Moving a page
// between the tiers takes one slot of the link; what falls out of SRAM goes to the host buffer.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/config.h"
#include "ftl/decision_log.h"
#include "ftl/host/link.h"
#include "ftl/map/index_list.h"
#include "ftl/map/replacement.h"
#include "ftl/sched/scheduler.h"
#include "ftl/stats.h"
#include "sim/arena.h"

namespace ftlsim {

// Takes the content of changed pages on its way to flash.
class PageWriter {
 public:
  // False: no room now, the page stays changed.
  virtual bool write_page(uint32_t page) = 0;

 protected:
  ~PageWriter() = default;
};

class PageTiers {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  enum class Tier : uint8_t { kNone, kSram, kHmb };

  PageTiers(const MapConfig& config, uint32_t pages, Link& link, PageWriter& writer,
            FtlStats& stats);
  // Where decisions are recorded, or nullptr; frequent ones.
  void set_log(DecisionLog* log) {
    log_ = log != nullptr && log->takes(Decision::kMapVictim) ? log : nullptr;
  }
  // Told before a page crosses the link, which no command need have asked for.
  void set_activity_listener(ActivityListener& listener) { activity_ = &listener; }

  Tier tier(uint32_t page) const {
    const uint32_t f = frame_of_[page];
    return f == 0 ? Tier::kNone : f <= sram_.size() ? Tier::kSram : Tier::kHmb;
  }
  bool resident(uint32_t page) const { return frame_of_[page] != 0; }
  bool is_dirty(uint32_t page) const { return dirty_.contains(page); }
  uint32_t dirty() const { return dirty_.size(); }
  uint32_t sram_frames() const { return sram_.size(); }
  uint32_t hmb_frames() const { return hmb_.size(); }
  uint32_t frames() const { return sram_.size() + hmb_.size(); }

  // A use of a resident page. Returns when it is in SRAM; `now` if it is there.
  Time use(uint32_t page, Time now);
  // A change of a resident page in its place. It becomes dirty; it may be so already.
  void change(uint32_t page);
  // Empties an SRAM frame for a page to come, kNone if none can be had now.
  uint32_t make_room(Time now);
  // The page has come into the frame that was made for it.
  void put(uint32_t frame, uint32_t page);
  // Gives the page that was changed first to the writer. False: none, or no room.
  bool clean_oldest();
  // The page has no meaning any more.
  void drop(uint32_t page);
  void reset();

 private:
  // The frames of one tier; `base` is the number of their first among all.
  class Tank {
   public:
    Tank(uint32_t first, uint32_t frames, const MapConfig& config);
    uint32_t size() const { return size_; }
    void reset();

    uint32_t base;
    std::unique_ptr<Replacement> order;
    std::vector<uint32_t> free;

   private:
    uint32_t size_;
  };
  // Lets pages go that are clean, or that the writer takes.
  class Keeper final : public FrameKeeper {
   public:
    Keeper(PageTiers& tiers, uint32_t base, bool any) : tiers_(tiers), base_(base), any_(any) {}
    bool give_up(uint32_t frame) override {
      return any_ || tiers_.clean(tiers_.page_in_[base_ + frame]);
    }

   private:
    PageTiers& tiers_;
    uint32_t base_;
    bool any_;
  };

  Time to_host(Time now);
  Time to_device(Time now);
  bool clean(uint32_t page);
  uint32_t vacate(Tank& tank, bool any);
  void note_victim(const Tank& tank, uint32_t frame, bool moves, uint32_t changed) const;
  uint32_t free_frame(Tank& tank);
  void place(Tank& tank, uint32_t frame, uint32_t page);
  uint32_t take_out(Tank& tank, uint32_t frame);

  Duration hmb_latency_;
  Link& link_;
  ActivityListener* activity_ = nullptr;
  DecisionLog* log_ = nullptr;
  PageWriter& writer_;
  FtlStats& stats_;
  Tank sram_;
  Tank hmb_;
  LazyArray<uint32_t> frame_of_;   // per page: frame + 1, 0: not resident
  std::vector<uint32_t> page_in_;  // per frame
  IndexList dirty_;                // changed first in front
};

}  // namespace ftlsim
