// Counts distinct bytes of an address space, exactly in units of 4 KiB as long as the memory for
// that stays within a bound; beyond it in larger units (then it is an upper bound).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

namespace ftlsim {

class Footprint {
 public:
  // `most_chunks` of about 2 KiB each.
  explicit Footprint(size_t most_chunks = 16384) : most_chunks_(most_chunks) {}

  // Bytes [begin, begin + size), size > 0, of an address space with this number.
  void add(uint32_t space, uint64_t begin, uint64_t size);

  uint64_t unit_bytes() const { return uint64_t{1} << shift_; }
  uint64_t bytes() const { return units_ << shift_; }

 private:
  static constexpr uint64_t kBits = 16384;  // units of a chunk
  struct Chunk {
    std::array<uint64_t, kBits / 64> words{};
    uint64_t set = 0;
  };
  using Key = std::pair<uint32_t, uint64_t>;

  Chunk& chunk(uint32_t space, uint64_t number);
  void set_range(Chunk& chunk, uint64_t first, uint64_t last);
  void coarsen();

  size_t most_chunks_;
  uint32_t shift_ = 12;
  uint64_t units_ = 0;
  std::map<Key, std::unique_ptr<Chunk>> chunks_;
  Key last_key_{};
  Chunk* last_ = nullptr;  // the chunk of last_key_
};

}  // namespace ftlsim
