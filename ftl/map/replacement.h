// Which page of one tier of the map cache gives up its frame next: the decision of map.cache.
//
// A policy sees the frames of its tier by number, 0 up to the number it was made with, and whether
// they are used; what lies in them is not its concern. It is a `.cc` file in
// ftl/map/replacements/ and one line in ftl/map/replacements/register.cc.
#pragma once

#include <cstdint>

#include "sim/policy.h"

namespace ftlsim {

struct DriveConfig;

// What a policy is made with.
struct ReplacementContext {
  uint32_t frames = 0;  // of the tier
};

// Asked by a policy whether a frame may go. It may take steps to make that true: a changed page is
// handed to the write stream of the map first.
class FrameKeeper {
 public:
  virtual bool give_up(uint32_t frame) = 0;

 protected:
  ~FrameKeeper() = default;
};

class Replacement {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  virtual ~Replacement() = default;
  // A page was put into an empty frame, by the use of it that follows no touch().
  virtual void insert(uint32_t frame) = 0;
  // The page of a frame was used.
  virtual void touch(uint32_t frame) = 0;
  // The frame is empty.
  virtual void remove(uint32_t frame) = 0;
  // The first frame in the order of the policy that the keeper gives up, kNone if it keeps all. The
  // page stays until remove().
  virtual uint32_t victim(FrameKeeper& keeper) = 0;
  // All frames are empty.
  virtual void clear() = 0;
};

using ReplacementFamily = PolicyFamily<Replacement, ReplacementContext, DriveConfig>;
using ReplacementConfig = ReplacementFamily::Config;

const ReplacementFamily& map_caches();

}  // namespace ftlsim
