// docs/policies.md is what `ftlsim policies --markdown` writes. FTLSIM_BLESS=1 writes it anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tools/policies/policies.h"

namespace ftlsim::test {

TEST_CASE("docs/policies.md is up to date") {
  const std::string path = FTLSIM_SOURCE_DIR "/docs/policies.md";
  if (std::getenv("FTLSIM_BLESS") != nullptr) std::ofstream(path) << policies_page();
  std::ifstream in(path);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK_MESSAGE(page == policies_page(), "write it anew: ftlsim policies --markdown > " << path);
}

}  // namespace ftlsim::test
