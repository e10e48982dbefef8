// The parts of the report page, embedded at build time by embed.cmake.
#pragma once

#include <string_view>

namespace ftlsim::report_assets {

extern const std::string_view kHeadHtml;
extern const std::string_view kControlsHtml;
extern const std::string_view kTemplateHtml;
extern const std::string_view kReportCss;
extern const std::string_view kReportJs;
extern const std::string_view kChartsJs;
extern const std::string_view kPageJs;
extern const std::string_view kLinesJs;
extern const std::string_view kColdJs;
extern const std::string_view kTablesJs;
extern const std::string_view kLoadsJs;
extern const std::string_view kCompareHtml;
extern const std::string_view kCompareJs;
extern const std::string_view kCompareTablesJs;
extern const std::string_view kDygraphJs;
extern const std::string_view kDygraphCss;

}  // namespace ftlsim::report_assets
