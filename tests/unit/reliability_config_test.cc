// Rules between the keys of the reliability section: what is said, and where.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "nand/config.h"
#include "tests/support/reliability.h"

namespace ftlsim {
namespace {

std::string problems(const std::function<void(NandConfig&)>& change) {
  NandConfig c;
  c.reliability = test::ct_tlc(true);
  change(c);
  Diagnostics d;
  validate_reliability(c, Origins(), d);
  return d.to_string();
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the constants that ship with the drives are consistent") {
  CHECK(problems([](NandConfig&) {}) == "");
  CHECK(test::ct_tlc().retry.table.size() == 27);
}

TEST_CASE("a model that is on needs its constants; one that is off needs none") {
  CHECK(contains(problems([](NandConfig& c) { c.reliability.ecc.failure.clear(); }),
                 "nand.reliability.ecc.failure: at least one point is needed"));
  CHECK(contains(problems([](NandConfig& c) { c.reliability.ecc.time.clear(); }),
                 "nand.reliability.ecc.time: at least one point is needed"));
  CHECK(contains(problems([](NandConfig& c) { c.reliability.retry.table.clear(); }),
                 "policy is table_walk, but the table has no entry"));
  CHECK(contains(problems([](NandConfig& c) { c.geometry.bits_per_cell = 4; }),
                 "3 page types are given, but nand.geometry.bits_per_cell is 4"));
  CHECK(contains(problems([](NandConfig& c) {
                   c.reliability.retry.pipelined = true;
                   c.timing.cache_read = false;
                 }),
                 "cannot be pipelined while nand.timing.cache_read is off"));
  CHECK(contains(problems([](NandConfig& c) {
                   c.reliability.variation.layers = {{1.2}, {1.1}};
                 }),
                 "the mean of the factors must be 1"));
  CHECK(contains(problems([](NandConfig& c) { c.reliability.ecc.failure[3].errors = 100; }),
                 "errors must rise"));
  CHECK(contains(problems([](NandConfig& c) { c.reliability.ecc.time[3].time = Duration(); }),
                 "must not fall"));
  CHECK(problems([](NandConfig& c) { c.reliability = ReliabilityConfig(); }) == "");
}

}  // namespace ftlsim
