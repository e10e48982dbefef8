// Configuration of a drive: the medium, the link, and every firmware policy of this layer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ftl/gc/victim_policy.h"
#include "ftl/map/replacement.h"
#include "ftl/refresh/refresh_config.h"
#include "ftl/sched/die_policy.h"
#include "ftl/slc/exhaustion_policy.h"
#include "ftl/slc/fold_trigger.h"
#include "ftl/slc/keep_policy.h"
#include "ftl/slc/limit_curve.h"
#include "ftl/slc/release_policy.h"
#include "ftl/slc/route_policy.h"
#include "ftl/slc/size_policy.h"
#include "ftl/thermal/config.h"
#include "ftl/write/heat_policy.h"
#include "nand/config.h"
#include "sim/config.h"
#include "sim/config_visitor.h"
#include "sim/diagnostics.h"
#include "sim/units.h"

namespace ftlsim {

struct LinkConfig {
  uint32_t generation = 4;  // PCI Express generation, 1 to 6
  uint32_t lanes = 4;
  Bytes max_payload = Bytes(256);        // MPS
  uint32_t packet_overhead = 26;         // bytes of framing, header and CRC per packet
  Duration latency = Duration::ns(500);  // doorbell write or completion, one way
  void visit(FieldVisitor& v);
  // Picoseconds to move one 4 KiB unit with its packet overhead.
  uint64_t ps_per_slot() const;
};

enum class Arbitration : uint8_t { kRoundRobin, kWeighted };

struct QueueConfig {
  uint32_t count = 8;
  uint32_t depth = 1024;
  Bytes mdts = Bytes::kib(256);
  Arbitration arbitration = Arbitration::kRoundRobin;
  uint32_t high_priority_queues = 1;  // weighted: the first n queues
  uint32_t high_priority_weight = 4;  // weighted: commands in a row from one of them
  void visit(FieldVisitor& v);
};

struct CoreConfig {
  uint32_t cores = 4;
  Duration command_occupancy = Duration::us(2);
  Duration slot_occupancy = Duration::ns(20);  // per 4 KiB
  Duration read_latency = Duration::us(5);     // pipelined, on top of the occupancy
  Duration write_latency = Duration::us(3);
  Duration ecc_latency = Duration::us(2);  // pipelined, per flash read
  void visit(FieldVisitor& v);
};

struct BufferConfig {
  Bytes size = Bytes::mib(32);
  Bytes relocation_size = Bytes::mib(24);   // staging of folding and garbage collection
  Duration idle_flush = Duration::ms(500);  // partial word lines are padded after this
  void visit(FieldVisitor& v);
};

enum class Destination : uint8_t { kSlc, kTlc };
enum class FoldPath : uint8_t { kController, kOnChip };

struct FoldConfig {
  Duration idle_delay = Duration::ms(100);
  uint64_t idle_rate = 0;        // bytes/s, 0: no limit
  uint64_t foreground_rate = 0;  // while the host waits for space, 0: no limit
  uint64_t background_rate = 0;  // while the host writes to TLC, 0: no limit
  PolicyChoice<VictimFamily> victim{fold_victims(), "fifo"};
  PolicyChoice<FoldTriggerFamily> trigger{fold_triggers(), "idle"};
  FoldPath path = FoldPath::kController;
  bool paced = true;  // fold while writing TLC so that free space lasts to the end
  void visit(FieldVisitor& v);
};

struct SlcConfig {
  PolicyChoice<SlcSizeFamily> mode{slc_sizes(), "dynamic"};
  std::vector<LimitPoint> limit;
  PolicyChoice<SlcRouteFamily> route{slc_routes(), "all"};
  PolicyChoice<SlcKeepFamily> keep{slc_keeps(), "nothing"};
  PolicyChoice<ExhaustionFamily> at_exhaustion{slc_exhaustions(), "direct"};
  double resume = 0.0;  // back to SLC when this share of the limit, or less, is used
  Destination forced_destination = Destination::kTlc;  // of host data while reclaim is forced
  PolicyChoice<SlcReleaseFamily> release{slc_releases(), "dead"};
  FoldConfig fold;
  void visit(FieldVisitor& v);
  bool enabled() const { return !mode.is("none"); }
};

enum class StreamSplit : uint8_t { kShared, kByHeat };

struct WriteConfig {
  PolicyChoice<HeatFamily> heat{heat_policies(), "none"};
  StreamSplit streams = StreamSplit::kByHeat;
  uint32_t open_superblocks = 1;  // of a stream, on different groups of dies
  void visit(FieldVisitor& v);
};

enum class RelocationOrder : uint8_t { kCompletion, kDieLocal, kStripe };

struct GcConfig {
  PolicyChoice<VictimFamily> victim{gc_victims(), "greedy"};
  uint32_t low_watermark = 5;   // free superblocks at which reclaim is forced
  uint32_t high_watermark = 7;  // and at which it ends
  uint64_t rate = 0;            // bytes/s moved by forced reclaim of TLC, 0: no limit
  double idle_target = 0.0;     // share of superblocks to have free after idle time
  uint64_t idle_rate = 0;       // bytes/s, 0: no limit
  double idle_duty = 1.0;       // share of the idle time that relocation may use
  StreamSplit streams = StreamSplit::kShared;
  RelocationOrder order = RelocationOrder::kCompletion;
  void visit(FieldVisitor& v);
};

struct WearConfig {
  bool dynamic = false;        // the least worn free superblock is opened next
  bool level = false;          // static levelling: cold data leave young superblocks
  uint32_t gap = 20;           // cycles between the most worn free superblock and theirs; estimate
  uint64_t rate = 50'000'000;  // bytes/s read by static levelling; estimate
  // Wear of an SLC cycle in TLC cycles. 3,000 cycles of TLC against 30,000 to 100,000 of pSLC
  // (Swissbit, "4 reasons to use industrial 3D TLC NAND flash as pseudo-SLC").
  double slc_weight = 0.1;
  void visit(FieldVisitor& v);
};

struct SchedConfig {
  PolicyChoice<DiePolicyFamily> policy{die_policies(), "read_first_suspend"};
  bool overtake = true;  // reads on free planes overtake those whose planes are busy
  Duration starvation_bound = Duration::ms(4);  // a program that waited longer goes first
  uint32_t power_credits = 0;                   // dies that may program or erase at once, 0: all
  void visit(FieldVisitor& v);
};

struct ReadAheadConfig {
  uint32_t streams = 8;             // sequential streams that are followed; 0 turns read-ahead off
  uint32_t trigger = 2;             // sequential commands before it starts
  Bytes window = Bytes::kib(1024);  // how far it reads ahead of a stream
  void visit(FieldVisitor& v);
};

struct MapConfig {
  PolicyChoice<ReplacementFamily> cache{map_caches(), "none"};  // none: the map is in DRAM
  Bytes sram = Bytes::kib(512);              // frames for translation pages in the controller
  Bytes hmb = Bytes(0);                      // and in the host memory buffer
  Duration hmb_latency = Duration::ns(900);  // of a read over the link, without the transfer
  Bytes log = Bytes::kib(256);               // map entries that are newer than their page
  uint32_t page_entries = 1024;              // of a translation page
  double dirty_limit = 0.5;                  // share of the frames that may be changed
  void visit(FieldVisitor& v);

