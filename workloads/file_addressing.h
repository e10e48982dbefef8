// Which of a thread's files a request goes to, and where in it: fio's file_service_type.
//
// Each file is a region with positions and a random order of its own. One that has been read or
// written to its end is done, and the others are served on; when all are, the pass is over. A
// value, as BlockAddressing is.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/rng.h"
#include "workloads/block_addressing.h"
#include "workloads/block_distribution.h"
#include "workloads/job_spec.h"

namespace ftlsim {

class FileAddressing {
 public:
  // For a job with several files per thread, which must outlive it.
  FileAddressing(const JobSpec& job, uint64_t seed, uint32_t thread);

  // The next extent of a direction that the job uses; `most` as for BlockAddressing. False: all
  // files are done, and the job does not go over them again.
  bool next(Direction d, uint64_t most, Extent& extent);

  // What fio does between two passes: files that are all done are begun again, others go on where
  // they are; with `same_numbers` random draws repeat.
  void next_pass(bool same_numbers);

 private:
  struct File {
    BlockAddressing address;
    bool done = false;
  };

  void choose_after(size_t file);
  bool at_end(const File& file) const;

  const JobSpec* job_;
  std::vector<File> files_;
  size_t done_ = 0;
  size_t current_ = 0;
  uint32_t run_left_ = 0;  // requests that the current file gets before another is chosen
  bool wraps_;             // a file at its end is begun again by itself, as in fio
  bool repeats_;           // all files are, together
  BlockDistribution spread_;
  Rng rng_;
  Rng start_rng_;
};

}  // namespace ftlsim
