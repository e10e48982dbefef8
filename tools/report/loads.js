// Load ramps, rounds until steady and times at the level of the SLC cache: sections that only runs
// which have such figures show.
'use strict';

const kRampColors = [
  '#1f5fa8', '#b5532a', '#2f8f83', '#7c5aa6', '#e0962f', '#444b52', '#8a9a3c', '#a83f6f'
];
const listOf = (key) => Array.isArray(summary[key]) ? summary[key] : [];

function fillLoads() {
  const tables = listOf('load_tables').filter((t) => Array.isArray(t.points) && t.points.length);
  if (tables.length === 0) return;
  element('section-loads').hidden = false;
  const latency = (key) => (row) => formatShort((row.point.latency_us || {})[key]);
  fillTable(
      'table-loads',
      [
        {head: 'Ramp', text: true, cell: (row) => text(row.table)},
        {head: 'Load', text: true, cell: (row) => text(row.point.load)},
        {head: 'Outstanding', cell: (row) => decimals(row.point.outstanding, 0)},
        {
          head: 'Asked IOPS',
          cell: (row) => isNumber(row.point.asked_iops) ? decimals(row.point.asked_iops, 0) : 'max'
        },
        {head: 'IOPS', cell: (row) => decimals(row.point.iops, 0)},
        {head: 'MB/s', cell: (row) => decimals(row.point.MBps, 1)},
        ...[['mean', 'mean'], ['p50', 'p50'], ['p99', 'p99'], ['p99_9', 'p99.9'], ['max', 'max']]
            .map(([key, head]) => ({head, group: 'Latency (µs)', cell: latency(key)})),
      ],
      tables.flatMap((t) => t.points.map((point) => ({table: t.table, point}))),
      'No load ramp.');
  draw('loads', () => drawLoads('loads', tables));
}

// Mean latency on a logarithmic axis over IOPS, the points of a ramp in the order of their rates.
function drawLoads(id, tables) {
  const ramps =
      tables
          .map((t) => ({
                 name: text(t.table),
                 points: t.points
                             .map((p) => ({
                                    x: p.iops,
                                    y: (p.latency_us || {}).mean,
                                    load: text(p.load)
                                  }))
                             .filter((p) => isNumber(p.x) && isNumber(p.y) && p.y > 0)
                             .sort((a, b) => a.x - b.x)
               }))
          .filter((ramp) => ramp.points.length > 0);
  const all = ramps.flatMap((ramp) => ramp.points);
  if (all.length === 0) return noData(id, 'No point of a ramp has completed a request.');
  const shown = ramps.slice(0, 24);
  const [left, right, top] = [70, kSvgWidth - 30, 16];
  const bottom = 330;
  const keyPitch = 18;
  const svg =
      new Svg(kSvgWidth, bottom + 52 + keyPitch * Math.ceil(shown.length / 2), 'Latency over IOPS');
  const low = Math.floor(Math.log10(Math.min(...all.map((p) => p.y))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...all.map((p) => p.y)))));
  const step = niceStep(Math.max(...all.map((p) => p.x), 1) / 8);
  const most = step * Math.ceil(Math.max(...all.map((p) => p.x), 1) / step);
  const atX = (iops) => left + (right - left) * iops / most;
  const atY = (us) => bottom - (bottom - top) * (Math.log10(us) - low) / (high - low);
  for (let decade = low; decade <= high; ++decade) {
    const y = atY(Math.pow(10, decade));
    svg.line(left, y, right, y, '#d8dce0');
    svg.text(left - 8, y + 4, `${formatShort(Math.pow(10, decade))} µs`, 'end', true);
  }
  for (let iops = 0; iops <= most * 1.0001; iops += step) {
    svg.line(atX(iops), top, atX(iops), bottom, '#eceef0');
    svg.text(atX(iops), bottom + 16, formatNumber(iops, 0), 'middle', true);
  }
  svg.text((left + right) / 2, bottom + 34, 'IOPS', 'middle', true);
  shown.forEach((ramp, i) => {
    const color = kRampColors[i % kRampColors.length];
    ramp.points.forEach((p, k) => {
      const before = ramp.points[k - 1];
      if (before) svg.line(atX(before.x), atY(before.y), atX(p.x), atY(p.y), color, 1.8);
    });
    for (const p of ramp.points) svg.add('circle', {cx: atX(p.x), cy: atY(p.y), r: 3.5, fill: color});
    const keyX = left + (i % 2) * (kSvgWidth / 2);
    const keyY = bottom + 52 + keyPitch * Math.floor(i / 2);
    svg.rect(keyX, keyY - 9, 10, 10, color);
    svg.text(keyX + 16, keyY, ramp.name.length > 56 ? ramp.name.slice(0, 55) + '…' : ramp.name);
  });
  svg.place(id);
}

function fillRounds() {
  const rounds = listOf('rounds');
  if (rounds.length === 0) return;
  element('section-rounds').hidden = false;
  const share = (window, key) =>
      window.mean > 0 ? `${decimals(100 * window[key] / window.mean, 1)} %` : '–';
  fillTable(
      'table-rounds',
      [
        {
          head: 'Result',
          text: true,
          cell: (row) => `${row.round.steady ? 'steady' : 'not steady'} after ${
              text(row.round.rounds)} of at most ${text(row.round.most_rounds)} rounds`
        },
        {head: 'Window begins with', text: true, cell: (row) => text(row.window.first_phase)},
        {head: 'Mean', cell: (row) => decimals(row.window.mean, 0)},
        {head: 'Range', cell: (row) => share(row.window, 'range')},
        {head: 'Slope per round', cell: (row) => share(row.window, 'slope')},
        {head: 'Steady', text: true, cell: (row) => row.window.steady ? 'yes' : 'no'},
      ],
      rounds.flatMap((round) => (round.window || []).map((window) => ({round, window}))),
      'No phase was tracked.');
}

function fillHolds() {
  const holds = listOf('holds');
  if (holds.length === 0) return;
  element('section-holds').hidden = false;
  fillTable(
      'table-holds',
      [
        {head: 'Phases', text: true, cell: (s) => text(s.series)},
        {head: 'Runs', cell: (s) => decimals(s.runs, 0)},
        {head: 'Level (MB/s)', cell: (s) => decimals(s.level_MBps, 0)},
        {head: 'Mean time at it (s)', cell: (s) => decimals(s.mean_hold_s, 2)},
        {
          head: 'Runs that held it',
          text: true,
          cell: (s) => `${text(s.held_runs)} for ${text(s.wanted_hold_s)} s or longer`
        },
        {
          head: 'Each run (s)',
          text: true,
          cell: (s) => (s.hold_s || []).map((seconds) => decimals(seconds, 1)).join(', ')
        },
      ],
      holds, 'No run.');
}
