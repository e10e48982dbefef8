// The lists of words that must not occur, where, and why.
#include <array>
#include <cctype>
#include <span>
#include <string>
#include <string_view>

#include "tests/tidy/rules.h"

namespace ftlsim::tidy {
namespace {

enum class Where {
  kEverywhere,
  kOutsideTools,  // sim/ nand/ ftl/ workloads/
  kCore,          // sim/ nand/ ftl/
};

struct Ban {
  std::string_view word;  // with a trailing '(' if only a call counts
  Where where;
  std::string_view why;
};

constexpr std::string_view kSeed = "draw from a named stream of sim/rng.h";
constexpr std::string_view kPrint = "libraries do not print or exit";
constexpr std::string_view kThread = "a simulated device runs on one thread";
constexpr std::string_view kLibrary = "std:: distributions differ between libraries";
constexpr std::string_view kHash = "the order of a hash map must not reach a result";

constexpr std::array kBans = {
    Ban{"std::random_device", Where::kEverywhere, kSeed},
    Ban{"rand(", Where::kEverywhere, kSeed},
    Ban{"srand(", Where::kEverywhere, kSeed},
    Ban{"std::mt19937", Where::kOutsideTools, kSeed},
    Ban{"std::mt19937_64", Where::kOutsideTools, kSeed},
    Ban{"std::shuffle", Where::kEverywhere, kLibrary},
    Ban{"std::uniform_int_distribution", Where::kEverywhere, kLibrary},
    Ban{"std::uniform_real_distribution", Where::kEverywhere, kLibrary},
    Ban{"std::normal_distribution", Where::kEverywhere, kLibrary},
    Ban{"std::exponential_distribution", Where::kEverywhere, kLibrary},
    Ban{"std::bernoulli_distribution", Where::kEverywhere, kLibrary},
    Ban{"std::discrete_distribution", Where::kEverywhere, kLibrary},
    Ban{"std::poisson_distribution", Where::kEverywhere, kLibrary},
    Ban{"std::geometric_distribution", Where::kEverywhere, kLibrary},
    Ban{"std::function", Where::kCore, "an event is a member of the object that it wakes"},
    Ban{"unordered_map", Where::kCore, kHash},
    Ban{"unordered_set", Where::kCore, kHash},
    Ban{"std::cout", Where::kOutsideTools, kPrint},
    Ban{"std::cerr", Where::kOutsideTools, kPrint},
    Ban{"printf(", Where::kOutsideTools, kPrint},
    Ban{"fprintf(", Where::kOutsideTools, kPrint},
    Ban{"puts(", Where::kOutsideTools, kPrint},
    Ban{"fputs(", Where::kOutsideTools, kPrint},
    Ban{"exit(", Where::kOutsideTools, kPrint},
    Ban{"_exit(", Where::kOutsideTools, kPrint},
    Ban{"quick_exit(", Where::kOutsideTools, kPrint},
    Ban{"abort(", Where::kOutsideTools, kPrint},
    Ban{"std::thread", Where::kOutsideTools, kThread},
    Ban{"std::jthread", Where::kOutsideTools, kThread},
    Ban{"std::async", Where::kOutsideTools, kThread},
    Ban{"std::mutex", Where::kOutsideTools, kThread},
    Ban{"assert(", Where::kEverywhere, "use SIM_ASSERT, which stays on in release"},
    Ban{"float", Where::kEverywhere, "use double, or better an integer"},
};

// Functions of the C library whose last bit differs between machines. floor, ceil and sqrt are
// exact and not among them.
constexpr std::array<std::string_view, 25> kLibm = {
    "pow",  "exp", "exp2", "expm1",  "log",    "log2",  "log10", "log1p", "sin",
    "cos",  "tan", "asin", "acos",   "atan",   "atan2", "sinh",  "cosh",  "tanh",
    "cbrt", "erf", "erfc", "tgamma", "lgamma", "hypot", "powf"};

// The file that reports a failed check, which is the one place in a library that may end the run.
constexpr std::string_view kAssertFile = "sim/assert.cc";

bool is_core(const SourceFile& file) { return file.in("sim") || file.in("nand") || file.in("ftl"); }

bool applies(const Ban& ban, const SourceFile& file) {
  switch (ban.where) {
    case Where::kEverywhere:
      return true;
    case Where::kOutsideTools:
      return (is_core(file) || file.in("workloads")) && file.path != kAssertFile;
    case Where::kCore:
      return is_core(file);
  }
  return false;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

char first_after(std::string_view line, size_t at) {
  at = line.find_first_not_of(' ', at);
  return at == std::string_view::npos ? '\0' : line[at];
}

// True if the word occurs on its own, and followed by '(' if `call`.
bool has_word(std::string_view line, std::string_view word, bool call) {
  for (size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool alone =
        (at == 0 || !is_word(line[at - 1])) && (end >= line.size() || !is_word(line[end]));
    if (alone && (!call || first_after(line, end) == '(')) return true;
  }
  return false;
}

// True if the line calls `name` of the C library: with `std::` or no qualifier, and not as a
// member or the declaration of a member of the same name.
bool calls_libm(std::string_view line, std::string_view name) {
  for (size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (first_after(line, end) != '(' || is_word(line[end])) continue;
    const std::string_view before = line.substr(0, at);
    if (before.ends_with("std::")) return true;
    if (before.empty() || before.ends_with('(') || before.ends_with('-') ||
        before.ends_with("= ") || before.ends_with("* ") || before.ends_with("+ ") ||
        before.ends_with("- ") || before.ends_with("/ ") || before.ends_with("return ")) {
      return true;
    }
  }
  return false;
}

// Does the file say `// <name>-ok: ` with a reason?
bool permits(const SourceFile& file, std::string_view name) {
  const std::string mark = "// " + std::string(name) + "-ok: ";
  for (const std::string& line : file.lines) {
    const size_t at = line.find(mark);
    if (at != std::string::npos && line.size() > at + mark.size()) return true;
  }
  return false;
}

void add(Findings& findings, const SourceFile& file, size_t line, std::string_view text) {
  findings.push_back(file.path + ":" + std::to_string(line + 1) + ": " + std::string(text));
}

bool has_any_case_word(std::string line, std::string_view word) {
  for (char& c : line) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return has_word(line, word, false);
}

}  // namespace

Findings check_banned(const SourceFile& file) {
  Findings findings;
  const bool allow_float = permits(file, "float");
  const bool ban_libm = is_core(file) && !permits(file, "libm");
  for (size_t i = 0; i < file.code.size(); ++i) {
    const std::string_view line = file.code[i];
    for (const Ban& ban : kBans) {
      const bool call = ban.word.ends_with('(');
      const std::string_view word = ban.word.substr(0, ban.word.size() - (call ? 1 : 0));
      if (word == "float" && allow_float) continue;
      if (applies(ban, file) && has_word(line, word, call)) {
        add(findings, file, i, std::string(ban.word) + " is banned: " + std::string(ban.why));
      }
    }
    if (!ban_libm) continue;
    for (std::string_view name : kLibm) {
      if (calls_libm(line, name)) {
        add(findings, file, i, std::string(name) + " of libm: not equal on all machines");
      }
    }
  }
  return findings;
}

Findings check_wording(const SourceFile& file) {
  // Written in pieces, so that this file does not break its own rule.
  static constexpr std::array kMarks = {
      "TO"
      "DO",
      "FIX"
      "ME",
      "XX"
      "X",
      "HA"
      "CK"};
  static constexpr std::array kAnyCaseMarks = {
      "st"
      "ub",
      "place"
      "holder"};
  static constexpr std::array kMachinePaths = {
      "/wo"
      "rk/",
      "/ro"
      "ot/",
      "/tmp/"
      "bash"};
  Findings findings;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    for (std::string_view mark : kMarks) {
      if (has_word(line, mark, false)) add(findings, file, i, "mark of unfinished work");
    }
    for (std::string_view mark : kAnyCaseMarks) {
      if (has_any_case_word(line, mark)) add(findings, file, i, "mark of unfinished work");
    }
    for (std::string_view path : kMachinePaths) {
      if (line.find(path) != std::string::npos) add(findings, file, i, "path of one machine");
    }
  }
  return findings;
}

}  // namespace ftlsim::tidy
