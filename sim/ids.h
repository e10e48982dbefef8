// Distinct integer types for addresses and identities. They neither convert nor mix.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>

namespace ftlsim {

// An identity with representation `Rep`. All ones is the invalid value. There is no arithmetic:
// moving along an address space is a named operation (`plus`), everything else belongs to the
// geometry that defines the space.
template <class Tag, class Rep>
class Id {
 public:
  using rep = Rep;
  constexpr Id() = default;
  explicit constexpr Id(Rep v) : v_(v) {}
  static constexpr Id invalid() { return Id(static_cast<Rep>(~Rep{0})); }

  constexpr Rep value() const { return v_; }
  constexpr bool valid() const { return v_ != static_cast<Rep>(~Rep{0}); }
  constexpr auto operator<=>(const Id&) const = default;
  // The id `n` places further along the same address space.
  constexpr Id plus(Rep n) const { return Id(static_cast<Rep>(v_ + n)); }

 private:
  Rep v_ = static_cast<Rep>(~Rep{0});
};

using Lba = Id<struct LbaTag, uint64_t>;  // host logical block (512 B or 4 KiB)
using Lpn = Id<struct LpnTag, uint32_t>;  // logical 4 KiB mapping unit
using Ppn = Id<struct PpnTag, uint32_t>;  // physical 4 KiB slot: (superblock, offset)
using SuperblockId = Id<struct SuperblockTag, uint32_t>;
using BlockId = Id<struct BlockTag, uint32_t>;  // erase block of one plane, device-wide
using DieId = Id<struct DieTag, uint16_t>;
using ChannelId = Id<struct ChannelTag, uint16_t>;
using QueueId = Id<struct QueueTag, uint16_t>;  // NVMe submission queue

static_assert(sizeof(Lpn) == 4 && sizeof(Ppn) == 4 && std::is_trivially_copyable_v<Ppn>);

}  // namespace ftlsim
