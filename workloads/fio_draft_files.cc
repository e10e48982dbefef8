// The options that say which files a job works on.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "workloads/fio_draft.h"
#include "workloads/fio_files.h"

namespace ftlsim {

bool FioOptionReader::apply_files(FioKey key, const FioOption& option, FioDraft& draft) {
  switch (key) {
    case FioKey::kFilename:
      return read_filenames(option, draft), true;
    case FioKey::kDirectory:
      draft.directory = text_of(option);
      return true;
    case FioKey::kFilenameFormat:
      draft.filename_format = text_of(option);
      if (draft.filename_format.empty()) refuse(option, "has no value");
      return true;
    case FioKey::kNrfiles:
      read_integer(option, draft, draft.nrfiles);
      if (draft.nrfiles == 0) refuse(option, "0 files");
      return true;
    case FioKey::kFilesize:
      return read_file_size(option, draft), true;
    case FioKey::kFileServiceType:
      return read_file_service(option, draft), true;
    default:
      return false;
  }
}

// "a:b:c"; a colon within a name is written "\:".
void FioOptionReader::read_filenames(const FioOption& option, FioDraft& draft) {
  draft.filenames.clear();
  std::string name;
  const std::string_view text = text_of(option);
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ':') {
      name += text[++i];
    } else if (i < text.size() && text[i] != ':') {
      name += text[i];
    } else if (!name.empty()) {
      draft.filenames.push_back(name);
      name.clear();
    }
  }
  if (draft.filenames.empty()) return refuse(option, "has no value");
  if (draft.filenames.size() == 1 && names_fio_device(draft.filenames[0]))
    note_once("filename", option.origin,
              "option 'filename' has no effect: the job works on the simulated drive");
}

// A size, or two with '-' between which each file's is drawn.
void FioOptionReader::read_file_size(const FioOption& option, FioDraft& draft) {
  const std::vector<std::string_view> ends = split_text(text_of(option), "-");
  if (ends.size() > 2)
    return refuse(
        option, fmt::format("{} is not a size or a range such as 4k-64k", quote(text_of(option))));
  FioDraft::Range& range = draft.filesize;
  read_integer({option.key, std::string(ends.front()), option.origin}, draft, range.low);
  range.high = range.low;
  if (ends.size() == 2)
    read_integer({option.key, std::string(ends.back()), option.origin}, draft, range.high);
  if (range.high < range.low)
    refuse(option, fmt::format("the range {} ends below its start", quote(text_of(option))));
}

// A kind with ':' and a number of requests, or for a distribution its parameters.
void FioOptionReader::read_file_service(const FioOption& option, FioDraft& draft) {
  const std::string_view text = text_of(option);
  const size_t colon = text.find(':');
  const std::string rest(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  const std::optional<size_t> kind =
      read_word({option.key, std::string(text.substr(0, colon)), option.origin},
                {"roundrobin", "sequential", "random", "zipf", "pareto", "normal", "gauss"});
  if (!kind) return;
  FilesSpec& files = draft.spec.files;
  files.service = *kind == 0   ? FileService::kRoundRobin
                  : *kind == 1 ? FileService::kSequential
                  : *kind == 2 ? FileService::kRandom
                               : FileService::kSpread;
  files.run = 1;
  if (files.service == FileService::kSpread) {
    files.spread = DistributionSpec{};
    files.spread.in_order = true;
    const Spread spread = *kind == 3   ? Spread::kZipf
                          : *kind == 4 ? Spread::kPareto
                                       : Spread::kNormal;
    return read_spread(option, spread, rest, files.spread);
  }
  if (!rest.empty())
    read_integer({option.key, rest, option.origin}, draft, files.run, 1, UINT32_MAX);
}

bool FioOptionReader::apply_replay(FioKey key, const FioOption& option, FioDraft& draft) {
  ReplaySpec& replay = draft.replay;
  switch (key) {
    case FioKey::kReadIolog:
      draft.read_iolog = text_of(option);
      if (draft.read_iolog.empty()) refuse(option, "has no value");
      return true;
    case FioKey::kReplayNoStall:
      return read_bool(option, draft.replay_no_stall), true;
    case FioKey::kReplayTimeScale:
      return read_integer(option, draft, draft.replay_time_percent, 1, 1'000'000), true;
    case FioKey::kReplayScale:
      read_integer(option, draft, replay.address_divisor);
      replay.address_divisor = std::max<uint64_t>(replay.address_divisor, 1);
      return true;
    case FioKey::kReplayAlign:
      read_integer(option, draft, replay.address_align);
      if (!std::has_single_bit(std::max<uint64_t>(replay.address_align, 1)))
        refuse(option, fmt::format("{} is not a power of 2", replay.address_align));
      return true;
    case FioKey::kReplaySkip:
      replay.skip.fill(false);
      for (const std::string_view word : split_text(text_of(option), ",")) {
        const std::optional<size_t> op = read_word({option.key, std::string(word), option.origin},
                                                   {"read", "write", "trim", "sync"});
        if (op) replay.skip[*op] = true;
      }
      return true;
    default:
      return false;
  }
}

}  // namespace ftlsim
