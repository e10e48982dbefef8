// Starts the built ftlsim and reads what it leaves behind.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ftlsim::golden {

// An empty directory that goes away with the object.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // Names of what is in it, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int exit_code = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
};

// Starts ftlsim with its output in files of `scratch`; returns the process id.
pid_t start_tool(const std::vector<std::string>& arguments, const TempDir& scratch);
Outcome wait_for_tool(pid_t pid, const TempDir& scratch);
Outcome run_tool(const std::vector<std::string>& arguments);

// A file next to the golden tests.
std::string golden_file(const std::string& name);
std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);
nlohmann::ordered_json read_json(const std::filesystem::path& path);

// Differences between two run directories, one a line: files that exist on one side, files that
// differ. Lines with wall_s or peak_rss_bytes in summary.json do not count.
std::string compare_run_dirs(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace ftlsim::golden
