// Streams of bytes: a file or memory, plain or packed by gzip, bzip2 or zstd
// (recognised from its first bytes, several packed members one after the other
// included).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ftlsim {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Reads up to `size` bytes (> 0). 0: the end, or an error that error() names;
  // later calls return 0 as well.
  virtual size_t read(char* to, size_t size) = 0;
  const std::string& error() const { return error_; }
  // Part of the stored bytes that has been read, 0 to 1.
  virtual double fraction() const = 0;
  // How it is packed: "gzip", "bzip2", "zstd"; empty if it is plain.
  virtual std::string_view packing() const { return {}; }

 protected:
  std::string error_;
};

// Opens a regular file. Nothing, and a sentence in `error`, if that cannot be
// done.
std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path, std::string& error);

// Bytes in memory, which must outlive the source.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes);

}  // namespace ftlsim
