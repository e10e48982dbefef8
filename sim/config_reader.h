// The visitor that fills a configuration struct from a document and reports what does not fit.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config.h"
#include "sim/config_node.h"
#include "sim/config_visitor.h"
#include "sim/diagnostics.h"

namespace ftlsim {

class ConfigReader final : public FieldVisitor {
 public:
  // `root` must be a mapping and outlive the reader. With report_missing false, absent required
  // keys are not reported: the document is known to be incomplete.
  ConfigReader(const ConfigNode& root, bool report_missing, Origins& origins,
               Diagnostics& diagnostics);

  // To be called after the visit of the root struct: reports its unknown keys.
  void finish();

  void field(const Field& f, bool& value) override;
  void field(const Field& f, uint32_t& value, uint32_t lo, uint32_t hi) override;
  void field(const Field& f, uint64_t& value, uint64_t lo, uint64_t hi) override;
  void ratio(const Field& f, double& value, double lo, double hi) override;
  void number(const Field& f, double& value, double lo, double hi) override;
  void field(const Field& f, Duration& value, Duration lo, Duration hi) override;
  void field(const Field& f, Bytes& value, Bytes lo, Bytes hi) override;
  void rate(const Field& f, uint64_t& value, uint64_t lo, uint64_t hi) override;
  void field(const Field& f, std::string& value) override;
  void physical(const Field& f, Physical kind, int64_t& value, int64_t lo, int64_t hi) override;

 private:
  // One struct being visited.
  struct Frame {
    const ConfigNode* node;               // its mapping; nullptr if nothing is written
    std::string path;                     // "" for the root, else "slc" or "steps[2]"
    Origin origin;                        // of the innermost struct that is written
    std::vector<std::string_view> known;  // the keys visited so far
    std::vector<bool> used;               // per entry of node
  };

  void choice_index(const Field& f, size_t& index, std::span<const ChoiceName> choices) override;
  bool enter_section(const Field& f, TypeTag) override;
  void leave_section() override;
  ListPlan enter_list(const Field& f, size_t& count, size_t lo, size_t hi) override;
  bool enter_item(size_t index, TypeTag) override;
  void leave_item() override;
  void leave_list() override;
  size_t select_alternative(std::span<const Field> alternatives, size_t current) override;

  // Parses the scalar of `f`, checks its range and stores it; `parse` and `format` as in
  // config_scalar.h.
  template <class T, class Parse, class Format>
  void scalar(const Field& f, T& value, T lo, T hi, Parse parse, Format format);

  // Notes that the struct has this key and returns what is written for it, or nullptr.
  const ConfigEntry* take(const Field& f);
  // take(), and the value must be of this kind; if it is not, that is reported.
  const ConfigNode* take(const Field& f, ConfigNode::Kind kind);
  void push(const ConfigNode* node, std::string path, const Origin& origin);
  void pop();
  std::string path_of(std::string_view key) const;
  void report_missing_key(const Field& f);
  void report_unknown(const ConfigEntry& entry);

  bool report_missing_;
  Origins& origins_;
  Diagnostics& diagnostics_;
  std::vector<Frame> frames_;
  std::vector<std::pair<const ConfigNode*, std::string>> lists_;  // open lists and their paths
};

}  // namespace ftlsim
