#!/bin/bash
# Opens a report in headless Chromium and fails on a script error or a missing chart.
#
#   report_test.sh [--good-only] REPORT [CHART...]
#
# CHART... are the charts that must be there (ids without "chart-"; default: all that a complete run
# has; "-" for none). The page is judged by a probe that is appended to a copy of it: the probe
# counts the ink of every chart, works the controls and counts again, and lists every resource that
# the page asks for, which must be none. Then four deliberately broken copies must be found out, unless
# --good-only says that another call does that.
# Exit code 0 if all holds. FTLSIM_CHROMIUM names another browser binary.
set -u -o pipefail

broken_copies=yes
if [ "${1:-}" = --good-only ]; then
  broken_copies=no
  shift
fi
if [ $# -lt 1 ] || [ ! -r "$1" ]; then
  echo "usage: report_test.sh [--good-only] REPORT [CHART...]" >&2
  exit 2
fi
report=$1
shift
if [ $# -eq 0 ]; then
  set -- sustain slc free waf-time relocation waf latency utilisation
fi
if [ "$1" = "-" ]; then shift; fi
charts=("$@")
browser=${FTLSIM_CHROMIUM:-chromium}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v "$browser" >/dev/null; then
  echo "report_test: '$browser' is not installed (Debian package chromium)" >&2
  exit 1
fi

# The script that judges the page from inside; it leaves its findings in <pre id="probe">.
write_probe() {
  cat <<PROBE
<script>
(function () {
  const expected = '${charts[*]:-}'.split(' ').filter((id) => id !== '');
  const findings = [];
  function ink(id) {
    const place = document.getElementById('chart-' + id);
    if (!place) return 0;
    let count = place.querySelectorAll('svg > *').length;
    for (const canvas of place.querySelectorAll('canvas')) {
      if (canvas.width === 0 || canvas.height === 0) continue;
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) ++count;
    }
    return count;
  }
  function check(stage) {
    for (const id of expected) if (ink(id) < 6) findings.push('missing chart ' + id + ' ' + stage);
  }
  function press(id) {
    const control = document.getElementById(id);
    if (control) control.click();
  }
  check('as opened');
  for (const id of ['axis-written', 'axis-time', 'compress-idle', 'reset-zoom']) {
    press(id);
    check('after ' + id);
  }
  const part = document.getElementById('part');  // of a comparison: every part in turn
  for (const option of part ? [...part.options] : []) {
    part.value = option.value;
    part.dispatchEvent(new Event('change'));
    check('in part ' + option.textContent);
  }
  const drawn = Number(document.documentElement.dataset.chartsDrawn);
  if (!(drawn >= expected.length)) findings.push('data-charts-drawn is ' + drawn);
  for (const mark of document.querySelectorAll('.script-error')) findings.push(mark.textContent);
  for (const part of document.querySelectorAll('[src], link, object, iframe, image')) {
    findings.push('loads ' + part.outerHTML.slice(0, 60));
  }
  for (const style of document.querySelectorAll('style')) {
    if (/@import|url\\(/.test(style.textContent)) findings.push('style loads a file');
  }
  for (const entry of performance.getEntriesByType('resource')) {
    findings.push('loads ' + entry.name);
  }
  const result = document.createElement('pre');
  result.id = 'probe';
  result.textContent = findings.length === 0 ? 'probe: fine' : 'probe: ' + findings.join('; ');
  document.body.appendChild(result);
})();
</script>
PROBE
}

# judge FILE: prints the findings; succeeds if the page is whole.
judge() {
  local copy="$work/page.html" dom finding profile
  profile=$(mktemp -d "$work/profile.XXXXXX")
  { cat "$1"; write_probe; } >"$copy"
  dom=$(timeout 90 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$profile" --window-size=1280,1000 --virtual-time-budget=10000 \
    --dump-dom "file://$copy" 2>"$work/browser.log")
  finding=$(grep -o '<pre id="probe">probe: .*</pre>' <<<"$dom" | sed 's/<[^>]*>//g')
  if [ -z "$finding" ]; then
    finding="the page gave no result"
  fi
  echo "$finding"
  [ "$finding" = "probe: fine" ]
}

# must_fail NAME FILE: a broken copy that passes means that this test sees nothing.
must_fail() {
  local finding
  if finding=$(judge "$2"); then
    echo "report_test: FAILED: broken copy '$1' was not detected" >&2
    exit 1
  fi
  echo "  broken copy '$1' detected: ${finding:0:110}"
}

if ! finding=$(judge "$report"); then
  echo "report_test: FAILED: $report: $finding" >&2
  exit 1
fi
echo "report_test: $report: ${charts[*]:-no chart expected}: fine"

if [ "$broken_copies" = no ]; then exit 0; fi

broken="$work/broken.html"
{ cat "$report"; echo '<script>thisFunctionDoesNotExist();</script>'; } >"$broken"
must_fail "script error" "$broken"
head -c -3000 "$report" >"$broken"
must_fail "cut off" "$broken"
{ cat "$report"; echo '<img src="file:///absent.png" onload="0">'; } >"$broken"
must_fail "loads a file" "$broken"
if [ ${#charts[@]} -gt 0 ]; then
  {
    cat "$report"
    echo "<script>document.getElementById('chart-${charts[0]}').remove();</script>"
  } >"$broken"
  must_fail "missing chart" "$broken"
fi
