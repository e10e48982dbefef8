// The data of a comparison, and its tables: runs are columns, figures are rows.
'use strict';

const data = JSON.parse(document.getElementById('run-data').textContent);
const runs = data.runs;
const figures = data.comparison.runs;
const labels = figures.map((f) => f.label);

// Okabe and Ito's colours, told apart by all common forms of colour blindness, without the yellow,
// which is too light for a line; the dash differs too, for more runs and for prints without colour.
const kRunColors =
    ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#000000'];
const kRunDashes = [null, [7, 3], [2, 3], [9, 3, 2, 3]];
const runColor = (i) => kRunColors[i % kRunColors.length];
// The first runs are solid; the colours come around again with another dash.
const runDash = (i) => kRunDashes[Math.floor(i / kRunColors.length) % kRunDashes.length];

const swatch = (i) => node('span', {
  class: 'swatch',
  style: `border-top-color:${runColor(i)};border-top-style:${runDash(i) ? 'dashed' : 'solid'}`
});

// A table with a column per run. rows: [{group, name, cells: [text per run]}]
function fillRunTable(id, rows, emptyNote) {
  if (rows.length === 0) {
    element(id).append(node('p', {class: 'note'}, emptyNote));
    return;
  }
  const head = node(
      'tr', {}, node('th', {class: 'text'}, ''),
      ...labels.map((label, i) => node('th', {}, swatch(i), ' ', label)));
  const body = node('tbody');
  let group = '';
  for (const row of rows) {
    if (row.group !== undefined && row.group !== group) {
      group = row.group;
      body.append(node(
          'tr', {class: 'group-row'},
          node('td', {class: 'text', colspan: labels.length + 1}, row.group)));
    }
    body.append(node(
        'tr', {}, node('td', {class: 'text'}, row.name),
        ...row.cells.map((cell) => node('td', {}, cell))));
  }
  element(id).append(
      node('div', {class: 'table-wrap'}, node('table', {}, node('thead', {}, head), body)));
}

function fillTables() {
  element('headline').textContent = 'Comparison of ' + runs.length + ' runs';
  const drives = [...new Set(figures.map((f) => f.drive))].join(', ');
  const workloads = [...new Set(figures.map((f) => f.workload))].join(', ');
  element('subline').textContent = `${drives || 'unnamed drive'} · ${workloads}`;
  fillRunTable(
      'table-differences',
      data.comparison.differences.map(
          (d) => ({name: d.key, cells: d.values.map((v) => v === '' ? '–' : v)})),
      'The configurations of the runs do not differ.');
  fillRunTable(
      'table-figures',
      data.comparison.rows.map((row) => ({
                                 group: row.group === '' ? 'Whole run' : row.group,
                                 name: row.name.trim().replace(', us', ', µs'),
                                 cells: row.values.map((v) => decimals(v, row.decimals))
                               })),
      'The runs have no figures.');
  const identity = [
    ['Drive', (s) => text(s.drive)], ['Workload', (s) => text(s.workload)],
    ['Seed', (s) => text(s.seed)],
    ['Simulated', (s) => isNumber(s.sim_s) ? formatDuration(s.sim_s) : '–'],
    ['Host commands', (s) => decimals(s.commands, 0)],
    ['Complete', (s) => s.complete === false ? 'no, interrupted' : 'yes'],
    ['Fingerprint of events', (s) => text((s.fingerprint || {}).events)]
  ];
  fillRunTable(
      'table-runs',
      identity.map(([name, cell]) => ({name, cells: runs.map((r) => cell(r.summary))})), '');
}
