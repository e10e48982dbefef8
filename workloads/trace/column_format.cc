#include "workloads/trace/column_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/diagnostics.h"
#include "sim/rng.h"
#include "workloads/trace/trace_text.h"

namespace ftlsim {
namespace {

using trace_text::parse_number;
using trace_text::parse_time;
using trace_text::parse_u64;
using trace_text::trim;

// 1970-01-01 in units of 100 ns since 1601-01-01.
constexpr uint64_t kUnixEpochFiletime = 116'444'736'000'000'000;

std::string_view unquote(std::string_view field) {
  field = trim(field);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    field = field.substr(1, field.size() - 2);
  return field;
}

bool parse_filetime(std::string_view field, int64_t& ns) {
  uint64_t ticks = 0;
  if (!parse_u64(field, ticks)) return false;
  if (ticks >= kUnixEpochFiletime) ticks -= kUnixEpochFiletime;  // else counted from elsewhere
  if (ticks > static_cast<uint64_t>(kMaxTraceNs) / 100) return false;
  ns = static_cast<int64_t>(ticks * 100);
  return true;
}

bool parse_time_as(std::string_view field, TimeUnit unit, int64_t& ns) {
  if (unit == TimeUnit::kFiletime) return parse_filetime(field, ns);
  return parse_time(field, nanoseconds_of(unit), ns);
}

// A place for a file, since the trace does not tell one: drawn from its name.
uint64_t place_of_file(std::string_view name) {
  constexpr uint64_t kRange = uint64_t{1} << 44;
  constexpr uint64_t kAlignment = uint64_t{1} << 20;
  return hash_name(name) % kRange / kAlignment * kAlignment;
}

class ColumnFormat final : public LineFormat {
 public:
  explicit ColumnFormat(ColumnMap map) : map_(std::move(map)) { count_needed(); }

  Duration resolution() const override {
    return map_.whole_seconds ? Duration::s(1) : Duration::ns(1);
  }

  Parsed parse(std::string_view line, TraceRecord& record, LineContext& context) override {
    if (first_) [[unlikely]]
      return parse_first(line, record, context);
    return parse_record(line, record, context);
  }

 private:
  using Fields = std::array<std::string_view, ColumnMap::kMaxColumns>;

  void count_needed() {
    needed_ = 0;
    for (const int i : map_.index) needed_ = std::max(needed_, static_cast<size_t>(i + 1));
  }

  Parsed parse_first(std::string_view line, TraceRecord& record, LineContext& context) {
    if (line.starts_with('#')) return Parsed::kNothing;
    first_ = false;
    if (map_.delimiter == ',' && line.find(',') == std::string_view::npos &&
        line.find('\t') != std::string_view::npos)
      map_.delimiter = '\t';  // copies of comma-separated traces come with tabs, too
    if (map_.header == ColumnMap::Header::kNamed) return parse_header(line, context);
    const Parsed parsed = parse_record(line, record, context);
    const bool header = parsed == Parsed::kRejected && map_.header == ColumnMap::Header::kSkipped &&
                        line.find_first_of("0123456789") == std::string_view::npos;
    return header ? Parsed::kNothing : parsed;
  }

  Parsed parse_header(std::string_view line, LineContext& context) {
    Fields fields;
    const size_t n = std::min(trace_text::split(line, map_.delimiter, fields), fields.size());
    for (size_t role = 0; role < ColumnMap::kRoles; ++role) {
      if (map_.names[role].empty()) continue;
      map_.index[role] = ColumnMap::kNone;
      for (size_t i = 0; i < n; ++i)
        if (unquote(fields[i]) == map_.names[role]) map_.index[role] = static_cast<int>(i);
      if (map_.index[role] == ColumnMap::kNone) broken_ = true;
    }
    count_needed();
    return broken_ ? reject(context, kNoColumn) : Parsed::kNothing;
  }

  Parsed parse_record(std::string_view line, TraceRecord& record, LineContext& context) {
    if (broken_) return reject(context, kNoColumn);
    Fields fields;
    const size_t n = split_needed(line, fields);
    if (n < needed_ || (map_.columns != 0 && n != map_.columns)) {
      if (line.front() == '#') return Parsed::kNothing;
      return reject(context, "wrong number of columns");
    }
    const auto field = [&](ColumnMap::Role role) {
      return unquote(fields[static_cast<size_t>(map_.index[role])]);
    };
    if (has(ColumnMap::kTime) &&
        !parse_time_as(field(ColumnMap::kTime), map_.time_unit, record.time_ns))
      return reject(context, "time is not a number");
    if (has(ColumnMap::kLatency)) {
      int64_t latency = 0;
      if (!parse_time_as(field(ColumnMap::kLatency), map_.latency_unit, latency))
        return reject(context, "latency is not a number");
      record.time_ns -= latency;
    }
    const std::string_view op = field(ColumnMap::kOp);
    if (!find_op(op, record.op)) {
      if (op.empty() && !map_.empty_op.empty()) return filter(context, map_.empty_op);
      return reject(context, "unknown operation");
    }
    if (has(ColumnMap::kDevice)) name_device(field(ColumnMap::kDevice), record, context);
    if (record.op == TraceOp::kFlush) return Parsed::kRecord;
    return parse_extent(field(ColumnMap::kOffset), field(ColumnMap::kSize), record, context);
  }

