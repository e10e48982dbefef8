#include "tools/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "ftl/device.h"
#include "ftl/thermal/network.h"
#include "tools/explain/figures.h"
#include "tools/run/inputs.h"
#include "tools/run/memory.h"
#include "tools/run/run_command.h"

namespace ftlsim {
namespace {

class Page {
 public:
  void group(std::string_view title) {
    fmt::format_to(std::back_inserter(text_), "{}{}\n", text_.empty() ? "" : "\n", title);
  }
  void line(std::string_view name, std::string value, std::string_view unit,
            std::string_view formula) {
    fmt::format_to(std::back_inserter(text_), "  {:<30} {:>12} {:<12} {}\n", name, value, unit,
                   formula);
  }
  void rate(std::string_view name, uint64_t bytes_per_s, std::string_view formula) {
    line(name, fmt::format("{:.1f}", static_cast<double>(bytes_per_s) * 1e-6), "MB/s", formula);
  }
  void iops(std::string_view name, uint64_t per_second, std::string_view formula) {
    line(name, fmt::format("{:.1f}", static_cast<double>(per_second) * 1e-3), "k/s", formula);
  }
  void gigabytes(std::string_view name, uint64_t bytes, std::string_view formula) {
    line(name, fmt::format("{:.3f}", static_cast<double>(bytes) * 1e-9), "GB", formula);
  }
  void count(std::string_view name, uint64_t n, std::string_view unit, std::string_view formula) {
    line(name, fmt::format("{}", n), unit, formula);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_die(Page& page, const NandConfig& nand) {
  page.group("One die");
  page.rate("TLC program", die_program_rate(nand, CellMode::kTlc),
            nand.timing.cache_program ? "word line of all planes / max(tPROG, transfer)"
                                      : "word line of all planes / (tPROG + transfer)");
  page.rate("SLC program", die_program_rate(nand, CellMode::kSlc),
            nand.timing.cache_program ? "page of all planes / max(tPROG SLC, transfer)"
                                      : "page of all planes / (tPROG SLC + transfer)");
  page.rate("sequential read", die_read_rate(nand),
            nand.timing.cache_read ? "page of all planes / max(tR, transfer)"
                                   : "page of all planes / (tR + transfer)");
  page.iops("random read, 4 KiB", die_read_iops(nand),
            nand.timing.independent_plane_reads ? "planes / tR of 4 KiB" : "1 / tR of 4 KiB");
  page.rate("fold", die_fold_rate(nand), "TLC word line / (its pages x tR SLC + tPROG)");
}

void add_buses(Page& page, const DriveConfig& config) {
  const NandConfig& nand = config.nand;
  page.group("One channel, the link, the cores");
  page.rate("channel, raw", uint64_t{nand.bus.transfer_rate} * 1'000'000, "one byte per transfer");
  page.rate("channel, program data", channel_program_rate(nand),
            "TLC word line / (command overhead + bytes / raw rate)");
  page.rate("channel, read data", channel_read_rate(nand),
            "page of all planes / (command overhead + bytes / raw rate)");
  page.iops("channel, 4 KiB reads", channel_read_iops(nand),
            "1 / (command overhead + 4 KiB / raw rate)");
  page.rate("link, payload each way", link_rate(config.link),
            "lanes x GT/s x line code x payload / (payload + overhead)");
  page.iops("cores, 4 KiB commands", firmware_iops(config.firmware, 1),
            "cores / (occupancy per command + per 4 KiB)");
  page.iops("cores, 128 KiB commands", firmware_iops(config.firmware, 32),
            "cores / (occupancy per command + 32 x per 4 KiB)");
}

void add_drive(Page& page, const DriveConfig& config) {
  const uint32_t dies = config.nand.geometry.dies();
  page.group(fmt::format("Whole drive: {} channels x {} dies", config.nand.geometry.channels,
                         config.nand.geometry.dies_per_channel));
  page.rate("TLC program, all dies", die_program_rate(config.nand, CellMode::kTlc) * dies,
            "dies x die rate");
  page.rate("TLC program, power limit", power_limit(config, CellMode::kTlc),
            fmt::format("{} dies at once x word line / tPROG", programming_dies(config)));
  page.rate(
      "SLC program, power limit", power_limit(config, CellMode::kSlc),
      fmt::format("{} dies at once x page of all planes / tPROG SLC", programming_dies(config)));
  page.rate("write to TLC", drive_program_rate(config, CellMode::kTlc),
            "least of dies of a superblock, power limit and channels, less parity; link");
  page.rate("write to SLC", drive_program_rate(config, CellMode::kSlc), "the same");
  page.rate("fold", drive_fold_rate(config),
            "least of dies of a superblock, power limit and half the channels (data cross twice), "
            "less parity");
  page.rate("sequential read", drive_read_rate(config),
            "least of dies of a superblock, channels and link");
  page.iops("random read, 4 KiB", drive_read_iops(config),
            "least of dies, channels, cores and link");
}

void add_parity(Page& page, const DriveConfig& config, const Media& media) {
  if (config.rain.dies == 0) return;
  const ParityPlan parity(config.rain.dies);
  const ParityPlan::Cover cover = parity.cover(media);
  uint64_t all = 0;
  uint64_t data = 0;
  for (uint32_t s = 0; s < media.superblocks(); ++s) {
    all += media.usable_slots(SuperblockId(s), CellMode::kTlc);
    data += parity.data_slots(media, SuperblockId(s), CellMode::kTlc);
  }
  page.gigabytes("parity", (all - data) * kSlotBytes,
                 fmt::format("one of {} dies in each row (rain.dies)", config.rain.dies));
  page.count("pages of data without parity", cover.unprotected, fmt::format("of {}", cover.pages),
             "the parity's place is in a bad block");
}

void add_space(Page& page, const DriveConfig& config, const Media& media, const SpaceBudget& b) {
  const Layout& layout = media.layout();
  const uint64_t size = layout.superblock_slots(CellMode::kTlc);
  const GeometryConfig& g = config.nand.geometry;
  const uint64_t blocks = uint64_t{layout.dies()} * g.planes * g.blocks_per_plane;
  const uint64_t block_bytes = size * kSlotBytes / layout.width() / g.planes;
  const uint64_t usable = b.usable_slots * kSlotBytes;
  page.group("Space");
  page.line("dies of a superblock", fmt::format("{}", layout.width()),
            fmt::format("of {}", layout.dies()),
            "nand.geometry.superblock_dies; a stream writes one superblock at a time");
  page.gigabytes("superblock, TLC", size * kSlotBytes,
                 "its dies x planes x word lines x strings x bits x page");
  page.gigabytes("superblock, SLC", uint64_t{layout.superblock_slots(CellMode::kSlc)} * kSlotBytes,
                 "the same with one bit per cell");
  if (config.rain.dies != 0)
    page.gigabytes("of it data, TLC", uint64_t{b.superblock_slots} * kSlotBytes,
                   "what the figures below count in superblocks");
  page.gigabytes("raw", blocks * block_bytes, "blocks x block size");
  page.line("bad blocks", fmt::format("{} of {}", media.bad_blocks(), blocks), "",
            "drawn once from nand.geometry.factory_bad_blocks and the seed");
  page.gigabytes("usable", usable,
                 config.rain.dies == 0 ? "slots of all superblocks with a good block"
                                       : "slots of all superblocks with a good block, no parity");
  add_parity(page, config, media);
  page.gigabytes("user", config.capacity.count(), "capacity");
  page.line("spare",
            fmt::format("{:.2f}", 100.0 * (static_cast<double>(usable) /
                                               static_cast<double>(config.capacity.count()) -
                                           1.0)),
            "%", "usable / user - 1");

  page.group("Superblocks: what the drive needs and has");
  page.count("user", b.user, "", "user / superblock, rounded up");
  page.count("+ open streams", b.open_streams, "",
             "host TLC, collection; SLC and folding with a cache");
  page.count("+ relocation", b.relocation, "", "free ones that only relocation may take");
  page.count("+ watermark", b.watermark, "", "gc.high_watermark beyond those");
  page.count("+ firmware tables", b.meta, "", "space.meta_superblocks");
  if (b.map != 0) page.count("+ map", b.map, "", "translation pages / superblock, rounded up, + 1");
  if (b.slc != 0)
    page.count("+ guaranteed SLC", b.slc, "",
               "bits per cell x guaranteed slots, open streams, gc.high_watermark - low_watermark");
  page.count("= needed", b.needed(), "", "");
  page.count("usable", b.usable_slots / b.superblock_slots, fmt::format("of {}", b.superblocks),
             "usable / superblock");
  page.gigabytes("not for cache or user data", b.reserved_slots * kSlotBytes,
                 "firmware tables + gc.high_watermark + 1, in superblocks");
}

void add_cache(Page& page, const DriveConfig& config, const SpaceBudget& b) {
  page.group("SLC cache by share of the LBAs that are in TLC");
  if (!config.slc.enabled()) {
    page.line("none", "0", "GB", "slc.mode: none");
    return;
  }
  const uint64_t size = b.superblock_slots;
  for (const uint32_t percent : {0u, 25u, 50u, 75u, 100u}) {
    const uint64_t mapped = uint64_t{config.user_slots()} * percent / 100;
    const uint64_t held = (mapped + size - 1) / size * size + b.reserved_slots;
    const uint64_t unused = b.usable_slots > held ? b.usable_slots - held : 0;
    page.gigabytes(fmt::format("limit at {:>3} %", percent),
                   slc_limit(config, Bytes(unused * kSlotBytes)).count(),
                   fmt::format("slc.limit at {:.1f} GB without TLC data, at most a third of it",
                               static_cast<double>(unused * kSlotBytes) * 1e-9));
  }
}

void add_power(Page& page, const DriveConfig& config) {
  if (config.power.model == PowerModel::kNone) return;
  const int64_t standby = config.nand.energy.standby * config.nand.geometry.dies();
  const auto watts = [](int64_t uw) {
    return fmt::format("{:.3f}", static_cast<double>(uw) * 1e-6);
  };
  page.group("Power and heat");
  page.line("quiet", watts(config.power.idle + standby), "W",
            "power.idle + dies x nand.energy.standby");
  page.line("working, operations apart", watts(config.power.active + standby), "W",
            "power.active + dies x nand.energy.standby");
  for (size_t i = 0; i < config.power.states.size(); ++i) {
    const PowerStateConfig& s = config.power.states[i];
    if (s.idle == Duration()) continue;
    page.line(fmt::format("PS{}", i), watts(s.power), "W",
              fmt::format("{} ms after the last work; {} us to wake",
                          (s.idle + s.entry).to_ns() / 1'000'000, s.exit.to_ns() / 1'000));
  }
  const ThermalConfig& t = config.thermal;
  if (t.model == HeatModel::kNone) return;
  const ThermalNetwork network(t);
  const int64_t ms = t.period / Duration::ms(1);
  const auto celsius = [&](std::string_view name, int64_t controller_uw, int64_t nand_uw,
                           std::string_view formula) {
    const Heat heat{controller_uw * ms, nand_uw * ms};  // 1 uW for 1 ms is 1 nJ
    const NodeTemperatures end = network.steady(heat, t.ambient * kNanoPerMilli);
    page.line(name,
              fmt::format("{:.1f} / {:.1f}", static_cast<double>(end.controller) * 1e-9,
                          static_cast<double>(end.nand) * 1e-9),
              "C", formula);
  };
  celsius("quiet, in the end", config.power.idle, standby, "controller / NAND at thermal.ambient");
  celsius("4 W in the end", 3'000'000, 1'000'000, "with 3 W in the controller, 1 W in the NAND");
}

void add_map(Page& page, const DriveConfig& config) {
  page.group("Map");
  const MapConfig& m = config.map;
  if (!m.paged()) {
    page.line("whole in DRAM", "", "", "map.cache: none");
    return;
  }
  const uint64_t pages = config.map_pages();
  page.gigabytes("map on flash", pages * kSlotBytes, "4 KiB per map.page_entries units");
  page.count("translation pages", pages, "", "capacity / 4 KiB / map.page_entries, rounded up");
  page.line("a page covers", fmt::format("{:.3f}", static_cast<double>(m.page_entries) * 4096e-6),
            "MB", "map.page_entries x 4 KiB");
  page.gigabytes("reach of SRAM", map_reach(config, m.sram).count(), "map.sram / 4 KiB pages");
  page.gigabytes("reach of SRAM and HMB", map_reach(config, m.sram + m.hmb).count(),
                 "(map.sram + map.hmb) / 4 KiB pages, of the LBA space");
  page.count("pages changed at most", map_dirty_limit(config), "", "map.dirty_limit of the frames");
  page.count("entries in the log", m.log.count() / 8, "", "map.log / 8 B");
  page.line("a miss adds",
            fmt::format("{:.1f}", static_cast<double>(map_miss_time(config).to_ns()) * 1e-3), "us",
            "tR of 4 KiB + transfer + decoding");
}

void add_memory(Page& page, const DriveConfig& config, const Media& media) {
  const MemoryEstimate e = estimate_memory(config, media);
  page.group("Memory of the simulator, at most");
  page.gigabytes("map", e.map, "4 B per 4 KiB of capacity");
  page.gigabytes("spare area", e.spare, "4 B per 4 KiB of the medium");
  page.gigabytes("all", e.total(), "with program units, tables, buffers and the program itself");
}

}  // namespace

std::string explain(const DriveConfig& config, const Media& media) {
  const SpaceBudget budget = space_budget(config, media);
  Page page;
  page.group(fmt::format("{}: {}, {}", config.name, config.nand.name,
                         fmt::format("PCIe {} x{}", config.link.generation, config.link.lanes)));
  add_die(page, config.nand);
  add_buses(page, config);
  add_drive(page, config);
  add_space(page, config, media, budget);
  add_cache(page, config, budget);
  add_power(page, config);
  add_map(page, config);
  add_memory(page, config, media);
  return page.take();
}

int explain_command(const std::string& drive, const std::vector<std::string>& overrides,
                    uint64_t seed) {
  Diagnostics diagnostics;
  const DriveInput input = load_drive(drive, overrides, config_dir(), diagnostics);
  if (input.valid) {
    const Media media = build_media(input, seed);
    check_reserves(input, media, diagnostics);
    fmt::print("{}", explain(input.config, media));
    fmt::print("\nCalibrated keys and the measurements behind them\n");
    for (const std::string& key : calibrated_keys(input.path)) fmt::print("  {}\n", key);
  }
  fmt::print(stderr, "{}", diagnostics.to_string());
  return diagnostics.has_errors() ? kExitInput : kExitOk;
}

}  // namespace ftlsim
