#include "tests/golden/tool.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ftlsim::golden {

namespace fs = std::filesystem;

TempDir::TempDir() {
  std::string pattern = (fs::temp_directory_path() / "ftlsim-golden-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::vector<std::string> TempDir::names() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

pid_t start_tool(const std::vector<std::string>& arguments, const TempDir& scratch) {
  std::vector<std::string> words = {FTLSIM_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = scratch / "stdout";
  const std::string err = scratch / "stderr";
  const pid_t pid = fork();
  if (pid != 0) return pid;
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  execv(argv[0], argv.data());
  _exit(127);
}

Outcome wait_for_tool(pid_t pid, const TempDir& scratch) {
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) throw std::runtime_error("waitpid");
  Outcome outcome;
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  outcome.out = read_text(scratch / "stdout");
  outcome.err = read_text(scratch / "stderr");
  return outcome;
}

Outcome run_tool(const std::vector<std::string>& arguments) {
  const TempDir scratch;
  return wait_for_tool(start_tool(arguments, scratch), scratch);
}

std::string golden_file(const std::string& name) {
  return std::string(FTLSIM_SOURCE_DIR) + "/tests/golden/" + name;
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

nlohmann::ordered_json read_json(const fs::path& path) {
  return nlohmann::ordered_json::parse(read_text(path), nullptr, false);
}

namespace {

std::string without_machine_lines(const std::string& text) {
  std::istringstream in(text);
  std::string kept;
  for (std::string line; std::getline(in, line);) {
    if (line.find("\"wall_s\"") == std::string::npos &&
        line.find("\"peak_rss_bytes\"") == std::string::npos)
      kept += line + "\n";
  }
  return kept;
}

std::set<std::string> files_in(const fs::path& dir) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir))
    names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

std::string compare_run_dirs(const fs::path& a, const fs::path& b) {
  std::string differences;
  std::set<std::string> names = files_in(a);
  names.merge(files_in(b));
  for (const std::string& name : names) {
    if (!fs::exists(a / name) || !fs::exists(b / name)) {
      differences += name + " is on one side only\n";
      continue;
    }
    std::string left = read_text(a / name);
    std::string right = read_text(b / name);
    if (name == "summary.json") {
      left = without_machine_lines(left);
      right = without_machine_lines(right);
    }
    if (left != right) differences += name + " differs\n";
  }
  return differences;
}

}  // namespace ftlsim::golden
