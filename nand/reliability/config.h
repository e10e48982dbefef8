// Configuration of what the cells lose: ageing, errors, correction, read retry.
//
// The section `nand.reliability` is off unless a model is chosen; the constants belong to the NAND
// file, the choice of model and policy to the drive.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/config.h"
#include "sim/config_visitor.h"
#include "sim/diagnostics.h"
#include "sim/units.h"

namespace ftlsim {

struct NandConfig;

enum class RberForm : uint8_t {
  kOff,        // reads never fail
  kSurface,    // fit per page type for default and optimal read levels
  kFast19Tlc,  // published power laws and a log law, one RBER for all pages and levels
  kFast19Mlc,
  kLuo,
};

enum class RetryPolicy : uint8_t {
  kTableWalk,   // no memory: the entries of the table in order
  kCached,      // the levels that worked last in the block, then levels found for this read
  kAgeIndexed,  // levels for the age of the block at once
};

// One fit: ln R = c0 + a x^q + (d0 + d1 x) ln(1 + cycles / p0), x = ln(1 + age / t0).
struct RberFit {
  double c0 = -9;
  double a = 0;
  double q = 1;
  double d0 = 0;
  double d1 = 0;
  double p0 = 200;
  void visit(FieldVisitor& v);
};

// The two fits of a page type: at the levels of the factory and at the best ones.
struct PageFit {
  RberFit factory;
  RberFit optimal;
  void visit(FieldVisitor& v);
};

struct SurfaceConfig {
  Duration t0 = Duration::s(6 * 3600);
  std::vector<PageFit> pages;  // by page type, the lowest first
  PageFit slc;
  void visit(FieldVisitor& v);
};

// A class of word lines: consecutive layers, as many for each class.
struct LayerConfig {
  double factor = 1;  // of the RBER
  void visit(FieldVisitor& v);
};

struct VariationConfig {
  double block_sigma = 0;      // of ln RBER, over die blocks
  double word_line_sigma = 0;  // of ln RBER, over the word lines of a block
  std::vector<LayerConfig> layers;
  void visit(FieldVisitor& v);
};

// Additive RBER of read disturb: factor * cycles^cycle_power * (reads per page)^read_power.
struct DisturbConfig {
  double factor = 0;
  double cycle_power = 0.33;
  double read_power = 1.71;
  void visit(FieldVisitor& v);
};

// Word lines that need levels of their own: the levels of their block give a high RBER, whatever
// the block has learned.
struct WeakConfig {
  double share = 0;     // of the regions
  uint32_t rows = 8;    // word lines and strings of a superblock that make a region
  double rber = 0.012;  // at the levels of the block
  uint32_t step = 1;    // the first sense with levels that fit them, counted from 0
  void visit(FieldVisitor& v);
};

struct FramePoint {
  uint32_t errors = 0;  // raw bit errors in a codeword
  double failure = 0;   // probability that hard decoding fails
  void visit(FieldVisitor& v);
};

struct DecodePoint {
  uint32_t errors = 0;
  Duration time;  // of one codeword
  void visit(FieldVisitor& v);
};

struct EccConfig {
  uint32_t codeword_bits = 36'800;  // of 4 KiB with parity
  std::vector<FramePoint> failure;
  std::vector<DecodePoint> time;
  uint32_t decoders = 0;  // engines of the controller, 0: one for each channel
  void visit(FieldVisitor& v);
};

struct RetryEntry {
  Duration age;  // at the reference temperature, for which the levels are tuned
  void visit(FieldVisitor& v);
};

struct SoftConfig {
  bool enabled = true;
  uint32_t senses = 2;                     // beyond the normal one
  Duration sense_time = Duration::us(14);  // of each
  uint32_t bits = 2;                       // of information per cell: transfers of the data
  double gain = 1.7;                       // RBER that it corrects, in those of hard decoding
  Duration decode_time = Duration::us(20);
  void visit(FieldVisitor& v);
};

struct RetryConfig {
  RetryPolicy policy = RetryPolicy::kTableWalk;
  bool pipelined = false;
  Duration set_levels = Duration::us(1);
  std::vector<RetryEntry> table;
  SoftConfig soft;
  void visit(FieldVisitor& v);
};

struct ReliabilityConfig {
  RberForm model = RberForm::kOff;
  double activation_energy = 0.5;  // eV
  SurfaceConfig surface;
  VariationConfig variation;
  DisturbConfig disturb;
  WeakConfig weak;
  EccConfig ecc;
  RetryConfig retry;
  double initial_cycles = 0;
  double initial_cycles_spread = 0;
  Duration initial_age;
  double initial_age_spread = 0;
  void visit(FieldVisitor& v);

  bool on() const { return model != RberForm::kOff; }
};

// As written in a configuration.
std::string_view name_of(RberForm form);
std::string_view name_of(RetryPolicy policy);

// Rules between keys of a model that is on. Each message names the keys and their places.
void validate_reliability(const NandConfig& nand, const Origins& origins, Diagnostics& diagnostics);

}  // namespace ftlsim
