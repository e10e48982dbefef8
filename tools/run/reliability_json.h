// The object `reliability` of summary.json; absent while no model of errors is on.
//
//   model, policy         as configured
//   temperature_C         of the cells at the end
//   age_days              of the clock: days at 25 degrees since the start
//   reads                 {total, first_ok, retried, soft, uncorrectable}: flash reads by outcome,
//   for
//                         the host and for the drive itself; the last four add up to the first
//   senses                {first, table, search, soft}: senses by kind of read levels
//   retries_per_page      [n0, n1, ...]: pages (16 KiB of one plane) read by the number of retries
//                         after which they decoded, trailing zeros cut; soft decoding counts as one
//   pages_lost            pages read and never decoded
//   mean_retries_per_page over all pages read
//   host_errors           commands that ended with Unrecovered Read Error
//   lost_slots            slots on the medium whose data are gone (moved, then marked)
//   distribution          of the valid slots at the end, by closed forms:
//     slots, mean_age_days, oldest_days, mean_cycles, most_cycles, mean_rber (of a first read)
//     first_read_failure, mean_retries      expected of the next read of a page
//     age        [{below_days, slots}], the last without below_days
//     rber       [{below, slots}], the last without below
#pragma once

#include <nlohmann/json.hpp>

#include "ftl/device.h"
#include "sim/units.h"

namespace ftlsim {

// Null if no model of errors is on.
nlohmann::ordered_json reliability_json(const Device& device, Time now);

}  // namespace ftlsim
