#include "tools/explain/figures.h"

#include <algorithm>

namespace ftlsim {
namespace {

// amount per time, per second.
uint64_t per_second(uint64_t amount, Duration time) {
  if (time <= Duration()) return UINT64_MAX;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(amount) * 1'000'000'000 /
                               static_cast<unsigned __int128>(time.to_ns()));
}

uint32_t pages_of(const NandConfig& nand, CellMode mode) {
  return mode == CellMode::kSlc ? 1 : nand.geometry.bits_per_cell;
}

Duration bus_time_of(const NandConfig& nand, Bytes data) {
  return bus_time(nand, static_cast<uint32_t>(data.count() / kSlotBytes));
}

Duration program_time(const NandConfig& nand, CellMode mode) {
  return mode == CellMode::kSlc ? nand.timing.program_slc : nand.timing.program;
}

// Channels of the dies of a superblock.
uint32_t superblock_channels(const DriveConfig& config) {
  const GeometryConfig& g = config.nand.geometry;
  return std::min(g.channels, g.superblock_width());
}

// The data in what is programmed at a rate.
uint64_t less_parity(const DriveConfig& config, uint64_t rate) {
  return config.rain.dies == 0 ? rate : rate * (config.rain.dies - 1) / config.rain.dies;
}

}  // namespace

Bytes chunk_bytes(const NandConfig& nand) { return nand.geometry.page_size * nand.geometry.planes; }

Bytes unit_bytes(const NandConfig& nand, CellMode mode) {
  return chunk_bytes(nand) * pages_of(nand, mode);
}

Duration bus_time(const NandConfig& nand, uint32_t slots) {
  const uint64_t ps_per_slot = uint64_t{kSlotBytes} * 1'000'000 / nand.bus.transfer_rate;
  const auto overhead = static_cast<uint64_t>(nand.bus.command_overhead.to_ns()) * 1000;
  return Duration::ceil_ps(overhead + ps_per_slot * slots);
}

uint64_t die_program_rate(const NandConfig& nand, CellMode mode) {
  const Bytes unit = unit_bytes(nand, mode);
  const Duration array = program_time(nand, mode);
  const Duration bus = bus_time_of(nand, unit);
  return per_second(unit.count(), nand.timing.cache_program ? std::max(array, bus) : array + bus);
}

uint64_t die_read_rate(const NandConfig& nand) {
  const Bytes chunk = chunk_bytes(nand);
  const Duration sense = nand.timing.read_page;
  const Duration bus = bus_time_of(nand, chunk);
  return per_second(chunk.count(), nand.timing.cache_read ? std::max(sense, bus) : sense + bus);
}

uint64_t die_read_iops(const NandConfig& nand) {
  const Duration bus = bus_time(nand, 1);
  const Duration sense = nand.timing.read_slot;
  const uint32_t at_once = nand.timing.independent_plane_reads ? nand.geometry.planes : 1;
  return per_second(at_once, nand.timing.cache_read ? std::max(sense, bus) : sense + bus);
}

uint64_t die_fold_rate(const NandConfig& nand) {
  const Duration reads = nand.timing.read_slc * pages_of(nand, CellMode::kTlc);
  return per_second(unit_bytes(nand, CellMode::kTlc).count(), reads + nand.timing.program);
}

uint64_t channel_program_rate(const NandConfig& nand) {
  const Bytes unit = unit_bytes(nand, CellMode::kTlc);
  return per_second(unit.count(), bus_time_of(nand, unit));
}

uint64_t channel_read_rate(const NandConfig& nand) {
  const Bytes chunk = chunk_bytes(nand);
  return per_second(chunk.count(), bus_time_of(nand, chunk));
}

uint64_t channel_read_iops(const NandConfig& nand) { return per_second(1, bus_time(nand, 1)); }

uint64_t link_rate(const LinkConfig& link) {
  return uint64_t{kSlotBytes} * 1'000'000'000'000 / link.ps_per_slot();
}

uint64_t firmware_iops(const CoreConfig& firmware, uint32_t slots) {
  return per_second(firmware.cores, firmware.command_occupancy + firmware.slot_occupancy * slots);
}

uint32_t programming_dies(const DriveConfig& config) {
  const uint32_t dies = config.nand.geometry.dies();
  return config.sched.power_credits == 0 ? dies : std::min(dies, config.sched.power_credits);
}

uint64_t power_limit(const DriveConfig& config, CellMode mode) {
  return per_second(unit_bytes(config.nand, mode).count() * programming_dies(config),
                    program_time(config.nand, mode));
}

uint64_t drive_program_rate(const DriveConfig& config, CellMode mode) {
  const NandConfig& nand = config.nand;
  const Bytes unit = unit_bytes(nand, mode);
  const uint64_t programmed = std::min(
      {die_program_rate(nand, mode) * nand.geometry.superblock_width(), power_limit(config, mode),
       per_second(unit.count(), bus_time_of(nand, unit)) * superblock_channels(config)});
  return std::min(less_parity(config, programmed), link_rate(config.link));
}

uint64_t drive_read_rate(const DriveConfig& config) {
  const NandConfig& nand = config.nand;
  return std::min({die_read_rate(nand) * nand.geometry.superblock_width(),
                   channel_read_rate(nand) * superblock_channels(config), link_rate(config.link)});
}

uint64_t drive_read_iops(const DriveConfig& config) {
  const NandConfig& nand = config.nand;
  return std::min({die_read_iops(nand) * nand.geometry.dies(),
                   channel_read_iops(nand) * nand.geometry.channels,
                   firmware_iops(config.firmware, 1), link_rate(config.link) / kSlotBytes});
}

uint64_t drive_fold_rate(const DriveConfig& config) {
  const NandConfig& nand = config.nand;
  const uint64_t twice = std::min(channel_program_rate(nand), channel_read_rate(nand)) / 2;
  return less_parity(
      config, std::min({die_fold_rate(nand) * nand.geometry.superblock_width(),
                        power_limit(config, CellMode::kTlc), twice * superblock_channels(config)}));
}

Bytes slc_limit(const DriveConfig& config, Bytes unused) {
  const uint32_t expansion = config.nand.geometry.bits_per_cell;
  const LimitCurve curve(config.slc.limit);
  SlcState state;
  state.unused = unused.count() / kSlotBytes;
  state.user = config.user_slots();
  state.idle = true;
  const auto policy = config.slc.mode.make({curve, expansion, state.unused});
  const uint64_t limit = policy->limit_at(state);
  return std::min(unused / expansion, Bytes(limit * kSlotBytes));
}

Bytes map_reach(const DriveConfig& config, Bytes memory) {
  const Bytes reach = Bytes(memory.count() / kSlotBytes * config.map.page_entries * kSlotBytes);
  return std::min(reach, config.capacity);
}

uint32_t map_dirty_limit(const DriveConfig& config) {
  const MapConfig& m = config.map;
  const uint64_t pages = config.map_pages();
  const uint64_t frames =
      std::min(m.sram.count() / kSlotBytes, pages) + std::min(m.hmb.count() / kSlotBytes, pages);
  return std::max(1u, static_cast<uint32_t>(static_cast<double>(frames) * m.dirty_limit));
}

Duration map_miss_time(const DriveConfig& config) {
  return config.nand.timing.read_slot + bus_time(config.nand, 1) + config.firmware.ecc_latency;
}

}  // namespace ftlsim
