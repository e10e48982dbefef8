#include "ftl/map/page_tiers.h"

#include <algorithm>

#include "sim/assert.h"

namespace ftlsim {
namespace {

uint32_t frames_of(Bytes memory, uint32_t pages) {
  return static_cast<uint32_t>(std::min<uint64_t>(memory.count() / kSlotBytes, pages));
}

}  // namespace

PageTiers::Tank::Tank(uint32_t first, uint32_t frames, const MapConfig& config)
    : base(first), order(config.cache.make({frames})), size_(frames) {
  free.reserve(frames);
  reset();
}

void PageTiers::Tank::reset() {
  order->clear();
  free.clear();
  for (uint32_t f = size_; f-- > 0;) free.push_back(f);
}

PageTiers::PageTiers(const MapConfig& config, uint32_t pages, Link& link, PageWriter& writer,
                     FtlStats& stats)
    : hmb_latency_(config.hmb_latency),
      link_(link),
      writer_(writer),
      stats_(stats),
      sram_(0, frames_of(config.sram, pages), config),
      hmb_(sram_.size(), frames_of(config.hmb, pages), config),
      frame_of_(pages),
      page_in_(size_t{sram_.size()} + hmb_.size(), kNone),
      dirty_(pages) {}

void PageTiers::reset() {
  sram_.reset();
  hmb_.reset();
  frame_of_.clear();
  std::fill(page_in_.begin(), page_in_.end(), kNone);
  dirty_.clear();
}

void PageTiers::place(Tank& tank, uint32_t frame, uint32_t page) {
  frame_of_[page] = tank.base + frame + 1;
  page_in_[tank.base + frame] = page;
  tank.order->insert(frame);
}

// The page leaves its frame, which belongs to the caller then.
uint32_t PageTiers::take_out(Tank& tank, uint32_t frame) {
  const uint32_t page = page_in_[tank.base + frame];
  tank.order->remove(frame);
  page_in_[tank.base + frame] = kNone;
  frame_of_[page] = 0;
  return page;
}

Time PageTiers::to_host(Time now) {
  if (activity_ != nullptr) activity_->link_moves();
  return link_.to_host(now, 1);
}

Time PageTiers::to_device(Time now) {
  if (activity_ != nullptr) activity_->link_moves();
  return link_.to_device(now, 1);
}

bool PageTiers::clean(uint32_t page) {
  if (!dirty_.contains(page)) return true;
  if (!writer_.write_page(page)) return false;
  dirty_.remove(page);
  return true;
}

bool PageTiers::clean_oldest() { return !dirty_.empty() && clean(dirty_.front()); }

// The frame whose page goes next; the page is still in it.
uint32_t PageTiers::vacate(Tank& tank, bool any) {
  Keeper keeper(*this, tank.base, any);
  const uint32_t changed = dirty();
  const uint32_t frame = tank.order->victim(keeper);
  if (log_ != nullptr && frame != kNone) [[unlikely]]
    note_victim(tank, frame, any, changed);
  return frame;
}

// The choice of a page that gives up its frame; `changed` pages waited for flash before it.
void PageTiers::note_victim(const Tank& tank, uint32_t frame, bool moves, uint32_t changed) const {
  const char* fate = moves ? "other_tier" : changed == dirty() ? "forgotten" : "written";
  log_->decided(Decision::kMapVictim, {&tank == &sram_ ? "sram" : "hmb", tank.size(), changed,
                                       page_in_[tank.base + frame], fate});
}

// A frame without a page, by forgetting one if need be.
uint32_t PageTiers::free_frame(Tank& tank) {
  if (!tank.free.empty()) {
    const uint32_t frame = tank.free.back();
    tank.free.pop_back();
    return frame;
  }
  const uint32_t frame = vacate(tank, false);
  if (frame == kNone) return kNone;
  take_out(tank, frame);
  ++stats_.map_evictions;
  return frame;
}

uint32_t PageTiers::make_room(Time now) {
  if (!sram_.free.empty() || hmb_.size() == 0) return free_frame(sram_);
  const uint32_t below = free_frame(hmb_);
  if (below == kNone) return free_frame(sram_);
  const uint32_t frame = vacate(sram_, true);
  if (frame == kNone) {
    hmb_.free.push_back(below);
    return kNone;
  }
  to_host(now);
  place(hmb_, below, take_out(sram_, frame));
  return frame;
}

void PageTiers::put(uint32_t frame, uint32_t page) {
  SIM_ASSERT(!resident(page), "translation page {} is in memory already", page);
  place(sram_, frame, page);
}

Time PageTiers::use(uint32_t page, Time now) {
  const uint32_t f = frame_of_[page] - 1;
  if (f < sram_.size()) {
    sram_.order->touch(f);
    return now;
  }
  const uint32_t here = f - hmb_.base;
  const Time there = to_device(now) + hmb_latency_;
  uint32_t frame = kNone;
  if (!sram_.free.empty()) {
    frame = sram_.free.back();
    sram_.free.pop_back();
  } else {
    frame = vacate(sram_, true);
  }
  if (frame == kNone) {  // every SRAM frame waits for flash: read where it is
    hmb_.order->remove(here);
    hmb_.order->insert(here);
    return there;
  }
  take_out(hmb_, here);
  if (page_in_[frame] == kNone) {
    hmb_.free.push_back(here);
  } else {
    to_host(now);
    place(hmb_, here, take_out(sram_, frame));
  }
  place(sram_, frame, page);
  return there;
}

// An entry of a page in host memory changes by a posted write of a few bytes: no time. The page is
// the newest of its tier then. It is not "used again" there: a page that is used leaves for SRAM.
void PageTiers::change(uint32_t page) {
  const uint32_t f = frame_of_[page] - 1;
  if (f < sram_.size()) {
    sram_.order->touch(f);
  } else {
    hmb_.order->remove(f - hmb_.base);
    hmb_.order->insert(f - hmb_.base);
  }
  if (!dirty_.contains(page)) dirty_.push_back(page);
}

void PageTiers::drop(uint32_t page) {
  if (!resident(page)) return;
  const uint32_t f = frame_of_[page] - 1;
  Tank& tank = f < sram_.size() ? sram_ : hmb_;
  take_out(tank, f - tank.base);
  tank.free.push_back(f - tank.base);
  if (dirty_.contains(page)) dirty_.remove(page);
}

}  // namespace ftlsim
