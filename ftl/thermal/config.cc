#include "ftl/thermal/config.h"

namespace ftlsim {
namespace {

constexpr uint64_t kMaxHostRate = 100'000'000'000;
constexpr int64_t kMaxEnergy = 1'000'000'000;  // 1 J
constexpr int64_t kMaxPower = 100'000'000;     // 100 W
constexpr int64_t kColdest = -60'000;
constexpr int64_t kHottest = 200'000;

constexpr Choice<PowerModel> kPowerModels[] = {
    {"none", PowerModel::kNone, "energy is not counted and power states are not entered"},
    {"counted", PowerModel::kCounted, "energy per operation and state, NVMe power states"},
};
constexpr Choice<HeatModel> kHeatModels[] = {
    {"none", HeatModel::kNone, "the drive has the temperature of its surroundings"},
    {"two_node", HeatModel::kTwoNode, "controller and NAND, each with a heat capacity"},
};

}  // namespace

void PowerStateConfig::visit(FieldVisitor& v) {
  const Duration hi = Duration::s(10);
  v.physical({"power", "most power in this state; a non-operational one draws just this", true},
             Physical::kPower, power, 0, kMaxPower);
  v.field({"operational", "commands are processed in this state"}, operational);
  v.field({"entry", "time to enter it (ENLAT)"}, entry, Duration(), hi);
  v.field({"exit", "time to leave it when a command arrives (EXLAT)"}, exit, Duration(), hi);
  v.field({"idle", "quiet time after which the drive enters it by itself, 0: never"}, idle,
          Duration(), Duration::s(86400));
}

void PowerConfig::visit(FieldVisitor& v) {
  v.choice({"model", "whether energy is counted"}, model, kPowerModels);
  v.physical({"command", "controller, per host command"}, Physical::kEnergy, command, 0,
             kMaxEnergy);
  v.physical({"link", "PCI Express, per 4 KiB in either direction"}, Physical::kEnergy, link, 0,
             kMaxEnergy);
  v.physical({"active", "controller and DRAM while a command or an operation is under way"},
             Physical::kPower, active, 0, kMaxPower);
  v.physical({"idle", "controller and DRAM while none is"}, Physical::kPower, idle, 0, kMaxPower);
  v.list({"states", "NVMe power state descriptors, from PS0 on"}, states, 0, 32);
}

void ThrottleStepConfig::visit(FieldVisitor& v) {
  v.physical({"at", "composite temperature at which the step begins", true}, Physical::kTemperature,
             at, kColdest, kHottest);
  v.physical({"release", "composite temperature at which it ends", true}, Physical::kTemperature,
             release, kColdest, kHottest);
  v.ratio({"dies",
           "share of sched.power_credits (of all dies if that is 0) left to programs and "
           "erases, at least one die"},
          dies, 0.0, 1.0);
  v.rate({"host_rate", "host commands are fetched at this rate at most, 0: no limit"}, host_rate, 0,
         kMaxHostRate);
}

void CriticalConfig::visit(FieldVisitor& v) {
  v.physical({"at", "composite temperature at which the drive stops all work"},
             Physical::kTemperature, at, kColdest, kHottest);
  v.physical({"release", "and at which it goes on"}, Physical::kTemperature, release, kColdest,
             kHottest);
}

void ThermalConfig::visit(FieldVisitor& v) {
  constexpr int64_t kMinResistance = 10;         // 0.01 K/W
  constexpr int64_t kMaxResistance = 1'000'000;  // 1000 K/W
  constexpr int64_t kMinCapacity = 10;           // 0.01 J/K
  constexpr int64_t kMaxCapacity = 1'000'000'000;
  v.choice({"model", "whether temperatures are computed"}, model, kHeatModels);
  v.field({"period", "step of the model while the drive works, whole milliseconds"}, period,
          Duration::ms(1), Duration::s(1));
  v.physical({"ambient", "temperature of the surroundings"}, Physical::kTemperature, ambient,
             kColdest, kHottest);
  v.physical({"controller_capacity", "heat capacity of the controller node"},
             Physical::kHeatCapacity, controller_capacity, kMinCapacity, kMaxCapacity);
  v.physical({"nand_capacity", "heat capacity of the NAND node"}, Physical::kHeatCapacity,
             nand_capacity, kMinCapacity, kMaxCapacity);
  v.physical({"controller_to_nand", "thermal resistance between the nodes"},
             Physical::kThermalResistance, controller_to_nand, kMinResistance, kMaxResistance);
  v.physical({"controller_to_ambient", "from the controller to the surroundings"},
             Physical::kThermalResistance, controller_to_ambient, kMinResistance, kMaxResistance);
  v.physical({"nand_to_ambient", "from the NAND to the surroundings"}, Physical::kThermalResistance,
             nand_to_ambient, kMinResistance, kMaxResistance);
  v.ratio({"controller_weight", "share of the controller in the composite temperature"},
          controller_weight, 0.0, 1.0);
  v.list({"throttle", "throttle steps, the mildest first"}, throttle, 0, 8);
  v.section({"critical", "stop of all work"}, critical);
}

}  // namespace ftlsim
