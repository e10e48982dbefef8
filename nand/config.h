// Configuration of the medium: geometry, timing, bus.
#pragma once

#include <cstdint>
#include <string>

#include "nand/reliability/config.h"
#include "sim/config_visitor.h"
#include "sim/units.h"

namespace ftlsim {

// Bytes of one mapping unit: a slot of a page and a unit of the logical map.
inline constexpr uint32_t kSlotBytes = 4096;

// Order in which consecutive slots fill a stripe (one word line on every die of a superblock), the
// fastest first.
enum class StripeOrder : uint8_t {
  kPlaneDiePage,  // plane, then die, then page type: 128 KiB spread over two dies
  kPlanePageDie,  // plane, then page type, then die: a program unit is contiguous
  kDiePlanePage,  // die, then plane, then page type: 128 KiB spread over eight dies
  kPagePlaneDie,  // page type, then plane, then die: a word line of one plane is contiguous
};

struct GeometryConfig {
  uint32_t channels = 8;
  uint32_t dies_per_channel = 2;
  uint32_t planes = 4;
  uint32_t blocks_per_plane = 508;  // including the extra blocks of the die
  uint32_t word_lines = 176;
  uint32_t strings = 4;
  uint32_t bits_per_cell = 3;
  Bytes page_size = Bytes::kib(16);
  double factory_bad_blocks = 0.005;  // share of blocks that are bad when the drive is made
  uint32_t superblock_dies = 0;       // dies that a superblock spans, 0: all
  StripeOrder stripe_order = StripeOrder::kPlaneDiePage;

  uint32_t dies() const { return channels * dies_per_channel; }
  uint32_t superblock_width() const { return superblock_dies == 0 ? dies() : superblock_dies; }
  uint32_t rows() const { return word_lines * strings; }
  uint32_t slots_per_page() const { return static_cast<uint32_t>(page_size.count() / kSlotBytes); }
  void visit(FieldVisitor& v);
};

struct TimingConfig {
  Duration read_page = Duration::us(50);  // sense of a full page on several planes
  Duration read_slot = Duration::us(50);  // sense for at most 4 KiB on one plane
  Duration read_slc = Duration::us(25);   // any sense in SLC mode
  Duration program = Duration::us(1170);  // one shot: all pages of a word line, all planes
  Duration program_slc = Duration::us(120);
  Duration erase = Duration::ms(5);
  Duration erase_slc = Duration::ms(3);
  Duration suspend = Duration::us(20);  // from the request until planes can be read
  Duration resume = Duration::us(20);   // added to the remaining time
  uint32_t max_suspends = 16;           // of one operation
  bool cache_read = true;               // sense the next page while one is transferred
  bool cache_program = true;            // load the next word line while one is programmed
  bool independent_plane_reads = true;  // planes of a die sense different pages at once
  void visit(FieldVisitor& v);
};

struct BusConfig {
  uint32_t transfer_rate = 1600;  // MT/s, one byte per transfer
  Duration command_overhead = Duration::ns(300);
  Bytes quantum = Bytes::kib(4);  // a bulk transfer gives way at multiples of this
  void visit(FieldVisitor& v);
};

// Energy of the dies in nJ and uW, at the supply of the drive. Zero: not known.
struct NandEnergyConfig {
  int64_t sense = 0;  // per plane and sense
  int64_t sense_slc = 0;
  int64_t program = 0;  // per plane and word line
  int64_t program_slc = 0;
  int64_t erase = 0;  // per plane and block
  int64_t erase_slc = 0;
  int64_t transfer = 0;  // per 4 KiB on a channel
  int64_t standby = 0;   // power of a die that waits
  void visit(FieldVisitor& v);
};

// Program/erase cycles that a block is rated for, by the mode in which it is used.
struct EnduranceConfig {
  uint32_t slc = 30'000;  // estimate: pSLC use of TLC blocks is sold with 20,000 to 60,000 cycles
  uint32_t tlc = 1'500;   // estimate: consumer TLC, 600 TBW per TB at a write amplification of 2.5
  void visit(FieldVisitor& v);
};

struct NandConfig {
  std::string name = "unnamed";
  GeometryConfig geometry;
  TimingConfig timing;
  BusConfig bus;
  NandEnergyConfig energy;
  ReliabilityConfig reliability;
  EnduranceConfig endurance;
  void visit(FieldVisitor& v);
};

}  // namespace ftlsim
