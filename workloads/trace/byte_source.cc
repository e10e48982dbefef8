#include "workloads/trace/byte_source.h"

#include <bzlib.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "sim/diagnostics.h"

namespace ftlsim {
namespace {

constexpr size_t kPackedBuffer = size_t{64} << 10;

// What is stored: a file or memory, with a view of its first bytes.
class Storage {
 public:
  virtual ~Storage() = default;
  virtual size_t read(char* to, size_t size, std::string& error) = 0;
  virtual double fraction() const = 0;
};

class FileStorage final : public Storage {
 public:
  FileStorage(int fd, uint64_t size) : fd_(fd), size_(size) {}
  FileStorage(const FileStorage&) = delete;
  FileStorage& operator=(const FileStorage&) = delete;
  ~FileStorage() override { close(fd_); }

  size_t read(char* to, size_t size, std::string& error) override {
    for (;;) {
      const ssize_t got = ::read(fd_, to, size);
      if (got >= 0) {
        done_ += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
      }
      if (errno == EINTR) continue;
      error = std::string("read error: ") + std::strerror(errno);
      return 0;
    }
  }
  double fraction() const override {
    return size_ == 0 ? 1 : std::min(1.0, static_cast<double>(done_) / static_cast<double>(size_));
  }

 private:
  int fd_;
  uint64_t size_;
  uint64_t done_ = 0;
};

class MemoryStorage final : public Storage {
 public:
  explicit MemoryStorage(std::string_view bytes) : bytes_(bytes) {}
  size_t read(char* to, size_t size, std::string&) override {
    const size_t n = std::min(size, bytes_.size() - done_);
    if (n > 0) std::memcpy(to, bytes_.data() + done_, n);
    done_ += n;
    return n;
  }
  double fraction() const override {
    return bytes_.empty() ? 1 : static_cast<double>(done_) / static_cast<double>(bytes_.size());
  }

 private:
  std::string_view bytes_;
  size_t done_ = 0;
};

// A buffer of stored bytes, for the unpackers and for the look at the first
// bytes.
class Packed {
 public:
  explicit Packed(std::unique_ptr<Storage> storage)
      : storage_(std::move(storage)), buffer_(kPackedBuffer) {}

  // The bytes at hand; reads more if there are none. Empty at the end or after
  // an error.
  std::string_view peek(std::string& error) {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = storage_->read(buffer_.data(), buffer_.size(), error);
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }
  void consume(size_t n) { begin_ += n; }
  double fraction() const { return storage_->fraction(); }
  Storage& storage() { return *storage_; }

 private:
  std::unique_ptr<Storage> storage_;
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

class PackedSource : public ByteSource {
 public:
  explicit PackedSource(Packed packed) : packed_(std::move(packed)) {}
  double fraction() const override { return packed_.fraction(); }

 protected:
  // Sets the error; always 0.
  size_t fail(std::string_view what) {
    error_ = std::string(packing()) + " data " + std::string(what);
    return 0;
  }
  Packed packed_;
};

class PlainSource final : public PackedSource {
 public:
  using PackedSource::PackedSource;
  size_t read(char* to, size_t size) override {
    if (!error_.empty()) return 0;
    const std::string_view bytes = packed_.peek(error_);
    const size_t n = std::min(size, bytes.size());
    if (n > 0) std::memcpy(to, bytes.data(), n);
    packed_.consume(n);
    return n;
  }
};

class GzipSource final : public PackedSource {
 public:
  explicit GzipSource(Packed packed) : PackedSource(std::move(packed)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) error_ = "no memory to unpack gzip";
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  std::string_view packing() const override { return "gzip"; }

  size_t read(char* to, size_t size) override {
    while (error_.empty()) {
      const std::string_view in = packed_.peek(error_);
      if (in.empty()) return error_.empty() && inside_ ? fail("ends early") : 0;
      inside_ = true;
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
      stream_.avail_in = static_cast<uInt>(in.size());
      stream_.next_out = reinterpret_cast<Bytef*>(to);
      stream_.avail_out = static_cast<uInt>(size);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      packed_.consume(in.size() - stream_.avail_in);
      if (status == Z_STREAM_END) {
        inside_ = false;
        inflateReset(&stream_);
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return fail("are damaged");
      }
      const size_t got = size - stream_.avail_out;
      if (got > 0) return got;
    }
    return 0;
  }

