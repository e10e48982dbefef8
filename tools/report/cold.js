// Where the data lay that a phase read, how fast each region of them was, and what reads did over
// data written and over age. The section is hidden in runs that have none of it.
'use strict';

const kSeriesColors = ['#1f5fa8', '#b5532a', '#2f8f83', '#7c5aa6', '#e0962f', '#444b52'];

// One panel a phase: every region over its place, and how many regions are how fast.
function drawSpeedMap(speed) {
  const shown = speed.phases.slice(0, 24);
  const [left, gap, bars, top, height, pitch] = [58, 50, 200, 24, 104, 150];
  const width = kSvgWidth - left - gap - bars - 10;
  const svg = new Svg(kSvgWidth, shown.length * pitch + 16, 'Read rate per region');
  const step = niceStep(speed.top_MBps / 4);
  shown.forEach((phase, p) => {
    const y0 = p * pitch + top;
    const place = (rate) => y0 + height * (1 - rate / speed.top_MBps);
    const name = phases[phase.phase] ? text(phases[phase.phase].name) : '?';
    svg.text(left, y0 - 8, `${phase.phase + 1}. ${name}: ${phase.regions} regions`);
    if (p === 0) svg.text(left + width + gap, y0 - 8, 'regions by MB/s', 'start', true);
    for (let rate = 0; rate <= speed.top_MBps; rate += step) {
      svg.line(left, place(rate), left + width, place(rate), '#e8eaec');
      svg.text(left - 6, place(rate) + 4, formatNumber(rate, 0), 'end', true);
    }
    const first = phase.GB[0];
    const last = phase.GB[phase.GB.length - 1];
    const across = (gb) => left + (last > first ? (gb - first) / (last - first) : 0.5) * width;
    let path = '';
    phase.GB.forEach((gb, i) => {
      const x = across(gb).toFixed(1);
      path += `M${x} ${(place(phase.high[i]) - 0.8).toFixed(1)}V${
          (place(phase.low[i]) + 0.8).toFixed(1)}`;
    });
    svg.add('path', {d: path, stroke: '#b5532a', 'stroke-width': 1.4, fill: 'none'});
    for (let k = 0; k <= 4; ++k) {
      const gb = first + (last - first) * k / 4;
      svg.text(across(gb), y0 + height + 15, `${formatNumber(gb, 1)} GB`, 'middle', true);
    }
    const most = Math.max(...phase.bins);
    const bin = height / phase.bins.length;
    const x0 = left + width + gap;
    svg.line(x0, y0, x0, y0 + height, '#9aa3ab');
    phase.bins.forEach((count, i) => {
      if (count === 0) return;
      const length = Math.max(2, (bars - 46) * count / most);
      svg.rect(x0, y0 + height - (i + 1) * bin, length, Math.max(1, bin - 0.3), '#1f5fa8');
    });
    svg.text(x0 + bars, y0 - 8, `most: ${formatNumber(most, 0)}`, 'end', true);
  });
  svg.place('speed-map');
}

// Points of several series joined by lines. series: [{name, points: [{x, y}]}].
function drawPoints(id, series, xTitle, label) {
  const [left, right, top, bottom] = [66, kSvgWidth - 260, 16, 220];
  const all = series.flatMap((s) => s.points);
  const xMost = Math.max(...all.map((p) => p.x)) || 1;
  const yMost = 1.05 * Math.max(...all.map((p) => p.y)) || 1;
  const across = (x) => left + (right - left) * x / xMost;
  const up = (y) => bottom - (bottom - top) * y / yMost;
  const svg = new Svg(kSvgWidth, bottom + 44, label);
  const [xStep, yStep] = [niceStep(xMost / 8), niceStep(yMost / 5)];
  for (let y = 0; y <= yMost; y += yStep) {
    svg.line(left, up(y), right, up(y), '#e8eaec');
    svg.text(left - 6, up(y) + 4, Number(y.toPrecision(4)).toLocaleString('en-US'), 'end', true);
  }
  for (let k = 0; k * xStep <= xMost * 1.001; ++k) {
    const x = k * xStep;
    svg.text(across(x), bottom + 16, Number(x.toPrecision(3)).toString(), 'middle', true);
  }
  svg.text((left + right) / 2, bottom + 36, xTitle, 'middle', true);
  series.forEach((s, i) => {
    const color = kSeriesColors[i % kSeriesColors.length];
    const at = (p) => `${across(p.x).toFixed(1)} ${up(p.y).toFixed(1)}`;
    const d = s.points.map((p, k) => (k ? 'L' : 'M') + at(p)).join('');
    svg.add('path', {d, stroke: color, 'stroke-width': 1.6, fill: 'none'});
    for (const p of s.points)
      svg.add('circle', {cx: across(p.x), cy: up(p.y), r: 3.5, fill: color});
    svg.rect(right + 24, top + 18 * i, 10, 10, color);
    svg.text(right + 40, top + 18 * i + 9.5, s.name, 'start', true);
  });
  svg.place(id);
}

