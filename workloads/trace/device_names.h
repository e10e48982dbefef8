// The devices (disks, volumes, files) that a trace names, numbered in the order
// of appearance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ftlsim {

class DeviceNames {
 public:
  // More than this many share the last number, so that a trace with endless
  // names needs no endless memory.
  static constexpr uint32_t kMost = 65536;

  // The number of the device; gives it one at the first call.
  uint32_t id_of(std::string_view name) {
    if (last_ < names_.size() && names_[last_] == name) return last_;
    const auto found = ids_.find(name);
    if (found != ids_.end()) return last_ = found->second;
    if (names_.size() + 1 >= kMost) return last_ = add_others();
    const auto id = static_cast<uint32_t>(names_.size());
    names_.emplace_back(name);
    ids_.emplace(names_.back(), id);
    return last_ = id;
  }

  size_t size() const { return names_.size(); }
  // Empty for the records of a trace that names no devices.
  std::string_view name(uint32_t id) const {
    return id < names_.size() ? std::string_view(names_[id]) : std::string_view();
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };

  uint32_t add_others() {
    if (names_.size() < kMost) names_.emplace_back("(others)");
    return kMost - 1;
  }

  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> ids_;  // looked up only
  uint32_t last_ = 0;
};

}  // namespace ftlsim
