// The timeline as a file in the Chrome trace event format (JSON), which ui.perfetto.dev and
// chrome://tracing open.
//
// One "process" each for the dies, the channels and the firmware cores and one per host queue;
// their tracks are "threads". Slices are complete events ("ph":"X") with `ts` and `dur` in
// microseconds, to the nanosecond (durations are 0.1 ns short, so that slices that follow each
// other do not overlap for readers that add in floating point). `cat` says on whose behalf (host_read, host_write, fold, gc,
// ..., see kPurposeNames). So does the name, in words, and nothing else is in it: Perfetto colours
// a slice by its whole name, so that a colour is a purpose on every track. `cname` does the same
// for chrome://tracing. `args`: what was done (op: sense, program, data in, ...), lpn, superblock,
// row, page, mode, planes, slots, as far as they apply. `otherData` states the window and whether
// it was cut.
#pragma once

#include <string>

#include "tools/timeline/timeline.h"

namespace ftlsim {

// Writes a finished timeline. Throws std::runtime_error naming the file.
void write_trace_json(const Timeline& timeline, const std::string& path);

}  // namespace ftlsim
