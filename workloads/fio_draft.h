// A fio job while its options are read: values as written, with their places.
//
// A global section fills a draft too; every job below it starts as a copy of that draft, which is
// how fio does it, and each option is checked once, where it stands.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "sim/diagnostics.h"
#include "workloads/fio_options.h"
#include "workloads/fio_syntax.h"
#include "workloads/fio_values.h"
#include "workloads/job_spec.h"

namespace ftlsim {

struct FioDraft {
  std::string name;
  RwKind rw = RwKind::kRead;
  std::array<uint64_t, kDirections> block_size{4096, 4096, 4096};
  std::optional<FioAmount> size;
  std::optional<FioAmount> io_size;
  FioAmount offset;
  uint64_t iodepth = 1;
  uint64_t numjobs = 1;
  Duration runtime;
  bool time_based = false;
  bool stonewall = false;
  bool norandommap = false;
  uint64_t read_percent = 50;
  std::optional<uint64_t> randseed;
  std::string ioengine;
  bool direct = false;
  KbBase kb_base = KbBase::k1024;

  Origin section;
  std::array<std::optional<Origin>, kFioKeys> places;

  // Where the option stands, or the section if it is not written.
  Origin place(FioKey key) const { return places[static_cast<size_t>(key)].value_or(section); }
};

// Reads options into drafts. One per job file: it gives each note once.
class FioOptionReader {
 public:
  explicit FioOptionReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // Applies all options of a section; every problem becomes a message.
  void apply(const FioSection& section, FioDraft& draft);

  // A note that is given once per subject.
  void note_once(const std::string& subject, const Origin& where, const std::string& text);

 private:
  void apply_option(const FioOption& option, FioDraft& draft);
  void apply_modelled(FioKey key, const FioOption& option, FioDraft& draft);
  void read_rw(const FioOption& option, FioDraft& draft);
  void read_block_sizes(const FioOption& option, FioDraft& draft);
  void read_percent(const FioOption& option, bool of_writes, FioDraft& draft);
  void read_amount(const FioOption& option, const FioDraft& draft, FioAmount& target);
  void read_integer(const FioOption& option, const FioDraft& draft, uint64_t& target);
  void read_bool(const FioOption& option, bool& target);
  void read_runtime(const FioOption& option, FioDraft& draft);
  void read_kb_base(const FioOption& option, FioDraft& draft);
  void read_filename(const FioOption& option);
  void refuse(const FioOption& option, const std::string& text);

  Diagnostics& diagnostics_;
  std::set<std::string> noted_;
  int unknown_options_ = 0;
};

}  // namespace ftlsim
