// What streams cost: open superblocks, reserve, buffers; and how a drive that cannot pay is
// refused.
#include "ftl/write/stream_plan.h"

#include <doctest/doctest.h>

#include "tests/support/policy_text.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {

TEST_CASE("streams of a plain drive") {
  DriveConfig c = tiny_drive();
  const StreamPlan plain = stream_plan(c);
  CHECK(plain.open() == 2);
  CHECK(plain.open_tlc() == 3);
  CHECK(plain.relocation() == 2);
  CHECK(plain.relocation_reserve() == SpaceManager::kRelocationReserve);
  use_slc(c);
  CHECK(stream_plan(c).open() == 4);
}

TEST_CASE("each class and levelling cost a superblock for each stream") {
  DriveConfig c = tiny_drive();
  set_keys(c.write, "{heat: multi_level, multi_level: {levels: 4}}");
  CHECK(stream_plan(c).open() == 2 + 3);
  CHECK(stream_plan(c).relocation_reserve() == 3);
  c.gc.streams = StreamSplit::kByHeat;
  CHECK(stream_plan(c).open() == 2 + 3 + 3);
  CHECK(stream_plan(c).relocation_reserve() == 3 + 3);
  c.wear.level = true;
  CHECK(stream_plan(c).open() == 2 + 3 + 3 + 1);
  CHECK(stream_plan(c).open_tlc() == 3 + 3 + 3 + 1);
  CHECK(stream_plan(c).relocation_reserve() == 3 + 3 + 1);
  const Media media(c.nand.geometry, 1);
  CHECK(space_budget(c, media).open_streams == stream_plan(c).open());
  CHECK(space_budget(c, media).relocation == stream_plan(c).relocation_reserve());
}

TEST_CASE("superblocks filled in turn count as streams, but for levelling and the map") {
  DriveConfig c = tiny_drive();
  use_slc(c);
  c.wear.level = true;
  c.nand.geometry.superblock_dies = 1;
  c.write.open_superblocks = 2;
  CHECK(stream_plan(c).open() == 2 * 4 + 1);
  CHECK(stream_plan(c).open_tlc() == 2 * 3 + 1);
  CHECK(stream_plan(c).relocation() == 2 * 2 + 1);
  CHECK(stream_plan(c).relocation_reserve() == 1 + 2 * 2 + 1);
}

TEST_CASE("streams that do not fit are refused, and the message names the keys") {
  const auto contains = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  };
  {
    DriveConfig c = tiny_drive();
    c.gc.streams = StreamSplit::kByHeat;
    c.capacity = Bytes::mib(16);
    const std::string text = problems(c, 1);
    CAPTURE(text);
    CHECK(contains(text, "gc.streams"));
    CHECK(contains(text, "write.heat"));
  }
  {
    DriveConfig c = tiny_drive();
    c.wear.level = true;
    c.gc.low_watermark = 3;
    c.capacity = Bytes::mib(16);
    const std::string text = problems(c, 1);
    CAPTURE(text);
    CHECK(contains(text, "gc.low_watermark"));
    CHECK(contains(text, "wear.static"));
  }
  {
    DriveConfig c = tiny_drive();
    REQUIRE(fit_capacity(c, 1, 0));
    CHECK(problems(c, 1).empty());
    set_keys(c.write, "heat: two_level");
    const std::string text = problems(c, 1);
    CAPTURE(text);
    CHECK(contains(text, "streams are asked for by write.heat"));
  }
  {
    DriveConfig c = tiny_drive();
    c.capacity = Bytes::mib(4);
    c.gc.low_watermark = 8;
    c.gc.high_watermark = 9;
    set_keys(c.write, "{heat: multi_level, multi_level: {levels: 4}}");
    c.gc.streams = StreamSplit::kByHeat;
    const Bytes stripe = c.nand.geometry.page_size * (2 * 3 * 2);
    c.buffer.size = stripe * 4;
    c.buffer.relocation_size = stripe * 5;
    CHECK(problems(c, 1).empty());
    c.buffer.size = stripe * 4 - Bytes::kib(4);
    CHECK(contains(problems(c, 1), "buffer.size"));
    c.buffer.size = stripe * 4;
    c.buffer.relocation_size = stripe * 5 - Bytes::kib(4);
    CHECK(contains(problems(c, 1), "buffer.relocation_size"));
  }
  {
    DriveConfig c = tiny_drive();
    c.capacity = Bytes::mib(4);
    c.write.open_superblocks = 2;
    const std::string text = problems(c, 1);
    CAPTURE(text);
    CHECK(contains(text, "write.open_superblocks: 2 superblocks of 2 dies exceed the 2 dies"));
    CHECK(contains(text, "nand.geometry.superblock_dies"));
    c.nand.geometry.superblock_dies = 1;
    CHECK(contains(problems(c, 1), "gc.low_watermark"));
    c.gc.low_watermark = 5;
    c.gc.high_watermark = 6;
    CHECK(problems(c, 1).empty());
  }
  {
    DriveConfig c = tiny_drive();
    c.capacity = Bytes::mib(4);
    set_keys(c.write, "{heat: two_level, two_level: {region: 12KiB}}");
    CHECK(contains(problems(c, 1), "write.two_level.region"));
  }
}

}  // namespace ftlsim::test
