// The write path behind the buffer: the open superblocks of each stream and heat class, programs in
// flight, and the map update.
//
// Host data get their slot when they are placed; the map points to it when its program completes,
// and until then the pending index answers for it. Relocated data are remapped only if the map
// still points to their source. Units of host data are numbered in the order of handing over: that
// gives the end of a flush. Translation pages (of drives without DRAM) are written one slot each in
// a stream of their own.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "ftl/buffer/pending_index.h"
#include "ftl/config.h"
#include "ftl/map/flat_map.h"
#include "ftl/sched/scheduler.h"
#include "ftl/space/space_manager.h"
#include "ftl/stats.h"
#include "ftl/write/open_superblocks.h"
#include "ftl/write/stream_plan.h"

namespace ftlsim {

// Told what the end of a program means to others. Called from within an event.
class WriteListener {
 public:
  // `slots` slots of the write buffer came free; programs of host data up to `sealed` numbers done.
  virtual void host_unit_done(uint64_t seal_number, uint32_t slots) = 0;
  virtual void relocation_unit_done(uint32_t slots) = 0;
  virtual void map_unit_done() = 0;
  virtual void parity_unit_done() = 0;
  virtual void superblock_opened_or_closed() = 0;
  virtual void erase_done() = 0;

 protected:
  ~WriteListener() = default;
};

// Told where translation pages are when their program is done.
class PageSink {
 public:
  virtual void page_written(uint32_t page, Ppn ppn) = 0;

 protected:
  ~PageSink() = default;
};

// Who has read data that still need a slot.
class SpaceClaims {
 public:
  // Free superblocks that they need beside the open ones.
  virtual uint32_t claimed() const = 0;

 protected:
  ~SpaceClaims() = default;
};

class WriteEngine : public FrontierHost, public OperationSink {
 public:
  WriteEngine(const DriveConfig& config, Media& media, DieScheduler& scheduler, FlatMap& map,
              SuperblockTable& table, SpaceManager& space, FtlStats& stats);
  void set_listener(WriteListener& listener) { listener_ = &listener; }
  // For drives whose map is on flash.
  void set_map(PageSink& pages, const SpaceClaims& claims) {
    pages_ = &pages;
    claims_ = &claims;
  }

  PendingIndex& pending() { return pending_; }
  const PendingIndex& pending() const { return pending_; }
  // The heat class must be one of the stream: see classes().
  OpenSuperblocks& open(Stream s, uint32_t heat = 0) {
    return streams_[static_cast<size_t>(s)][heat];
  }
  // The classification of host data, nullptr if write.heat is none.
  const HeatPolicy* heat() const { return heat_.get(); }
  // Heat classes of a stream; 0 if the drive does not have the stream.
  uint32_t classes(Stream s) const {
    return static_cast<uint32_t>(streams_[static_cast<size_t>(s)].size());
  }

  // Places up to n units of host data from lpn on in a host stream; returns how many found room.
  // Units that are still in an unsealed word line are overwritten there and take no new slot: their
  // number is added to *coalesced.
  uint32_t place_host(Stream stream, Lpn lpn, uint32_t n, const uint64_t* tokens,
                      uint32_t* coalesced);
  // Places one unit that relocation has read, in the class of its heat. `near` asks for a die (die
  // placement), or is invalid. False: no room now.
  bool place_moved(Stream stream, Lpn lpn, Ppn source, DieId near);
  // Places a whole chunk that folding has read on a die without moving it over the bus: its
  // `slots` good slots from `source` on (positions without a good block in between) fill one chunk
  // of a word line in the same planes there. kElsewhere: the next free place of that die is not
  // one.
  enum class Copy : uint8_t { kPlaced, kNoRoom, kElsewhere };
  Copy place_copied(Stream stream, DieId die, Ppn source, uint64_t slot_mask, uint8_t planes);

  // Places the content of a translation page; `token` stands for it (verification only). Invalid:
  // no room now.
  Ppn place_page(uint32_t page, uint64_t token);

  // Pads and hands over the partial word lines of the host streams.
  void seal_host();
  // The same for the relocation streams.
  void seal_relocation();
  void seal_map() { seal({Stream::kMap}); }
  bool has_partial_host() const;
  bool has_partial_relocation() const;

  // Number of the newest sealed unit with host data, and whether any unit up to it is in flight.
  uint64_t last_seal() const { return seals_; }
  uint32_t host_units_in_flight() const { return host_in_flight_; }
  bool busy() const { return in_flight_ != 0; }
  bool relocation_in_flight() const {
    return in_flight_ != host_in_flight_ + map_in_flight_ + parity_in_flight_;
  }

  // Forgets all open superblocks (format). Nothing may be in flight or partial.
  void reset();

  SuperblockId open_superblock(Stream stream, uint32_t heat, CellMode mode) override;
  void submit_unit(UnitBuffer& unit) override;
  void superblock_filled(SuperblockId sb) override;
  void operation_done(Operation& op) override;

 private:
  // Units of parity that may be on their way, for each die.
  static constexpr uint32_t kParityUnits = 4;

  uint32_t region_rest(Lpn lpn) const;
  uint32_t coalesce(Lpn lpn, uint32_t n, const uint64_t* tokens);
  void commit(UnitBuffer& unit);
  uint32_t commit_host_run(const UnitBuffer& unit, uint32_t index, uint32_t n, Ppn ppn);
  void commit_pages(const UnitBuffer& unit);
  uint32_t commit_moved(const UnitBuffer& unit, uint32_t index, uint32_t end, Ppn ppn);
  void unit_done(UnitBuffer& unit);
  void parity_done(UnitBuffer& unit);
  bool has_partial(std::initializer_list<Stream> streams) const;
  void seal(std::initializer_list<Stream> streams);
  void close_if_complete(SuperblockId sb);
  uint32_t group_for(Stream stream, uint32_t heat);
  template <class Do>
  void each_frontier(Do what);

  Media& media_;
  DieScheduler& scheduler_;
  FlatMap& map_;
  SuperblockTable& table_;
  SpaceManager& space_;
  FtlStats& stats_;
  WriteListener* listener_ = nullptr;
  PageSink* pages_ = nullptr;
  const SpaceClaims* claims_ = nullptr;
  const Layout& layout_;
  StreamPlan plan_;
  PendingIndex pending_;
  UnitPool host_pool_;
  UnitPool relocation_pool_;
  UnitPool map_pool_;
  UnitPool parity_pool_;
  std::unique_ptr<HeatPolicy> heat_;                            // null if data are not separated
  const bool stripe_;                                           // relocation places in stripes
  std::array<std::vector<OpenSuperblocks>, kStreams> streams_;  // by heat class
  std::array<uint32_t, kStreams> next_group_{};                 // of dies, for the next superblock
  uint64_t seals_ = 0;
  uint32_t host_in_flight_ = 0;
  uint32_t map_in_flight_ = 0;
  uint32_t parity_in_flight_ = 0;
  uint32_t in_flight_ = 0;
  std::unique_ptr<Operation[]> erases_;
  std::vector<Operation*> erase_stack_;  // the first free_erases_ are free
  uint32_t free_erases_ = 0;
};

}  // namespace ftlsim
