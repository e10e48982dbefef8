#include "tools/compare/config_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/config_node.h"

namespace ftlsim {
namespace {

// Values by key path, and the order of the keys over all runs.
class Flat {
 public:
  explicit Flat(size_t runs) : runs_(runs) {}

  void add(size_t run, const std::string& path, const ConfigNode& node) {
    switch (node.kind) {
      case ConfigNode::Kind::kMap:
        for (const ConfigEntry& entry : node.entries)
          add(run, path.empty() ? entry.key : path + "." + entry.key, entry.value);
        return;
      case ConfigNode::Kind::kList:
        for (size_t i = 0; i < node.items.size(); ++i)
          add(run, fmt::format("{}[{}]", path, i), node.items[i]);
        return;
      default:
        put(run, path, node.text);
    }
  }

  std::vector<ConfigDifference> differences() const {
    std::vector<ConfigDifference> result;
    for (const std::string& key : order_) {
      const std::vector<std::string>& values = values_.at(key);
      if (std::any_of(values.begin(), values.end(),
                      [&](const std::string& v) { return v != values.front(); }))
        result.push_back({key, values});
    }
    return result;
  }

 private:
  void put(size_t run, const std::string& path, const std::string& text) {
    auto [at, made] = values_.try_emplace(path, std::vector<std::string>(runs_));
    if (made) order_.push_back(path);
    at->second[run] = text;
  }

  size_t runs_;
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> order_;
};

}  // namespace

std::vector<ConfigDifference> config_differences(const std::vector<std::string>& texts) {
  Flat flat(texts.size());
  for (size_t run = 0; run < texts.size(); ++run) {
    Diagnostics ignored;  // what the tool wrote itself; a damaged file shows as missing keys
    flat.add(run, "", parse_yaml(texts[run], "effective.yaml", ignored));
  }
  return flat.differences();
}

}  // namespace ftlsim
