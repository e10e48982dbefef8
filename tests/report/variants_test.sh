#!/bin/bash
# The report of every kind of run directory in a headless browser.
#
#   variants_test.sh REPORT_FIXTURE_BINARY
#
# Also: the same run gives the same bytes, and no wall-clock figure reaches the page.
set -eu -o pipefail

fixture=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "variants_test: FAILED: $1" >&2
  exit 1
}

for variant in full hostile interrupted short empty minimal; do
  "$fixture" "$variant" "$work/$variant"
done
"$fixture" full "$work/again"
cmp "$work/full/report.html" "$work/again/report.html" || fail "two reports of one run differ"
for figure in wall_s peak_rss_bytes; do
  if grep -q "$figure" "$work/full/report.html"; then fail "the report contains $figure"; fi
done
grep -q "was interrupted" "$work/interrupted/report.html" || fail "no banner text"

"$here/report_test.sh" "$work/full/report.html" \
  sustain slc free waf-time relocation waf latency utilisation read-written \
  read-age rber-age retries speed-map
grep -q '"regions":11920' "$work/full/report.html" || fail "no speed map in the page"
"$here/report_test.sh" --good-only "$work/hostile/report.html"
"$here/report_test.sh" --good-only "$work/interrupted/report.html" \
  sustain slc free waf-time relocation temperature waf latency
"$here/report_test.sh" --good-only "$work/short/report.html" sustain slc free relocation latency utilisation
"$here/report_test.sh" --good-only "$work/empty/report.html" -
"$here/report_test.sh" --good-only "$work/minimal/report.html" -

# The same directories laid over each other, one that is good, one that is hostile, one cut short.
comparison=$work/comparison.html
"$fixture" compare "$comparison" "$work/full" "$work/hostile" "$work/interrupted"
"$fixture" compare "$work/again.html" "$work/full" "$work/hostile" "$work/interrupted"
cmp "$comparison" "$work/again.html" || fail "two comparisons of the same runs differ"
if grep -q wall_s "$comparison"; then fail "the comparison contains wall_s"; fi
"$here/report_test.sh" "$comparison" write slc waf-time relocation free temperature waf latency
"$fixture" compare "$comparison" "$work/empty" "$work/minimal"
"$here/report_test.sh" --good-only "$comparison" -
