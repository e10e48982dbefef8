#include "tools/run/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kEntryBytes = 4;
constexpr uint64_t kFixedBytes = 48u << 20;
constexpr uint64_t kBytesPerMapPage = 36;
constexpr uint64_t kHugePage = 2u << 20;  // tables grow by this much at a time
constexpr uint64_t kBytesPerCommand = 1024;
// Slots of the medium that one slot of the host can cost while nothing is collected: one in SLC and
// one when it is folded.
constexpr uint64_t kProgramsPerSlot = 2;

// What a workload writes at most: LBAs (each counted once per job) and bytes.
struct Writes {
  unsigned __int128 region = 0;
  unsigned __int128 bytes = 0;
};

Writes writes_of(const Workload& workload) {
  Writes w;
  for (const PhaseSpec& phase : workload.phases) {
    // What a trace writes is known only when it has been read: anything up to the whole drive.
    if (phase.action == PhaseAction::kReplay)
      w.region = w.bytes = std::numeric_limits<uint64_t>::max();
    for (const JobSpec& job : phase.jobs) {
      if (!uses(job.rw, Direction::kWrite)) continue;
      w.region += job.size.count();
      const Bytes bytes = job.io_size.count() != 0 ? job.io_size : job.size;
      w.bytes += static_cast<unsigned __int128>(bytes.count()) * job.numjobs;
      if (job.time_based) w.bytes = std::numeric_limits<uint64_t>::max();
    }
  }
  return w;
}

uint64_t at_most(uint64_t table, unsigned __int128 entries) {
  const unsigned __int128 bytes = entries * kEntryBytes + kHugePage;
  return bytes < table ? static_cast<uint64_t>(bytes) : table;
}

uint64_t read_number(const fs::path& file, uint64_t otherwise) {
  std::ifstream in(file);
  uint64_t value = 0;
  return in >> value ? value : otherwise;
}

// The number after `key` in a file of "key value" lines.
std::optional<uint64_t> read_field(const fs::path& file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    uint64_t value = 0;
    if (words >> name >> value && name == key) return value;
  }
  return std::nullopt;
}

// Room below the limit of one control group; page cache that can be dropped does not count as used.
uint64_t room_in_group(const fs::path& group) {
  constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();
  const uint64_t limit = read_number(group / "memory.max", kUnlimited);  // "max" is no number
  if (limit == kUnlimited) return kUnlimited;
  const uint64_t used = read_number(group / "memory.current", 0);
  const uint64_t cache = read_field(group / "memory.stat", "inactive_file").value_or(0);
  const uint64_t needed = used > cache ? used - cache : 0;
  return limit > needed ? limit - needed : 0;
}

}  // namespace

MemoryEstimate estimate_memory(const DriveConfig& config, const Media& media) {
  const Layout& layout = media.layout();
  const uint64_t superblocks = media.superblocks();
  const uint64_t die_blocks = superblocks * layout.width();
  MemoryEstimate e;
  e.map = config.user_slots() * kEntryBytes;
  if (config.map.paged())  // directory, one bit per unit, and what is known of every page
    e.map += config.user_slots() / 8 + uint64_t{config.map_pages()} * kBytesPerMapPage;
  e.spare = superblocks * layout.superblock_slots(CellMode::kTlc) * kEntryBytes;
  e.sequences = die_blocks * layout.rows() * kEntryBytes;
  e.blocks = die_blocks * (sizeof(DieBlock) + layout.planes() * (sizeof(uint16_t) + 8)) +
             superblocks * 128;
  const uint64_t buffered =
      (config.buffer.size.count() + config.buffer.relocation_size.count()) / kSlotBytes;
  e.buffers =
      buffered * 64 + uint64_t{config.queues.count} * config.queues.depth * kBytesPerCommand;
  e.fixed = kFixedBytes;
  return e;
}

MemoryEstimate estimate_memory(const DriveConfig& config, const Media& media,
                               const Workload& workload) {
  MemoryEstimate e = estimate_memory(config, media);
  const Writes w = writes_of(workload);
  e.map = at_most(e.map, w.region / kSlotBytes);
  e.spare = at_most(e.spare, w.bytes / kSlotBytes * kProgramsPerSlot);
  return e;
}

std::optional<uint64_t> available_memory(const fs::path& root) {
  const std::optional<uint64_t> kib = read_field(root / "proc/meminfo", "MemAvailable:");
  if (!kib) return std::nullopt;
  uint64_t available = *kib * 1024;
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("0::/")) continue;
    const fs::path mount = root / "sys/fs/cgroup";
    available = std::min(available, room_in_group(mount));
    fs::path group = mount;
    for (const fs::path& part : fs::path(line.substr(4)))
      available = std::min(available, room_in_group(group /= part));
  }
  return available;
}

std::string memory_shortage(const MemoryEstimate& estimate, uint64_t available) {
  if (estimate.total() <= available) return "";
  const auto gb = [](uint64_t bytes) { return static_cast<double>(bytes) * 1e-9; };
  return fmt::format(
      "the run needs up to {:.2f} GB of memory ({:.2f} GB map, {:.2f} GB spare area, {:.2f} GB "
      "other) but {:.2f} GB are available; free memory, or use a smaller drive or a workload that "
      "writes less of it",
      gb(estimate.total()), gb(estimate.map), gb(estimate.spare),
      gb(estimate.total() - estimate.map - estimate.spare), gb(available));
}

}  // namespace ftlsim
