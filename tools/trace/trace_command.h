// `ftlsim trace`: what a trace holds, and copies of it in other formats.
#pragma once

namespace CLI {
class App;
}

namespace ftlsim {

// Adds the command with its subcommands. They run while `app` parses; `exit_code` is then that of
// the tool. Returns the command: whether it was given is its parsed(). `exit_code` must outlive the
// parse.
CLI::App* add_trace_command(CLI::App& app, int& exit_code);

}  // namespace ftlsim
