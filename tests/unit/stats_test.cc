// StatRegistry: sorted dump, the fingerprint and conservation laws.
#include "sim/stats.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace ftlsim {
namespace {

// Lets a test expect a failed assertion.
class ThrowingAsserts {
 public:
  ThrowingAsserts() : former_(set_assert_handler(&fail)) {}
  ~ThrowingAsserts() { set_assert_handler(former_); }
  ThrowingAsserts(const ThrowingAsserts&) = delete;
  ThrowingAsserts& operator=(const ThrowingAsserts&) = delete;

 private:
  static void fail(std::string_view message) { throw std::logic_error(std::string(message)); }
  AssertHandler former_;
};

struct Counters {
  uint64_t host = 60;
  uint64_t gc = 30;
  uint64_t programmed = 90;
  LatencyHistogram read;

  void register_in(StatRegistry& registry) const {
    registry.counter("nand.programmed", "slots", "slots programmed", &programmed);
    registry.counter("host.written", "slots", "slots the host wrote", &host);
    registry.counter("gc.moved", "slots", "slots moved by garbage collection", &gc);
    registry.histogram("host.read_latency", "time from submission to completion", &read);
    registry.law("programmed slots", {"nand.programmed"}, {"host.written", "gc.moved"});
  }
};

}  // namespace

TEST_CASE("dump names value, unit and sentence, sorted by name") {
  Counters c;
  c.read.add(Duration::us(50));
  StatRegistry registry;
  c.register_in(registry);
  const nlohmann::ordered_json dump = registry.dump();
  std::string names;
  for (const auto& [name, stat] : dump.items()) names += name + ' ';
  CHECK(names == "gc.moved host.read_latency host.written nand.programmed ");
  CHECK(dump["host.written"]["value"] == 60);
  CHECK(dump["host.written"]["unit"] == "slots");
  CHECK(dump["host.written"]["doc"] == "slots the host wrote");
  CHECK(dump["host.read_latency"]["count"] == 1);
  CHECK(dump["host.read_latency"]["max"] == 50'000);
  CHECK(dump["host.read_latency"]["unit"] == "ns");
}

TEST_CASE("the hash depends on names and values, not on the order of registration") {
  Counters c;
  StatRegistry a;
  c.register_in(a);
  const uint64_t before = a.hash();
  StatRegistry b;
  b.histogram("host.read_latency", "x", &c.read);
  b.counter("gc.moved", "y", "z", &c.gc);
  b.counter("host.written", "", "", &c.host);
  b.counter("nand.programmed", "", "", &c.programmed);
  CHECK(b.hash() == before);
  ++c.gc;
  CHECK(a.hash() != before);
  --c.gc;
  CHECK(a.hash() == before);
  c.read.add_ns(1);
  CHECK(a.hash() != before);
  CHECK(StatRegistry().hash() != before);
}

TEST_CASE("a law that does not hold is reported with its terms") {
  Counters c;
  StatRegistry registry;
  c.register_in(registry);
  CHECK(registry.check_laws().empty());
  c.programmed = 100;
  const auto violated = registry.check_laws();
  REQUIRE(violated.size() == 1);
  CHECK(violated[0] ==
        "programmed slots: nand.programmed 100 = 100 differs from host.written 60 + gc.moved 30 = "
        "90 by 10");
}

TEST_CASE("a name is registered once, and a law needs counters that exist") {
  const ThrowingAsserts throwing;
  Counters c;
  StatRegistry registry;
  c.register_in(registry);
  CHECK_THROWS_AS(registry.counter("gc.moved", "", "", &c.gc), std::logic_error);
  CHECK_THROWS_AS(registry.value("nothing"), std::logic_error);
  CHECK(registry.has_counter("gc.moved"));
  CHECK_FALSE(registry.has_counter("host.read_latency"));
  registry.law("broken", {"gc.moved"}, {"no.such"});
  CHECK_THROWS_AS(registry.check_laws(), std::logic_error);
}

}  // namespace ftlsim