// Read phases of one kind: repeats of a step are named name, name-2, name-3 ...
function readSeries(position, value) {
  const found = new Map();
  let written = 0;
  for (const phase of phases) {
    const x = position(phase, written / 1e12);
    const y = value(phase);
    const reads = phase.kind === 'read' && phase.read && phase.read.bytes > 0;
    if (reads && isNumber(x) && isNumber(y)) {
      const name = text(phase.name).replace(/-\d+$/, '');
      if (!found.has(name)) found.set(name, []);
      found.get(name).push({x, y});
    }
    if (phase.write) written += phase.write.bytes || 0;
  }
  return [...found].map(([name, points]) => ({name, points}))
      .filter((s) => s.points.length > 1 && s.points.some((p) => p.x !== s.points[0].x))
      .slice(0, 12);
}

function fillPlacementTable() {
  const rows =
      phases.map((phase, index) => ({phase, index, placement: phase.placement}))
          .filter((row) => row.placement);
  const of = (key, digits) => (row) => decimals(row.placement[key], digits);
  const rate = (key) => (row) =>
      row.phase.speed_map ? decimals(row.phase.speed_map.MBps[key], 0) : '–';
  fillTable(
      'table-placement',
      [
        {head: '#', cell: (row) => String(row.index + 1)},
        {head: 'Phase', text: true, cell: (row) => text(row.phase.name)},
        {head: 'Dies', group: 'Per MiB', cell: of('dies_per_MiB', 2)},
        {head: 'Busiest die, pages', group: 'Per MiB', cell: of('busiest_die_pages', 2)},
        {head: 'ideal', group: 'Per MiB', cell: of('ideal_die_pages', 2)},
        {head: 'Senses', group: 'Per MiB', cell: of('senses_per_MiB', 2)},
        {head: 'Extents', group: 'Per MiB', cell: of('extents_per_MiB', 2)},
        {head: 'Planes per sense', cell: of('planes_per_sense', 2)},
        {head: 'In SLC (%)', cell: (row) => decimals(100 * row.placement.slc_share, 1)},
        ...[['min', 'min'], ['p50', 'median'], ['max', 'max']].map(
            ([key, head]) => ({head, group: 'MB/s of regions', cell: rate(key)})),
      ],
      rows, 'No phase only read.');
  return rows.length > 0;
}

