// What a reader of the drive may see: for each 4 KiB unit the versions that concurrent commands
// allow.
//
// A write or trim makes a new version. When it completes, it ends every version that had been
// complete before it was submitted. Versions of overlapping writes stay possible together until a
// later write ends them. A read may return a version that was possible at any time between its
// submission and its completion. Token 0 is "never written or trimmed".
#pragma once

#include <cstdint>
#include <vector>

#include "sim/units.h"

namespace ftlsim::test {

class VersionModel {
 public:
  explicit VersionModel(uint32_t units) : units_(units) {}

  // A write of `token` was submitted at `now`; `command` is its number (not 0), as two trims have
  // the same token.
  void begin(uint32_t unit, uint64_t token, uint64_t command, Time now) {
    at(unit).push_back({token, command, now, Time::never(), Time::never()});
  }
  // It has completed. Commands older than `oldest` are no longer outstanding.
  void end(uint32_t unit, uint64_t command, Time now, Time oldest) {
    std::vector<Version>& versions = at(unit);
    Time submitted;
    for (Version& v : versions)
      if (v.command == command) {
        v.done = now;
        submitted = v.submitted;
      }
    for (Version& v : versions)
      if (v.done < submitted && v.ended == Time::never()) v.ended = now;
    std::erase_if(versions, [oldest](const Version& v) { return v.ended < oldest; });
  }
  // May a read that was submitted at `submitted` and completes now return `token`?
  bool allows(uint32_t unit, uint64_t token, Time submitted) {
    for (const Version& v : at(unit))
      if (v.token == token && v.ended >= submitted) return true;
    return false;
  }
  uint64_t newest(uint32_t unit) { return at(unit).back().token; }
  // Everything is unmapped (format; nothing else outstanding).
  void clear() {
    for (auto& versions : units_) versions.clear();
  }
  uint32_t size() const { return static_cast<uint32_t>(units_.size()); }

 private:
  struct Version {
    uint64_t token;
    uint64_t command;
    Time submitted;
    Time done;
    Time ended;
  };
  std::vector<Version>& at(uint32_t unit) {
    std::vector<Version>& versions = units_[unit];
    if (versions.empty()) versions.push_back({0, 0, Time(), Time(), Time::never()});
    return versions;
  }

  std::vector<std::vector<Version>> units_;
};

}  // namespace ftlsim::test
