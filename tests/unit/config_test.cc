// Configuration: every kind of bad input with its exact message and place, defaults, bases,
// overrides, the echo round trip and the schema.
#include "sim/config.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include "sim/config_node.h"
#include "sim/config_schema.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

enum class Policy { kGreedy, kCostBenefit };
constexpr Choice<Policy> kPolicies[] = {
    {"greedy", Policy::kGreedy, "fewest valid pages"},
    {"cost_benefit", Policy::kCostBenefit, "age and valid pages"},
};

struct Nand {
  Duration t_read = Duration::us(41);
  Bytes page = Bytes::kib(16);
  uint32_t planes = 4;
  uint64_t blocks = 2000;
  void visit(FieldVisitor& v) {
    v.field({"t_read", "page read time"}, t_read, Duration::us(1), Duration::ms(1));
    v.field({"page", "page size"}, page, Bytes::kib(4), Bytes::kib(64));
    v.field({"planes", "planes per die", true}, planes, 1, 16);
    v.field({"blocks", "blocks per plane"}, blocks, 16, 65535);
  }
};

struct Point {
  double fill = 0;
  Bytes limit;
  void visit(FieldVisitor& v) {
    v.ratio({"fill", "part of the drive that is written", true}, fill, 0, 1);
    v.field({"limit", "cache size", true}, limit, Bytes(0), Bytes::tb(8));
  }
};

struct Slc {
  bool enabled = true;
  Policy policy = Policy::kGreedy;
  uint64_t fold_limit = 250'000'000;
  std::vector<Point> points;
  void visit(FieldVisitor& v) {
    v.field({"enabled", "use an SLC cache"}, enabled);
    v.choice({"policy", "victim choice"}, policy, kPolicies);
    v.rate({"fold_limit", "fold bandwidth"}, fold_limit, 1'000'000, 10'000'000'000);
    v.list({"points", "cache size against fill"}, points, 1, 4);
  }
};

struct Drive {
  std::string name = "none";
  double celsius = 25;
  Nand nand;
  Slc slc;
  void visit(FieldVisitor& v) {
    v.field({"name", "name of the drive"}, name);
    v.number({"celsius", "temperature"}, celsius, -40, 85);
    v.section({"nand", "the medium"}, nand);
    v.section({"slc", "the SLC cache"}, slc);
  }
};

struct Step;
struct Write {
  Bytes size;
  void visit(FieldVisitor& v) { v.field({"size", "amount", true}, size, Bytes(1), Bytes::tb(100)); }
};
struct Idle {
  Duration time;
  void visit(FieldVisitor& v) { v.field({"time", "how long"}, time, Duration(), Duration::max()); }
};
struct Repeat {
  uint32_t times = 1;
  std::vector<Step> steps;
  void visit(FieldVisitor& v);
};
struct Step {
  std::string label;
  std::variant<Write, Idle, Repeat> action;
  void visit(FieldVisitor& v) {
    static constexpr Field kActions[] = {
        {"write", "writes"}, {"idle", "waits"}, {"repeat", "does steps again"}};
    v.field({"label", "for the report"}, label);
    v.one_of(kActions, action);
  }
};
void Repeat::visit(FieldVisitor& v) {
  v.field({"times", "how often"}, times, 1, 1000);
  v.list({"steps", "what"}, steps, 1, 100);
}
struct Procedure {
  std::vector<Step> steps;
  void visit(FieldVisitor& v) { v.list({"steps", "in order"}, steps, 1, 1000); }
};

// A document with the one required key.
const std::string kMinimal = "nand:\n  planes: 2\n";

template <class S = Drive>
std::string errors_of(std::string_view text, std::vector<std::string> overrides = {}) {
  S s;
  Diagnostics d;
  const bool ok = load_config_text(text, "t.yaml", overrides, s, d);
  CHECK(ok == d.empty());
  return d.to_string();
}

template <class S = Drive>
S load_good(std::string_view text, std::vector<std::string> overrides = {}) {
  S s;
  Diagnostics d;
  const bool ok = load_config_text(text, "t.yaml", overrides, s, d);
  INFO(d.to_string());
  CHECK(ok);
  return s;
}

// A folder with files that disappears with its test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("ftlsim_config_test_" + std::to_string(count()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const fs::path& path() const { return path_; }
  // Messages with the folder's own name taken out.
  std::string relative(std::string text) const {
    const std::string prefix = path_.string() + "/";
    for (size_t at = 0; (at = text.find(prefix)) != std::string::npos;) {
      text.erase(at, prefix.size());
    }
    return text;
  }

