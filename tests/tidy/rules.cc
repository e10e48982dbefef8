#include "tests/tidy/rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

namespace ftlsim::tidy {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFileLines = 700;
constexpr size_t kMaxCalibratedKeys = 3;

struct Layer {
  std::string_view name;
  std::vector<std::string_view> may_include;  // prefixes of paths from the root
};

const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers = {
      {"sim", {"sim/"}},
      {"nand", {"sim/", "nand/"}},
      {"ftl", {"sim/", "nand/", "ftl/"}},
      {"workloads", {"sim/", "ftl/host/", "workloads/"}},
      {"tools", {"sim/", "nand/", "ftl/", "workloads/", "tools/"}},
  };
  return kLayers;
}

void add(Findings& findings, const SourceFile& file, size_t line, std::string_view text) {
  findings.push_back(file.path + ":" + std::to_string(line + 1) + ": " + std::string(text));
}

// The path in `#include "path"`, or nothing.
std::string_view quoted_include(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!line.starts_with("#include")) return {};
  const size_t open = line.find('"');
  if (open == std::string_view::npos) return {};
  const size_t close = line.find('"', open + 1);
  return line.substr(open + 1, close == std::string_view::npos ? close : close - open - 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// The comment of a YAML line, without the `#`; nothing if there is none.
std::string_view yaml_comment(std::string_view line) {
  char quote = '\0';
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && (i == 0 || line[i - 1] == ' ')) {
      return line.substr(i + 1);
    }
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool names_calibration_row(const std::string& comment) {
  static constexpr std::string_view kPhrase = "calibrated on ";
  const size_t at = comment.find(kPhrase);
  return at != std::string::npos &&
         comment.find_first_not_of(' ', at + kPhrase.size()) != std::string::npos;
}

// What may stand behind a value: a publication, a standard, a data sheet, a review, a derivation.
bool names_source(const std::string& comment) {
  static constexpr std::array kSources = {
      "http", "isscc", "vlsi", "ieee", "paper", "usenix", "spec", "nvme", "pcie", "onfi", "jedec",
      "derived", "datasheet", "data sheet", "vendor", "press", "review", "measured", "feasibility",
      "estimate",
      // Papers and data sets of the reliability model, by the names that docs/retention.md uses.
      "hotstorage'", "fast'", "micro'", "xerxes", "pmc-sierra"};
  return std::any_of(kSources.begin(), kSources.end(), [&](std::string_view source) {
    return comment.find(source) != std::string::npos;
  });
}

// Keys that name or describe a file rather than give a figure.
bool is_descriptive(std::string_view key) {
  static constexpr std::array<std::string_view, 6> kKeys = {"extends", "name",        "model",
                                                            "schema",  "description", "title"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

// True if the line gives a value that needs a source: `key: value` or `- value`.
bool gives_value(std::string_view content) {
  if (content.empty()) return false;
  if (content.starts_with("- ")) return true;
  const size_t colon = content.find(':');
  if (colon == std::string_view::npos) return false;
  return colon + 1 < content.size() && !is_descriptive(content.substr(0, colon));
}

}  // namespace

Findings check_includes(const SourceFile& file) {
  Findings findings;
  if (!file.is_cpp()) return findings;
  for (const Layer& layer : layers()) {
    if (!file.in(layer.name)) continue;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const std::string_view path = quoted_include(file.lines[i]);
      const bool allowed =
          std::any_of(layer.may_include.begin(), layer.may_include.end(),
                      [&](std::string_view prefix) { return path.starts_with(prefix); });
      if (!path.empty() && !allowed) {
        add(findings, file, i,
            std::string(layer.name) + "/ must not include \"" + std::string(path) + "\"");
      }
    }
  }
  return findings;
}

Findings check_file_length(const SourceFile& file) {
  Findings findings;
  if (!file.path.ends_with(".md") && file.lines.size() > kMaxFileLines) {
    add(findings, file, kMaxFileLines, "file of " + std::to_string(file.lines.size()) + " lines");
  }
  return findings;
}

Findings check_value_sources(const SourceFile& file) {
  Findings findings;
  const bool drive = file.in("configs/drives");
  if ((!drive && !file.in("configs/nand")) || !file.path.ends_with(".yaml")) return findings;
  size_t calibrated = 0;
  std::string above;  // the comment lines right above
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view line = file.lines[i];
    const std::string comment = lower(yaml_comment(line));
    const std::string_view content = trimmed(line.substr(0, line.find('#')));
    if (trimmed(line).starts_with("#")) {
      above += comment + "\n";
      continue;
    }
    const std::string about = above + comment;
    above.clear();
    if (!gives_value(content)) continue;
    if (names_calibration_row(about)) {
      ++calibrated;
    } else if (!names_source(about)) {
      add(findings, file, i, "no source, `estimate` or `calibrated on <row>` for this value");
    }
  }
  if (drive && calibrated > kMaxCalibratedKeys) {
    findings.push_back(file.path + ": " + std::to_string(calibrated) + " calibrated keys");
  }
  return findings;
}

Findings check_layout(const fs::path& root) {
  static const std::set<std::string> kAllowed = {"CMakeLists.txt",
                                                 "CMakePresets.json",
                                                 "README.md",
                                                 "sim",
                                                 "ftl",
                                                 "nand",
                                                 "workloads",
                                                 "configs",
                                                 "tests",
                                                 "tools",
                                                 "docs",
                                                 "build",
                                                 "out"};
  Findings findings;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && !kAllowed.contains(name)) {
      findings.push_back(name + ": not an agreed entry of the top level");
    }
  }
  std::vector<fs::path> readmes = {"README.md"};
  for (const Layer& layer : layers()) readmes.push_back(fs::path(layer.name) / "README.md");
  for (const fs::path& readme : readmes) {
    if (!fs::exists(root / readme)) findings.push_back(readme.string() + ": missing");
  }
  return findings;
}

}  // namespace ftlsim::tidy
