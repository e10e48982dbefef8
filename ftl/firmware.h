// The volatile half of a device: wires the modules and passes on what one has to tell the others.
#pragma once

#include <memory>

#include "ftl/config.h"
#include "ftl/host/controller.h"
#include "ftl/host/link.h"
#include "ftl/map/flat_map.h"
#include "ftl/map/map_cache.h"
#include "ftl/rain/rebuilder.h"
#include "ftl/read/reader.h"
#include "ftl/refresh/patrol.h"
#include "ftl/refresh/refresh.h"
#include "ftl/relocate/reclaim.h"
#include "ftl/relocate/relocator.h"
#include "ftl/sched/scheduler.h"
#include "ftl/slc/slc_cache.h"
#include "ftl/space/space_manager.h"
#include "ftl/space/superblock_table.h"
#include "ftl/stats.h"
#include "ftl/thermal/thermal_control.h"
#include "ftl/wear/wear_leveler.h"
#include "ftl/wear/wear_table.h"
#include "ftl/write/host_writer.h"
#include "ftl/write/write_engine.h"
#include "nand/flash.h"
#include "nand/reliability/age_clock.h"
#include "sim/simulator.h"

namespace ftlsim {

class Firmware final : public CommandBackend,
                       public WriteListener,
                       public ProgressSink,
                       public ThrottleSink,
                       public TemperatureListener {
 public:
  Firmware(Simulator& sim, const DriveConfig& config, Media& media, uint64_t reserved_slots);
  Firmware(const Firmware&) = delete;
  Firmware& operator=(const Firmware&) = delete;

  HostInterface& host() { return controller_; }
  const FtlStats& stats() const { return stats_; }
  const FlatMap& map() const { return map_; }
  FlatMap& map() { return map_; }
  // nullptr if the whole map is in DRAM.
  const MapCache* map_cache() const { return map_cache_.get(); }
  const SuperblockTable& superblocks() const { return table_; }
  const SpaceManager& space() const { return space_; }
  const WearTable& wear() const { return wear_; }
  const SlcCache& slc() const { return slc_; }
  const HostWriter& writer() const { return writer_; }
  const WriteEngine& engine() const { return engine_; }
  const Relocator& relocator() const { return relocator_; }
  const Reclaim& reclaim() const { return reclaim_; }
  const Link& link() const { return link_; }
  Flash& flash() { return flash_; }
  const Flash& flash() const { return flash_; }
  const Media& media() const { return media_; }
  const DriveConfig& config() const { return config_; }
  // Energy and temperatures; nullptr if power.model is none.
  ThermalControl* thermal() { return thermal_.get(); }
  const ThermalControl* thermal() const { return thermal_.get(); }
  // Asks for a closed superblock to be emptied; see RelocationService.
  bool request_relocation(const RelocationRequest& request);
  // Onlookers of the medium and of the host's commands, or nullptr.
  void set_observers(MediumObserver* medium, HostObserver* host) {
    flash_.set_observer(medium);
    controller_.set_observer(host);
  }
  // Where policy decisions are recorded, or nullptr.
  void set_decision_log(DecisionLog* log) {
    slc_.set_log(log);
    reclaim_.set_log(log);
    leveler_.set_log(log);
    space_.set_log(log);
    scheduler_.set_log(log);
    if (map_cache_ != nullptr) map_cache_->set_log(log);
    log_ = log;
  }
  // No operation queued or running anywhere.
  bool quiescent() const { return scheduler_.outstanding() == 0; }

  void prefetch(Lpn lpn, uint32_t units) override { map_.prefetch(lpn, units); }
  bool translate(CommandSlot& slot) override {
    return map_cache_ != nullptr ? translate_paged(slot) : map_.request(slot.lpn, slot.units, slot);
  }
  void start_read(CommandSlot& slot) override { reader_.start(slot); }
  void start_write(CommandSlot& slot) override;
  void start_modify(CommandSlot& slot) override { reader_.start_modify(slot); }
  void write_transferred(CommandSlot& slot) override;
  void start_flush(CommandSlot& slot) override;
  void start_deallocate(CommandSlot& slot) override;
  void start_format(CommandSlot& slot) override;
  void content_changed(Lpn lpn, uint32_t n) override { reader_.invalidate(lpn, n); }
  void set_ambient(int64_t millidegrees) override;
  void nand_temperature(Time from, int64_t millidegrees) override;
  int64_t ambient() const override { return ambient_; }
  void rest_unpowered(Duration span, int64_t millidegrees) override;
  void set_preconditioning(bool on) override;
  void set_read_ahead(bool on) override { reader_.set_read_ahead(on); }
  void host_idle_changed(bool idle) override;
  Duration wake_latency() const override {
    return thermal_ == nullptr ? Duration() : thermal_->wake_latency();
  }
  void apply_throttle(const ThrottleAction& action) override;

  void host_unit_done(uint64_t seal_number, uint32_t slots) override;
  void relocation_unit_done(uint32_t slots) override;
  void map_unit_done() override { progress(); }
  void parity_unit_done() override { progress(); }
  void superblock_opened_or_closed() override { space_changed_ = true; }
  void erase_done() override { progress(); }
  void progress() override;

 private:
  bool translate_paged(CommandSlot& slot);
  void map_progress();
  bool heated() const;
  void idle_timer();
  void format_step();
  uint64_t free_tlc_slots() const;

  Simulator& sim_;
  DriveConfig config_;
  Media& media_;
  FtlStats stats_;
  Flash flash_;
  DieScheduler scheduler_;
  SuperblockTable table_;
  FlatMap map_;
  WearTable wear_;
  SpaceManager space_;
  Link link_;
  WriteEngine engine_;
  Rebuilder rebuilder_;
  SlcCache slc_;
  Reclaim reclaim_;
  WearLeveler leveler_;
  Relocator relocator_;
  Controller controller_;
  HostWriter writer_;
  Reader reader_;
  std::unique_ptr<ThermalControl> thermal_;
  std::unique_ptr<MapCache> map_cache_;
  Refresh refresh_;
  Patrol patrol_;
  DecisionLog* log_ = nullptr;
  CommandSlot* format_ = nullptr;
  int64_t ambient_;  // thousandths of a degree
  bool space_changed_ = true;
  bool progressing_ = false;
  bool again_ = false;
  Time idle_since_;
  MemberEvent<Firmware, &Firmware::idle_timer> idle_timer_;
  MemberEvent<Firmware, &Firmware::format_step> format_timer_;
};

}  // namespace ftlsim
