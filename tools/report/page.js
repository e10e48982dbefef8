// What the pages have in common: elements, numbers as text, tables, and what their charts share.
'use strict';

const kDirections = ['read', 'write', 'trim'];

const element = (id) => document.getElementById(id);
const isNumber = (value) => typeof value === 'number' && isFinite(value);
const text = (value) => value === undefined || value === null ? '–' : String(value);
const decimals = (value, digits) => isNumber(value) ? formatNumber(value, digits) : '–';

function node(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// ---------------------------------------------------------------------------------------- tables

// columns: [{head, group, text: left-aligned, cell: row => string}]
function fillTable(id, columns, rows, emptyNote) {
  if (rows.length === 0) {
    element(id).append(node('p', {class: 'note'}, emptyNote));
    return;
  }
  const head = node('thead');
  if (columns.some((c) => c.group)) {
    const groups = node('tr');
    for (let i = 0; i < columns.length;) {
      let end = i + 1;
      while (end < columns.length && columns[end].group === columns[i].group) ++end;
      groups.append(
          columns[i].group ? node('th', {class: 'group', colspan: end - i}, columns[i].group) :
                             node('th', {colspan: end - i}));
      i = end;
    }
    groups.querySelectorAll('th:not(.group)').forEach((th) => {
      th.style.borderBottom = '0';
    });
    head.append(groups);
  }
  const kind = (c) => c.text ? {class: 'text'} : {};
  head.append(node('tr', {}, ...columns.map((c) => node('th', kind(c), c.head))));
  const body = node(
      'tbody', {},
      ...rows.map(
          (row) => node('tr', {}, ...columns.map((c) => node('td', kind(c), c.cell(row))))));
  element(id).append(node('div', {class: 'table-wrap'}, node('table', {}, head, body)));
}

// ---------------------------------------------------------------------------------------- charts

const kCauses = [
  ['host', '#1f5fa8'], ['fold', '#e0962f'], ['gc', '#b5532a'], ['wear', '#7c5aa6'],
  ['refresh', '#2f8f83'], ['meta', '#6b7078'], ['pad', '#b8bfc6'], ['parity', '#8a9a3c']
];

let drawnCharts = 0;

// One chart that fails must not take the others with it.
function draw(id, action) {
  try {
    action();
    ++drawnCharts;
  } catch (error) {
    reportError(`chart ${id}: ${error.message}`);
  }
}

function noData(id, note) {
  const place = element('chart-' + id);
  place.classList.add('empty');
  place.textContent = note;
}

// A stretch that is not to scale: hatched, with its true length.
function drawBreak(canvas, area, chart, axis, stretch, labelled) {
  const [x0, x1] = [stretch.begin, stretch.end].map((t) => chart.toDomXCoord(axis.position(t)));
  canvas.save();
  canvas.beginPath();
  canvas.rect(x0, area.y, x1 - x0, area.h);
  canvas.clip();
  canvas.strokeStyle = '#d3d8dc';
  canvas.beginPath();
  for (let x = x0 - area.h; x < x1; x += 9) {
    canvas.moveTo(x, area.y + area.h);
    canvas.lineTo(x + area.h, area.y);
  }
  canvas.stroke();
  canvas.restore();
  const label = formatDuration(stretch.end - stretch.begin);
  if (!labelled || canvas.measureText(label).width + 6 > x1 - x0) return;
  const width = canvas.measureText(label).width + 8;
  const [x, y] = [(x0 + x1 - width) / 2, area.y + area.h / 2];
  canvas.fillStyle = '#f4f5f6';
  canvas.fillRect(x, y - 12, width, 17);
  canvas.fillStyle = '#5d666f';
  canvas.fillText(label, x + 4, y);
}

// Values of `y` at the places `grid` by straight lines between the points (x, y); null outside. Both
// x and grid ascend. Where several points have the same x, the last counts.
function resample(x, y, grid) {
  const result = new Array(grid.length).fill(null);
  let k = 0;
  for (let i = 0; i < grid.length; ++i) {
    while (k + 1 < x.length && x[k + 1] <= grid[i]) ++k;
    if (x.length === 0 || grid[i] < x[0] || grid[i] > x[x.length - 1]) continue;
    const next = Math.min(k + 1, x.length - 1);
    if (y[k] === null || y[next] === null || x[next] <= x[k]) {
      result[i] = y[k];
      continue;
    }
    result[i] = y[k] + (grid[i] - x[k]) * (y[next] - y[k]) / (x[next] - x[k]);
  }
  return result;
}

// The line charts are printed as they are on the screen, scaled to the width of the paper.
function connectPrint(group) {
  const kPrintWidth = 700;  // A4 and Letter between the margins, in CSS pixels
  window.addEventListener('beforeprint', () => {
    document.documentElement.style.setProperty('--print-zoom', kPrintWidth / group.width);
  });
}
