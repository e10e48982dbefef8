// The files of the jobs of a job file, as parts of the drive.
//
// fio gives a job without `filename` a file of its own for each clone and shares a named file among
// all who name it. Here such files lie on the drive one after the other, in the order in which the
// job file mentions them first. Jobs that name a device, and a job file that comes to a single file
// in all, work on the whole drive from its start.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/diagnostics.h"
#include "sim/rng.h"
#include "workloads/drive_limits.h"
#include "workloads/fio_draft.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// Whether a file name is that of a block device or of a namespace, in fio's notations.
bool names_fio_device(std::string_view name);

class FioFiles {
 public:
  FioFiles(const DriveLimits& drive, Diagnostics& diagnostics)
      : drive_(drive), diagnostics_(diagnostics) {}

  // Adds the files of a job, whose draft must live until lay_out() has returned. To be called for
  // all jobs, in order, before that.
  void add(const FioDraft& draft);

  // Gives every file its place; one note says where they lie. An error if there are too many, if a
  // size is missing, or if they do not fit the drive.
  void lay_out();

  // The regions of job `index`, in the order of FilesSpec::regions; none if it works on the drive.
  const std::vector<FileRegion>& regions(size_t index) const { return uses_[index].regions; }

 private:
  struct File {
    std::string name;
    Origin origin;        // of the first mention
    bool device = false;  // the drive itself
    uint64_t bytes = 0;   // 0: not known
    uint64_t begin = 0;
  };
  struct Use {
    const FioDraft* draft = nullptr;
    std::vector<size_t> files;  // numjobs times those of a clone; none: the whole drive
    std::vector<FileRegion> regions;
  };

  bool on_drive(const FioDraft& draft);
  size_t file_number(const std::string& name, const Origin& origin, bool device);
  uint64_t length_of(const FioDraft& draft, size_t index, Rng& rng) const;
  bool check_length(const FioDraft& draft, const File& file, uint64_t length);
  void measure(Use& use);
  void place_files();
  void note_places() const;

  DriveLimits drive_;
  Diagnostics& diagnostics_;
  std::vector<File> files_;
  size_t regular_files_ = 0;
  std::map<std::string, size_t> numbers_;
  std::vector<Use> uses_;
  bool failed_ = false;
};

}  // namespace ftlsim
