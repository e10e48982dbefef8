#include "workloads/vdbench/vdb_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "workloads/text_file.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxVdbLineBytes = size_t{1} << 16;
constexpr size_t kMaxParameters = 100'000;

bool is_comment(std::string_view line) {
  return line.empty() || line[0] == '*' || line[0] == '#' || line[0] == '/';
}

// Where the comment behind the parameters of a line begins: at the first blank outside quotes.
size_t end_of_parameters(std::string_view line) {
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (!quoted && (line[i] == ' ' || line[i] == '\t')) return i;
  }
  return line.size();
}

class VdbLineReader {
 public:
  explicit VdbLineReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void read(std::string_view text, const std::string& file, const std::optional<fs::path>& folder,
            bool included) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte-order mark
    for (int number = 1; !text.empty(); ++number) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end));
      const Origin at{file, number, 1};
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.starts_with("eof")) break;
      if (is_comment(line)) continue;
      if (line.size() > kMaxVdbLineBytes) {
        diagnostics_.error(at, fmt::format("line is longer than {} bytes", kMaxVdbLineBytes));
      } else if (line.starts_with("include=")) {
        include(line.substr(8), at, folder, included);
      } else {
        read_line(line, at);
      }
    }
    end_parameter();
  }

  std::vector<VdbParameter> take() { return std::move(parameters_); }

 private:
  void read_line(std::string_view line, const Origin& at) {
    const size_t end = end_of_parameters(line);
    const std::string_view rest = trimmed(line.substr(end));
    if (rest.find('=') != std::string_view::npos && !is_comment(rest))
      diagnostics_.warning(at, fmt::format("{} is a comment: vdbench reads a line up to its first "
                                           "blank",
                                           quote(rest)));
    bool quoted = false;
    for (const char c : line.substr(0, end)) {
      if (std::iscntrl(static_cast<unsigned char>(c)) != 0) {
        diagnostics_.error(at, "control character: not a parameter file?");
        return;
      }
      add(c, at, quoted);
    }
    if (quoted) diagnostics_.error(at, "quote without an end");
    // A list may go on in the next line, if this one ends with a comma.
    const bool goes_on = end > 0 && line[end - 1] == ',';
    if (depth_ > 0 && goes_on) return;
    if (depth_ > 0) diagnostics_.error(at, "'(' without ')'");
    end_parameter();
  }

  void add(char c, const Origin& at, bool& quoted) {
    if (c == '"') {
      quoted = !quoted;
      return;
    }
    if (current_.empty() && !open_) start_ = at;
    if (!quoted && c == '(') ++depth_;
    if (!quoted && c == ')' && --depth_ < 0) {
      diagnostics_.error(at, "')' without '('");
      depth_ = 0;
      return;
    }
    if (!quoted && c == ',' && depth_ == 0) {
      end_parameter();
      return;
    }
    open_ = true;
    current_ += c;
    // Marks what quotes protect, so that only bare characters separate.
    marks_ += quoted ? 'q' : c;
  }

  void end_parameter() {
    const std::string text = std::exchange(current_, {});
    const std::string marks = std::exchange(marks_, {});
    open_ = false;
    depth_ = 0;
    if (text.empty()) return;
    const size_t equals = marks.find('=');
    if (equals == std::string::npos || equals < 2) {
      diagnostics_.error(start_, fmt::format("{} is not of the form keyword=value, with two "
                                             "characters or more before the '='",
                                             quote(text)));
      return;
    }
    if (parameters_.size() >= kMaxParameters) {
      if (!std::exchange(too_many_, true))
        diagnostics_.error(start_, fmt::format("more than {} parameters", kMaxParameters));
      return;
    }
    VdbParameter& p = parameters_.emplace_back();
    p.origin = start_;
    p.key = text.substr(0, equals);
    for (char& c : p.key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    p.list = marks[std::min(equals + 1, marks.size() - 1)] == '(';
    std::string piece;
    const auto end_piece = [&] {
      if (!piece.empty()) p.values.push_back(std::exchange(piece, {}));
    };
    for (size_t i = equals + 1; i < text.size(); ++i) {
      const char mark = marks[i];
      if (mark == ',') end_piece();
      // A range keeps its '-' as a value of its own; names may contain one outside of lists.
      if (p.list && mark == '-') {
        end_piece();
        p.values.emplace_back("-");
      }
      const bool separates = mark == ',' || mark == '(' || mark == ')' || (p.list && mark == '-');
      if (!separates) piece += text[i];
    }
    end_piece();
    if (p.values.empty()) {
      diagnostics_.error(start_, fmt::format("{} has no value", quote(p.key)));
      parameters_.pop_back();
    }
  }

  void include(std::string_view name, const Origin& at, const std::optional<fs::path>& folder,
               bool included) {
    end_parameter();
    if (included)
      return diagnostics_.error(at, "an included file cannot include others, as in vdbench");
    if (!folder) return diagnostics_.error(at, "'include' is possible only in a file");
    fs::path path = *folder / fs::path(name);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) path = fs::path(name);
    const std::optional<std::string> text = read_text_file(path, at, diagnostics_);
    if (text) read(*text, path.string(), path.parent_path(), true);
  }

  Diagnostics& diagnostics_;
  std::vector<VdbParameter> parameters_;
  std::string current_;
  std::string marks_;  // as long as current_
  Origin start_;       // of the current parameter
  bool open_ = false;
  int depth_ = 0;  // of parentheses
  bool too_many_ = false;
};

}  // namespace

std::vector<VdbParameter> read_vdb_parameters(std::string_view text, const std::string& file,
                                              const std::optional<fs::path>& folder,
                                              Diagnostics& diagnostics) {
  VdbLineReader reader(diagnostics);
  reader.read(text, file, folder, false);
  return reader.take();
}

bool looks_like_vdbench(std::string_view head) {
  bool sd = false;
  bool wd = false;
  bool rd = false;
  while (!head.empty()) {
    const size_t end = std::min(head.find('\n'), head.size());
    const std::string_view line = trimmed(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    if (is_comment(line)) continue;
    if (line.front() == '[' || line.find('\0') != std::string_view::npos) return false;
    sd = sd || line.starts_with("sd=");
    wd = wd || line.starts_with("wd=");
    rd = rd || line.starts_with("rd=");
  }
  return sd && wd && rd;
}

}  // namespace ftlsim
