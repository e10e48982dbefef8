#include "nand/reliability/config.h"

#include <fmt/format.h>

#include "nand/config.h"

namespace ftlsim {
namespace {

constexpr Choice<RberForm> kForms[] = {
    {"off", RberForm::kOff, "reads never fail"},
    {"surface", RberForm::kSurface, "the fits in `surface`, with factory and optimal read levels"},
    {"fast19_72l", RberForm::kFast19Tlc, "published power law of a 72-layer TLC (FAST 2019)"},
    {"fast19_2ynm", RberForm::kFast19Mlc, "published power law of a 2y-nm planar MLC (FAST 2019)"},
    {"luo", RberForm::kLuo, "published log law of a 3D NAND (as in an open simulator)"},
};
constexpr Choice<RetryPolicy> kPolicies[] = {
    {"table_walk", RetryPolicy::kTableWalk, "the entries of the table in order, each time"},
    {"cached", RetryPolicy::kCached, "the levels that worked last in the block, then a search"},
    {"age_indexed", RetryPolicy::kAgeIndexed, "levels for the age of the block at once"},
};
constexpr Duration kYears = Duration::s(int64_t{100} * 366 * 86'400);

template <class E, size_t N>
std::string_view name_among(E value, const Choice<E> (&choices)[N]) {
  for (const Choice<E>& c : choices)
    if (c.value == value) return c.name;
  return "?";
}

}  // namespace

std::string_view name_of(RberForm form) { return name_among(form, kForms); }
std::string_view name_of(RetryPolicy policy) { return name_among(policy, kPolicies); }

void RberFit::visit(FieldVisitor& v) {
  v.number({"c0", "ln RBER when new"}, c0, -60, 0);
  v.number({"a", "growth with the log of the age"}, a, 0, 10);
  v.number({"q", "power of the log of the age"}, q, 0.01, 10);
  v.number({"d0", "growth with the log of the cycles"}, d0, 0, 10);
  v.number({"d1", "the same per log of the age"}, d1, 0, 10);
  v.number({"p0", "cycles at which wear sets in"}, p0, 1, 1e6);
}

void PageFit::visit(FieldVisitor& v) {
  v.section({"factory", "at the read levels of the factory"}, factory);
  v.section({"optimal", "at the best read levels"}, optimal);
}

void SurfaceConfig::visit(FieldVisitor& v) {
  v.field({"t0", "age at which the loss of charge sets in"}, t0, Duration::s(1), kYears);
  v.list({"pages", "fits by page type, the lowest page first"}, pages, 0, 4);
  v.section({"slc", "fits of a block in SLC mode"}, slc);
}

void LayerConfig::visit(FieldVisitor& v) {
  v.number({"factor", "RBER of these layers, in that of the mean", true}, factor, 0.01, 100);
}

void VariationConfig::visit(FieldVisitor& v) {
  v.number({"block_sigma", "standard deviation of ln RBER over blocks"}, block_sigma, 0, 1);
  v.number({"word_line_sigma", "standard deviation of ln RBER over the word lines of a block"},
           word_line_sigma, 0, 1);
  v.list({"layers", "classes of layers from the bottom up, of equal size"}, layers, 0, 1024);
}

void DisturbConfig::visit(FieldVisitor& v) {
  v.number({"factor", "RBER after one cycle and one read per page, 0: no disturb"}, factor, 0, 1);
  v.number({"cycle_power", "power of the cycles"}, cycle_power, 0, 5);
  v.number({"read_power", "power of the reads per page since the erase"}, read_power, 0.1, 5);
}

void WeakConfig::visit(FieldVisitor& v) {
  v.ratio({"share", "share of regions with weak word lines"}, share, 0.0, 1.0);
  v.field({"rows", "word lines and strings of a superblock that make a region"}, rows, 1, 65536);
  v.number({"rber", "RBER of a weak word line at the levels of its block"}, rber, 1e-6, 0.5);
  v.field({"step", "the first sense with levels that fit, counted from 0"}, step, 1, 64);
}

void FramePoint::visit(FieldVisitor& v) {
  v.field({"errors", "raw bit errors in a codeword", true}, errors, 1, 1'000'000);
  v.number({"failure", "probability that hard decoding fails", true}, failure, 1e-15, 1);
}

void DecodePoint::visit(FieldVisitor& v) {
  v.field({"errors", "raw bit errors in a codeword", true}, errors, 0, 1'000'000);
  v.field({"time", "decoding of one codeword", true}, time, Duration::ns(0), Duration::ms(10));
}

void EccConfig::visit(FieldVisitor& v) {
  v.field({"codeword_bits", "bits of a codeword of 4 KiB with its parity"}, codeword_bits, 32'768,
          131'072);
  v.list({"failure", "failure of hard decoding by bit errors; 0 below the first point"}, failure, 0,
         100);
  v.list({"time", "decoding time by bit errors"}, time, 0, 100);
  v.field({"decoders", "decoding engines of the controller, 0: one for each channel"}, decoders, 0,
          64);
}

void RetryEntry::visit(FieldVisitor& v) {
  v.field({"age", "age at 25 degrees for which the levels are tuned", true}, age, Duration::ns(0),
          kYears);
}

void SoftConfig::visit(FieldVisitor& v) {
  v.field({"enabled", "try soft decoding when the retries are used up"}, enabled);
  v.field({"senses", "senses beyond the normal one"}, senses, 1, 64);
  v.field({"sense_time", "duration of each of them"}, sense_time, Duration::ns(0),
          Duration::ms(10));
  v.field({"bits", "bits of information per cell, each a transfer"}, bits, 1, 8);
  v.number({"gain", "RBER that it corrects, in those of hard decoding"}, gain, 1, 10);
  v.field({"decode_time", "soft decoding of one codeword"}, decode_time, Duration::ns(0),
          Duration::ms(10));
}

void RetryConfig::visit(FieldVisitor& v) {
  v.choice({"policy", "which read levels are tried"}, policy, kPolicies);
  v.field({"pipelined", "sense again while the failed data are moved and decoded"}, pipelined);
  v.field({"set_levels", "time to set read levels before a retry"}, set_levels, Duration::ns(0),
          Duration::ms(1));
  v.list({"table", "entries of the retry table in the order of trial"}, table, 0, 64);
  v.section({"soft", "soft decoding"}, soft);
}

void ReliabilityConfig::visit(FieldVisitor& v) {
  v.choice({"model", "raw bit error rate by age and wear"}, model, kForms);
  v.number({"activation_energy", "of the loss of charge, in eV"}, activation_energy, 0, 3);
  v.section({"surface", "constants of the model `surface`"}, surface);
  v.section({"variation", "differences between blocks and word lines"}, variation);
  v.section({"disturb", "read disturb of the model `surface`"}, disturb);
  v.section({"weak", "regions with weak word lines"}, weak);
  v.section({"ecc", "error correction"}, ecc);
  v.section({"retry", "what happens when a read cannot be decoded"}, retry);
  v.number({"initial_cycles", "erase cycles of every block at the start"}, initial_cycles, 0, 1e6);
  v.ratio({"initial_cycles_spread", "blocks differ from that by up to this share"},
          initial_cycles_spread, 0.0, 1.0);
  v.field({"initial_age", "age at 25 degrees of what `fill` steps write"}, initial_age,
          Duration::ns(0), kYears);
  v.ratio({"initial_age_spread", "blocks are younger than that by up to this share"},
          initial_age_spread, 0.0, 1.0);
}

namespace {

// Points must rise in errors, and in what they give.
template <class Points, class Value>
void check_rising(const Points& points, Value value, const char* path, const Origins& origins,
                  Diagnostics& diagnostics) {
  for (size_t i = 1; i < points.size(); ++i) {
    if (points[i].errors > points[i - 1].errors && !(value(points[i]) < value(points[i - 1])))
      continue;
    const std::string at = fmt::format("{}[{}]", path, i);
    diagnostics.error(
        origins.origin_of(at),
        fmt::format("{}: errors must rise from point to point, and what they cause "
                    "must not fall; compare {}[{}] ({})",
                    at, path, i - 1,
                    origins.origin_of(fmt::format("{}[{}]", path, i - 1)).to_string()));
  }
}

}  // namespace

void validate_reliability(const NandConfig& nand, const Origins& origins,
                          Diagnostics& diagnostics) {
  const ReliabilityConfig& c = nand.reliability;
  if (!c.on()) return;
  const std::string model = origins.origin_of("nand.reliability.model").to_string();
  const auto need = [&](bool ok, const char* key, const std::string& what) {
    const std::string path = fmt::format("nand.reliability.{}", key);
    if (!ok)
      diagnostics.error(origins.origin_of(path),
                        fmt::format("{}: {} (nand.reliability.model is on, {}); a NAND file that "
                                    "extends configs/nand/reliability-ct-tlc.yaml has them",
                                    path, what, model));
  };
  need(!c.ecc.failure.empty(), "ecc.failure", "at least one point is needed");
  need(!c.ecc.time.empty(), "ecc.time", "at least one point is needed");
  check_rising(
      c.ecc.failure, [](const FramePoint& p) { return p.failure; }, "nand.reliability.ecc.failure",
      origins, diagnostics);
  check_rising(
      c.ecc.time, [](const DecodePoint& p) { return p.time; }, "nand.reliability.ecc.time", origins,
      diagnostics);
  const uint32_t bits = nand.geometry.bits_per_cell;
  need(c.model != RberForm::kSurface || c.surface.pages.size() == bits, "surface.pages",
       fmt::format("{} page types are given, but nand.geometry.bits_per_cell is {} ({})",
                   c.surface.pages.size(), bits,
                   origins.origin_of("nand.geometry.bits_per_cell").to_string()));
  need(c.retry.policy != RetryPolicy::kTableWalk || !c.retry.table.empty(), "retry.table",
       "nand.reliability.retry.policy is table_walk, but the table has no entry");
  need(!c.retry.pipelined || nand.timing.cache_read, "retry.pipelined",
       fmt::format("a retry cannot be pipelined while nand.timing.cache_read is off ({})",
                   origins.origin_of("nand.timing.cache_read").to_string()));
  double sum = 0;
  for (const LayerConfig& layer : c.variation.layers) sum += layer.factor;
  const auto layers = static_cast<double>(c.variation.layers.size());
  need(c.variation.layers.empty() || (sum > 0.99 * layers && sum < 1.01 * layers),
       "variation.layers", "the mean of the factors must be 1");
}

}  // namespace ftlsim
