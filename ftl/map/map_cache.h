// The map of a drive without DRAM: which translation pages are in memory, and what the others cost.
//
// A translation page holds the entries of map.page_entries consecutive units. Pages lie on flash;
// where, the global translation directory says, which is always in memory (the entries of the
// FlatMap behind those of the user). Frames for pages are in the controller's SRAM and in the host
// memory buffer (HMB). The two tiers exclude each other: a page is read from flash into SRAM, falls
// from there into the HMB and back when it is used; both ways cross the link. The replacement
// policy works in each tier.
//
// Reads, relocation (which compares reverse map and map) and writes that cover a unit partly need
// the page and wait for its flash read; those who want the same page share it. A page whose units
// were never written needs no read. Writes do not wait: when their program completes the entry goes
// to the page if it is in memory, else to the update log, a bounded table of the entries that are
// newer than their page on flash. It answers look-ups, too. From half its size on the oldest page
// with entries in it is read, brought up to date with all of them at once, and is then changed
// ("dirty"). A changed page is written through the stream of the map (cause `meta`) when it has to
// give up its frame, when too many are changed, oldest first, and when the drive is idle. Until
// its program is done it is answered from the program unit.
//
// Flush and power: the reverse map (spare area) of every program unit holds what is in the log and
// in changed pages, so a flush writes no translation page; recovery would read the units that are
// younger than their page.
//
// A page that cannot be read, nor rebuilt from parity, is counted as lost; its entries are then
// taken to be known from the spare areas of the units that they point to. The search for them takes
// no time here, but the page is written anew as soon as the number of changed ones allows.
//
// What must hold, so that nothing waits in a circle:
//   * one frame at least is not changed, so that look-ups never wait for a write;
//   * whoever is told to wait is on the list of a page that is being read or of those that wait for
//     a frame, or its event is pending, for the time of the answer or before;
//   * updates are always taken; while the log is full, new host writes wait, and relocation waits
//     as long as a page is on its way. The log exceeds its size by what was on its way, at most;
//   * the stream of the map takes a superblock only if two and what relocation has read remain.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/config.h"
#include "ftl/host/link.h"
#include "ftl/map/flat_map.h"
#include "ftl/map/index_list.h"
#include "ftl/map/page_tiers.h"
#include "ftl/map/update_log.h"
#include "ftl/rain/rebuilder.h"
#include "ftl/relocate/relocator.h"
#include "ftl/sched/scheduler.h"
#include "ftl/stats.h"
#include "ftl/write/write_engine.h"
#include "nand/media.h"
#include "sim/simulator.h"

namespace ftlsim {

class MapCache final : public MapPager, public PageSink, public OperationSink, private PageWriter {
 public:
  MapCache(Simulator& sim, const DriveConfig& config, const Media& media, DieScheduler& scheduler,
           FlatMap& map, SuperblockTable& table, WriteEngine& engine, Rebuilder& rebuilder,
           Link& link, ProgressSink& progress, FtlStats& stats);

  // See PageTiers.
  void set_activity_listener(ActivityListener& listener) { tiers_.set_activity_listener(listener); }

  bool request(Lpn lpn, uint32_t n, Event& waiter) override;
  bool request_units(const UnitSource& units, Event& waiter) override;
  bool prepare(Lpn lpn) override;
  void updated(Lpn lpn, uint32_t n) override;
  void unmapping(Lpn lpn, uint32_t n) override;
  // As request() for a write that covers its units wholly: waits only while the log is full.
  bool request_update(Event& waiter);
  // For a write that covers its ends partly: needs their entries and room in the log.
  bool request_modify(Lpn lpn, uint32_t n, Event& waiter);

  // Goes on with everything that may have been waiting.
  void pump();
  // While idle every changed page is written.
  void set_idle(bool idle) { idle_ = idle; }
  // Nothing is left to write but what waits in a partial program unit.
  bool settled() const { return log_.empty() && tiers_.dirty() == 0 && fetching_ == 0; }
  // Forgets everything (format); nothing may be on its way.
  void reset();

  void page_written(uint32_t page, Ppn ppn) override;
  void operation_done(Operation& op) override;

