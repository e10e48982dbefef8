// What differs between the effective configurations of runs.
#pragma once

#include <string>
#include <vector>

#include "tools/report/comparison.h"

namespace ftlsim {

// Keys whose values are not the same in all the YAML texts, in the order in which they come up. A
// key is its path with indices for lists ("slc.limit[2].free"); values are compared as text, which
// is right for effective configurations, since all of them are written by the same hand.
std::vector<ConfigDifference> config_differences(const std::vector<std::string>& texts);

}  // namespace ftlsim
