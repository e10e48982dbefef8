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
#include <string_view>
#include <vector>

#include "sim/diagnostics.h"
#include "workloads/fio_options.h"
#include "workloads/fio_syntax.h"
#include "workloads/fio_values.h"
#include "workloads/job_spec.h"

namespace ftlsim {

struct FioDraft {
  // What needs neither the drive nor other options. The fields below go into it last.
  JobSpec spec;

  PerDirection<uint64_t> block_size{4096, 4096, 4096};
  PerDirection<uint64_t> range_low{};  // of bsrange, 0: none
  std::optional<FioAmount> size;
  std::optional<FioAmount> io_size;
  FioAmount offset;
  FioAmount offset_increment;
  uint64_t iodepth = 1;
  uint64_t numjobs = 1;
  bool stonewall = false;
  std::string wait_for;
  bool randrepeat = true;
  bool full_cycle = false;  // random_generator=lfsr: no block twice, even without a map
  uint64_t read_percent = 50;
  PerDirection<uint64_t> rate{};       // bytes per second
  PerDirection<uint64_t> rate_iops{};  // counts only where there is no rate
  uint64_t offset_align = 0;
  bool unaligned = false;  // sizes of a range in steps of a logical block
  bool fill_device = false;
  std::string read_iolog;  // the job replays this log; the next four say how
  bool replay_no_stall = false;
  uint32_t replay_time_percent = 100;  // of the recorded rate
  ReplaySpec replay;
  bool exitall = false;  // counts for the whole file
  bool strided = false;
  StrideSpec stride;
  bool verify = false;
  bool do_verify = true;
  std::vector<std::string> filenames;  // as listed
  std::string directory;               // one, or several with ':'
  std::string filename_format = "$jobname.$jobnum.$filenum";
  uint64_t nrfiles = 1;  // without filenames
  struct Range {
    uint64_t low = 0;
    uint64_t high = 0;  // 0: not written
  };
  Range filesize;
  std::string ioengine;
  bool direct = false;
  KbBase kb_base = KbBase::k1024;

  Origin section;
  std::array<std::optional<Origin>, kFioKeys> places;

  // Where the option stands, or the section if it is not written.
  Origin place(FioKey key) const { return places[static_cast<size_t>(key)].value_or(section); }
  bool written(FioKey key) const { return places[static_cast<size_t>(key)].has_value(); }

  // To be called when all options are known: which of bs, bsrange and bssplit counts.
  void settle_sizes();
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
  void refuse_option(const FioOption& option, const FioOptionInfo& info);
  void apply_modelled(FioKey key, const FioOption& option, FioDraft& draft);

  // fio_draft_pattern.cc: false if the key is none of theirs.
  bool apply_pattern(FioKey key, const FioOption& option, FioDraft& draft);
  bool apply_region(FioKey key, const FioOption& option, FioDraft& draft);
  void read_rw(const FioOption& option, FioDraft& draft);
  void read_rw_suffix(const FioOption& option, std::string_view suffix, FioDraft& draft);
  void read_block_sizes(const FioOption& option, FioDraft& draft);
  void read_block_range(const FioOption& option, FioDraft& draft);
  void read_block_split(const FioOption& option, FioDraft& draft);
  void read_distribution(const FioOption& option, FioDraft& draft);
  void read_spread(const FioOption& option, Spread spread, std::string_view parameters,
                   DistributionSpec& spec);
  void read_zones(const FioOption& option, std::string_view text, bool absolute, FioDraft& draft);
  bool read_zones_of(const FioOption& option, std::string_view text, bool absolute,
                     const FioDraft& draft, std::vector<AccessZone>& zones);

  // fio_draft_files.cc
  bool apply_files(FioKey key, const FioOption& option, FioDraft& draft);
  void read_filenames(const FioOption& option, FioDraft& draft);
  void read_file_size(const FioOption& option, FioDraft& draft);
  void read_file_service(const FioOption& option, FioDraft& draft);

  bool apply_replay(FioKey key, const FioOption& option, FioDraft& draft);

  // fio_draft_pace.cc
  bool apply_pace(FioKey key, const FioOption& option, FioDraft& draft);
  bool apply_limits(FioKey key, const FioOption& option, FioDraft& draft);
  void read_latencies(const FioOption& option, PerDirection<Duration>& target);
  void read_continue(const FioOption& option, FioDraft& draft);
  bool apply_sync(FioKey key, const FioOption& option, FioDraft& draft);
  void read_start_delay(const FioOption& option, FioDraft& draft);
  void check_rates(const FioOption& option, const FioDraft& draft);
  void read_steady_state(const FioOption& option, FioDraft& draft);
  void read_sync(const FioOption& option, FioDraft& draft);

  // fio_draft_report.cc
  bool apply_report(FioKey key, const FioOption& option, FioDraft& draft);
  void read_log(const FioOption& option, const FioDraft& draft, std::optional<std::string>& prefix);
  void read_milliseconds(const FioOption& option, const FioDraft& draft, Duration& target);
  void read_percentiles(const FioOption& option, FioDraft& draft);

  // Values.
  void read_percent(const FioOption& option, bool of_writes, FioDraft& draft);
  void read_amount(const FioOption& option, const FioDraft& draft, FioAmount& target);
  void read_integer(const FioOption& option, const FioDraft& draft, uint64_t& target);
  void read_integer(const FioOption& option, const FioDraft& draft, uint32_t& target,
                    uint32_t least, uint32_t most);
  // "R,W,T": one value is for all, two leave the second for trims too; what is empty stays.
  void read_integers(const FioOption& option, const FioDraft& draft,
                     PerDirection<uint64_t>& target);
  void read_bytes(const FioOption& option, const FioDraft& draft, Bytes& target);
  void read_number(const FioOption& option, double& target);
  void read_bool(const FioOption& option, bool& target);
  // A plain number counts in `unit`.
  void read_time(const FioOption& option, Duration unit, Duration& target);
  // One of the words, whose index is returned.
  std::optional<size_t> read_word(const FioOption& option,
                                  const std::vector<std::string_view>& words);
  void read_kb_base(const FioOption& option, FioDraft& draft);
  void refuse(const FioOption& option, const std::string& text);

  Diagnostics& diagnostics_;
  std::set<std::string> noted_;
  int unknown_options_ = 0;
};

// Name and value of the options that have a value, under their canonical names.
std::vector<FioOptionText> option_texts(const FioSection& section);
// The value, or "" if the key stands alone.
std::string_view text_of(const FioOption& option);
// Splits at any of `separators`; n separators give n + 1 pieces.
std::vector<std::string_view> split_text(std::string_view text, std::string_view separators);

}  // namespace ftlsim
