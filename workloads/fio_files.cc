#include "workloads/fio_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ftlsim {
namespace {

constexpr uint64_t kFileAlignment = uint64_t{1} << 20;
constexpr uint64_t kMostFiles = uint64_t{1} << 16;  // of all clones; each costs about a kilobyte
constexpr uint64_t kMostFileBytes = uint64_t{1} << 50;

bool is_decimal(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void replace_word(std::string& text, std::string_view word, const std::string& by) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

// The smallest request, to which fio rounds sizes that it draws or divides.
uint64_t smallest_request(const FioDraft& draft) {
  uint64_t smallest = UINT64_MAX;
  for (const Direction d : kAllDirections)
    if (uses(draft.spec.rw, d)) smallest = std::min(smallest, draft.block_size[index_of(d)]);
  return std::max<uint64_t>(smallest == UINT64_MAX ? 0 : smallest, 1);
}

size_t files_per_clone(const FioDraft& draft) {
  return draft.filenames.empty() ? std::max<uint64_t>(draft.nrfiles, 1) : draft.filenames.size();
}

// The name of file `number` of clone `clone`, with its folder.
std::string file_name(const FioDraft& draft, uint64_t clone, uint64_t number) {
  std::string name;
  if (!draft.filenames.empty()) {
    name = draft.filenames[number];
    if (name.starts_with('/')) return name;
  } else {
    name = draft.filename_format;
    replace_word(name, "$jobname", draft.spec.name);
    replace_word(name, "$jobnum", std::to_string(clone));
    replace_word(name, "$filenum", std::to_string(number));
    replace_word(name, "$clientuid", "localhost");
  }
  // Clones take turns over a list of folders.
  const std::vector<std::string_view> folders = split_text(draft.directory, ":");
  const std::string_view folder = folders[clone % folders.size()];
  return folder.empty() ? name : fmt::format("{}/{}", folder, name);
}

uint64_t percent_of(uint64_t bytes, uint64_t percent) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) * percent / 100);
}

}  // namespace

bool names_fio_device(std::string_view name) {
  const bool windows = name.starts_with("\\\\.\\") || name.starts_with("//./");
  const bool spdk = name.find("trtype=") != std::string_view::npos;
  const bool unix_device = name.starts_with("/dev/") && !name.starts_with("/dev/shm/");
  return windows || spdk || unix_device || is_decimal(name);
}

// A job that names a device, as its file or as its own name, or that fio would refuse for want of a
// size.
bool FioFiles::on_drive(const FioDraft& draft) {
  const size_t devices = static_cast<size_t>(
      std::count_if(draft.filenames.begin(), draft.filenames.end(), names_fio_device));
  if (devices > 0 && draft.filenames.size() > 1) {
    diagnostics_.error(draft.place(FioKey::kFilename),
                       "filename: a device among several files is not modelled, there is one "
                       "drive: give each a job of its own, with offset and size");
    failed_ = true;
  }
  if (draft.fill_device || !draft.read_iolog.empty()) return true;
  if (!draft.filenames.empty()) return devices > 0;
  if (draft.nrfiles <= 1 && names_fio_device(draft.spec.name)) return true;
  const bool sized = draft.size && !draft.size->percent && draft.size->value != 0;
  return !sized && draft.filesize.high == 0 && draft.nrfiles <= 1;
}

size_t FioFiles::file_number(const std::string& name, const Origin& origin, bool device) {
  const auto [found, fresh] = numbers_.emplace(device ? "" : name, files_.size());
  if (fresh) files_.push_back({name, origin, device});
  if (fresh && !device) ++regular_files_;
  return found->second;
}

void FioFiles::add(const FioDraft& draft) {
  Use& use = uses_.emplace_back();
  use.draft = &draft;
  const bool device = on_drive(draft);
  if ((device && draft.filesize.high == 0) || failed_) return;
  const FioKey key = draft.written(FioKey::kFilename)  ? FioKey::kFilename
                     : draft.written(FioKey::kNrfiles) ? FioKey::kNrfiles
                                                       : FioKey::kSize;
  const uint64_t per_clone = files_per_clone(draft);
  const uint64_t clones = std::min<uint64_t>(draft.numjobs, kMostFiles);
  if (per_clone > kMostFiles || clones * per_clone > kMostFiles) {
    diagnostics_.error(draft.place(key),
                       fmt::format("{} clones with {} files each are more than {} files",
                                   draft.numjobs, per_clone, kMostFiles));
    failed_ = true;
    return;
  }
  for (uint64_t clone = 0; clone < clones; ++clone)
    for (uint64_t i = 0; i < per_clone; ++i)
      use.files.push_back(file_number(file_name(draft, clone, i), draft.place(key), device));
}

void FioFiles::lay_out() {
  if (failed_) return;
  if (regular_files_ <= 1) {
    // The whole drive, but for a size of the file that is not the size of the job.
    for (Use& use : uses_)
      if (use.draft->filesize.high == 0) use.files.clear();
  }
  const auto open = [](const Use& use) {
    return use.draft->filesize.high == 0 && (!use.draft->size || use.draft->size->percent);
  };
  for (Use& use : uses_)
    if (!open(use)) measure(use);
  for (Use& use : uses_)  // those take the sizes that the others gave
    if (open(use)) measure(use);
  if (!failed_) place_files();
}

