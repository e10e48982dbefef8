#include "ftl/config.h"

#include "ftl/write/open_superblocks.h"
#include "ftl/write/stream_plan.h"

namespace ftlsim {
namespace {

constexpr uint64_t kMaxRate = 100'000'000'000;

constexpr Choice<Arbitration> kArbitrations[] = {
    {"round_robin", Arbitration::kRoundRobin, "one command from each queue in turn"},
    {"weighted", Arbitration::kWeighted, "high-priority queues send several in a row"},
};
constexpr Choice<Destination> kDestinations[] = {
    {"slc", Destination::kSlc, "host data go to SLC"},
    {"tlc", Destination::kTlc, "host data go to TLC"},
};
constexpr Choice<StreamSplit> kStreamSplits[] = {
    {"shared", StreamSplit::kShared, "one stream for all"},
    {"by_heat", StreamSplit::kByHeat, "a stream for each class of write.heat"},
};
constexpr Choice<FoldPath> kFoldPaths[] = {
    {"controller", FoldPath::kController, "over the bus, through ECC, to any die"},
    {"on_chip", FoldPath::kOnChip,
     "whole chunks stay on their die: no bus, no ECC; the rest goes through the controller"},
};
constexpr Choice<RelocationOrder> kOrders[] = {
    {"completion", RelocationOrder::kCompletion, "as the reads complete, to the die free first"},
    {"die_local", RelocationOrder::kDieLocal, "to the die that the data come from"},
    {"stripe", RelocationOrder::kStripe, "in the order of the source: stripes stay together"},
};

}  // namespace

void LinkConfig::visit(FieldVisitor& v) {
  v.field({"generation", "PCI Express generation", true}, generation, 1, 6);
  v.field({"lanes", "lanes of the link", true}, lanes, 1, 16);
  v.field({"max_payload", "largest payload of a packet (MPS)"}, max_payload, Bytes(64),
          Bytes(4096));
  v.field({"packet_overhead", "bytes of framing, header and CRC per packet"}, packet_overhead, 0,
          64);
  v.field({"latency", "one way, for a doorbell or a completion"}, latency, Duration::ns(0),
          Duration::us(100));
}

uint64_t LinkConfig::ps_per_slot() const {
  // GT/s per lane and line code: PCI Express base specification (8b/10b up to generation 2,
  // 128b/130b up to 5, FLIT mode with about 242/256 from 6).
  static constexpr uint64_t kMegaTransfers[] = {2500, 5000, 8000, 16000, 32000, 64000};
  static constexpr uint64_t kCodeNum[] = {10, 10, 130, 130, 130, 256};
  static constexpr uint64_t kCodeDen[] = {8, 8, 128, 128, 128, 242};
  const size_t g = generation - 1;
  const uint64_t packets = (kSlotBytes + max_payload.count() - 1) / max_payload.count();
  const uint64_t bits = (kSlotBytes + packets * packet_overhead) * 8;
  return bits * 1'000'000 * kCodeNum[g] / kCodeDen[g] / kMegaTransfers[g] / lanes;
}

void QueueConfig::visit(FieldVisitor& v) {
  v.field({"count", "submission queues"}, count, 1, 128);
  v.field({"depth", "entries of a submission queue"}, depth, 1, 65535);
  v.field({"mdts", "largest data transfer of one command"}, mdts, Bytes::kib(4), Bytes::mib(4));
  v.choice({"arbitration", "which queue is served next"}, arbitration, kArbitrations);
  v.field({"high_priority_queues", "weighted: the first n queues"}, high_priority_queues, 0, 128);
  v.field({"high_priority_weight", "weighted: commands in a row from one of them"},
          high_priority_weight, 1, 256);
}

void CoreConfig::visit(FieldVisitor& v) {
  const Duration zero;
  const Duration hi = Duration::ms(10);
  v.field({"cores", "firmware cores that process commands"}, cores, 1, 64);
  v.field({"command_occupancy", "time a core is taken by a command"}, command_occupancy, zero, hi);
  v.field({"slot_occupancy", "and by each 4 KiB of it"}, slot_occupancy, zero, hi);
  v.field({"read_latency", "pipelined time of a read, not occupying a core"}, read_latency, zero,
          hi);
  v.field({"write_latency", "pipelined time of a write, not occupying a core"}, write_latency, zero,
          hi);
  v.field({"ecc_latency", "pipelined decoding of a flash read"}, ecc_latency, zero, hi);
}

void BufferConfig::visit(FieldVisitor& v) {
  v.field({"size", "host data that are not yet on the medium"}, size, Bytes::kib(64),
          Bytes::gib(4));
  v.field({"relocation_size", "data being folded or collected"}, relocation_size, Bytes::kib(64),
          Bytes::gib(4));
  v.field({"idle_flush", "time without host writes after which partial word lines are padded"},
          idle_flush, Duration::us(10), Duration::s(3600));
}

void FoldConfig::visit(FieldVisitor& v) {
  v.field({"idle_delay", "time without host commands before idle work starts"}, idle_delay,
          Duration::us(10), Duration::s(3600));
  v.rate({"idle_rate", "limit while idle, 0: none"}, idle_rate, 0, kMaxRate);
  v.rate({"foreground_rate", "limit while reclaim is forced, 0: none"}, foreground_rate, 0,
         kMaxRate);
  v.rate({"background_rate", "limit while the host writes to TLC, 0: none"}, background_rate, 0,
         kMaxRate);
  v.policy({"victim", "which SLC superblock is folded next"}, victim);
  v.policy({"trigger", "when SLC data are folded of the drive's own accord"}, trigger);
  v.choice({"path", "the way of the data"}, path, kFoldPaths);
  v.field({"paced", "fold while writing TLC so that free superblocks last to the last LBA"}, paced);
}

void SlcConfig::visit(FieldVisitor& v) {
  v.policy({"mode", "size of the SLC cache"}, mode);
  v.policy({"route", "which host writes go to the cache"}, route);
  v.policy({"keep", "what folding leaves in the cache for reads"}, keep);
  v.list({"limit", "SLC capacity by free space, piecewise linear"}, limit, 0, 32);
  v.policy({"at_exhaustion", "what happens to host data when the cache is full"}, at_exhaustion);
  v.ratio({"resume", "back to SLC when this share of the limit, or less, is used"}, resume, 0.0,
          1.0);
  v.choice({"forced_destination", "of host data while reclaim is forced"}, forced_destination,
           kDestinations);
  v.policy({"release", "when superblocks come back whose data were trimmed or overwritten"},
           release);
  v.section({"fold", "moving data from SLC to TLC"}, fold);
}

void WriteConfig::visit(FieldVisitor& v) {
  v.policy({"heat", "how host data are told apart, by how often they are written"}, heat);
  v.choice({"streams", "which host data share a TLC stream"}, streams, kStreamSplits);
  v.field({"open_superblocks",
           "superblocks that each stream of host data, folding and collection fills in turn"},
          open_superblocks, 1, kMostOpenSuperblocks);
}

void GcConfig::visit(FieldVisitor& v) {
  v.policy({"victim", "which superblock is collected next"}, victim);
  v.field({"low_watermark", "free superblocks at which reclaim is forced"}, low_watermark, 3,
          10000);
  v.field({"high_watermark", "free superblocks at which forced reclaim ends"}, high_watermark, 4,
          10000);
  v.rate({"rate", "limit of forced garbage collection, 0: none"}, rate, 0, kMaxRate);
  v.ratio({"idle_target", "share of superblocks to have free after idle time"}, idle_target, 0.0,
          0.5);
  v.rate({"idle_rate", "limit of idle garbage collection, 0: none"}, idle_rate, 0, kMaxRate);
  v.ratio({"idle_duty", "share of idle time that relocation may use"}, idle_duty, 0.01, 1.0);
  v.choice({"streams", "which collected data share a stream"}, streams, kStreamSplits);
  v.choice({"order", "where relocated data go"}, order, kOrders);
}

void WearConfig::visit(FieldVisitor& v) {
  v.field({"dynamic", "open the least worn free superblock instead of that released first"},
          dynamic);
  v.field({"static", "move cold data off superblocks that lag in erase cycles"}, level);
  v.field({"gap", "static: erase cycles that cold data may lag behind free superblocks"}, gap, 1,
          100'000);
  v.rate({"rate", "static: limit of reading, 0: none"}, rate, 0, kMaxRate);
  v.ratio({"slc_weight", "wear of a cycle in SLC mode, in cycles of TLC mode"}, slc_weight, 0.0,
          1.0);
}

void SchedConfig::visit(FieldVisitor& v) {
  v.policy({"policy", "which class of work a die serves first"}, policy);
  v.field({"overtake", "reads on free planes overtake those whose planes are busy"}, overtake);
  v.field({"starvation_bound", "a program that waited longer goes before reads"}, starvation_bound,
          Duration::us(10), Duration::s(10));
  v.field({"power_credits", "dies that may program or erase at once, 0: all"}, power_credits, 0,
          4096);
}

void ReadAheadConfig::visit(FieldVisitor& v) {
  v.field({"streams", "sequential streams that are followed, 0: no read-ahead"}, streams, 0, 64);
  v.field({"trigger", "sequential commands before it starts"}, trigger, 1, 100);
  v.field({"window", "how far it reads ahead of a stream"}, window, Bytes::kib(64), Bytes::mib(64));
}

void MapConfig::visit(FieldVisitor& v) {
  v.policy({"cache", "which translation page of the map gives up its frame"}, cache);
  v.field({"sram", "memory for translation pages in the controller"}, sram, Bytes::kib(16),
          Bytes::gib(1));
  v.field({"hmb", "memory for translation pages in the host memory buffer, 0: none"}, hmb, Bytes(0),
          Bytes::gib(4));
  v.field({"hmb_latency", "of a read of host memory over the link, without the transfer"},
          hmb_latency, Duration::ns(0), Duration::us(100));
  v.field({"log", "memory for map entries newer than their page on flash, 8 B each"}, log,
          Bytes::kib(1), Bytes::gib(1));
  v.field({"page_entries", "map entries of a translation page of 4 KiB, a power of two"},
          page_entries, 16, 1024);
  v.ratio({"dirty_limit", "share of the frames whose pages may be changed and not written"},
          dirty_limit, 0.01, 0.75);
}

void SpaceConfig::visit(FieldVisitor& v) {
  v.field({"meta_superblocks", "superblocks kept for firmware tables"}, meta_superblocks, 0, 1000);
}

void RainConfig::visit(FieldVisitor& v) {
  v.field({"dies", "of so many dies of a superblock one holds parity in each row, 0: none"}, dies,
          0, 4096);
}

void DriveConfig::visit(FieldVisitor& v) {
  v.field({"name", "name of the drive", true}, name);
  v.field({"capacity", "bytes that the host can address", true}, capacity, Bytes::kib(64),
          Bytes::tb(16));
  v.field({"lba_size", "logical block: 512 B or 4096 B"}, lba_size, Bytes(512), Bytes(4096));
  v.section({"nand", "the medium"}, nand);
  v.section({"link", "PCI Express link"}, link);
  v.section({"queues", "NVMe queues"}, queues);
  v.section({"firmware", "cores and latencies of the controller"}, firmware);
  v.section({"buffer", "write buffer and relocation buffer"}, buffer);
  v.section({"space", "reserved superblocks"}, space);
  v.section({"rain", "parity over dies, from which lost pages are rebuilt"}, rain);
  v.section({"slc", "SLC cache"}, slc);
  v.section({"write", "streams of host data"}, write);
  v.section({"gc", "garbage collection"}, gc);
  v.section({"wear", "wear levelling"}, wear);
  v.section({"sched", "scheduling of dies"}, sched);
  v.section({"read_ahead", "sequential prefetch"}, read_ahead);
  v.section({"power", "energy of the controller and NVMe power states"}, power);
  v.section({"thermal", "temperatures and throttling"}, thermal);
  v.section({"map", "where the map is, for drives without DRAM"}, map);
  v.section({"refresh", "writing old data anew"}, refresh);
  v.section({"patrol", "reading data now and then to look after them"}, patrol);
}

namespace {

void check(bool ok, const Origins& origins, Diagnostics& d, std::string_view key,
           std::string message) {
  if (!ok) d.error(origins.origin_of(key), std::string(key) + ": " + std::move(message));
}

std::string place(const Origins& origins, std::string_view key) {
  return fmt::format("{} ({})", key, origins.place_of(key));
}

void check_limit_points(const DriveConfig& c, const Origins& o, Diagnostics& d) {
  if (!c.slc.enabled()) return;
  for (size_t i = 0; i < c.slc.limit.size(); ++i) {
    const std::string key = fmt::format("slc.limit[{}].free", i);
    const LimitPoint& p = c.slc.limit[i];
    check(p.limit.count() * 3 <= p.free.count() || p.limit.count() == 0, o, d, key,
          fmt::format("SLC data take three times their size: {} B of SLC do not fit {} B of free "
                      "TLC capacity; lower slc.limit[{}].limit",
                      p.limit.count(), p.free.count(), i));
    if (i > 0)
      check(c.slc.limit[i - 1].free < p.free, o, d, key, "points must be in rising order of free");
  }
}

void check_map(const DriveConfig& c, const Origins& o, Diagnostics& d) {
  if (!c.map.paged()) return;
  check((c.map.page_entries & (c.map.page_entries - 1)) == 0, o, d, "map.page_entries",
        fmt::format("{} is not a power of two", c.map.page_entries));
}

// How wide superblocks are, what of them is parity, and who cannot live with that.
void check_width(const DriveConfig& c, const Origins& o, Diagnostics& d) {
  const GeometryConfig& g = c.nand.geometry;
  const bool narrow = g.superblock_dies != 0 && g.superblock_dies != g.dies();
  check(g.dies() % g.superblock_width() == 0, o, d, "nand.geometry.superblock_dies",
        fmt::format("{} does not divide the {} dies of the drive ({} x {}); 0 spans all of them",
                    g.superblock_dies, g.dies(), place(o, "nand.geometry.channels"),
                    place(o, "nand.geometry.dies_per_channel")));
  check(c.write.open_superblocks * g.superblock_width() <= g.dies(), o, d, "write.open_superblocks",
        fmt::format("{} superblocks of {} dies exceed the {} dies of the drive; lower it or {}",
                    c.write.open_superblocks, g.superblock_width(), g.dies(),
                    place(o, "nand.geometry.superblock_dies")));
  const bool on_chip = c.slc.enabled() && c.slc.fold.path == FoldPath::kOnChip;
  check(!narrow || !on_chip, o, d, "slc.fold.path",
        fmt::format("on_chip leaves data on their die, but with {} = {} the superblock that they "
                    "are folded into is often on others; choose controller or 0",
                    place(o, "nand.geometry.superblock_dies"), g.superblock_dies));
  if (c.rain.dies == 0) return;
  check(c.rain.dies > 1 && g.superblock_width() % c.rain.dies == 0, o, d, "rain.dies",
        fmt::format("{} must be at least 2 and divide the {} dies of a superblock ({})",
                    c.rain.dies, g.superblock_width(), place(o, "nand.geometry.superblock_dies")));
  check(!on_chip, o, d, "slc.fold.path",
        fmt::format("on_chip keeps data from the controller, which computes the parity that {} = "
                    "{} asks for; choose controller",
                    place(o, "rain.dies"), c.rain.dies));
}

}  // namespace

Bytes raw_capacity(const DriveConfig& drive) {
  const GeometryConfig& g = drive.nand.geometry;
  return g.page_size * (uint64_t{g.planes} * g.bits_per_cell) * (uint64_t{g.dies()} * g.rows()) *
         g.blocks_per_plane;
}

Bytes largest_cache(const DriveConfig& drive) {
  const uint64_t slots = raw_capacity(drive).count() / kSlotBytes;
  const LimitCurve curve(drive.slc.limit);
  SlcState empty;
  empty.unused = slots;
  const uint32_t bits = drive.nand.geometry.bits_per_cell;
  return Bytes(drive.slc.mode.make({curve, bits, slots})->limit_at(empty) * kSlotBytes);
}

void validate(const DriveConfig& c, const Origins& o, Diagnostics& d) {
  check(c.lba_size.count() == 512 || c.lba_size.count() == 4096, o, d, "lba_size",
        fmt::format("{} B is neither 512 B nor 4096 B", c.lba_size.count()));
  check(c.capacity.count() % kSlotBytes == 0, o, d, "capacity",
        fmt::format("{} B is not a multiple of 4096 B", c.capacity.count()));
  check(c.queues.mdts.count() % kSlotBytes == 0, o, d, "queues.mdts",
        "must be a multiple of 4096 B");
  check(c.nand.geometry.page_size.count() % kSlotBytes == 0, o, d, "nand.geometry.page_size",
        "must be a multiple of 4096 B");
  check(c.gc.low_watermark < c.gc.high_watermark, o, d, "gc.low_watermark",
        fmt::format("{} must be below {} = {}", c.gc.low_watermark, place(o, "gc.high_watermark"),
                    c.gc.high_watermark));
  check(c.queues.mdts + Bytes(kSlotBytes) <= c.buffer.size, o, d, "buffer.size",
        fmt::format("smaller than one unaligned command of {} = {} B", place(o, "queues.mdts"),
                    c.queues.mdts.count()));
  const GeometryConfig& g = c.nand.geometry;
  const uint64_t chunk = uint64_t{g.planes} * g.slots_per_page();
  check(chunk * g.bits_per_cell <= 128 && chunk <= 64, o, d, "nand.geometry.planes",
        fmt::format("a program unit of {} x 4 KiB exceeds the 128 that one operation can carry",
                    chunk * g.bits_per_cell));
  check_width(c, o, d);
  const StreamPlan streams = stream_plan(c);
  check(c.gc.streams == StreamSplit::kShared || streams.classes > 1, o, d, "gc.streams",
        fmt::format("by_heat needs classes, but {} is {}; choose two_level or multi_level",
                    place(o, "write.heat"), c.write.heat.name()));
  check(c.gc.low_watermark >= streams.relocation_reserve(), o, d, "gc.low_watermark",
        fmt::format("{} is below the {} free superblocks that the streams of relocation keep from "
                    "the host ({}, {}, {}, {}): reclaim would never be forced",
                    c.gc.low_watermark, streams.relocation_reserve(), place(o, "gc.streams"),
                    place(o, "write.open_superblocks"), place(o, "wear.static"),
                    place(o, "map.cache")));
  const uint64_t stripe = chunk * g.bits_per_cell * g.superblock_width() * kSlotBytes;
  const uint32_t filled = streams.at_once * streams.host;
  check(c.buffer.size.count() >= filled * stripe, o, d, "buffer.size",
        fmt::format("{} B is less than one stripe of {} B (nand.geometry: channels x dies x planes "
                    "x page_size x bits_per_cell) for each of {} TLC streams ({}, {})",
                    c.buffer.size.count(), stripe, filled, place(o, "write.heat"),
                    place(o, "write.open_superblocks")));
  const uint32_t moves = streams.relocation();
  check(c.buffer.relocation_size.count() >= moves * stripe, o, d, "buffer.relocation_size",
        fmt::format("{} B is less than one stripe of {} B for each of {} streams of relocation "
                    "({}, {}, {})",
                    c.buffer.relocation_size.count(), stripe, moves, place(o, "gc.streams"),
                    place(o, "write.open_superblocks"), place(o, "wear.static")));
  const uint64_t slots = chunk * g.bits_per_cell * g.dies() * g.rows() * g.blocks_per_plane;
  check(slots < UINT32_MAX, o, d, "nand.geometry.blocks_per_plane",
        fmt::format("{} slots of 4 KiB do not fit the 32-bit map (16 TiB)", slots));
  check_limit_points(c, o, d);
  c.slc.mode.validate(c, "slc", o, d);
  c.slc.route.validate(c, "slc", o, d);
  c.slc.keep.validate(c, "slc", o, d);
  c.slc.at_exhaustion.validate(c, "slc", o, d);
  c.slc.release.validate(c, "slc", o, d);
  c.slc.fold.victim.validate(c, "slc.fold", o, d);
  c.sched.policy.validate(c, "sched", o, d);
  c.slc.fold.trigger.validate(c, "slc.fold", o, d);
  check(c.slc.fold.path != FoldPath::kOnChip || c.gc.order != RelocationOrder::kStripe, o, d,
        "slc.fold.path",
        fmt::format("on_chip leaves data on their die, but {} = stripe spreads them over all dies; "
                    "choose another order or path",
                    place(o, "gc.order")));
  c.gc.victim.validate(c, "gc", o, d);
  validate_thermal(c, o, d);
  validate_reliability(c.nand, o, d);
  validate_refresh(c, o, d);
  c.write.heat.validate(c, "write", o, d);
  check_map(c, o, d);
  c.map.cache.validate(c, "map", o, d);
}

}  // namespace ftlsim
