// A curve measured on a real drive, to be laid over the simulated one.
//
// The file is a table with a header line that names its columns:
//   write_MBps   write rate in decimal MB/s (needed)
//   t_s          seconds since the start of the measurement
//   written_GB   decimal GB written since then
// At least one of t_s and written_GB is needed; the other is derived from it and the rate (the mean
// of two neighbouring rows holds between them). The one that is given never falls. Other columns,
// empty lines and lines that begin with '#' are passed over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlsim {

// Its name within a run directory, where `ftlsim run --measured` puts a copy.
inline constexpr const char* kMeasuredFile = "measured.csv";

struct MeasuredCurve {
  std::string name;  // of the file, without folder and extension
  std::vector<double> t_s;
  std::vector<double> written_GB;
  std::vector<double> write_MBps;
};

// Nothing, and "FILE:LINE: error: ..." in `error`, if the text is no such table. `file` names it.
std::optional<MeasuredCurve> parse_measured(std::string_view csv, const std::string& file,
                                            std::string& error);
std::optional<MeasuredCurve> load_measured(const std::string& path, std::string& error);

}  // namespace ftlsim