 private:
  z_stream stream_{};
  bool inside_ = false;  // a member
};

class BzipSource final : public PackedSource {
 public:
  explicit BzipSource(Packed packed) : PackedSource(std::move(packed)) {}
  ~BzipSource() override { close_member(); }
  std::string_view packing() const override { return "bzip2"; }

  size_t read(char* to, size_t size) override {
    while (error_.empty()) {
      const std::string_view in = packed_.peek(error_);
      if (in.empty()) return error_.empty() && inside_ ? fail("ends early") : 0;
      if (!open_member()) return fail("need more memory");
      stream_.next_in = const_cast<char*>(in.data());
      stream_.avail_in = static_cast<unsigned>(in.size());
      stream_.next_out = to;
      stream_.avail_out = static_cast<unsigned>(size);
      const int status = BZ2_bzDecompress(&stream_);
      packed_.consume(in.size() - stream_.avail_in);
      const size_t got = size - stream_.avail_out;
      if (status == BZ_STREAM_END) {
        close_member();
      } else if (status != BZ_OK) {
        return fail("are damaged");
      }
      if (got > 0) return got;
    }
    return 0;
  }

 private:
  bool open_member() {
    if (inside_) return true;
    stream_ = {};
    inside_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
    return inside_;
  }
  void close_member() {
    if (inside_) BZ2_bzDecompressEnd(&stream_);
    inside_ = false;
  }

  bz_stream stream_{};
  bool inside_ = false;  // a member
};

class ZstdSource final : public PackedSource {
 public:
  explicit ZstdSource(Packed packed)
      : PackedSource(std::move(packed)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) error_ = "no memory to unpack zstd";
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  std::string_view packing() const override { return "zstd"; }

  size_t read(char* to, size_t size) override {
    while (error_.empty()) {
      const std::string_view bytes = packed_.peek(error_);
      if (bytes.empty()) return error_.empty() && inside_ ? fail("end early") : 0;
      ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
      ZSTD_outBuffer out{to, size, 0};
      const size_t status = ZSTD_decompressStream(stream_, &out, &in);
      if (ZSTD_isError(status) != 0) return fail("are damaged");
      inside_ = status != 0;
      packed_.consume(in.pos);
      if (out.pos > 0) return out.pos;
    }
    return 0;
  }

 private:
  ZSTD_DStream* stream_;
  bool inside_ = false;  // a frame
};

std::unique_ptr<ByteSource> unpack(std::unique_ptr<Storage> storage) {
  Packed packed(std::move(storage));
  std::string error;  // a read error shows again at the first read()
  const std::string_view head = packed.peek(error);
  if (head.starts_with("\x1f\x8b")) return std::make_unique<GzipSource>(std::move(packed));
  if (head.starts_with("BZh")) return std::make_unique<BzipSource>(std::move(packed));
  if (head.starts_with("\x28\xb5\x2f\xfd")) return std::make_unique<ZstdSource>(std::move(packed));
  return std::make_unique<PlainSource>(std::move(packed));
}

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path, std::string& error) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info {};
  if (fd < 0 || fstat(fd, &info) != 0) {
    error = "cannot open " + quote(path.string()) + ": " + std::strerror(errno);
    if (fd >= 0) close(fd);
    return nullptr;
  }
  if (!S_ISREG(info.st_mode)) {
    error = quote(path.string()) + " is not a regular file";
    close(fd);
    return nullptr;
  }
  return unpack(std::make_unique<FileStorage>(fd, static_cast<uint64_t>(info.st_size)));
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes) {
  return unpack(std::make_unique<MemoryStorage>(bytes));
}

}  // namespace ftlsim
