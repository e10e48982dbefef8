#include "nand/config.h"

namespace ftlsim {
namespace {

constexpr Choice<StripeOrder> kOrders[] = {
    {"plane_die_page", StripeOrder::kPlaneDiePage, "planes first, then dies, then page types"},
    {"plane_page_die", StripeOrder::kPlanePageDie, "planes first, then page types, then dies"},
    {"die_plane_page", StripeOrder::kDiePlanePage, "dies first, then planes, then page types"},
    {"page_plane_die", StripeOrder::kPagePlaneDie, "page types first, then planes, then dies"},
};

}  // namespace

void GeometryConfig::visit(FieldVisitor& v) {
  v.field({"channels", "flash channels of the controller", true}, channels, 1, 64);
  v.field({"dies_per_channel", "dies that share a channel", true}, dies_per_channel, 1, 64);
  v.field({"planes", "planes per die", true}, planes, 1, 8);
  v.field({"blocks_per_plane", "erase blocks per plane, with the die's extra blocks", true},
          blocks_per_plane, 4, 65535);
  v.field({"word_lines", "word lines (layers) per block", true}, word_lines, 1, 1024);
  v.field({"strings", "strings per word line that are programmed apart", true}, strings, 1, 16);
  v.field({"bits_per_cell", "pages per word line and string: 3 is TLC"}, bits_per_cell, 1, 4);
  v.field({"page_size", "page of one plane without spare bytes"}, page_size, Bytes::kib(4),
          Bytes::kib(64));
  v.ratio({"factory_bad_blocks", "share of blocks that are bad when the drive is made"},
          factory_bad_blocks, 0.0, 0.2);
  v.field({"superblock_dies",
           "dies that a superblock spans, 0: all; the number of channels: one die of each"},
          superblock_dies, 0, 4096);
  v.choice({"stripe_order", "order in which consecutive data fill a stripe"}, stripe_order,
           kOrders);
}

void TimingConfig::visit(FieldVisitor& v) {
  const Duration lo = Duration::ns(100);
  const Duration hi = Duration::ms(100);
  v.field({"read_page", "tR of a full-page sense, one or more planes", true}, read_page, lo, hi);
  v.field({"read_slot", "tR of a sense for at most 4 KiB on one plane"}, read_slot, lo, hi);
  v.field({"read_slc", "tR in SLC mode"}, read_slc, lo, hi);
  v.field({"program", "tPROG of one word line in all planes, one shot", true}, program, lo, hi);
  v.field({"program_slc", "tPROG in SLC mode, all planes"}, program_slc, lo, hi);
  v.field({"erase", "tBERS of a block in all planes", true}, erase, lo, hi);
  v.field({"erase_slc", "tBERS of a block used in SLC mode"}, erase_slc, lo, hi);
  v.field({"suspend", "from a suspend request until planes can be read"}, suspend, Duration::ns(0),
          hi);
  v.field({"resume", "added to the remaining time of a resumed operation"}, resume, Duration::ns(0),
          hi);
  v.field({"max_suspends", "how often one operation may be suspended; 0 turns suspend off"},
          max_suspends, 0, 1000);
  v.field({"cache_read", "sense the next page while one is transferred"}, cache_read);
  v.field({"cache_program", "load the next word line while one is programmed"}, cache_program);
  v.field({"independent_plane_reads", "planes of a die may sense different pages at once"},
          independent_plane_reads);
}

void BusConfig::visit(FieldVisitor& v) {
  v.field({"transfer_rate", "MT/s of a channel, one byte per transfer", true}, transfer_rate, 10,
          10000);
  v.field({"command_overhead", "command and address cycles before each transfer"}, command_overhead,
          Duration::ns(0), Duration::us(100));
  v.field({"quantum", "a program's data give way to read data at multiples of this"}, quantum,
          Bytes(512), Bytes::kib(1024));
}

void NandEnergyConfig::visit(FieldVisitor& v) {
  constexpr int64_t kHi = 1'000'000'000;  // 1 J
  const auto energy = [&](const Field& f, int64_t& value) {
    v.physical(f, Physical::kEnergy, value, 0, kHi);
  };
  energy({"sense", "one plane senses a page"}, sense);
  energy({"sense_slc", "the same in SLC mode"}, sense_slc);
  energy({"program", "one plane programs a word line, all pages"}, program);
  energy({"program_slc", "one plane programs a page in SLC mode"}, program_slc);
  energy({"erase", "one plane erases a block"}, erase);
  energy({"erase_slc", "the same of a block used in SLC mode"}, erase_slc);
  energy({"transfer", "4 KiB cross a channel, both ends"}, transfer);
  v.physical({"standby", "a die that waits"}, Physical::kPower, standby, 0, 1'000'000);
}

void EnduranceConfig::visit(FieldVisitor& v) {
  v.field({"slc", "erase cycles that a block used as SLC is rated for"}, slc, 1, 10'000'000);
  v.field({"tlc", "erase cycles that a block with all bits in use is rated for"}, tlc, 1,
          10'000'000);
}

void NandConfig::visit(FieldVisitor& v) {
  v.field({"name", "name of the die", true}, name);
  v.section({"geometry", "what the drive is made of"}, geometry);
  v.section({"timing", "durations of array operations"}, timing);
  v.section({"bus", "flash channels"}, bus);
  v.section({"energy", "energy of operations"}, energy);
  v.section({"reliability", "errors by age and wear, correction, read retry"}, reliability);
  v.section({"endurance", "rated erase cycles, for the wear in the summary"}, endurance);
}

}  // namespace ftlsim
