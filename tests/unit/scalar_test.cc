// Scalars of a configuration: what is taken, what is refused and why, and that formatting
// round-trips.
#include <doctest/doctest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include "sim/config_scalar.h"
#include "sim/rng.h"
#include "sim/suggest.h"

namespace ftlsim {
namespace {

// The value of a text that must parse.
template <class Parse>
auto good(Parse parse, std::string_view text) {
  std::string error;
  const auto value = parse(text, error);
  INFO(text << ": " << error);
  REQUIRE(value.has_value());
  return *value;
}

// The error of a text that must not.
template <class Parse>
std::string bad(Parse parse, std::string_view text) {
  std::string error;
  INFO(text);
  CHECK_FALSE(parse(text, error).has_value());
  CHECK(!error.empty());
  return error;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("integers are plain decimal digits") {
  CHECK(good(parse_integer, "0") == 0);
  CHECK(good(parse_integer, "18446744073709551615") == std::numeric_limits<uint64_t>::max());
  for (const char* text :
       {"", "010", "00", "0x10", "-1", "+1", "1_000", "4abc", "1.5", "1e3", " 1", "1 "}) {
    bad(parse_integer, text);
  }
  CHECK(contains(bad(parse_integer, "010"), "leading zero"));
  CHECK(contains(bad(parse_integer, "18446744073709551616"), "too large"));
}

TEST_CASE("booleans have one spelling") {
  CHECK(good(parse_bool, "true"));
  CHECK_FALSE(good(parse_bool, "false"));
  for (const char* text : {"yes", "no", "True", "1", "", "on"}) bad(parse_bool, text);
}

TEST_CASE("physical quantities have a unit and a whole number of steps") {
  const auto value = [](Physical kind, std::string_view text) {
    return good([kind](std::string_view t, std::string& e) { return parse_physical(kind, t, e); },
                text);
  };
  const auto refused = [](Physical kind, std::string_view text) {
    return bad([kind](std::string_view t, std::string& e) { return parse_physical(kind, t, e); },
               text);
  };
  CHECK(value(Physical::kEnergy, "45uJ") == 45'000);
  CHECK(value(Physical::kEnergy, "1.25mJ") == 1'250'000);
  CHECK(value(Physical::kPower, "6.3W") == 6'300'000);
  CHECK(value(Physical::kPower, "4mW") == 4'000);
  CHECK(value(Physical::kTemperature, "83C") == 83'000);
  CHECK(value(Physical::kTemperature, "-5.5C") == -5'500);
  CHECK(value(Physical::kThermalResistance, "12.5K/W") == 12'500);
  CHECK(value(Physical::kHeatCapacity, "900mJ/K") == 900);
  CHECK(contains(refused(Physical::kPower, "5"), "has no unit (one of uW, mW, W)"));
  CHECK(contains(refused(Physical::kPower, "-5W"), "is not a power such as '2.4W'"));
  CHECK(contains(refused(Physical::kTemperature, "83F"), "unknown unit 'F' (one of C)"));
  CHECK(contains(refused(Physical::kTemperature, "--3C"), "is not a temperature"));
  CHECK(contains(refused(Physical::kEnergy, "0.5nJ"), "whole number of nanojoules"));
  Rng rng(5, "test/physical");
  for (int i = 0; i < 2'000; ++i) {
    const auto kind = static_cast<Physical>(rng.below(5));
    auto v = static_cast<int64_t>(rng.below(10'000'000));
    if (rng.chance(1, 2)) v *= 1'000;
    if (kind == Physical::kTemperature && rng.chance(1, 2)) v = -v;
    const std::string text = format_physical(kind, v);
    CHECK(value(kind, text) == v);
    CHECK(std::regex_match(text, std::regex(physical_pattern(kind))));
  }
}

TEST_CASE("durations are exact whole nanoseconds") {
  const auto ns = [](std::string_view text) { return good(parse_duration, text).to_ns(); };
  CHECK(ns("1.5ms") == 1'500'000);
  CHECK(ns("0.1us") == 100);
  CHECK(ns("25.5us") == 25'500);
  CHECK(ns("0.000000001s") == 1);
  CHECK(ns("1.000ns") == 1);
  CHECK(ns("0ns") == 0);
  CHECK(ns("30min") == 1'800'000'000'000);
  CHECK(ns("2h") == 7'200'000'000'000);
  CHECK(ns("365d") == 31'536'000'000'000'000);
  CHECK(ns("9223372036854775807ns") == std::numeric_limits<int64_t>::max());
  CHECK(contains(bad(parse_duration, "0.5ns"), "whole number of nanoseconds"));
  CHECK(contains(bad(parse_duration, "500"), "has no unit (one of ns, us, ms, s, min, h, d)"));
  CHECK(contains(bad(parse_duration, "50sec"), "unknown unit 'sec'"));
  CHECK(contains(bad(parse_duration, "50 us"), "no space"));
  CHECK(contains(bad(parse_duration, "9223372036854775808ns"), "too large"));
  CHECK(contains(bad(parse_duration, "99999999999999999999999999d"), "too large"));
  CHECK(contains(bad(parse_duration, "05us"), "leading zero"));
  for (const char* text : {"", "us", "-5us", "+5us", ".5us", "5.us", "1..5us", "1e3us", "5US"}) {
    bad(parse_duration, text);
  }
}

TEST_CASE("sizes know binary from decimal units") {
  CHECK(good(parse_bytes, "16KiB") == Bytes::kib(16));
  CHECK(good(parse_bytes, "145GB") == Bytes::gb(145));
  CHECK(good(parse_bytes, "1.5MiB") == Bytes(1'572'864));
  CHECK(good(parse_bytes, "1000204886016B") == Bytes(1'000'204'886'016));
  CHECK(good(parse_bytes, "1TB") != good(parse_bytes, "1TiB"));
  for (const char* text : {"16", "16kB", "16K", "0.3B", "1/3MB", "20000000TB"}) {
    bad(parse_bytes, text);
  }
}

TEST_CASE("rates are sizes per second") {
  CHECK(good(parse_rate, "250MB/s") == 250'000'000);
  CHECK(good(parse_rate, "1.5GiB/s") == 1'610'612'736);
  CHECK(contains(bad(parse_rate, "250MB"), "unknown unit 'MB'"));
  for (const char* text : {"250", "250/s", "250MBps", "MB/s"}) bad(parse_rate, text);
}

TEST_CASE("a percentage and its ratio are the same number") {
  for (const char* text : {"7", "0.1", "12.5", "28", "33.3", "100", "0"}) {
    const double percent = good(parse_ratio, std::string(text) + "%");
    CHECK(percent == good(parse_ratio, std::string(text) + "e-2"));
  }
  CHECK(good(parse_ratio, "7%") == 0.07);
  CHECK(good(parse_real, "-40") == -40.0);
  CHECK(good(parse_real, "1e-9") == 1e-9);
  CHECK_FALSE(std::signbit(good(parse_real, "-0")));
  for (const char* text :
       {"", "%", "nan", "inf", "1e999", "0x1p3", "1,5", ".5", "5.", "01", "7%%"}) {
    bad(parse_ratio, text);
    bad(parse_real, text);
  }
  bad(parse_real, "7%");
  bad(parse_ratio, "1e1%");
}

TEST_CASE("formatting gives short text that parses back to the same value") {
  CHECK(format_duration(Duration::us(60)) == "60us");
  CHECK(format_duration(Duration::s(1800)) == "30min");
  CHECK(format_bytes(Bytes::kib(16)) == "16KiB");
  CHECK(format_bytes(Bytes::gb(145)) == "145GB");
  CHECK(format_rate(250'000'000) == "250MB/s");
  CHECK(format_duration(Duration()) == "0ns");
  Rng rng(1, "scalar_test");
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t raw = rng.next() >> (rng.next() % 64);
    const Duration d = Duration::ns(static_cast<int64_t>(raw >> 1));
    CHECK(good(parse_duration, format_duration(d)) == d);
    CHECK(good(parse_bytes, format_bytes(Bytes(raw))) == Bytes(raw));
    CHECK(good(parse_rate, format_rate(raw)) == raw);
    const double real = static_cast<double>(raw) / 1e12;
    CHECK(good(parse_real, format_real(real)) == real);
    CHECK(good(parse_ratio, format_real(real)) == real);
  }
}

TEST_CASE("a locale with a decimal comma changes nothing") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) std::setlocale(LC_ALL, name);
  CHECK(good(parse_real, "0.5") == 0.5);
  CHECK(good(parse_duration, "1.5ms") == Duration::us(1500));
  CHECK(format_real(0.5) == "0.5");
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("patterns accept what the formatters write") {
  CHECK(std::regex_match("1.5ms", std::regex(duration_pattern())));
  CHECK_FALSE(std::regex_match("1.5", std::regex(duration_pattern())));
  CHECK(std::regex_match("16KiB", std::regex(bytes_pattern())));
  CHECK(std::regex_match("250MB/s", std::regex(rate_pattern())));
  CHECK(std::regex_match("7.5%", std::regex(percentage_pattern())));
}

TEST_CASE("suggestions") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("raed", "read") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3);  // a swap is not edited further
  const std::vector<std::string_view> names = {"t_read", "t_program", "planes"};
  CHECK(suggest("t_raed", names) == "t_read");
  CHECK(suggest("plane", names) == "planes");
  CHECK_FALSE(suggest("voltage", names).has_value());
  CHECK_FALSE(suggest("xy", std::vector<std::string_view>{"ab"}).has_value());
}

}  // namespace ftlsim
