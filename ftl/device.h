// One drive: the persistent medium and the firmware that runs on it.
//
// Device = Media + Firmware. Firmware is everything volatile: it is destroyed and built again by a
// power cycle (the recovery of its map from the medium is not modelled yet, so a Device is powered
// once). Several devices may share one Simulator; their random streams and statistics carry the
// device's name.
#pragma once

#include <memory>
#include <string>

#include "ftl/config.h"
#include "ftl/firmware.h"
#include "nand/media.h"
#include "nand/reliability/reliability.h"
#include "sim/diagnostics.h"
#include "sim/simulator.h"
#include "sim/stats.h"

namespace ftlsim {

class Device {
 public:
  // `keep_content` keeps a token per slot for verification (8 bytes per 4 KiB). The configuration
  // must have passed check_drive().
  Device(Simulator& sim, const DriveConfig& config, std::string name, bool keep_content = false);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  HostInterface& host() { return firmware_->host(); }
  Media& media() { return media_; }
  // nullptr if no model of errors is on.
  Reliability* reliability() { return reliability_.get(); }
  const Reliability* reliability() const { return reliability_.get(); }
  Firmware& firmware() { return *firmware_; }
  const Firmware& firmware() const { return *firmware_; }
  // Brings figures that are counted lazily up to now: to be called before they are read.
  void settle() {
    if (firmware_->thermal() != nullptr) firmware_->thermal()->settle();
  }
  // Registers every counter under the device's name; the pointers live as long as the device.
  void register_stats(StatRegistry& registry) const;

 private:
  void register_reliability(StatRegistry& registry, const std::string& prefix) const;

  std::string name_;
  Media media_;
  std::unique_ptr<Reliability> reliability_;
  std::unique_ptr<Firmware> firmware_;
};

// Superblocks that a drive needs and has: the terms of the check at load.
struct SpaceBudget {
  uint32_t superblocks = 0;       // assembled from good blocks
  uint32_t superblock_slots = 0;  // slots for data of one without holes, TLC
  uint64_t usable_slots = 0;      // slots for data with good blocks, TLC
  uint32_t user = 0;              // superblocks that the user data fill
  uint32_t open_streams = 0;      // one open superblock for each write stream
  uint32_t relocation = 0;        // free superblocks kept for folding and collection
  uint32_t watermark = 0;         // the rest of the high watermark
  uint32_t meta = 0;              // firmware tables
  uint32_t map = 0;               // translation pages, and one for what is stale of them
  uint32_t slc = 0;               // kept free for an SLC cache of guaranteed size
  uint32_t needed() const {
    return user + open_streams + relocation + watermark + meta + map + slc;
  }
  uint64_t reserved_slots = 0;  // TLC slots that neither cache nor user data may use
};
SpaceBudget space_budget(const DriveConfig& config, const Media& media);

// Cross-field rules that need the assembled medium: the reserves must fit. Adds errors.
void check_drive(const DriveConfig& config, const Media& media, const Origins& origins,
                 Diagnostics& diagnostics);

}  // namespace ftlsim
