// SLC capacity as a piecewise linear function of free space: slc.limit.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config_visitor.h"
#include "sim/units.h"

namespace ftlsim {

// A point of the function.
struct LimitPoint {
  Bytes free;   // TLC capacity of superblocks without TLC data, less the reserves
  Bytes limit;  // SLC capacity allowed then
  void visit(FieldVisitor& v);
};

class LimitCurve {
 public:
  // Points in rising order of free space; none: always 0.
  explicit LimitCurve(const std::vector<LimitPoint>& points);
  // SLC slots at `free_slots`; constant before the first point and after the last one.
  uint64_t at(uint64_t free_slots) const;

 private:
  struct Point {
    uint64_t free;
    uint64_t limit;
  };
  std::vector<Point> points_;  // in slots
};

}  // namespace ftlsim