// Pages by the number of retries that they needed, one panel a phase; shares on a logarithmic axis.
function drawRetries(rows) {
  const shown = rows.slice(0, 12);
  const [left, right, height, pitch, decades] = [66, kSvgWidth - 20, 70, 112, 6];
  const most = Math.max(...shown.flatMap((row) => Object.keys(row.retries.pages).map(Number)), 4);
  const svg = new Svg(kSvgWidth, shown.length * pitch + 30, 'Pages by number of retries');
  const width = (right - left) / (most + 1);
  shown.forEach((row, p) => {
    const y0 = p * pitch + 22;
    const counts = Object.entries(row.retries.pages).map(([n, count]) => [Number(n), count]);
    const total = counts.reduce((sum, [, count]) => sum + count, row.retries.lost || 0);
    svg.text(
        left, y0 - 7, `${row.index + 1}. ${text(row.phase.name)}: ${
            formatShort(row.retries.mean)} retries per page, ${
            formatNumber(row.retries.lost || 0, 0)} pages lost`);
    for (let d = 0; d <= decades; d += 2) {
      const y = y0 + height * d / decades;
      svg.line(left, y, right, y, '#e8eaec');
      svg.text(left - 6, y + 4, ['100 %', '1 %', '0.01 %', '1 ppm'][d / 2], 'end', true);
    }
    for (const [n, count] of counts) {
      const share = Math.log10(count / total);
      const tall = height * Math.max(0.02, 1 + share / decades);
      svg.rect(left + n * width + 1, y0 + height - tall, Math.max(1, width - 2), tall, '#7c5aa6');
    }
    for (let n = 0; n <= most; n += most > 30 ? 5 : 1)
      svg.text(left + (n + 0.5) * width, y0 + height + 14, String(n), 'middle', true);
  });
  svg.text((left + right) / 2, shown.length * pitch + 24, 'Retries', 'middle', true);
  svg.place('retries');
}

function fillAgeTable() {
  const rows = phases.map((phase, index) => ({phase, index}))
                   .filter(({phase}) => phase.data_age || phase.refresh);
  const age = (key, digits) => ({phase}) =>
      phase.data_age ? decimals(phase.data_age[key], digits) : '–';
  const rber = (key) => ({phase}) =>
      phase.data_age ? formatShort(1000 * phase.data_age[key]) : '–';
  const refresh = (key, scale, digits) => ({phase}) =>
      phase.refresh ? decimals(phase.refresh[key] / scale, digits) : '–';
  element('figure-age').hidden = rows.length === 0;
  if (rows.length === 0) return;
  fillTable(
      'table-age',
      [
        {head: '#', cell: (row) => String(row.index + 1)},
        {head: 'Phase', text: true, cell: (row) => text(row.phase.name)},
        {head: 'clock', group: 'Days at 25 °C', cell: age('clock_days', 2)},
        {head: 'data, mean', group: 'Days at 25 °C', cell: age('mean_days', 2)},
        {head: 'oldest', group: 'Days at 25 °C', cell: age('max_days', 2)},
        {head: 'mean', group: 'RBER × 10⁻³', cell: rber('rber_mean')},
        {head: 'worst', group: 'RBER × 10⁻³', cell: rber('rber_max')},
        {
          head: 'Retries per page',
          cell: ({phase}) => phase.retries ? formatShort(phase.retries.mean) : '–'
        },
        {head: 'Refreshed (GB)', cell: refresh('bytes', 1e9, 2)},
        {head: 'Patrol reads', cell: refresh('patrol_reads', 1, 0)},
      ],
      rows, '');
}

function fillColdSection() {
  let shown = fillPlacementTable();
  fillAgeTable();
  const retried = phases.map((phase, index) => ({phase, index, retries: phase.retries}))
                      .filter((row) => row.retries && row.phase.kind === 'read');
  element('figure-retries').hidden = retried.length === 0;
  if (retried.length > 0) draw('retries', () => drawRetries(retried));
  const speed = run.speed || {phases: []};
  if (speed.phases.length > 0) {
    draw('speed-map', () => drawSpeedMap(speed));
    shown = true;
  } else {
    element('figure-speed-map').hidden = true;
  }
  const rate = (phase) => phase.read.MBps;
  const age = (phase) => phase.data_age ? phase.data_age.mean_days : undefined;
  const days = 'Mean age of the data that were read (days at 25 °C)';
  const charts = [
    ['read-written', (phase, written) => written, rate, 'Written by the host before (TB)'],
    ['read-age', age, rate, days],
    ['rber-age', age, (phase) => phase.data_age && 1000 * phase.data_age.rber_mean, days],
  ];
  for (const [id, position, value, title] of charts) {
    const series = readSeries(position, (phase) => phase.read ? value(phase) : undefined);
    element('figure-' + id).hidden = series.length === 0;
    if (series.length === 0) continue;
    draw(id, () => drawPoints(id, series, title, title));
    shown = true;
  }
  element('section-cold').hidden = !shown;
}
