// What the pages of this folder have in common: text made safe, the samples of a run as JSON, and
// the assembly of a page from its template.
//
// Three things must hold: a page loads nothing; no text of a run can end a script or become markup;
// and no wall-clock figure gets in, so that two equal runs give equal bytes.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/report/course.h"
#include "tools/report/measured.h"
#include "tools/report/run_data.h"

namespace ftlsim {

// Script or style to be inlined into a page.
std::string inline_code(std::string_view code);
std::string escape_html(std::string_view text);
// JSON text for a script element.
std::string escape_json(std::string json);
// As text, with bytes that are not UTF-8 replaced.
std::string dump_json(const nlohmann::ordered_json& json);
// Without what differs between two runs of the same input.
nlohmann::ordered_json without_wall_clock(nlohmann::ordered_json json);

// The samples `rows` of a run, an array per column, with the one-second means of both rates.
std::string series_json(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                        const std::vector<std::size_t>& rows);
// Phases with their range in the drawn rows.
nlohmann::ordered_json spans_json(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                                  const std::vector<std::size_t>& rows);
nlohmann::ordered_json segments_json(const std::vector<SlcSegment>& segments);
// The measured curve, thinned to what can be seen; null if there is none.
std::string measured_json(const std::optional<MeasuredCurve>& curve);

// Marks of a template ("@NAME@") with their texts.
using PageParts = std::vector<std::pair<std::string_view, std::string>>;
// Replaces every mark of the template by its text, in one pass: a mark inside inserted text stays
// what it is.
std::string fill_template(std::string_view page, const PageParts& parts);
// What every page has: @HEAD@ with its title (as HTML) and style, @CONTROLS@ of the line charts,
// and the @SCRIPTS@ that draw them. `parts` are those of the page itself.
PageParts with_common_parts(const std::string& title, PageParts parts);

}  // namespace ftlsim
