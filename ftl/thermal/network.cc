#include "ftl/thermal/network.h"

#include "sim/assert.h"

namespace ftlsim {
namespace {

__extension__ using Wide = __int128;

// a * 2^bits to the nearest integer.
int64_t to_fixed(double value, int bits) {
  const double scaled = value * static_cast<double>(int64_t{1} << bits);
  SIM_ASSERT(scaled > -9e18 && scaled < 9e18, "coefficient {} does not fit", value);
  return static_cast<int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

int64_t shift_rounded(Wide value, int bits) {
  return static_cast<int64_t>((value + (Wide{1} << (bits - 1))) >> bits);
}

int64_t nearest(double value) {
  return static_cast<int64_t>(value < 0 ? value - 0.5 : value + 0.5);
}

}  // namespace

ThermalNetwork::Matrix ThermalNetwork::multiply(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 4; ++j)
      for (size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

// Scaling and squaring: the series of exp(m / 2^s), squared s times.
ThermalNetwork::Matrix ThermalNetwork::exponential(Matrix m) {
  constexpr double kSmall = 1.0 / 64;
  constexpr int kTerms = 10;  // kSmall^10 / 10! < 10^-24
  double size = 0;
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 2; ++j) size += m[i][j] < 0 ? -m[i][j] : m[i][j];
  int squarings = 0;
  for (; size > kSmall; size /= 2) ++squarings;
  for (auto& row : m)
    for (double& x : row)
      for (int i = 0; i < squarings; ++i) x /= 2;
  Matrix sum{};
  for (size_t i = 0; i < 4; ++i) sum[i][i] = 1;
  Matrix term = sum;
  for (int k = 1; k <= kTerms; ++k) {
    term = multiply(term, m);
    for (size_t i = 0; i < 4; ++i)
      for (size_t j = 0; j < 4; ++j) {
        term[i][j] /= k;
        sum[i][j] += term[i][j];
      }
  }
  for (int i = 0; i < squarings; ++i) sum = multiply(sum, sum);
  return sum;
}

ThermalNetwork::Block ThermalNetwork::fixed_point(const Matrix& m) {
  Block b{};
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 2; ++j) {
      b.decay[i][j] = to_fixed(m[i][j], kDecayBits);
      b.gain[i][j] = to_fixed(m[i][j + 2], kGainBits);
    }
  return b;
}

ThermalNetwork::ThermalNetwork(const ThermalConfig& c) {
  const double h = static_cast<double>(c.period.to_ns()) * 1e-9;
  const double capacity[2] = {static_cast<double>(c.controller_capacity) * 1e-3,
                              static_cast<double>(c.nand_capacity) * 1e-3};
  const double to_ambient[2] = {1e3 / static_cast<double>(c.controller_to_ambient),
                                1e3 / static_cast<double>(c.nand_to_ambient)};
  const double between = 1e3 / static_cast<double>(c.controller_to_nand);
  // d/dt of (excess, energy of the period) in units of the period; 1 nJ into 1 J/K is 10^-9 K.
  Matrix m{};
  for (size_t i = 0; i < 2; ++i) {
    m[i][i] = -h * (between + to_ambient[i]) / capacity[i];
    m[i][1 - i] = h * between / capacity[i];
    m[i][i + 2] = 1 / capacity[i];
  }
  Matrix power = exponential(m);
  for (Block& block : blocks_) {
    block = fixed_point(power);
    power = multiply(power, power);
  }
  const double a = between + to_ambient[0];
  const double d = between + to_ambient[1];
  const double determinant = a * d - between * between;
  resistance_[0][0] = d / determinant / h;
  resistance_[1][1] = a / determinant / h;
  resistance_[0][1] = resistance_[1][0] = between / determinant / h;
}

NodeTemperatures ThermalNetwork::apply(const Block& b, NodeTemperatures x, Heat u) {
  const auto row = [&](size_t i) {
    const Wide kept = Wide{b.decay[i][0]} * x.controller + Wide{b.decay[i][1]} * x.nand;
    const Wide added = Wide{b.gain[i][0]} * u.controller + Wide{b.gain[i][1]} * u.nand;
    return shift_rounded(kept + (added << (kDecayBits - kGainBits)), kDecayBits);
  };
  return {row(0), row(1)};
}

NodeTemperatures ThermalNetwork::advance(NodeTemperatures t, uint64_t periods, Heat heat,
                                         int64_t ambient) const {
  SIM_ASSERT(periods >> kBlocks == 0, "{} periods are too many", periods);
  NodeTemperatures x{t.controller - ambient, t.nand - ambient};
  for (size_t j = 0; periods != 0; ++j, periods >>= 1)
    if ((periods & 1) != 0) x = apply(blocks_[j], x, heat);
  return {x.controller + ambient, x.nand + ambient};
}

NodeTemperatures ThermalNetwork::steady(Heat u, int64_t ambient) const {
  const auto row = [&](size_t i) {
    return ambient + nearest(resistance_[i][0] * static_cast<double>(u.controller) +
                             resistance_[i][1] * static_cast<double>(u.nand));
  };
  return {row(0), row(1)};
}

}  // namespace ftlsim