  bool paged() const { return !cache.is("none"); }
  uint32_t pages(uint32_t user_slots) const {
    return paged() ? (user_slots + page_entries - 1) / page_entries : 0;
  }
};

struct RainConfig {
  uint32_t dies = 0;  // of a parity group, 0: no parity
  void visit(FieldVisitor& v);
};

struct SpaceConfig {
  uint32_t meta_superblocks = 2;  // kept for firmware tables
  void visit(FieldVisitor& v);
};

struct DriveConfig {
  std::string name = "unnamed";
  Bytes capacity = Bytes(1'000'204'886'016);
  Bytes lba_size = Bytes(512);
  NandConfig nand;
  LinkConfig link;
  QueueConfig queues;
  CoreConfig firmware;
  BufferConfig buffer;
  SpaceConfig space;
  RainConfig rain;
  SlcConfig slc;
  WriteConfig write;
  GcConfig gc;
  WearConfig wear;
  SchedConfig sched;
  ReadAheadConfig read_ahead;
  PowerConfig power;
  ThermalConfig thermal;
  MapConfig map;
  RefreshConfig refresh;
  PatrolConfig patrol;
  void visit(FieldVisitor& v);

  // Number of 4 KiB units that the host can address.
  uint32_t user_slots() const { return static_cast<uint32_t>(capacity.count() / kSlotBytes); }
  // Translation pages on flash; 0 if the whole map is in DRAM.
  uint32_t map_pages() const { return map.pages(user_slots()); }
};

// Cross-field rules that need no medium. Each message names both keys and their places.
void validate(const DriveConfig& config, const Origins& origins, Diagnostics& diagnostics);

}  // namespace ftlsim
