#include "tools/trace/footprint.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ftlsim {

void Footprint::add(uint32_t space, uint64_t begin, uint64_t size) {
  constexpr uint64_t kMostChunksAtOnce = 1024;
  // One huge request must not outgrow the bound on memory by itself.
  while (size >> shift_ > kBits * std::min<uint64_t>(kMostChunksAtOnce, most_chunks_)) coarsen();
  uint64_t unit = begin >> shift_;
  const uint64_t last = (begin + size - 1) >> shift_;
  while (unit <= last) {
    const uint64_t end = std::min(last, unit | (kBits - 1));
    set_range(chunk(space, unit / kBits), unit % kBits, end % kBits);
    unit = end + 1;
  }
  while (chunks_.size() > most_chunks_ && shift_ < 40) coarsen();
}

Footprint::Chunk& Footprint::chunk(uint32_t space, uint64_t number) {
  const Key key{space, number};
  if (last_ != nullptr && key == last_key_) return *last_;
  std::unique_ptr<Chunk>& found = chunks_[key];
  if (found == nullptr) found = std::make_unique<Chunk>();
  last_key_ = key;
  last_ = found.get();
  return *last_;
}

void Footprint::set_range(Chunk& c, uint64_t first, uint64_t last) {
  for (uint64_t word = first / 64; word <= last / 64; ++word) {
    uint64_t mask = ~uint64_t{0};
    if (word == first / 64) mask &= ~uint64_t{0} << (first % 64);
    if (word == last / 64) mask &= ~uint64_t{0} >> (63 - last % 64);
    const auto fresh = static_cast<uint64_t>(std::popcount(mask & ~c.words[word]));
    c.words[word] |= mask;
    c.set += fresh;
    units_ += fresh;
  }
}

// Doubles the unit: two chunks become one.
void Footprint::coarsen() {
  std::map<Key, std::unique_ptr<Chunk>> old;
  old.swap(chunks_);
  last_ = nullptr;
  ++shift_;
  units_ = 0;
  for (auto& [key, c] : old) {
    const uint64_t base = key.second % 2 * (kBits / 2);
    Chunk& half = chunk(key.first, key.second / 2);
    for (uint64_t i = 0; i < kBits; ++i) {
      if ((c->words[i / 64] >> (i % 64) & 1) != 0) {
        const uint64_t unit = base + i / 2;
        set_range(half, unit, unit);
      }
    }
    c.reset();
  }
}

}  // namespace ftlsim
