// Applies the rules of structure and determinism to the whole source tree, and shows for each rule
// that it can fail: a check that nothing can trip is no check.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tests/tidy/rules.h"
#include "tests/tidy/source_tree.h"

namespace ftlsim::tidy {
namespace {

using Rule = Findings (*)(const SourceFile&);

const std::vector<SourceFile>& tree() {
  static const std::vector<SourceFile> kTree = load_tree(FTLSIM_SOURCE_DIR);
  return kTree;
}

void check_tree(Rule rule) {
  for (const SourceFile& file : tree()) {
    for (const std::string& finding : rule(file)) FAIL_CHECK(finding);
  }
}

size_t count(Rule rule, std::string path, std::string_view text) {
  return rule(make_source(std::move(path), text)).size();
}

std::string repeated(std::string_view text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST_CASE("the tree is read") {
  CHECK(tree().size() > 20);
  const auto has = [](std::string_view path) {
    return std::any_of(tree().begin(), tree().end(),
                       [&](const SourceFile& file) { return file.path == path; });
  };
  CHECK(has("CMakeLists.txt"));
  CHECK(has("tests/tidy/tidy_test.cc"));
}

TEST_CASE("the tree: includes point downward") { check_tree(check_includes); }
TEST_CASE("the tree: no long files") { check_tree(check_file_length); }
TEST_CASE("the tree: no long functions") { check_tree(check_function_length); }
TEST_CASE("the tree: no banned calls") { check_tree(check_banned); }
TEST_CASE("the tree: draws have an order") { check_tree(check_draws); }
TEST_CASE("the tree: no unfinished work, no machine paths") { check_tree(check_wording); }
TEST_CASE("the tree: every drive value has a source") { check_tree(check_value_sources); }
TEST_CASE("the tree: agreed top level, a README per layer") {
  for (const std::string& finding : check_layout(FTLSIM_SOURCE_DIR)) FAIL_CHECK(finding);
}

TEST_CASE("rule: includes") {
  CHECK(count(check_includes, "sim/a.cc", "#include \"nand/b.h\"\n") == 1);
  CHECK(count(check_includes, "nand/a.cc", "#include \"ftl/b.h\"\n") == 1);
  CHECK(count(check_includes, "ftl/gc/a.h", "  #include \"workloads/b.h\"\n") == 1);
  CHECK(count(check_includes, "workloads/a.h", "#include \"tools/b.h\"\n") == 1);
  CHECK(count(check_includes, "workloads/a.h", "#include \"ftl/map/b.h\"\n") == 1);
  CHECK(count(check_includes, "workloads/a.h", "#include \"nand/b.h\"\n") == 1);
  CHECK(count(check_includes, "sim/a.cc", "#include \"b.h\"\n") == 1);
  CHECK(count(check_includes, "tools/a.cc", "#include \"tests/b.h\"\n") == 1);

  CHECK(count(check_includes, "sim/a.cc", "#include <vector>\n#include \"sim/b.h\"\n") == 0);
  CHECK(count(check_includes, "workloads/a.h", "#include \"ftl/host/b.h\"\n") == 0);
  CHECK(count(check_includes, "tools/a.cc", "#include \"nand/b.h\"\n") == 0);
  CHECK(count(check_includes, "simulation/a.cc", "#include \"ftl/b.h\"\n") == 0);
}

TEST_CASE("rule: file length") {
  CHECK(count(check_file_length, "sim/a.cc", repeated("\n", 701)) == 1);
  CHECK(count(check_file_length, "sim/a.cc", repeated("\n", 700)) == 0);
}

TEST_CASE("rule: function length") {
  const std::string ok = repeated("  x();\n", 68);   // with head and closing brace: 70 lines
  const std::string bad = repeated("  x();\n", 69);  // 71
  const auto functions = [](const std::string& text) {
    return count(check_function_length, "sim/a.cc", text);
  };
  CHECK(functions("void f() {\n" + ok + "}\n") == 0);
  CHECK(functions("void f() {\n" + bad + "}\n") == 1);
  CHECK(functions("void f() {\n" + bad + "}") == 1);
  CHECK(functions("namespace a {\nnamespace {\nint f(int a,\n      int b) {\n" + ok +
                  "}\n}\n}\n") == 1);
  CHECK(functions("class C : public B {\n public:\n  C() : a_{1}, b_{2} {\n" + ok + "}\n};\n") ==
        0);
  CHECK(functions("class C : public B {\n public:\n  C() : a_{1}, b_{2} {\n" + bad + "}\n};\n") ==
        1);
  CHECK(functions("template <class T>\nvoid f(T t = {}) {\n" + ok + "}\n") == 1);
  CHECK(functions("extern \"C\" int f() {\n" + bad + "}\nint g() { return 1; }\n") == 1);
  CHECK(functions("TEST_CASE(\"braces { in a string\") {\n" + bad + "}\n") == 1);
  CHECK(functions("void f() {\n  if (x) {\n" + bad + "  }\n}\n") == 1);
  CHECK(functions("void f() {\n" + bad + "}\nvoid g() {\n" + bad + "}\n") == 2);

  // Long types, namespaces, tables and runs of short functions are no long functions.
  CHECK(functions("struct S {\n" + repeated("  int x;\n", 99) + "};\n") == 0);
  CHECK(functions("template <class T, class U = V<T>>\nstruct S {\n" +
                  repeated("  void f() { g(); }\n", 99) + "};\n") == 0);
  CHECK(functions("constexpr T kTable[] = {\n" + repeated("  {1, 2},\n", 99) + "};\n") == 0);
  CHECK(functions("namespace a {\n" + repeated("void f() {\n}\n", 99) + "}\n") == 0);
  CHECK(functions("// void f() {\n" + repeated("int x;\n", 99) + "// }\n") == 0);
  CHECK(functions("#define F() {\n" + repeated("int x = 1'000;\n", 99)) == 0);
  CHECK(functions("const char* s = R\"(\nvoid f() {\n)\";\n" + repeated("int x;\n", 99)) == 0);
}

TEST_CASE("rule: banned calls and types") {
  const auto in_core = [](const char* text) { return count(check_banned, "ftl/a.cc", text); };
  CHECK(in_core("std::random_device d;") == 1);
  CHECK(in_core("int x = rand();") == 1);
  CHECK(in_core("int x = std::rand ();") == 1);
  CHECK(in_core("std::uniform_int_distribution<int> d;") == 1);
  CHECK(in_core("std::function<void()> f;") == 1);
  CHECK(in_core("std::unordered_map<int, int> m;") == 1);
  CHECK(in_core("std::unordered_set<int> s;") == 1);
  CHECK(in_core("std::cout << 1;") == 1);
  CHECK(in_core("printf(\"x\");") == 1);
  CHECK(in_core("std::exit(1);") == 1);
  CHECK(in_core("std::thread t;") == 1);
  CHECK(in_core("assert(x);") == 1);
  CHECK(in_core("float x;") == 1);
  CHECK(in_core("double x = std::pow(2.0, 3.0);") == 1);
  CHECK(in_core("double x = 2.0 * exp(y);") == 1);
  CHECK(in_core("return -log1p(y);") == 1);

  CHECK(in_core("static_assert(true); int operand(int); snprintf(a, b); on_exit(1);") == 0);
  CHECK(in_core("// std::cout, rand() and assert(x) in a comment") == 0);
  CHECK(in_core("f(\"float rand() std::thread\");") == 0);
  CHECK(in_core("trace.log(1); t->exp(2); double y = std::sqrt(x);") == 0);
  CHECK(in_core("// libm-ok: rounded to whole ns\ndouble x = std::pow(2.0, 3.0);") == 0);
  CHECK(in_core("// float-ok: a table of millions\nfloat x;") == 0);
  CHECK(in_core("// float-ok:\nfloat x;") == 1);
  CHECK(in_core("// libm-ok:\ndouble x = std::pow(2.0, 3.0);") == 1);

  CHECK(count(check_banned, "tools/a.cc", "printf(\"x\"); std::exit(2); std::thread t;") == 0);
  CHECK(count(check_banned, "tests/a.cc", "std::unordered_map<int, int> m;") == 0);
  CHECK(count(check_banned, "tests/a.cc", "std::random_device d;") == 1);
  CHECK(count(check_banned, "workloads/a.cc", "std::cout << 1;") == 1);
}

TEST_CASE("rule: order of draws") {
  const auto draws = [](const char* text) { return count(check_draws, "tests/a.cc", text); };
  CHECK(draws("f(rng.below(3), rng.below(4));") == 1);
  CHECK(draws("x = rng.below(3) + 2 * rng.unit();") == 1);
  CHECK(draws("x = std::max(pick(rng, {1, 2}), a) * between(rng, 1, 2);") == 1);
  CHECK(draws("f(g(mix_rng_, 1),\n  h(2, mix_rng_));") == 1);
  CHECK(draws("void f() { if (a) { x = rng.next() ^ y[rng.below(2)]; } }") == 1);
  CHECK(draws("f(rng.chance(1, 2) ? 0 : rng.below(4), rng.below(5));") == 1);
  CHECK(draws("x = rng.below(3) * (rng.chance(1, 2) ? 1 : 2);") == 1);

  CHECK(draws("x = rng.below(3);\ny = rng.below(4);") == 0);
  CHECK(draws("x = rng.chance(1, 2) ? rng.below(3) : rng.below(4);") == 0);
  CHECK(draws("if (rng.chance(1, 2) && rng.chance(1, 3)) x = rng.next() >> rng.below(9);") == 0);
  CHECK(draws("f({rng.below(3), rng.below(4)}); T t{rng.next(), rng.next()};") == 0);
  CHECK(draws("x = rng.below(rng.below(3) + 1); y = between(rng, 1, between(rng, 2, 3));") == 0);
  CHECK(draws("CHECK(a_rng.next() == b_rng.next());") == 0);
  CHECK(draws("void f(Rng& rng, int n); void g(Rng& rng) { f(rng, 1); f(rng, 2); }") == 0);
  CHECK(draws("f([&] { return rng.next(); }, rng.next()); for (x = rng.next();; rng.next()) {}") ==
        0);
}

TEST_CASE("rule: wording") {
  for (const char* text : {"// TO"
                           "DO: later",
                           "FIX"
                           "ME",
                           "# XX"
                           "X",
                           "a HA"
                           "CK",
                           "a St"
                           "ub of it",
                           "place"
                           "holder",
                           "/wo"
                           "rk/x",
                           "/ro"
                           "ot/x"}) {
    CAPTURE(text);
    CHECK(count(check_wording, "docs/a.md", text) == 1);
  }
  CHECK(count(check_wording, "docs/a.md", "stubborn, mktemp run.XXXXXX, network/x, hack") == 0);
}

TEST_CASE("rule: sources of drive values") {
  const auto drive = [](const std::string& text) {
    return count(check_value_sources, "configs/drives/a.yaml", text);
  };
  CHECK(drive("a: 5\n") == 1);
  CHECK(drive("a: 5  # because\n") == 1);
  CHECK(drive("a:\n  - [0, 1]\n") == 1);
  CHECK(drive("a: 5  # calibrated on \n") == 1);
  CHECK(drive("# derived from b\na: 5\nb: 6\n") == 1);

  CHECK(drive("extends: nand/x\nname: a drive\n\na:  # a group\n  b:\n") == 0);
  CHECK(drive("a: 5  # ISSCC 2021, 30.1\nb: \"#1\"  # Estimate\n# NVMe 1.4\nc: 7\n") == 0);
  CHECK(drive(repeated("a: 5  # calibrated on V12\n", 3)) == 0);
  CHECK(drive(repeated("a: 5  # calibrated on V12\n", 4)) == 1);
  CHECK(count(check_value_sources, "configs/procedures/a.yaml", "a: 5\n") == 0);
}

TEST_CASE("rule: layout") {
  const std::filesystem::path root = std::filesystem::temp_directory_path() / "ftlsim-tidy-layout";
  std::filesystem::remove_all(root);
  for (const char* dir : {"sim", "nand", "ftl", "workloads", "tools", ".git", "build"}) {
    std::filesystem::create_directories(root / dir);
    std::ofstream(root / dir / "README.md") << "\n";
  }
  std::ofstream(root / "README.md") << "\n";
  CHECK(check_layout(root).empty());

  std::ofstream(root / "notes.txt") << "\n";
  std::filesystem::remove(root / "ftl" / "README.md");
  CHECK(check_layout(root).size() == 2);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace ftlsim::tidy
