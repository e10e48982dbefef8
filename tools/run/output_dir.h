// The run directory: all of it or nothing.
//
// Files are written in a sibling `DIR.partial-<pid>`, which takes DIR's place at the end by a
// rename. Unless commit() succeeds the sibling is removed and DIR is as it was.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/diagnostics.h"

namespace ftlsim {

class OutputDir {
 public:
  // Checks that `dir` can become a run directory: it does not exist, is empty, or is a run
  // directory (its summary.json has our schema number). Otherwise adds an error. Changes nothing on
  // disk.
  OutputDir(std::filesystem::path dir, Diagnostics& diagnostics);
  ~OutputDir();
  OutputDir(const OutputDir&) = delete;
  OutputDir& operator=(const OutputDir&) = delete;

  // Makes the partial directory, and removes those that processes which no longer run left behind.
  // False, with an error added, if that fails.
  bool create(Diagnostics& diagnostics);

  const std::filesystem::path& final_path() const { return dir_; }
  const std::filesystem::path& partial_path() const { return partial_; }

  // Writes a file of the partial directory. Throws std::runtime_error naming the file.
  void write(std::string_view name, std::string_view text) const;
  // The partial directory becomes `dir`. Throws std::runtime_error.
  void commit();
  // Removes the partial directory.
  void discard() noexcept;

 private:
  std::filesystem::path dir_;
  std::filesystem::path partial_;
  bool created_ = false;
};

}  // namespace ftlsim
