// Names and paths of drives, and the keys that their comments call calibrated.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tools/run/inputs.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "ftlsim-inputs-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TEST_CASE("drives are found by name and by path, and all that are shipped are valid") {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(fs::path(FTLSIM_SOURCE_CONFIG_DIR) / "drives"))
    names.push_back(file.path().stem().string());
  REQUIRE(names.size() >= 4);
  for (const std::string& name : names) {
    Diagnostics diagnostics;
    const DriveInput drive = load_drive(name, {}, FTLSIM_SOURCE_CONFIG_DIR, diagnostics);
    CAPTURE(diagnostics.to_string());
    CHECK(drive.valid);
    CHECK(drive.id == name);
  }
  Diagnostics diagnostics;
  const std::string path = std::string(FTLSIM_SOURCE_CONFIG_DIR) + "/drives/p41-1tb.yaml";
  const DriveInput drive = load_drive(path, {"slc.mode=none"}, "/nowhere", diagnostics);
  CHECK(drive.valid);
  CHECK(drive.id == "p41-1tb");
  CHECK(drive.config.slc.mode.is("none"));
}

TEST_CASE("an unknown drive: suggestion and list; a faulty one is not valid") {
  Diagnostics diagnostics;
  CHECK_FALSE(load_drive("p41-1bt", {}, FTLSIM_SOURCE_CONFIG_DIR, diagnostics).valid);
  const std::string text = diagnostics.to_string();
  CHECK(text.find("did you mean 'p41-1tb'") != std::string::npos);
  CHECK(text.find("p31-1tb, p41-1tb, p41-1tb-cold, p41-1tb-cold-all") != std::string::npos);

  Diagnostics more;
  CHECK_FALSE(load_drive("p41-1tb", {"lba_size=1KiB"}, FTLSIM_SOURCE_CONFIG_DIR, more).valid);
  CHECK(more.error_count() == 1);
}

TEST_CASE("workload limits are usable whatever the drive says") {
  DriveConfig config;
  config.lba_size = Bytes(1000);
  config.capacity = Bytes(1'000'001);
  config.queues.mdts = Bytes(100);
  const DriveLimits limits = limits_of(config);
  CHECK(limits.lba_size == Bytes(512));
  CHECK(limits.capacity == Bytes(999'936));
  CHECK(limits.mdts == Bytes(4096));
}

TEST_CASE("calibrated keys: sections, lists, and what an extending file replaces") {
  const Folder folder;
  folder.write("base/nand.yaml",
               "nand:\n"
               "  timing:\n"
               "    program: 1ms   # calibrated on row.a\n"
               "    erase: 3ms     # calibrated on row.b\n"
               "  name: 'x # calibrated on nothing'\n");
  folder.write("base.yaml",
               "extends: base/nand.yaml   # the die\n"
               "slc:\n"
               "  limit:\n"
               "    - free: 0GB\n"
               "      limit: 0GB\n"
               "    - free: 9GB\n"
               "      limit: 3GB   # calibrated on row.c\n"
               "gc:\n"
               "  rate: 5MB/s      # calibrated on row.d (half of it)\n");
  const fs::path drive = folder.write("drive.yaml",
                                      "extends: base.yaml\n"
                                      "nand: {timing: {read: 1us}}\n"
                                      "slc:\n"
                                      "  limit:\n"
                                      "    - free: 0GB     # estimate\n"
                                      "      limit: 0GB    # calibrated on row.e\n"
                                      "gc:\n"
                                      "  rate: 6MB/s       # estimate\n");
  CHECK(calibrated_keys(drive) == std::vector<std::string>{"slc.limit[0].limit: row.e",
                                                           "nand.timing.program: row.a",
                                                           "nand.timing.erase: row.b"});
}

}  // namespace
}  // namespace ftlsim
