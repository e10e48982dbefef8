#include "workloads/job_file.h"

#include <fstream>
#include <system_error>

#include "workloads/fio_jobs.h"
#include "workloads/iometer/icf_settings.h"
#include "workloads/iometer/iometer.h"
#include "workloads/vdbench/vdbench.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

// The start of a regular file; empty if there is none.
std::string head_of(const fs::path& path) {
  constexpr size_t kHeadBytes = size_t{1} << 16;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream in(path, std::ios::binary);
  std::string head(kHeadBytes, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(in.gcount()));
  return head;
}

}  // namespace

std::optional<JobFileKind> job_file_kind(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".fio") return JobFileKind::kFio;
  if (extension == ".vdb" || extension == ".parm") return JobFileKind::kVdbench;
  if (extension == ".icf") return JobFileKind::kIometer;
  const std::string head = head_of(path);
  if (looks_like_icf(head)) return JobFileKind::kIometer;
  if (looks_like_vdbench(head)) return JobFileKind::kVdbench;
  return std::nullopt;
}

std::optional<Workload> load_job_file(const fs::path& path, const std::string& name,
                                      const DriveLimits& drive, Diagnostics& diagnostics) {
  switch (job_file_kind(path).value_or(JobFileKind::kFio)) {
    case JobFileKind::kVdbench:
      return load_vdbench(path, name, drive, diagnostics);
    case JobFileKind::kIometer:
      return load_icf(path, name, drive, diagnostics);
    case JobFileKind::kFio:
      break;
  }
  return load_fio_jobs(path, name, drive, diagnostics);
}

}  // namespace ftlsim
