// The data of the run, and what the page says about it in words and tables.
// Any part of the data may be missing; the part of the page that needs it then says so.
'use strict';

const run = JSON.parse(document.getElementById('run-data').textContent);
const summary = run.summary;
const phases = Array.isArray(summary.phases) ? summary.phases : [];
const series = run.series;
const rowCount = series.t_s.length;

// ---------------------------------------------------------------------------------------- tables

const directionsOf = (phase) => kDirections.filter((d) => phase[d] && phase[d].commands > 0);

// The direction that the latency columns of the phase table speak of: the busiest one.
function mainDirection(phase) {
  return directionsOf(phase).sort((a, b) => phase[b].commands - phase[a].commands)[0];
}

function fillPhaseTable() {
  const latency = (key) => (row) => {
    const direction = mainDirection(row.phase);
    return direction ? formatShort((row.phase[direction].latency_us || {})[key]) : '–';
  };
  const latencyColumns = [
    ['mean', 'mean'], ['p50', 'p50'], ['p99', 'p99'], ['p99_9', 'p99.9'], ['max', 'max']
  ].map(([key, head]) => ({head, group: 'Latency (µs)', cell: latency(key)}));
  const moved = (value, row) => row.phase.commands > 0 ? value : '–';
  fillTable(
      'table-phases',
      [
        {head: '#', cell: (row) => String(row.index + 1)},
        {head: 'Phase', text: true, cell: (row) => text(row.phase.name)},
        {head: 'Kind', text: true, cell: (row) => text(row.phase.kind)},
        {head: 'Time (s)', cell: (row) => decimals(row.phase.sim_s, 1)},
        {head: 'Commands', cell: (row) => decimals(row.phase.commands, 0)},
        {head: 'MB/s', cell: (row) => moved(decimals(row.phase.mean_MBps, 0), row)},
        {head: 'IOPS', cell: (row) => moved(decimals(row.phase.iops, 0), row)},
        {
          head: 'WAF',
          cell: (row) =>
              row.phase.write && row.phase.write.commands > 0 ? decimals(row.phase.waf, 3) : '–'
        },
        ...latencyColumns,
      ],
      phases.map((phase, index) => ({phase, index})), 'The run has no phases.');
}

function fillLatencyTable(rows) {
  const keys = [
    ['min', 'min'], ['mean', 'mean'], ['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99'],
    ['p99_9', 'p99.9'], ['p99_99', 'p99.99'], ['max', 'max']
  ];
  fillTable(
      'table-latency',
      [
        {head: 'Phase', text: true, cell: (row) => row.phase},
        {head: 'Direction', text: true, cell: (row) => row.direction},
        {head: 'Commands', cell: (row) => decimals(row.data.commands, 0)},
        ...keys.map(
            ([key, head]) =>
                ({head, group: 'Latency (µs)', cell: (row) => formatShort(row.latency[key])})),
      ],
      rows, 'No command was completed.');
}

function fillSegmentTable() {
  const name = (segment) => phaseLabel(run.spans[segment.span]);
  fillTable(
      'table-segments',
      [
        {head: 'Write phase', text: true, cell: name},
        {head: 'SLC limit at start (GB)', cell: (s) => decimals(s.slc_limit_GB, 1)},
        {head: 'SLC segment (GB)', cell: (s) => s.has_drop ? decimals(s.written_GB, 1) : 'no drop'},
        {head: 'Its rate (MB/s)', cell: (s) => s.has_drop ? decimals(s.rate_MBps, 0) : '–'},
        {head: 'Its duration (s)', cell: (s) => s.has_drop ? decimals(s.duration_s, 1) : '–'},
        {head: 'Rate after (MB/s)', cell: (s) => s.has_drop ? decimals(s.after_MBps, 0) : '–'},
        {head: 'Whole phase (MB/s)', cell: (s) => decimals(s.mean_MBps, 0)},
      ],
      run.segments, 'No write phase was sampled.');
  if (run.segments.length === 0) return;
  element('table-segments')
      .append(node(
          'p', {class: 'note'},
          'The SLC segment ends where all samples of the next 2 s are below 70 % of the segment’s ' +
              'median; the rate after is the mean from 5 s past that point to ' +
              'the end of the phase.'));
}

