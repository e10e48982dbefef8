// Decisions of the SLC size policies on hand-made states, and what is refused at load.
#include <doctest/doctest.h>

#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// Points in 4 KiB slots: nothing at 0, 1,000 at 10,000 and more.
const LimitCurve& curve() {
  static const LimitCurve kCurve(
      {{Bytes(0), Bytes(0)}, {Bytes(10'000 * kSlotBytes), Bytes(1'000 * kSlotBytes)}});
  return kCurve;
}

std::unique_ptr<SlcSizePolicy> make(std::string_view name, std::vector<std::string> keys = {}) {
  DriveConfig c = tiny_drive();
  use_slc(c);
  c.slc.mode.select(name);
  set_keys(c, keys);
  return c.slc.mode.make({curve(), 3, 30'000});
}

SlcState with(uint64_t unused) {
  SlcState s;
  s.unused = unused;
  s.user = 30'000;
  return s;
}

// Ends a burst that brings host_written to `written`, with `dead` of 1,000 used slots dead and
// `collected` units copied by collection since power-on.
void burst(SlcSizePolicy& policy, uint64_t written, uint64_t dead, uint64_t collected = 0) {
  SlcState s = with(30'000);
  s.host_written = written;
  s.collected = collected;
  s.used = 1'000;
  s.valid = 1'000 - dead;
  policy.limit(s);  // still busy: nothing is learnt
  s.idle = true;
  policy.limit(s);
  policy.limit(s);  // asked again: the burst counts once
  s.used = s.valid = 0;
  policy.limit(s);  // folded
}

}  // namespace

TEST_CASE("slc.mode: none, dynamic and full_drive follow the free space") {
  CHECK(make("none")->limit(with(30'000)) == 0);
  CHECK(make("dynamic")->limit(with(5'000)) == 500);
  CHECK(make("dynamic")->limit(with(30'000)) == 1'000);
  CHECK(make("full_drive")->limit(with(30'000)) == 10'000);
  CHECK(make("full_drive")->limit(with(2)) == 0);
  for (const char* name : {"none", "dynamic", "full_drive", "adaptive"})
    CHECK(make(name)->guaranteed() == 0);
}

TEST_CASE("slc.mode: static has its size on a full drive") {
  const auto policy = make("static", {"slc.static.size=400KiB"});
  CHECK(policy->limit(with(30'000)) == 100);
  CHECK(policy->limit(with(0)) == 100);
  CHECK(policy->guaranteed() == 100);
}

TEST_CASE("slc.mode: hybrid adds the curve beyond what the static part takes") {
  const auto policy = make("hybrid", {"slc.hybrid.static=400KiB"});
  CHECK(policy->limit(with(0)) == 100);
  CHECK(policy->limit(with(300)) == 100);
  CHECK(policy->limit(with(300 + 5'000)) == 100 + 500);
  CHECK(policy->limit(with(30'000)) == 100 + 1'000);
  CHECK(policy->guaranteed() == 100);
}

TEST_CASE("slc.mode: adaptive learns the size of bursts and ignores rare large ones") {
  const auto policy = make("adaptive", {"slc.adaptive.warm_up=4", "slc.adaptive.smallest=400KiB",
                                        "slc.adaptive.margin=0.25", "slc.adaptive.coverage=0.9",
                                        "slc.adaptive.retain=0"});
  // Nothing learnt: half of what fits.
  CHECK(policy->limit(with(30'000)) == 5'000);
  uint64_t written = 0;
  for (int i = 0; i < 4; ++i) burst(*policy, written += 800, 0);
  CHECK(policy->limit(with(30'000)) == 1'000);
  // Bursts below `smallest` and one that is much larger do not move it.
  for (int i = 0; i < 10; ++i) burst(*policy, written += 20, 0);
  CHECK(policy->limit(with(30'000)) == 1'000);
  burst(*policy, written += 9'000, 0);
  CHECK(policy->limit(with(30'000)) == 1'000);
  // When they are the rule, it follows, up to what fits.
  for (int i = 0; i < 12; ++i) burst(*policy, written += 9'000, 0);
  CHECK(policy->limit(with(60'000)) == 11'250);
  CHECK(policy->limit(with(30'000)) == 10'000);
  policy->reset();
  CHECK(policy->limit(with(30'000)) == 5'000);
}

TEST_CASE("slc.mode: adaptive keeps data in the cache as long as they die there") {
  const auto policy = make("adaptive", {"slc.adaptive.warm_up=1", "slc.adaptive.smallest=400KiB",
                                        "slc.adaptive.margin=0", "slc.adaptive.retain=0.8"});
  uint64_t written = 0;
  // Of 10,000 slots a burst needs 1,000; at most 8,000 stay.
  for (int i = 0; i < 8; ++i) burst(*policy, written += 1'000, 63);
  CHECK(policy->kept(with(30'000)) == 8'000);
  CHECK(policy->limit(with(30'000)) == 9'000);
  burst(*policy, written += 1'000, 62);  // less than a sixteenth
  CHECK(policy->kept(with(30'000)) == 7'000);
  // A tenth dies in the cache: worth it while collection copies no more than a tenth of the burst.
  burst(*policy, written += 1'000, 100, 100);
  CHECK(policy->kept(with(30'000)) == 8'000);
  burst(*policy, written += 1'000, 100, 201);
  CHECK(policy->kept(with(30'000)) == 7'000);
  for (int i = 0; i < 20; ++i) burst(*policy, written += 1'000, 0, 201);
  CHECK(policy->kept(with(30'000)) == 1'000);  // a trial is left, to notice when they die again
  // A burst is never denied its room: 1,000 of 1,500 slots.
  for (int i = 0; i < 8; ++i) burst(*policy, written += 1'000, 500, 201);
  CHECK(policy->kept(with(4'500)) == 500);
  CHECK(policy->limit(with(4'500)) == 1'500);
}

TEST_CASE("slc.mode: adaptive counts what the last idle time could not fold") {
  const auto policy = make("adaptive", {"slc.adaptive.warm_up=1", "slc.adaptive.smallest=400KiB",
                                        "slc.adaptive.margin=0", "slc.adaptive.retain=0"});
  burst(*policy, 800, 0);
  CHECK(policy->limit(with(30'000)) == 800);
  SlcState s = with(30'000);
  s.host_written = 800;
  s.used = 300;  // left when the next burst begins
  s.idle = true;
  policy->limit(s);
  for (uint64_t written = 1'600; written <= 8'000; written += 800) {
    s.host_written = written;
    s.used = 1'100;
    policy->limit(s);
    s.used = 300;
    policy->limit(s);
  }
  CHECK(policy->limit(with(30'000)) == 1'100);
}

TEST_CASE("slc.mode: adaptive asks for room in idle time, at its price") {
  const auto policy = make("adaptive", {"slc.adaptive.warm_up=2", "slc.adaptive.smallest=400KiB",
                                        "slc.adaptive.margin=0.5", "slc.adaptive.effort=3"});
  CHECK(policy->room(with(30'000)).slots == 0);
  burst(*policy, 1'000, 0);
  burst(*policy, 2'000, 0);
  CHECK(policy->room(with(0)).slots == 1'500);
  // Three copies for one slot of room: three quarters valid.
  CHECK(policy->room(with(0)).most_valid == doctest::Approx(0.75));
  CHECK(make("full_drive")->room(with(30'000)).slots == 0);
}

TEST_CASE("slc.mode: what does not fit is explained with both keys") {
  const auto problems_with = [](std::vector<std::string> keys) {
    DriveConfig c = tiny_drive();
    use_slc(c);
    REQUIRE(fit_capacity(c, 1, 500));
    set_keys(c, keys);
    return problems(c, 1);
  };
  CHECK(problems_with({}).empty());
  std::string text = problems_with({"slc.mode=hybrid", "slc.hybrid.static=1GiB"});
  CHECK(text.find("slc.hybrid.static") != std::string::npos);
  CHECK(text.find("slc.limit[1].limit") != std::string::npos);
  text = problems_with({"slc.mode=static", "slc.static.size=1GiB"});
  CHECK(text.find("slc.static.size") != std::string::npos);
  CHECK(text.find("capacity") != std::string::npos);
  // It fits the medium, but not beside the reserves.
  text = problems_with({"slc.mode=static", "slc.static.size=2MiB"});
  CHECK(text.find("kept for SLC (slc.mode = static") != std::string::npos);
  text = problems_with({"slc.mode=adaptive", "slc.adaptive.history=2", "slc.adaptive.warm_up=3"});
  CHECK(text.find("slc.adaptive.warm_up") != std::string::npos);
  CHECK(text.find("slc.adaptive.history") != std::string::npos);
  text = problems_with({"slc.fold.trigger=watermarks", "slc.fold.watermarks.low=0.9"});
  CHECK(text.find("slc.fold.watermarks.low") != std::string::npos);
  CHECK(text.find("slc.fold.watermarks.high") != std::string::npos);
  text = problems_with({"slc.keep=keep_hot", "slc.keep_hot.size=1GiB"});
  CHECK(text.find("slc.keep_hot.size") != std::string::npos);
  CHECK(text.find("slc.mode") != std::string::npos);
  text = problems_with({"slc.fold.path=on_chip", "gc.order=stripe"});
  CHECK(text.find("slc.fold.path") != std::string::npos);
  CHECK(text.find("gc.order") != std::string::npos);
}

}  // namespace ftlsim::test
