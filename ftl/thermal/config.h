// Configuration of power and heat: what the controller costs, NVMe power states, the two-node
// thermal network, and what the firmware does when it gets hot.
//
// What operations of the medium cost is part of the medium (NandConfig::energy). Integers count the
// steps of sim/config_visitor.h: nJ, uW, thousandths of a degree Celsius, mK/W, mJ/K.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config.h"
#include "sim/config_visitor.h"
#include "sim/diagnostics.h"
#include "sim/units.h"

namespace ftlsim {

struct DriveConfig;

// A row of the power state descriptor table (NVMe base specification, Identify Controller).
struct PowerStateConfig {
  int64_t power = 0;        // the most it draws; a non-operational state draws just this
  bool operational = true;  // commands are processed in it
  Duration entry;           // ENLAT
  Duration exit;            // EXLAT
  Duration idle;            // quiet time after which it is entered by itself; 0: never
  void visit(FieldVisitor& v);
};

enum class PowerModel : uint8_t { kNone, kCounted };

struct PowerConfig {
  PowerModel model = PowerModel::kNone;
  int64_t command = 0;  // per host command
  int64_t link = 0;     // per 4 KiB over the link
  int64_t active = 0;   // controller and DRAM while a command or an operation is under way
  int64_t idle = 0;     // and while none is
  std::vector<PowerStateConfig> states;
  void visit(FieldVisitor& v);
};

struct ThrottleStepConfig {
  int64_t at = 0;          // composite temperature at which the step begins
  int64_t release = 0;     // and at which it ends
  double dies = 1.0;       // share of the power credits that is left
  uint64_t host_rate = 0;  // bytes/s at which host commands are fetched at most, 0: no limit
  void visit(FieldVisitor& v);
};

struct CriticalConfig {
  int64_t at = 150'000;  // estimate: far above what any rated part works at
  int64_t release = 100'000;
  void visit(FieldVisitor& v);
};

enum class HeatModel : uint8_t { kNone, kTwoNode };

struct ThermalConfig {
  HeatModel model = HeatModel::kNone;
  Duration period = Duration::ms(10);
  int64_t ambient = 25'000;
  int64_t controller_capacity = 2'000;     // estimate: die, package and its part of the board
  int64_t nand_capacity = 4'000;           // estimate: packages and their part of the board
  int64_t controller_to_nand = 10'000;     // estimate
  int64_t controller_to_ambient = 20'000;  // estimate
  int64_t nand_to_ambient = 14'000;        // estimate
  double controller_weight = 0.0;          // of the composite temperature; the rest is the NAND
  std::vector<ThrottleStepConfig> throttle;
  CriticalConfig critical;
  void visit(FieldVisitor& v);
};

// Rules between keys of power, thermal and nand.energy. Each message names both keys and places.
void validate_thermal(const DriveConfig& config, const Origins& origins, Diagnostics& diagnostics);

}  // namespace ftlsim
