// The field tables of a procedure file.
//
//   host: {submit_cpu: 800ns}
//   steps:
//     - {step: write, block_size: 128KiB, iodepth: 32, size: 100%}
//     - {step: idle, duration: 30min}
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config_visitor.h"
#include "sim/units.h"
#include "workloads/job_spec.h"
#include "workloads/steady_window.h"
#include "workloads/trace/replay_config.h"

namespace ftlsim {

enum class StepKind : uint8_t {
  kFormat,
  kWrite,
  kRead,
  kMix,
  kIdle,
  kTrim,
  kFlush,
  kRepeat,
  kReplay,
  kFill,
  kJob,
  kAge,
  // Known words whose mechanism does not exist: refused by name.
  kPowerCycle,
  kSnapshot,
};
constexpr bool is_modelled(StepKind kind) { return kind < StepKind::kPowerCycle; }
std::string_view name_of(StepKind kind);

enum class Pattern : uint8_t { kSequential, kRandom };

// When a repeat may end before its count.
struct UntilSteadyConfig {
  std::string track;  // names of phases of the round
  SteadyRule rule;

  void visit(FieldVisitor& v);
};

struct StepConfig {
  StepKind step = StepKind::kWrite;
  std::string name;
  Pattern pattern = Pattern::kSequential;
  Bytes block_size = Bytes::kib(128);
  uint32_t iodepth = 32;
  uint32_t jobs = 1;
  std::string offset;   // "" = 0
  std::string size;     // "" = up to the end of the drive
  std::string io_size;  // "" = the size
  Duration duration;
  uint32_t read_percent = 50;
  bool read_ahead = true;
  uint64_t seed = 0;
  uint32_t count = 1;
  double days = 0;
  int64_t temperature = 25'000;  // thousandths of a degree; if written
  bool powered = false;
  std::vector<StepConfig> steps;
  std::string fio;  // of a job: its options, or a whole job file
  bool norandommap = false;
  Duration hold;
  UntilSteadyConfig until_steady;
  ReplayConfig replay;

  void visit(FieldVisitor& v);
};

struct HostConfig {
  HostModel model;
  void visit(FieldVisitor& v);
};

struct ProcedureConfig {
  std::string description;
  int64_t temperature = 25'000;  // of the surroundings, in thousandths of a degree; if written
  HostConfig host;
  std::vector<StepConfig> steps;

  void visit(FieldVisitor& v);
};

}  // namespace ftlsim