  const PageTiers& tiers() const { return tiers_; }
  void set_log(DecisionLog* log) { tiers_.set_log(log); }
  const UpdateLog& log() const { return log_; }
  uint32_t pages() const { return pages_; }
  // Its newest content waits in a program unit.
  bool writing(uint32_t page) const { return writing_[page] != 0; }
  // Changes of a page since it was empty; what is on flash carries the number it was written with.
  uint32_t version(uint32_t page) const { return version_[page]; }

 private:
  static constexpr uint32_t kFetches = 256;
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Lane;
  // Somebody who waits: for the pages of a range or list, one after the other from `position` on.
  struct Waiting {
    Event* waiter = nullptr;
    UnitSource units;    // relocation: the list
    uint32_t first = 0;  // else: the range
    uint32_t n = 0;
    uint32_t position = 0;
    bool update = false;   // and then for room in the log
    Lane* lane = nullptr;  // relocation: who
    Time ready;            // not before
    uint32_t next = kNone;
  };
  // Consecutive positions of one page.
  struct Group {
    uint32_t page = 0;
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  struct Queue {
    uint32_t head = kNone;
    uint32_t tail = kNone;
  };
  struct Fetch {
    Operation op;
    uint32_t page = 0;
    uint32_t frame = 0;
    bool merge = false;  // its entries in the log are counted as changes to come
    Queue waiting;
  };

  bool write_page(uint32_t page) override;

  uint32_t page_of(uint32_t unit) const { return unit >> entries_shift_; }
  bool empty_page(uint32_t page) const;
  bool next_group(const Waiting& w, uint32_t position, Group& group) const;
  bool in_log(const Waiting& w, const Group& group) const;
  Time lookup(const Waiting& w, const Group& group);
  bool at_hand(uint32_t page) const;
  bool ask(Waiting w);
  uint32_t enlist(const Waiting& w);
  bool advance(uint32_t id);
  void finish(uint32_t id);
  void wake(const Waiting& w);
  Lane& lane_of(Event& waiter);
  bool fetch(uint32_t page, bool urgent);
  Fetch* fetch_of(uint32_t page) {
    return fetch_of_[page] == 0 ? nullptr : &fetches_[fetch_of_[page] - 1u];
  }
  void mark(uint32_t page, uint32_t first, uint32_t last);
  bool budget() const { return tiers_.dirty() + merging_ < dirty_limit_; }
  void change(uint32_t page);
  bool bring(uint32_t page);
  void clean();
  void merge();
  void push(Queue& queue, uint32_t id);
  uint32_t pop(Queue& queue);
  void reset_waiting();

  Simulator& sim_;
  const Media& media_;
  DieScheduler& scheduler_;
  FlatMap& map_;
  SuperblockTable& table_;
  WriteEngine& engine_;
  Rebuilder& rebuilder_;
  ProgressSink& progress_;
  FtlStats& stats_;
  Duration ecc_;
  bool errors_;  // as in the reader
  uint32_t entries_shift_;
  uint32_t pages_;
  PageTiers tiers_;
  UpdateLog log_;
  uint32_t dirty_limit_;
  uint32_t merge_limit_;  // reads for the log at once
  bool idle_ = false;
  bool pumping_ = false;

  LazyArray<uint32_t> version_;
  LazyArray<uint32_t> writing_;   // slot + 1 of the newest content on its way to flash
  LazyArray<uint16_t> fetch_of_;  // index + 1 of the read that brings a page
  std::unique_ptr<Fetch[]> fetches_;
  std::vector<uint32_t> free_fetches_;
  uint32_t fetching_ = 0;
  uint32_t merging_ = 0;
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> free_waiting_;
  Queue stalled_;  // no frame or no read was free
  Queue full_;     // the log is full
  // Each lane of relocation asks with an event of its own, for one list at a time.
  struct Lane {
    Event* waiter = nullptr;
    uint32_t waiting = kNone;            // entry of `waiting_`, if it waits
    const uint32_t* answered = nullptr;  // first of the list that was answered last,
    Time answered_at;                    // and from when on
  };
  std::array<Lane, 2> lanes_;
};

}  // namespace ftlsim
