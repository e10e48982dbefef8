// What a run says of where data lay, how old they were, and how fast their regions were read: JSON
// and text.
//
// `placement` of a phase in summary.json:
//   windows          of 1 MiB that were looked at and held data
//   slc_share        of the data, in SLC superblocks
//   dies_per_MiB, busiest_die_pages, ideal_die_pages, senses_per_MiB, extents_per_MiB: means per
//                    window; see ftl/read/placement.h
//   planes_per_sense mean number of planes
//   windows_by_dies, windows_by_busiest_die_pages, senses_by_planes: {number: how often}
// `speed_map`: region_bytes, regions, rows (whether speed_map.csv has them), and `MBps` {min, p10,
// p50, p90, max} over the regions.
//
// With a model of ageing: `data_age`: windows, {mean,min,max}_days of the data at the end of the
// phase, in days at 25 degrees, clock_days of the drive, rber_mean and rber_max (worst page type,
// factory levels); `retries` of all pages read in the phase: mean, lost, `pages` {retries: pages}.
// With refresh or patrol: `refresh`: bytes programmed, superblocks asked for, patrol_reads.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ftl/read/placement.h"
#include "tools/run/data_age.h"
#include "tools/run/recorder.h"
#include "tools/run/speed_map.h"

namespace ftlsim {

nlohmann::ordered_json placement_json(const Placement& placement);
nlohmann::ordered_json speed_json(const SpeedSummary& speed);
nlohmann::ordered_json age_json(const DataAge& age);
nlohmann::ordered_json retries_json(const RetryCounts& retries);
nlohmann::ordered_json refresh_json(const RefreshWork& work);

// A line for the table at the end of a run.
std::string placement_text(const Placement& placement);
std::string speed_text(const SpeedSummary& speed);
std::string age_text(const DataAge& age, const RetryCounts& retries);

}  // namespace ftlsim
