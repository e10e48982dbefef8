#include "ftl/write/open_superblocks.h"

namespace ftlsim {

// One that finds no superblock to open leaves its turn to the others.
OpenSuperblocks::Found OpenSuperblocks::next_of_several() {
  for (size_t i = 0; i < all_.size(); ++i) {
    Frontier* f = all_[(turn_ + i) % all_.size()].get();
    const Place place = f->next();
    if (place.unit != nullptr) return {f, place};
  }
  return {};
}

OpenSuperblocks::Found OpenSuperblocks::next_of_several(DieId die) {
  for (const auto& f : all_) {
    if (!f->spans(die)) continue;
    const Place place = f->next_on(die);
    if (place.unit != nullptr) return {f.get(), place};
  }
  for (size_t i = 0; i < all_.size(); ++i) {
    Frontier* f = all_[(turn_ + i) % all_.size()].get();
    const Place place = f->next_on(DieId::invalid());
    if (place.unit != nullptr) return {f, place};
  }
  return {};
}

}  // namespace ftlsim
