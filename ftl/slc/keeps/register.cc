// The entries of slc.keep, one line per policy: each is defined in the file of its policy.
#include "ftl/config.h"
#include "ftl/slc/keep_policy.h"

namespace ftlsim {

const SlcKeepFamily& slc_keeps() {
  static const SlcKeepFamily kFamily([](SlcKeepFamily& family) {
    FTLSIM_POLICY(nothing);
    FTLSIM_POLICY(newest);
    FTLSIM_POLICY(hot);
  });
  return kFamily;
}

void check_kept_size(const DriveConfig& drive, Bytes size, PolicyCheck& check) {
  const Bytes most = largest_cache(drive);
  if (drive.slc.enabled() && size >= most)
    check.error("size", fmt::format("{} B is the whole cache, which never takes more than {} B "
                                    "({} = {}): no burst would find room",
                                    size.count(), most.count(), check.place("slc.mode"),
                                    drive.slc.mode.name()));
}

}  // namespace ftlsim