// Of file `index` of the use; 0 if nothing says it. A size is the sum of what a clone uses of its
// files: what does not divide makes the first ones longer, by whole requests.
uint64_t FioFiles::length_of(const FioDraft& draft, size_t index, Rng& rng) const {
  const uint64_t block = smallest_request(draft);
  if (draft.filesize.high != 0) {
    const uint64_t spread = draft.filesize.high - draft.filesize.low;
    if (spread == 0) return draft.filesize.low;
    return (draft.filesize.low + rng.below(spread + 1)) / block * block;
  }
  const size_t per_clone = files_per_clone(draft);
  const uint64_t longer = draft.size->value % per_clone / block;
  return draft.size->value / per_clone + (index % per_clone < longer ? block : 0);
}

bool FioFiles::check_length(const FioDraft& draft, const File& file, uint64_t length) {
  if (length != 0 && length <= kMostFileBytes) return true;
  const FioKey key = draft.filesize.high != 0 ? FioKey::kFilesize : FioKey::kSize;
  diagnostics_.error(
      draft.place(key),
      length == 0 ? fmt::format("the length of the file {} is not known, or is 0: one of the jobs "
                                "that use it needs 'size' in bytes, or 'filesize'",
                                quote(file.name))
                  : fmt::format("the file {} is larger than 1 PiB", quote(file.name)));
  failed_ = true;
  return false;
}

// The parts of its files that a job uses, and how long the files have to be for that.
void FioFiles::measure(Use& use) {
  const FioDraft& draft = *use.draft;
  const size_t per_clone = files_per_clone(draft);
  const uint64_t block = smallest_request(draft);
  const bool sized = draft.size && !draft.size->percent && draft.size->value != 0;
  const bool whole = draft.filesize.high != 0 || !sized;  // the offset lies in the length
  Rng rng(draft.spec.randseed.value_or(0), fmt::format("{}/filesize", draft.spec.name));
  for (size_t i = 0; i < use.files.size(); ++i) {
    File& file = files_[use.files[i]];
    const bool open = draft.filesize.high == 0 && !sized;
    const uint64_t length = open ? file.bytes : length_of(draft, i, rng);
    if (!check_length(draft, file, length)) return;
    const auto part = [&](FioAmount amount) {
      return amount.percent ? percent_of(length, amount.value) / block * block : amount.value;
    };
    const uint64_t increment = part(draft.offset_increment);
    const uint64_t begin = part(draft.offset) + i / per_clone * std::min(increment, kMostFileBytes);
    if (begin > kMostFileBytes || (whole && begin >= length)) {
      diagnostics_.error(draft.place(FioKey::kOffset),
                         fmt::format("offset: {} B is past the end of the file {} of {} B", begin,
                                     quote(file.name), length));
      failed_ = true;
      return;
    }
    uint64_t bytes = whole ? length - begin : length;
    if (draft.size && draft.size->percent)
      bytes = std::max(percent_of(bytes, draft.size->value) / block * block, block);
    use.regions.push_back({Bytes(begin), Bytes(bytes)});
    file.bytes = std::max(file.bytes, whole ? length : begin + bytes);
  }
}

void FioFiles::place_files() {
  uint64_t end = 0;
  for (File& file : files_) {
    if (file.device) continue;
    file.begin = (end + kFileAlignment - 1) / kFileAlignment * kFileAlignment;
    end = file.begin + file.bytes;
    if (end <= drive_.capacity.count()) continue;
    uint64_t sum = 0;
    for (const File& each : files_) sum += each.device ? 0 : each.bytes;
    diagnostics_.error(file.origin,
                       fmt::format("the {} files of the jobs take {} B, and from the file {} on "
                                   "they do not fit the drive of {} B; jobs that are to share the "
                                   "drive name it: filename=/dev/nvme0n1",
                                   regular_files_, sum, quote(file.name), drive_.capacity.count()));
    return;
  }
  for (Use& use : uses_)
    for (size_t i = 0; i < use.regions.size(); ++i)
      use.regions[i].offset = use.regions[i].offset + Bytes(files_[use.files[i]].begin);
  if (regular_files_ > 1) note_places();
}

void FioFiles::note_places() const {
  constexpr size_t kShown = 4;
  std::string text;
  size_t shown = 0;
  const File* last = nullptr;
  for (const File& file : files_) {
    if (file.device) continue;
    last = &file;
    if (shown == kShown) continue;
    fmt::format_to(std::back_inserter(text), "{}{} at {} MiB ({} B)", shown == 0 ? "" : ", ",
                   quote(file.name), file.begin / kFileAlignment, file.bytes);
    ++shown;
  }
  if (regular_files_ > kShown)
    fmt::format_to(std::back_inserter(text), " and so on up to {} B", last->begin + last->bytes);
  const bool reads = std::any_of(uses_.begin(), uses_.end(), [](const Use& use) {
    return !use.regions.empty() && uses(use.draft->spec.rw, Direction::kRead);
  });
  diagnostics_.note(
      files_.front().origin,
      fmt::format("{} files lie on the drive one after the other: {}{}", regular_files_, text,
                  reads ? "; fio would write those that are read beforehand, here that is left to "
                          "the jobs or to a step before them"
                        : ""));
}

}  // namespace ftlsim
