// The open superblocks of a stream and heat class: one, or several that take the pieces of the
// stream in turn (write.open_superblocks). Several let a stream use more dies than a narrow
// superblock has.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ftl/write/frontier.h"

namespace ftlsim {

inline constexpr uint32_t kMostOpenSuperblocks = 16;

class OpenSuperblocks {
 public:
  // A place and whose it is; without a unit there is no room now.
  struct Found {
    Frontier* frontier = nullptr;
    Place place;
  };

  void add(std::unique_ptr<Frontier> frontier) { all_.push_back(std::move(frontier)); }
  size_t size() const { return all_.size(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  // Stripe placement: the next slot, of the frontier whose turn it is if it has one.
  Found next() {
    if (all_.size() != 1) [[unlikely]]
      return next_of_several();
    return {all_[0].get(), all_[0]->next()};
  }
  // Die placement: the next slot, on the die that is asked for if an open superblock has it.
  Found next_on(DieId die) {
    if (all_.size() != 1) [[unlikely]]
      return next_of_several(die);
    return {all_[0].get(), all_[0]->next_on(die)};
  }
  // Fills `n` slots of what was found. At the end of a piece it is the next one's turn.
  void fill(const Found& found, uint32_t n) {
    found.frontier->fill(found.place, n);
    if (all_.size() > 1 && found.frontier->between_pieces())
      turn_ = (turn_ + 1) % static_cast<uint32_t>(all_.size());
  }

 private:
  Found next_of_several();
  Found next_of_several(DieId die);

  std::vector<std::unique_ptr<Frontier>> all_;
  uint32_t turn_ = 0;
};

}  // namespace ftlsim
