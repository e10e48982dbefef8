// The thermal network: two nodes with a heat capacity each, joined to one another and to the
// surroundings by thermal resistances.
//
//   C_c dT_c/dt = P_c - (T_c - T_n) / R_cn - (T_c - T_a) / R_ca
//   C_n dT_n/dt = P_n - (T_n - T_c) / R_cn - (T_n - T_a) / R_na
//
// The system is linear, so with constant power over a period its solution is exact: x' = E x + F u
// with x the excess over ambient, u the energy of the period and E = exp(A h). E and F of 1, 2, 4,
// … periods are built at start from + - * / and held as fixed-point integers; a jump over any
// number of equal periods takes one product per binary digit. State and results are integers.
#pragma once

#include <array>
#include <cstdint>

#include "ftl/thermal/config.h"

namespace ftlsim {

// Energy that goes into each node, in nJ.
struct Heat {
  int64_t controller = 0;
  int64_t nand = 0;
  Heat operator+(Heat o) const { return {controller + o.controller, nand + o.nand}; }
  Heat operator-(Heat o) const { return {controller - o.controller, nand - o.nand}; }
  Heat operator*(int64_t k) const { return {controller * k, nand * k}; }
  bool operator==(const Heat&) const = default;
};

// Temperatures of the nodes in 10^-9 degrees Celsius.
struct NodeTemperatures {
  int64_t controller = 0;
  int64_t nand = 0;
  bool operator==(const NodeTemperatures&) const = default;
};

inline constexpr int64_t kNanoPerMilli = 1'000'000;

class ThermalNetwork {
 public:
  // Resistances, capacities and the period of the configuration.
  explicit ThermalNetwork(const ThermalConfig& config);

  // The temperatures `periods` later, `heat` going in evenly during each of them. `ambient` in
  // 10^-9 degrees Celsius.
  NodeTemperatures advance(NodeTemperatures t, uint64_t periods, Heat heat, int64_t ambient) const;

  // Where the temperatures end if `heat` goes in during every period.
  NodeTemperatures steady(Heat heat, int64_t ambient) const;

 private:
  static constexpr uint32_t kBlocks = 48;  // 2^47 periods of 1 ms are 4,459 years
  static constexpr int kDecayBits = 60;    // fraction bits of E, whose entries are at most 1
  static constexpr int kGainBits = 40;     // of F in 10^-9 K per nJ, at most 10^6
  using Matrix = std::array<std::array<double, 4>, 4>;
  // Row: node; column: the excess of the nodes, then the heat into them.
  struct Block {
    int64_t decay[2][2];
    int64_t gain[2][2];
  };

  static Matrix multiply(const Matrix& a, const Matrix& b);
  static Matrix exponential(Matrix m);
  static Block fixed_point(const Matrix& m);
  static NodeTemperatures apply(const Block& block, NodeTemperatures excess, Heat heat);

  std::array<Block, kBlocks> blocks_;
  double resistance_[2][2];  // steady excess in 10^-9 K per nJ and period
};

}  // namespace ftlsim
