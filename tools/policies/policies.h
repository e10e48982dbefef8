// Lists of the policies that a drive file can name, from the tables that read the file.
#pragma once

#include <string>
#include <string_view>

namespace ftlsim {

// Every decision with its policies, a line each.
std::string list_policies();
// One decision ("gc.victim") or one policy ("gc.greedy") with parameters, ranges and defaults.
// Empty if there is none of that name; *near is then what may have been meant, or "".
std::string describe_policy(std::string_view name, std::string* near);
// docs/policies.md: everything, as Markdown.
std::string policies_page();

// `ftlsim policies [NAME]`, or with markdown the page. Returns the exit code.
int policies_command(const std::string& name, bool markdown);

}  // namespace ftlsim