  bool has(ColumnMap::Role role) const { return map_.index[role] != ColumnMap::kNone; }

  // As split(), but stops behind the last column in use if their number is
  // free.
  size_t split_needed(std::string_view line, Fields& fields) const {
    if (map_.columns != 0 || map_.delimiter == ' ')
      return trace_text::split(line, map_.delimiter, fields);
    size_t n = 0;
    while (n < needed_ && line.data() != nullptr)
      fields[n++] = trace_text::next_field(line, map_.delimiter);
    return n;
  }

  bool find_op(std::string_view text, TraceOp& op) const {
    for (const ColumnMap::Op& o : map_.ops) {
      if (o.text != text) continue;
      op = o.op;
      return true;
    }
    return false;
  }

  void name_device(std::string_view name, TraceRecord& record, LineContext& context) const {
    if (map_.in_files) {
      record.offset = place_of_file(name);
    } else {
      record.device = context.devices.id_of(name);
    }
  }

  Parsed parse_extent(std::string_view offset, std::string_view size, TraceRecord& record,
                      LineContext& context) const {
    uint64_t at = 0;
    if (!parse_number(offset, at)) return reject(context, "address is not a number");
    if (!parse_number(size, record.bytes)) return reject(context, "size is not a number");
    if (__builtin_mul_overflow(at, map_.offset_unit, &at) ||
        __builtin_add_overflow(record.offset, at, &record.offset) ||
        __builtin_mul_overflow(record.bytes, map_.size_unit, &record.bytes))
      return reject(context, "address or size beyond 2^64 bytes");
    return Parsed::kRecord;
  }

  static constexpr std::string_view kNoColumn = "the header lacks a column that is needed";

  ColumnMap map_;
  size_t needed_ = 0;
  bool first_ = true;
  bool broken_ = false;
};

bool resolve_column(std::string_view key, const std::string& text, bool required,
                    ColumnMap::Role role, ColumnMap& map, std::string& error) {
  uint64_t number = 0;
  if (text.empty()) {
    if (required) error = fmt::format("columns need the key '{}'", key);
    return !required;
  }
  if (parse_u64(text, number)) {
    if (number == 0 || number > ColumnMap::kMaxColumns) {
      error = fmt::format("columns.{}: {} is outside [1, {}]", key, number, ColumnMap::kMaxColumns);
      return false;
    }
    map.index[role] = static_cast<int>(number - 1);
    return true;
  }
  if (map.header != ColumnMap::Header::kNamed) {
    error = fmt::format("columns.{}: {} is no number; a name needs header: true", key, quote(text));
    return false;
  }
  map.names[role] = text;
  map.index[role] = 0;  // until the header has been read
  return true;
}

void add_ops(std::string_view words, TraceOp op, ColumnMap& map) {
  for (std::string_view w = trace_text::next_word(words); !w.empty();
       w = trace_text::next_word(words))
    map.ops.push_back({std::string(w), op});
}

}  // namespace

bool make_column_map(const ColumnsConfig& config, ColumnMap& map, std::string& error) {
  map = ColumnMap{};
  map.delimiter = char_of(config.delimiter);
  map.header = config.header ? ColumnMap::Header::kNamed : ColumnMap::Header::kNone;
  map.time_unit = config.time_unit;
  map.latency_unit = config.latency_unit;
  map.offset_unit = config.offset_unit.count();
  map.size_unit = config.size_unit.count();
  add_ops(config.read, TraceOp::kRead, map);
  add_ops(config.write, TraceOp::kWrite, map);
  add_ops(config.trim, TraceOp::kTrim, map);
  add_ops(config.flush, TraceOp::kFlush, map);
  return resolve_column("time", config.time, false, ColumnMap::kTime, map, error) &&
         resolve_column("op", config.op, true, ColumnMap::kOp, map, error) &&
         resolve_column("offset", config.offset, true, ColumnMap::kOffset, map, error) &&
         resolve_column("size", config.size, true, ColumnMap::kSize, map, error) &&
         resolve_column("device", config.device, false, ColumnMap::kDevice, map, error) &&
         resolve_column("latency", config.latency, false, ColumnMap::kLatency, map, error);
}

std::unique_ptr<LineFormat> make_column_format(ColumnMap map) {
  return std::make_unique<ColumnFormat>(std::move(map));
}

}  // namespace ftlsim
