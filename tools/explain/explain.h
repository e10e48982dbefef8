// `ftlsim explain`: the derived figures of a drive, each with its formula in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ftl/config.h"
#include "nand/media.h"

namespace ftlsim {

// The page as text: groups of aligned lines "name  value unit  formula".
std::string explain(const DriveConfig& config, const Media& media);

// Prints the page of a drive, or every problem of it. The seed decides which blocks are bad from
// the factory. Returns the exit code.
int explain_command(const std::string& drive, const std::vector<std::string>& overrides,
                    uint64_t seed);

}  // namespace ftlsim