// Energy by consumer and by phase; time in power states and throttle steps.
function fillPowerTables() {
  const energy = summary.energy;
  if (!energy) return;
  element('section-power').hidden = false;
  const share = (joules) => decimals(100 * joules / energy.joules, 1);
  const consumers = Object.entries(energy.by_consumer || {}).filter(([, joules]) => joules > 0);
  fillTable(
      'table-power',
      [
        {head: 'Consumer', text: true, cell: ([name]) => name},
        {head: 'Energy (J)', cell: ([, joules]) => decimals(joules, 3)},
        {head: 'Share (%)', cell: ([, joules]) => share(joules)},
      ],
      consumers, 'No energy was counted.');
  fillTable(
      'table-power',
      [
        {head: 'Flash, for', text: true, cell: ([name]) => name},
        {head: 'Energy (J)', cell: ([, joules]) => decimals(joules, 3)},
        {head: 'Share of all (%)', cell: ([, joules]) => share(joules)},
      ],
      Object.entries(energy.by_purpose || {}).filter(([, joules]) => joules > 0),
      'The flash did nothing.');
  fillTable(
      'table-power',
      [
        {head: 'Phase', text: true, cell: (p) => text(p.name)},
        {head: 'Energy (J)', cell: (p) => decimals(p.energy_J, 2)},
        {head: 'Mean (W)', cell: (p) => decimals(p.mean_W, 3)},
        {head: 'J/GB', cell: (p) => p.commands > 0 ? decimals(p.J_per_GB, 3) : '–'},
      ],
      phases.filter((p) => isNumber(p.energy_J)), 'The run has no phases.');
  fillTable(
      'table-power',
      [
        {head: 'Power state', text: true, cell: (s) => text(s.name)},
        {head: 'Time (s)', cell: (s) => decimals(s.s, 3)},
      ],
      energy.power_states || [], 'No power states.');
  if (!energy.temperature) return;
  element('section-temperature').hidden = false;
  fillTable(
      'table-throttle',
      [
        {head: 'Throttle step', text: true, cell: (s) => String(s.step)},
        {head: 'Begins at (°C)', cell: (s) => decimals(s.at_C, 1)},
        {head: 'Ends at (°C)', cell: (s) => decimals(s.release_C, 1)},
        {head: 'Time (s)', cell: (s) => decimals(s.s, 3)},
      ],
      energy.throttle_steps || [], 'No throttle steps are configured.');
}

// Only drives whose map is on flash have one.
function fillMapTable() {
  const map = summary.map;
  if (!map) return;
  element('section-map').hidden = false;
  const percent = (ratio) => isNumber(ratio) ? decimals(ratio * 100, 2) : '–';
  fillTable(
      'table-map',
      [
        {head: 'Policy', text: true, cell: (m) => text(m.cache)},
        {head: 'Reach (GB)', cell: (m) => decimals(m.reach_bytes / 1e9, 2)},
        {head: 'Look-ups', cell: (m) => decimals(m.lookups, 0)},
        {head: 'SRAM', group: 'Hits (%)', cell: (m) => percent(m.hit_ratio_sram)},
        {head: 'Host memory', group: 'Hits (%)', cell: (m) => percent(m.hit_ratio_hmb)},
        {head: 'Log, directory', group: 'Hits (%)', cell: (m) => percent(m.hit_ratio_other)},
        {head: 'all', group: 'Hits (%)', cell: (m) => percent(m.hit_ratio)},
        {head: 'Relocation', group: 'Hits (%)', cell: (m) => percent(m.relocation_hit_ratio)},
        {head: 'Flash reads', cell: (m) => decimals(m.flash_reads, 0)},
        {head: 'Flash writes', cell: (m) => decimals(m.flash_writes, 0)},
      ],
      [map], 'No map on flash.');
}

// -------------------------------------------------------------------------------- figures, texts

function phaseLabel(span) {
  return span.index >= 0 ? `${span.index + 1}. ${span.name}` : span.name;
}

