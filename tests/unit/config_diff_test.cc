// Differences between effective configurations.
#include "tools/compare/config_diff.h"

#include <doctest/doctest.h>

namespace ftlsim {
namespace {

TEST_CASE("configuration differences: by path, lists by index, missing keys") {
  const auto differences = config_differences(
      {"a: 1  # one\ngc:\n  order: stripe\nslc:\n  limit:\n    - {free: 1GB, limit: 0GB}\n",
       "a: 1\ngc:\n  order: completion\n  new: x\nslc:\n  limit:\n    - {free: 1GB, limit: 2GB}\n"
       "    - {free: 3GB, limit: 4GB}\n"});
  REQUIRE(differences.size() == 5);
  CHECK(differences[0].key == "gc.order");
  CHECK(differences[0].values == std::vector<std::string>{"stripe", "completion"});
  CHECK(differences[1].key == "slc.limit[0].limit");
  CHECK(differences[2].key == "gc.new");
  CHECK(differences[2].values == std::vector<std::string>{"", "x"});
  CHECK(differences[3].key == "slc.limit[1].free");
  CHECK(differences[4].key == "slc.limit[1].limit");
}

TEST_CASE("configuration differences: none between equal texts, one text or empty ones") {
  CHECK(config_differences({"a: 1\nb: [1, 2]\n", "# x\na: 1\nb: [1, 2]\n"}).empty());
  CHECK(config_differences({"a: 1\n"}).empty());
  CHECK(config_differences({"", ""}).empty());
  CHECK(config_differences({"a: 1\n", ""}).size() == 1);
}

}  // namespace
}  // namespace ftlsim