 private:
  static int count() {
    static int n = 0;
    return ++n;
  }
  fs::path path_;
};

std::string load_errors(const Folder& folder, const fs::path& file) {
  Drive drive;
  Diagnostics d;
  CHECK_FALSE(load_config(file, {}, drive, d));
  return folder.relative(d.to_string());
}

}  // namespace

TEST_CASE("values are read and the rest keeps its default") {
  const Drive d = load_good(
      "name: p41\n"
      "celsius: -5.5\n"
      "nand: {t_read: 25.5us, page: 4KiB, planes: 2}\n"
      "slc:\n"
      "  enabled: false\n"
      "  policy: cost_benefit\n"
      "  fold_limit: 1.5GB/s\n"
      "  points:\n"
      "  - {fill: 7%, limit: 145GB}\n"
      "  - fill: 0.5\n"
      "    limit: 16MiB\n");
  CHECK(d.name == "p41");
  CHECK(d.celsius == -5.5);
  CHECK(d.nand.t_read == Duration::ns(25'500));
  CHECK(d.nand.page == Bytes::kib(4));
  CHECK(d.nand.planes == 2);
  CHECK(d.nand.blocks == 2000);
  CHECK_FALSE(d.slc.enabled);
  CHECK(d.slc.policy == Policy::kCostBenefit);
  CHECK(d.slc.fold_limit == 1'500'000'000);
  REQUIRE(d.slc.points.size() == 2);
  CHECK(d.slc.points[0].fill == 0.07);
  CHECK(d.slc.points[1].limit == Bytes::mib(16));
}

TEST_CASE("all errors of a file come in one pass, in the order of their places") {
  CHECK(
      errors_of("celsius: 90\n"
                "nand:\n"
                "  t_raed: 50us\n"
                "  t_read: 500\n"
                "  planes: 010\n"
                "  planes: 2\n"
                "  blocks: 70000\n"
                "  page: 1MiB\n"
                "slc:\n"
                "  policy: gready\n"
                "  enabled: yes\n"
                "  fold_limit: 1kB/s\n"
                "  points: 5\n") ==
      "t.yaml:1:10: error: celsius: value 90 is outside [-40, 85]\n"
      "t.yaml:3:3: error: unknown key 'nand.t_raed'; did you mean 't_read'?\n"
      "t.yaml:4:11: error: nand.t_read: duration '500' has no unit (one of ns, us, ms, s, min, h, "
      "d)\n"
      "t.yaml:5:11: error: nand.planes: '010' has a leading zero\n"
      "t.yaml:6:3: error: key 'nand.planes' is given twice; first at t.yaml:5:3\n"
      "t.yaml:7:11: error: nand.blocks: value 70000 is outside [16, 65535]\n"
      "t.yaml:8:9: error: nand.page: value 1MiB is outside [4KiB, 64KiB]\n"
      "t.yaml:10:11: error: slc.policy: unknown value 'gready'; did you mean 'greedy'? (one of "
      "greedy, cost_benefit)\n"
      "t.yaml:11:12: error: slc.enabled: 'yes' is neither 'true' nor 'false'\n"
      "t.yaml:12:15: error: slc.fold_limit: rate '1kB/s' has the unknown unit 'kB/s' (one of B/s, "
      "KB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s)\n"
      "t.yaml:13:11: error: slc.points: expected a list, found a single value\n");
}

TEST_CASE("missing required keys name their path and the place of the section") {
  CHECK(errors_of("name: x\nnand:\n  blocks: 16\n") ==
        "t.yaml:2:1: error: missing required key 'nand.planes': planes per die\n");
  CHECK(errors_of("name: x\n") ==
        "t.yaml:1:1: error: missing required key 'nand.planes': planes per die\n");
  CHECK(errors_of("") == "t.yaml:1:1: error: missing required key 'nand.planes': planes per die\n");
  CHECK(errors_of(kMinimal + "slc:\n  points:\n  - fill: 0.5\n") ==
        "t.yaml:5:5: error: missing required key 'slc.points[0].limit': cache size\n");
}

TEST_CASE("YAML that means something else than it says is refused by name") {
  CHECK(errors_of("nand:\n  <<: {planes: 2}\n  planes: 2\n") ==
        "t.yaml:2:3: error: merge keys ('<<') are not supported; write the keys out or use "
        "'extends' at the top of the file\n");
  CHECK(errors_of("nand: &n\n  planes: 2\n") ==
        "t.yaml:1:7: error: anchors are not supported: '&n'\n");
  CHECK(errors_of("name: &n x\nnand: {planes: 2}\nslc: *n\n") ==
        "t.yaml:1:7: error: anchors are not supported: '&n'\n"
        "t.yaml:3:6: error: aliases ('*name') are not supported; write the value out\n");
  CHECK(errors_of("nand: {planes: !!int 2}\n") ==
        "t.yaml:1:16: error: tags are not supported: 'tag:yaml.org,2002:int'\n");
  CHECK(errors_of(kMinimal + "---\nname: x\n") ==
        "t.yaml:4:1: error: text after the end of the document; one file holds one YAML document "
        "(is the indentation right?)\n");
  CHECK(errors_of(kMinimal + "? [a, b]\n: 1\n") ==
        "t.yaml:3:3: error: a key must be a plain name\n");
  CHECK(errors_of(kMinimal + "extends: base.yaml\n") ==
        "t.yaml:3:1: error: 'extends' works in files only, not in this text\n");
}

TEST_CASE("wrong shapes") {
  CHECK(errors_of("- 1\n- 2\n") ==
        "t.yaml:1:1: error: expected a mapping of keys to values, found a list\n");
  CHECK(errors_of("just text\n") ==
        "t.yaml:1:1: error: expected a mapping of keys to values, found a single value\n");
  CHECK(errors_of("nand: {planes: 2, blocks: [1]}\n") ==
        "t.yaml:1:27: error: nand.blocks: expected a single value, found a list\n");
  CHECK(errors_of("nand: {planes: 2}\nslc: on\n") ==
        "t.yaml:2:6: error: slc: expected a mapping, found a single value\n");
  CHECK(errors_of("nand: {planes: ~}\nslc:\n") ==
        "t.yaml:1:8: error: nand.planes: nothing is written here; write a value or leave the key "
        "out\n"
        "t.yaml:2:1: error: slc: nothing is written here; write its keys, or {} for none\n");
  CHECK(errors_of(kMinimal + "slc: {points: []}\n") ==
        "t.yaml:3:15: error: slc.points: a list of 0 items; the number must be in [1, 4]\n");
  CHECK(errors_of(kMinimal + "slc: {points: [3]}\n") ==
        "t.yaml:3:16: error: slc.points[0]: expected a mapping, found a single value\n");
}

TEST_CASE("an unknown key without a near name lists the keys there are") {
  CHECK(errors_of(kMinimal + "voltage: 3\n") ==
        "t.yaml:3:1: error: unknown key 'voltage' (known here: name, celsius, nand, slc)\n");
}

TEST_CASE("hostile text is an error, never a crash") {
  CHECK(errors_of(std::string("name: a\0b\n", 10)) ==
        "t.yaml:1:8: error: byte 0x00 is not text; is this a YAML file?\n");
  CHECK(errors_of("a: 1\nb: \xff\n") ==
        "t.yaml:2:4: error: byte 0xff is not text; is this a YAML file?\n");
  CHECK(errors_of(std::string(kMaxConfigBytes + 1, 'a')).find("larger than 1048576 bytes") !=
        std::string::npos);
  CHECK(errors_of(std::string(100'000, '[')).find("nested deeper than 64 levels") !=
        std::string::npos);
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  CHECK(errors_of(deep).find("nested deeper than 64 levels") != std::string::npos);
  CHECK(errors_of("a: {b: 1\n").find("not valid YAML") != std::string::npos);
}

TEST_CASE("a scalar stands on one line") {
  CHECK(errors_of("nand: {planes: 2}\nname: \"open\n") ==
        "t.yaml:2:7: error: the quote is not closed on this line\n");
  CHECK(errors_of("nand: {planes: 2}\nname: 'it''s\n  open'\n") ==
        "t.yaml:2:7: error: the quote is not closed on this line\n");
  CHECK(errors_of("nand: {planes: 2}\nname: \"a\\\n  b\"\n") ==
        "t.yaml:2:7: error: the quote is not closed on this line\n");
  CHECK(errors_of("nand: {planes: 2}\nname: two\n  lines\n") ==
        "t.yaml:2:7: error: 'two lines' goes on over several lines; check the indentation of the "
        "next line\n");
  CHECK(errors_of("nand: {planes: 2}\nname: |\n  block\n") ==
        "t.yaml:2:7: error: block text ('|' and '>') is not supported\n");
  CHECK(load_good("\xEF\xBB\xBFname: 'it''s'\r\nnand: {planes: 2}\r\n").name == "it's");
  CHECK(load_good("name: \"a\\\"b\\\\\"  # c\nnand: {planes: 2}\n").name == "a\"b\\");
  CHECK(load_good("name: \u00e9\u00e8 x  # c\nnand: {planes: 2}\n").name == "\u00e9\u00e8 x");
}

TEST_CASE("keys before a syntax error are still checked") {
  const std::string errors = errors_of("nmae: x\nnand:\n  blocks: 5\n  planes: [2\n");
  CHECK(errors.find("t.yaml:1:1: error: unknown key 'nmae'; did you mean 'name'?") !=
        std::string::npos);
  CHECK(errors.find("value 5 is outside") != std::string::npos);
  CHECK(errors.find("not valid YAML") != std::string::npos);
  CHECK(errors.find("missing required") == std::string::npos);
}

TEST_CASE("overrides come last and go through the same checks") {
  const std::string text = kMinimal + "slc:\n  points:\n  - {fill: 0, limit: 1GB}\n";
  const Drive d = load_good(
      text, {"nand.planes=4", "nand.planes=8", "celsius=30", "slc.points[0].fill=7%", "name="});
  CHECK(d.nand.planes == 8);
  CHECK(d.celsius == 30);
  CHECK(d.slc.points[0].fill == 0.07);
  CHECK(d.name.empty());
  CHECK(load_good("", {"nand.planes=3"}).nand.planes == 3);

  CHECK(errors_of(kMinimal, {"nand.plane=2"}) ==
        "<cmdline>: error: unknown key 'nand.plane'; did you mean 'planes'?\n");
  CHECK(errors_of(kMinimal, {"nand.planes=99"}) ==
        "<cmdline>: error: nand.planes: value 99 is outside [1, 16]\n");
  CHECK(errors_of(kMinimal, {"nand"}) ==
        "<cmdline>: error: override 'nand' is not of the form key=value\n");
  CHECK(errors_of(kMinimal, {"a..b=1"}) ==
        "<cmdline>: error: override 'a..b=1': 'a..b' is not a key path such as 'slc.limit'\n");
  CHECK(errors_of(kMinimal, {"slc.points[2].fill=1"}) ==
        "<cmdline>: error: override 'slc.points[2].fill=1': the file has no such list item at "
        "'points'\n");
  CHECK(errors_of(kMinimal, {"nand.planes.x=1"}) ==
        "<cmdline>: error: nand.planes: expected a single value, found a mapping\n");
  CHECK(errors_of(kMinimal, {std::string(1000, '.') + "=1"}).find("is not a key path") !=
        std::string::npos);
  CHECK(errors_of(kMinimal, {"extends=x.yaml"}).find("unknown key 'extends'") != std::string::npos);
}

TEST_CASE("extends: mappings merge, the rest is replaced, places stay true") {
  const Folder folder;
  folder.write("nand/v7.yaml", "nand:\n  planes: 4\n  blocks: 100\n  t_read: 30us\n");
  folder.write("base.yaml",
               "extends: nand/v7.yaml\nname: base\nslc:\n  points:\n  - {fill: 0, limit: 1GB}\n"
               "  - {fill: 1, limit: 2GB}\n");
  const fs::path top = folder.write("drives/top.yaml",
                                    "extends: ../base.yaml\nnand:\n  blocks: 200\n"
                                    "slc:\n  points:\n  - {fill: 0.5, limit: 3GB}\n");
  Drive d;
  Diagnostics diagnostics;
  Origins origins;
  const std::vector<std::string> overrides = {"celsius=20"};
  const bool ok = load_config(top, overrides, d, diagnostics, &origins);
  INFO(diagnostics.to_string());
  REQUIRE(ok);
  CHECK(d.name == "base");
  CHECK(d.nand.planes == 4);
  CHECK(d.nand.blocks == 200);
  REQUIRE(d.slc.points.size() == 1);
  CHECK(d.slc.points[0].limit == Bytes::gb(3));

  const auto place = [&](std::string_view path) {
    const Origin o = origins.origin_of(path);
    return folder.relative(o.to_string()) + (o.is_default ? " default" : "");
  };
  CHECK(place("nand.planes") == "nand/v7.yaml:2:3");
  CHECK(place("nand.blocks") == "drives/top.yaml:3:3");
  CHECK(place("name") == "base.yaml:2:1");
  CHECK(place("celsius") == "<cmdline>");
  CHECK(place("slc.points[0].fill") == "drives/top.yaml:6:6");
  CHECK(place("slc.policy") == "drives/top.yaml:4:1 default");
  CHECK(place("nand.page") == "drives/top.yaml:2:1 default");
}

TEST_CASE("extends: bad bases") {
  const Folder folder;
  folder.write("a.yaml", "extends: b.yaml\n");
  folder.write("b.yaml", "name: x\nextends: ./a.yaml\n");
  CHECK(load_errors(folder, folder.path() / "a.yaml") ==
        "b.yaml:2:10: error: 'extends' goes round in a circle: 'a.yaml' is already in the chain\n");
  CHECK(load_errors(folder, folder.write("c.yaml", "extends: no.yaml\nnmae: x\n")) ==
        "c.yaml:1:10: error: cannot read 'no.yaml': no such file\n"
        "c.yaml:2:1: error: unknown key 'nmae'; did you mean 'name'?\n");
  CHECK(load_errors(folder, folder.write("d.yaml", "extends: [a, b]\n")) ==
        "d.yaml:1:10: error: 'extends' needs the name of one file\n");
  folder.write("e.yaml", "nand: {planes: 99}\n");
  CHECK(load_errors(folder, folder.write("f.yaml", "extends: e.yaml\n")) ==
        "e.yaml:1:16: error: nand.planes: value 99 is outside [1, 16]\n");
}

TEST_CASE("extends: a long chain") {
  const Folder folder;
  folder.write("0.yaml", kMinimal);
  for (int i = 1; i <= 200; ++i) {
    folder.write(std::to_string(i) + ".yaml", "extends: " + std::to_string(i - 1) + ".yaml\n");
  }
  Drive d;
  Diagnostics diagnostics;
  CHECK(load_config(folder.path() / "200.yaml", {}, d, diagnostics));
  CHECK(d.nand.planes == 2);
}

TEST_CASE("files that cannot be read") {
  const Folder folder;
  const auto name = [&](const fs::path& p) { return p.string(); };
  Drive d;
  const auto errors = [&](const fs::path& p) {
    Diagnostics diagnostics;
    CHECK_FALSE(load_config(p, {}, d, diagnostics));
    return diagnostics.to_string();
  };
  const fs::path missing = folder.path() / "no.yaml";
  CHECK(errors(missing) ==
        name(missing) + ": error: cannot read '" + name(missing) + "': no such file\n");
  CHECK(errors(folder.path()).find("it is a directory") != std::string::npos);
  CHECK(errors("/dev/null").find("not a regular file") != std::string::npos);
  CHECK(errors(folder.write("big.yaml", std::string(2 * kMaxConfigBytes, ' ')))
            .find("larger than 1048576 bytes") != std::string::npos);
}

TEST_CASE("one_of: exactly one alternative, nested lists of steps") {
  const Procedure p = load_good<Procedure>(
      "steps:\n"
      "- {label: fill, write: {size: 1GB}}\n"
      "- idle: {time: 30min}\n"
      "- repeat:\n"
      "    times: 3\n"
      "    steps:\n"
      "    - write: {size: 4KiB}\n");
  REQUIRE(p.steps.size() == 3);
  CHECK(std::get<Write>(p.steps[0].action).size == Bytes::gb(1));
  CHECK(std::get<Idle>(p.steps[1].action).time == Duration::s(1800));
  const Repeat& repeat = std::get<Repeat>(p.steps[2].action);
  CHECK(repeat.times == 3);
  CHECK(std::get<Write>(repeat.steps.at(0).action).size == Bytes::kib(4));

  CHECK(errors_of<Procedure>("steps:\n- label: x\n- wriet: {}\n- idle: {}\n  write: {size: 1B}\n"
                             "- repeat: {steps: [{write: {}}]}\n") ==
        "t.yaml:2:3: error: steps[0] needs exactly one of the keys write, idle, repeat\n"
        "t.yaml:3:3: error: steps[1] needs exactly one of the keys write, idle, repeat\n"
        "t.yaml:3:3: error: unknown key 'steps[1].wriet'; did you mean 'write'?\n"
        "t.yaml:4:3: error: steps[2].idle and 'write' exclude each other; write one of them\n"
        "t.yaml:6:21: error: missing required key 'steps[3].repeat.steps[0].write.size': amount\n");
}

TEST_CASE("the echo loads back to the same configuration") {
  Drive drive = load_good(kMinimal + "slc:\n  points:\n  - {fill: 7%, limit: 1GB}\n");
  drive.name = "a \"quoted\": \\ name\nwith # odd\tparts";
  const std::string echo = echo_config(drive);
  CHECK(echo ==
        "name: \"a \\\"quoted\\\": \\\\ name\\x0awith # odd\\x09parts\"\n"
        "celsius: 25\n"
        "nand:\n"
        "  t_read: 41us\n"
        "  page: 16KiB\n"
        "  planes: 2\n"
        "  blocks: 2000\n"
        "slc:\n"
        "  enabled: true\n"
        "  policy: greedy\n"
        "  fold_limit: 250MB/s\n"
        "  points:\n"
        "    - fill: 0.07\n"
        "      limit: 1GB\n");
  Drive again = load_good(echo);
  CHECK(again.name == drive.name);
  CHECK(echo_config(again) == echo);

  for (const char* name :
       {"", "null", "~", "-", "--- x", "true", "a: b", " x ", "{", "1.5", "\u00e9"}) {
    drive.name = name;
    CHECK(load_good(echo_config(drive)).name == name);
  }

  Procedure p = load_good<Procedure>(
      "steps: [{write: {size: 1GB}}, {repeat: {steps: [{idle: {time: 1s}}]}}]");
  const std::string steps = echo_config(p);
  CHECK(steps ==
        "steps:\n"
        "  - label: \"\"\n"
        "    write:\n"
        "      size: 1GB\n"
        "  - label: \"\"\n"
        "    repeat:\n"
        "      times: 1\n"
        "      steps:\n"
        "        - label: \"\"\n"
        "          idle:\n"
        "            time: 1s\n");
  Procedure same = load_good<Procedure>(steps);
  CHECK(echo_config(same) == steps);
}

TEST_CASE("the schema describes every key") {
  Drive drive;
  const nlohmann::ordered_json s = schema_of(drive);
  CHECK(s["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  CHECK(s["type"] == "object");
  CHECK(s["additionalProperties"] == false);
  CHECK(s["properties"]["extends"]["type"] == "string");
  const auto& nand = s["properties"]["nand"];
  CHECK(nand["description"] == "the medium");
  CHECK(nand["additionalProperties"] == false);
  CHECK_FALSE(nand.contains("required"));
  const auto& planes = nand["properties"]["planes"];
  CHECK(planes["description"] == "planes per die (required)");
  CHECK(planes["type"] == "integer");
  CHECK(planes["minimum"] == 1);
  CHECK(planes["maximum"] == 16);
  CHECK_FALSE(planes.contains("default"));
  CHECK(nand["properties"]["blocks"]["default"] == 2000);
  CHECK(nand["properties"]["t_read"]["default"] == "41us");
  CHECK(nand["properties"]["t_read"]["description"] == "page read time; 1us to 1ms");
  const auto& slc = s["properties"]["slc"]["properties"];
  CHECK(slc["policy"]["oneOf"][1]["const"] == "cost_benefit");
  CHECK(slc["policy"]["default"] == "greedy");
  CHECK(slc["points"]["maxItems"] == 4);
  CHECK(slc["points"]["items"]["required"].dump() == R"(["fill","limit"])");
  CHECK(slc["points"]["items"]["properties"]["fill"]["anyOf"].size() == 2);

  Procedure p;
  const nlohmann::ordered_json steps = schema_of(p)["properties"]["steps"];
  CHECK(steps["items"]["oneOf"].size() == 3);
  CHECK(steps["items"]["oneOf"][0].dump() == R"({"required":["write"]})");
  const auto& repeat = steps["items"]["properties"]["repeat"]["properties"]["steps"];
  CHECK(repeat["items"]["$ref"] == "#/properties/steps/items");
}

}  // namespace ftlsim