function addFigure(label, value, unit, more) {
  element('key-figures')
      .append(node(
          'div', {}, node('div', {class: 'label'}, label),
          node('div', {class: 'value'}, value, ' ', node('span', {class: 'unit'}, unit)),
          node('div', {class: 'more'}, more || '')));
}

function fillKeyFigures() {
  const dropped = run.segments.filter((s) => s.has_drop);
  dropped.slice(0, 2).forEach((segment, i) => {
    const pass = dropped.length > 1 ? `, ${['1st', '2nd'][i]} pass` : '';
    addFigure(
        'SLC segment' + pass, decimals(segment.written_GB, 0), 'GB',
        `at ${decimals(segment.rate_MBps / 1000, 2)} GB/s`);
  });
  if (dropped.length > 0) {
    const others =
        dropped.slice(1, 2).map((s) => `2nd pass ${decimals(s.after_MBps / 1000, 2)} GB/s`);
    addFigure('Rate after the cliff', decimals(dropped[0].after_MBps / 1000, 2), 'GB/s', others[0]);
  }
  const writes = phases.filter((p) => p.write && p.write.bytes > 0 && p.sim_s > 0);
  if (writes.length > 0) {
    const bytes = writes.reduce((sum, p) => sum + p.write.bytes, 0);
    const time = writes.reduce((sum, p) => sum + p.sim_s, 0);
    addFigure(
        'Mean write rate', decimals(bytes / time / 1e9, 2), 'GB/s',
        `${decimals(bytes / 1e9, 0)} GB written`);
  }
  if (isNumber(summary.waf))
    addFigure('Write amplification', decimals(summary.waf, 3), '', 'programmed ÷ host bytes');
  if (summary.energy)
    addFigure(
        'Energy', decimals(summary.energy.J_per_GB, 2), 'J/GB',
        `mean ${decimals(summary.energy.mean_W, 2)} W` +
            (summary.energy.temperature ?
                 `, up to ${decimals(summary.energy.temperature.hottest.composite_C, 1)} °C` :
                 ''));
  const best = (direction) => phases
                                  .filter(
                                      (p) => p[direction] && p[direction].commands > 0 &&
                                          !(p.write && p.write.commands > 0))
                                  .sort((a, b) => b[direction].iops - a[direction].iops)[0];
  const reads = best('read');
  if (reads)
    addFigure(
        'Best read phase', decimals(reads.read.iops / 1000, 0), 'k IOPS',
        `${text(reads.name)}, ${decimals(reads.read.MBps, 0)} MB/s`);
}

function fillHeader() {
  element('headline').textContent =
      `${summary.drive || 'Unnamed drive'} · ${summary.workload || 'unnamed workload'}`;
  const facts = [`Seed ${text(summary.seed)}`];
  if (isNumber(summary.sim_s)) facts.push(`${formatDuration(summary.sim_s)} simulated`);
  if (isNumber(summary.commands)) facts.push(`${decimals(summary.commands, 0)} host commands`);
  element('subline').textContent = facts.join(' · ');
  if (summary.complete === false) {
    element('banner').textContent =
        'This run was interrupted: all figures cover only the part that was simulated.';
    element('banner').hidden = false;
  }
}

function fillIdentity() {
  const fingerprint = summary.fingerprint || {};
  const entries = [
    ['Fingerprint of events', text(fingerprint.events)],
    ['Fingerprint of statistics', text(fingerprint.stats)], ['Seed', text(summary.seed)],
    ['Output schema', text(summary.schema)],
    [
      'Samples',
      `${decimals(run.samples, 0)} of 100 ms, ${decimals(rowCount, 0)} drawn` +
          (run.skipped_rows > 0 ? `, ${run.skipped_rows} unreadable rows left out` : '')
    ]
  ];
  if (Array.isArray(summary.calibrated)) {
    entries.push([
      'Calibrated keys', summary.calibrated.length > 0 ? summary.calibrated.join(', ') : 'none'
    ]);
  }
  for (const [name, value] of entries)
    element('identity').append(node('dt', {}, name), node('dd', {}, value));
  if (element('config').querySelector('pre').textContent === '') {
    element('config').replaceWith(
        node('p', {class: 'note'}, 'The run directory has no effective.yaml.'));
  }
}
