#include "ftl/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "ftl/write/stream_plan.h"
#include "sim/rng.h"

namespace ftlsim {

SpaceBudget space_budget(const DriveConfig& config, const Media& media) {
  const Layout& layout = media.layout();
  const ParityPlan parity(config.rain.dies);
  const uint32_t size = parity.full_slots(layout, CellMode::kTlc);
  SpaceBudget b;
  b.superblock_slots = size;
  b.superblocks = media.superblocks();
  for (uint32_t s = 0; s < b.superblocks; ++s)
    b.usable_slots += parity.data_slots(media, SuperblockId(s), CellMode::kTlc);
  b.user = (config.user_slots() + size - 1) / size;
  const StreamPlan streams = stream_plan(config);
  b.open_streams = streams.open();
  b.relocation = streams.relocation_reserve();
  b.watermark = config.gc.high_watermark - std::min(config.gc.high_watermark, b.relocation);
  b.meta = config.space.meta_superblocks;
  if (streams.map) b.map = (config.map_pages() + size - 1) / size + 1;
  b.slc = guaranteed_superblocks(config, layout);
  // Firmware tables, the free superblocks that reclaim keeps, and the open TLC streams.
  b.reserved_slots =
      uint64_t{b.meta + b.map + config.gc.high_watermark + streams.open_tlc()} * size;
  return b;
}

namespace {

// Which keys ask for more streams than one for each kind of data; empty if none does.
std::string more_streams(const DriveConfig& config, const Origins& origins) {
  const StreamPlan streams = stream_plan(config);
  std::string text;
  const auto add = [&](bool asked, const char* key) {
    if (asked)
      text += fmt::format("{} {} ({})", text.empty() ? "; streams are asked for by" : ",", key,
                          origins.place_of(key));
  };
  add(streams.host > 1, "write.heat");
  add(streams.at_once > 1, "write.open_superblocks");
  add(streams.collect > 1, "gc.streams");
  add(streams.wear, "wear.static");
  add(streams.map, "map.cache");
  return text;
}

}  // namespace

void check_drive(const DriveConfig& config, const Media& media, const Origins& origins,
                 Diagnostics& diagnostics) {
  const SpaceBudget b = space_budget(config, media);
  const uint64_t size = b.superblock_slots;
  const uint64_t have = b.usable_slots / size;
  if (b.needed() <= have) return;
  diagnostics.error(
      origins.origin_of("nand.geometry.blocks_per_plane"),
      fmt::format(
          "the spare is smaller than the reserves: {} superblocks of {} slots are usable, "
          "but {} are needed = {} user (capacity, {}) + {} open streams + {} relocation + "
          "{} watermark (gc.high_watermark, {}) + {} meta (space.meta_superblocks, {}) + {} map{}; "
          "raise nand.geometry.blocks_per_plane or lower capacity or the reserves{}{}",
          have, size, b.needed(), b.user, origins.place_of("capacity"), b.open_streams,
          b.relocation, b.watermark, origins.place_of("gc.high_watermark"), b.meta,
          origins.place_of("space.meta_superblocks"), b.map,
          b.slc == 0 ? std::string()
                     : fmt::format(" + {} kept for SLC (slc.mode = {}, {}; its size: slc.{}.{})",
                                   b.slc, config.slc.mode.name(), origins.place_of("slc.mode"),
                                   config.slc.mode.name(),
                                   config.slc.mode.is("hybrid") ? "static" : "size"),
          more_streams(config, origins),
          config.rain.dies == 0 ? std::string()
                                : fmt::format("; parity takes one of {} dies (rain.dies, {})",
                                              config.rain.dies, origins.place_of("rain.dies"))));
}

Device::Device(Simulator& sim, const DriveConfig& config, std::string name, bool keep_content)
    : name_(std::move(name)), media_(config.nand.geometry, sim.seed() ^ hash_name(name_)) {
  if (keep_content) media_.enable_content();
  if (config.nand.reliability.on()) {
    reliability_ =
        std::make_unique<Reliability>(config.nand, media_, sim.seed() ^ hash_name(name_));
    media_.attach(*reliability_);
  }
  firmware_ =
      std::make_unique<Firmware>(sim, config, media_, space_budget(config, media_).reserved_slots);
}

namespace {

constexpr std::string_view kCauseSentences[kCauses] = {
    "slots programmed with host data",
    "slots programmed by folding SLC data to TLC",
    "slots programmed by garbage collection",
    "slots programmed by wear levelling",
    "slots programmed by refresh",
    "slots programmed with firmware tables",
    "slots programmed with padding",
    "slots programmed with parity",
};
constexpr const char* kModeNames[2] = {"slc", "tlc"};

struct NamedCounter {
  const char* name;
  const char* unit;
  const char* doc;
  uint64_t FtlStats::*field;
};

constexpr NamedCounter kCounters[] = {
    {"host.write", "slots", "accepted from the host", &FtlStats::host_write_slots},
    {"host.read", "slots", "asked for by the host", &FtlStats::host_read_slots},
    {"host.trimmed", "slots", "unmapped by deallocate", &FtlStats::trimmed_slots},
    {"host.trim_partial", "slots", "partly covered by a deallocate and kept",
     &FtlStats::trim_partial_slots},
    {"host.flushes", "commands", "flush commands", &FtlStats::flushes},
    {"host.throttled", "commands", "writes that waited for reclaim", &FtlStats::throttled_commands},
    {"buffer.coalesced", "slots", "overwritten in the write buffer", &FtlStats::coalesced_slots},
    {"buffer.superseded", "slots", "programmed, but overwritten or trimmed meanwhile",
     &FtlStats::superseded_slots},
    {"buffer.read_hits", "slots", "read from the write buffer", &FtlStats::buffer_read_slots},
    {"buffer.read_modify", "slots", "read because a write covered them partly",
     &FtlStats::read_modify_slots},
    {"read.unmapped", "slots", "read although never written: no flash time",
     &FtlStats::unmapped_read_slots},
    {"read.flash", "slots", "read from flash for the host", &FtlStats::flash_read_slots},
    {"read.senses", "operations", "flash reads for the host", &FtlStats::flash_read_ops},
    {"read.ahead", "slots", "read from flash ahead of the host", &FtlStats::read_ahead_slots},
    {"read.ahead_hits", "slots", "answered by read-ahead", &FtlStats::read_ahead_hit_slots},
    {"relocation.senses", "operations", "flash reads for folding and collection",
     &FtlStats::relocation_reads},
    {"relocation.dead", "slots", "read for relocation, then overwritten or trimmed",
     &FtlStats::moved_dead_slots},
    {"relocation.victims_slc", "superblocks", "emptied by folding", &FtlStats::victims_slc},
    {"relocation.victims_tlc", "superblocks", "emptied by collection", &FtlStats::victims_tlc},
    {"space.dead", "superblocks", "released without moving anything", &FtlStats::dead_superblocks},
    {"slc.exhaustions", "events", "the SLC cache was full", &FtlStats::slc_exhaustions},
};

constexpr NamedCounter kMapCounters[] = {
    {"map.lookups", "pages", "translation pages that host commands asked for",
     &FtlStats::map_lookups},
    {"map.hits_sram", "pages", "answered by a page in SRAM", &FtlStats::map_hits_sram},
    {"map.hits_hmb", "pages", "answered by a page in the host memory buffer",
     &FtlStats::map_hits_hmb},
    {"map.hits_log", "pages", "answered by the update log", &FtlStats::map_hits_log},
    {"map.hits_unit", "pages", "answered by a page on its way to flash", &FtlStats::map_hits_unit},
    {"map.hits_empty", "pages", "answered by the directory: nothing of the page is mapped",
     &FtlStats::map_hits_empty},
    {"map.misses", "pages", "waited for a flash read", &FtlStats::map_misses},
    {"map.moved_lookups", "pages", "translation pages that relocation asked for",
     &FtlStats::map_moved_lookups},
    {"map.moved_misses", "pages", "of which waited for a flash read", &FtlStats::map_moved_misses},
    {"map.reads", "operations", "flash reads of translation pages", &FtlStats::map_reads},
    {"map.merges", "operations", "of which to bring a page up to date", &FtlStats::map_merges},
    {"map.evictions", "pages", "lost their frame", &FtlStats::map_evictions},
    {"map.waits", "commands", "writes that waited for room in the update log",
     &FtlStats::map_waits},
    {"map.superseded", "pages", "programmed, but written again meanwhile",
     &FtlStats::map_superseded},
};

// Of drives with parity and a model of errors.
constexpr NamedCounter kRebuildCounters[] = {
    {"rain.rebuilt", "pages", "lost, and rebuilt from the other dies of their parity group",
     &FtlStats::rebuilt_pages},
    {"rain.reads", "operations", "flash reads for that", &FtlStats::rebuild_reads},
    {"rain.failed", "pages", "could not be rebuilt", &FtlStats::rebuild_failures},
};

// Of drives that refresh or patrol.
constexpr NamedCounter kRefreshCounters[] = {
    {"refresh.old", "superblocks", "written anew for their age or error rate",
     &FtlStats::refreshed_old},
    {"refresh.read", "superblocks", "written anew for the reads of a block",
     &FtlStats::refreshed_read},
    {"refresh.patrol", "superblocks", "written anew because a patrol read needed many retries",
     &FtlStats::refreshed_patrol},
    {"patrol.reads", "operations", "flash reads of patrols", &FtlStats::patrol_reads},
    {"patrol.retried", "operations", "of them with retries", &FtlStats::patrol_retried},
};

}  // namespace

void Device::register_stats(StatRegistry& registry) const {
  const FtlStats& s = firmware_->stats();
  const MediaCounters& m = media_.counters();
  const std::string prefix = name_ + ".";
  for (const NamedCounter& c : kCounters)
    registry.counter(prefix + c.name, c.unit, c.doc, &(s.*c.field));
  if (firmware_->config().map.paged()) {
    std::vector<std::string> answers;
    for (const NamedCounter& c : kMapCounters)
      registry.counter(prefix + c.name, c.unit, c.doc, &(s.*c.field));
    for (const char* name : {"sram", "hmb", "log", "unit", "empty"})
      answers.push_back(fmt::format("{}map.hits_{}", prefix, name));
    answers.push_back(prefix + "map.misses");
    registry.law(prefix + "map look-ups", {prefix + "map.lookups"}, answers);
  }
  for (size_t mode = 0; mode < 2; ++mode) {
    std::vector<std::string> causes;
    for (size_t c = 0; c < kCauses; ++c) {
      causes.push_back(fmt::format("{}programmed.{}.{}", prefix, kCauseNames[c], kModeNames[mode]));
      registry.counter(causes.back(), "slots", kCauseSentences[c], &s.programmed[c][mode]);
    }
    const std::string total = fmt::format("{}media.programmed.{}", prefix, kModeNames[mode]);
    registry.counter(total, "slots", "slots programmed on the medium", &m.slots_programmed[mode]);
    registry.counter(fmt::format("{}media.units.{}", prefix, kModeNames[mode]), "operations",
                     "program operations", &m.units_programmed[mode]);
    registry.counter(fmt::format("{}media.erases.{}", prefix, kModeNames[mode]), "operations",
                     "erases of die blocks used in this mode", &m.erases[mode]);
    registry.law(fmt::format("{}programmed slots, {}", prefix, kModeNames[mode]), {total}, causes);
  }
  if (firmware_->thermal() != nullptr) firmware_->thermal()->register_stats(registry, prefix);
  if (reliability_) register_reliability(registry, prefix);
  const DriveConfig& config = firmware_->config();
  if (config.refresh.on() || config.patrol.on())
    for (const NamedCounter& c : kRefreshCounters)
      registry.counter(prefix + c.name, c.unit, c.doc, &(s.*c.field));
}

void Device::register_reliability(StatRegistry& registry, const std::string& prefix) const {
  const ReliabilityStats& r = reliability_->stats();
  const FtlStats& s = firmware_->stats();
  const auto add = [&](const char* name, const char* unit, const char* doc, const uint64_t* field) {
    registry.counter(prefix + name, unit, doc, field);
    return prefix + name;
  };
  const std::string reads =
      add("reliability.reads", "operations", "flash reads that have ended", &r.reads);
  registry.law(
      prefix + "reads by outcome", {reads},
      {add("reliability.first_ok", "operations", "decoded at the first sense", &r.first_ok),
       add("reliability.retried", "operations", "decoded after hard retries", &r.retried),
       add("reliability.soft", "operations", "decoded by soft decoding", &r.soft),
       add("reliability.uncorrectable", "operations", "given up", &r.uncorrectable)});
  add("reliability.senses.first", "operations", "first senses of reads", &r.first_senses);
  add("reliability.senses.table", "operations", "retries with an entry of the table",
      &r.table_senses);
  add("reliability.senses.search", "operations", "retries with levels found for the read",
      &r.search_senses);
  add("reliability.senses.soft", "operations", "retries with soft decoding", &r.soft_senses);
  add("reliability.pages_lost", "pages", "read and never decoded", &r.pages_lost);
  add("host.unrecovered", "commands", "ended with Unrecovered Read Error", &s.unrecovered_commands);
  add("relocation.lost", "slots", "could not be read when they were moved",
      &s.relocation_lost_slots);
  if (firmware_->config().slc.fold.path == FoldPath::kOnChip)
    add("relocation.unchecked", "slots",
        "copied within the die: not corrected, and never lost here", &s.copied_on_chip_slots);
  if (firmware_->config().map.paged())
    add("map.lost", "pages", "translation pages that could not be read", &s.map_lost_pages);
  if (firmware_->superblocks().parity().on())
    for (const NamedCounter& c : kRebuildCounters)
      registry.counter(prefix + c.name, c.unit, c.doc, &(s.*c.field));
}

}  // namespace ftlsim
