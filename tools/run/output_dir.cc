#include "tools/run/output_dir.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "tools/run/summary.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartialMark = ".partial-";
constexpr std::string_view kFormerMark = ".former-";

bool is_run_dir(const fs::path& dir) {
  std::ifstream in(dir / "summary.json");
  const auto summary = nlohmann::json::parse(in, nullptr, false);
  return summary.is_object() && summary.value("schema", nlohmann::json()) == kSummarySchema &&
         summary.contains("fingerprint");
}

// The nearest ancestor that exists.
fs::path existing_parent(fs::path path) {
  std::error_code error;
  do {
    path = path.parent_path();
  } while (!path.empty() && path != path.root_path() && !fs::exists(path, error));
  return path.empty() ? fs::path(".") : path;
}

// `name` = prefix + number of a process that is gone.
bool is_leftover(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc() || end != name.data() + name.size() || pid <= 0) return false;
  return kill(pid, 0) != 0 && errno == ESRCH;
}

}  // namespace

OutputDir::OutputDir(fs::path dir, Diagnostics& diagnostics) {
  std::error_code error;
  if (dir.empty()) {
    diagnostics.error(Origin{"<cmdline>"}, "the output directory (-o) has an empty name");
    return;
  }
  dir_ = fs::absolute(dir, error).lexically_normal();
  if (dir_.filename().empty()) dir_ = dir_.parent_path();  // "out/run/"
  partial_ = dir_;
  partial_ += fmt::format("{}{}", kPartialMark, getpid());

  const fs::file_status status = fs::symlink_status(dir_, error);
  const auto complain = [&](std::string_view what) {
    diagnostics.error(
        Origin{"<cmdline>"},
        fmt::format("output directory {} {}; name another one with -o or move it away",
                    quote(dir.string()), what));
  };
  if (fs::exists(status)) {
    if (!fs::is_directory(status)) {
      complain("exists and is not a directory");
    } else if (!fs::is_empty(dir_, error) && !is_run_dir(dir_)) {
      complain("exists and is not a run directory (it holds no summary.json of a run)");
    }
  }
  const fs::path parent = existing_parent(dir_);
  if (!fs::is_directory(parent, error)) {
    complain(fmt::format("cannot be made: {} is not a directory", quote(parent.string())));
  } else if (access(parent.c_str(), W_OK | X_OK) != 0) {
    complain(fmt::format("cannot be made: no permission to write in {}", quote(parent.string())));
  }
}

OutputDir::~OutputDir() { discard(); }

bool OutputDir::create(Diagnostics& diagnostics) {
  std::error_code error;
  const std::string prefix = dir_.filename().string() + std::string(kPartialMark);
  for (const fs::directory_entry& entry : fs::directory_iterator(dir_.parent_path(), error)) {
    std::error_code ignored;
    if (is_leftover(entry.path().filename().string(), prefix))
      fs::remove_all(entry.path(), ignored);
  }
  error.clear();
  fs::remove_all(partial_, error);
  fs::create_directories(partial_, error);
  created_ = !error;
  if (error) {
    diagnostics.error(Origin{"<cmdline>"},
                      fmt::format("cannot make the directory {}: {}; name another one with -o",
                                  quote(partial_.string()), error.message()));
  }
  return created_;
}

void OutputDir::write(std::string_view name, std::string_view text) const {
  const fs::path path = partial_ / name;
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

void OutputDir::commit() {
  std::error_code error;
  fs::path former = dir_;
  former += fmt::format("{}{}", kFormerMark, getpid());
  fs::rename(dir_, former, error);
  const bool replaced = !error;
  fs::rename(partial_, dir_, error);
  if (error) {
    std::error_code ignored;
    if (replaced) fs::rename(former, dir_, ignored);
    throw std::runtime_error(fmt::format("cannot rename {} to {}: {}", partial_.string(),
                                         dir_.string(), error.message()));
  }
  created_ = false;
  fs::remove_all(former, error);
}

void OutputDir::discard() noexcept {
  if (!created_) return;
  std::error_code error;
  fs::remove_all(partial_, error);
  created_ = false;
}

}  // namespace ftlsim
