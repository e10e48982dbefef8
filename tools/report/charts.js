// Charts of the report: the shared horizontal axis, the line charts (dygraphs), the SVG charts.
// Nothing here knows what a run is; report.js decides what is drawn where.
'use strict';

const kSvgWidth = 1064;  // user units; the drawing scales with the page

const formatNumber = (value, decimals) => value.toLocaleString(
    'en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});

// Three significant digits, never an exponent: 0.123, 12.3, 1,234.
function formatShort(value) {
  if (value === null || value === undefined || !isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  return formatNumber(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

function niceStep(minimum) {
  const power = Math.pow(10, Math.floor(Math.log10(minimum)));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= minimum * 0.999);
}

function formatDuration(seconds) {
  if (seconds < 120) return formatShort(seconds) + ' s';
  if (seconds < 7200) return formatShort(seconds / 60) + ' min';
  if (seconds < 172800) return formatShort(seconds / 3600) + ' h';
  return formatShort(seconds / 86400) + ' days';
}

// Horizontal axis in simulated time. Quiet stretches ({begin, end} in s) are drawn `width` wide.
class TimeAxis {
  constructor(endSeconds, quiet, width) {
    this.knots = [[0, 0]];
    this.quiet = quiet;
    this.endSeconds = endSeconds;
    let saved = 0;
    for (const stretch of quiet) {
      this.knots.push([stretch.begin, stretch.begin - saved]);
      saved += stretch.end - stretch.begin - width;
      this.knots.push([stretch.end, stretch.end - saved]);
    }
    this.knots.push([endSeconds + 1, endSeconds + 1 - saved]);
    const limits =
        [[600, 1, 's'], [36000, 60, 'min'], [864000, 3600, 'h'], [Infinity, 86400, 'days']];
    [, this.unitSeconds, this.unit] = limits.find((limit) => endSeconds <= limit[0]);
  }

  static convert(knots, value, from, to) {
    let k = 1;
    while (k < knots.length - 1 && value > knots[k][from]) ++k;
    const [a, b] = [knots[k - 1], knots[k]];
    const span = b[from] - a[from];
    return span > 0 ? a[to] + (value - a[from]) * (b[to] - a[to]) / span : b[to];
  }

  position(seconds) {
    return TimeAxis.convert(this.knots, seconds, 0, 1);
  }
  seconds(position) {
    return TimeAxis.convert(this.knots, position, 1, 0);
  }
  get title() {
    return `Simulated time (${this.unit})`;
  }
  describe(position) {
    return `${formatNumber(this.seconds(position) / this.unitSeconds, this.unit === 's' ? 1 : 2)} ${
        this.unit}`;
  }

  ticks(from, to, pixels) {
    const step =
        niceStep((to - from) / Math.max(1, pixels / 80) / this.unitSeconds) * this.unitSeconds;
    const decimals = Math.max(0, -Math.floor(Math.log10(step / this.unitSeconds) + 1e-9));
    const result = [];
    const end = this.seconds(to);
    let last = -Infinity;
    for (let n = Math.ceil(this.seconds(from) / step); n * step <= end && result.length < 100;
         ++n) {
      const time = n * step;
      const position = this.position(time);
      const hidden = this.quiet.some((q) => time > q.begin && time < q.end);
      if (hidden || position - last < 0.6 * step) continue;
      result.push({v: position, label: formatNumber(time / this.unitSeconds, decimals)});
      last = position;
    }
    return result;
  }
}

// Horizontal axis in bytes written: phases that write nothing have no width.
class WrittenAxis {
  get title() {
    return 'Written by the host (GB)';
  }
  describe(position) {
    return `${formatNumber(position, 1)} GB written`;
  }
  ticks(from, to, pixels) {
    const step = niceStep((to - from) / Math.max(1, pixels / 80));
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const result = [];
    for (let n = Math.ceil(from / step); n * step <= to && result.length < 100; ++n) {
      result.push({v: n * step, label: formatNumber(n * step, decimals)});
    }
    return result;
  }
}

// Line charts over one axis that zoom and highlight together. All of them have the same rows.
class ChartGroup {
  constructor() {
    this.charts = [];
    this.busy = false;
  }

  // series: [{name, color, width, dash, fill, values}]; marks(canvas, area, chart) draws below it.
  add(id, axis, positions, series, options) {
    const rows = positions.map((x, i) => [x].concat(series.map((s) => s.values[i])));
    const perSeries = {};
    for (const s of series) {
      perSeries[s.name] = {
        color: s.color,
        strokeWidth: s.width || 1.6,
        strokePattern: s.dash || null,
        fillGraph: Boolean(s.fill)
      };
    }
    const chart = new Dygraph(document.getElementById('chart-' + id), rows, {
      labels: ['x'].concat(series.map((s) => s.name)),
      series: perSeries,
      labelsDiv: document.getElementById('legend-' + id),
      legend: 'always',
      legendFormatter: (data) => ChartGroup.legend(data, axis, series, options.unit),
      xlabel: axis.title,
      ylabel: options.ylabel,
      xLabelHeight: 17,
      yLabelWidth: 17,
      includeZero: options.includeZero !== false,
      axes: {
        x: {ticker: (from, to, pixels) => axis.ticks(from, to, pixels), pixelsPerLabel: 80},
        y: {
          axisLabelWidth: 58,
          pixelsPerLabel: options.includeZero === false ? 18 : 32,
          axisLabelFormatter: (v) => v.toLocaleString('en-US', {maximumFractionDigits: 3})
        },
      },
      fillAlpha: 0.16,
      gridLineColor: '#e8eaec',
      axisLineColor: '#9aa3ab',
      axisLabelFontSize: 12,
      highlightCircleSize: 3,
      rightGap: 12,
      pixelRatio:
          Math.max(2, window.devicePixelRatio || 1),  // printers have more dots than screens
      underlayCallback: options.marks,
      drawCallback: (drawn, initial) => {
        if (!initial) this.follow(drawn);
      },
      highlightCallback: (event, x, points, row) => this.highlight(chart, row),
      unhighlightCallback: () => this.highlight(chart, null),
    });
    this.charts.push(chart);
  }

  static legend(data, axis, series, unit) {
    const keys = series.map((s, i) => {
      const value = data.x === undefined || !data.series[i] ? null : data.series[i].y;
      const shown =
          value === null || value === undefined ? '' : `: <b>${formatShort(value)}</b> ${unit}`;
      const style = `border-top-color:${s.color};border-top-style:${s.dash ? 'dashed' : 'solid'}`;
      return `<span class="key"><span class="swatch" style="${style}"></span>${s.name}${
          shown}</span>`;
    });
    const at = data.x === undefined ? '' : `<span class="at">${axis.describe(data.x)}</span>`;
    return keys.join('') + at;
  }

  each(source, action) {
    if (this.busy) return;
    this.busy = true;
    for (const chart of this.charts)
      if (chart !== source) action(chart);
    this.busy = false;
  }

  follow(source) {
    const dateWindow = source.isZoomed('x') ? source.xAxisRange() : null;
    this.each(source, (chart) => chart.updateOptions({dateWindow}));
  }

  highlight(source, row) {
    this.each(source, (chart) => row === null ? chart.clearSelection() : chart.setSelection(row));
  }

  resetZoom() {
    this.each(null, (chart) => chart.resetZoom());
  }
  get width() {
    return this.charts.length > 0 ? this.charts[0].size().width : kSvgWidth;
  }

  clear() {
    this.charts.forEach((chart) => chart.destroy());
    this.charts = [];
  }
}

// A small SVG writer: text is escaped, numbers are rounded to a tenth of a pixel.
class Svg {
  constructor(width, height, label) {
    this.width = width;
    this.height = height;
    this.parts = [];
    this.label = label;
  }

  static escape(text) {
    return String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  }

  add(tag, attributes, text) {
    const list =
        Object.entries(attributes)
            .map(
                ([key, value]) => `${key}="${
                    typeof value === 'number' ? Math.round(value * 10) / 10 : Svg.escape(value)}"`);
    this.parts.push(
        `<${tag} ${list.join(' ')}>${text === undefined ? '' : Svg.escape(text)}</${tag}>`);
  }

  rect(x, y, width, height, fill) {
    this.add('rect', {x, y, width: Math.max(0, width), height, fill});
  }
  line(x1, y1, x2, y2, stroke, width) {
    this.add('line', {x1, y1, x2, y2, stroke, 'stroke-width': width || 1});
  }
  text(x, y, text, anchor, muted) {
    this.add(
        'text', {x, y, 'text-anchor': anchor || 'start', class: muted ? 'muted' : 'ink'}, text);
  }

  place(id) {
    document.getElementById('chart-' + id).innerHTML =
        `<svg viewBox="0 0 ${this.width} ${this.height}" role="img" aria-label="${
            Svg.escape(this.label)}">` +
        this.parts.join('') + '</svg>';
  }
}

// One stacked horizontal bar. parts: [{name, value, color}].
function drawStackedBar(id, parts, label) {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const svg = new Svg(kSvgWidth, 84, label);
  const scale = (kSvgWidth - 90) / total;
  let x = 0;
  for (const part of parts) {
    svg.rect(x, 6, part.value * scale, 30, part.color);
    x += part.value * scale;
  }
  svg.text(x + 10, 26, '= ' + formatNumber(total, 3));
  const pitch = kSvgWidth / Math.max(parts.length, 6);
  parts.forEach((part, i) => {
    svg.rect(i * pitch, 50, 10, 10, part.color);
    svg.text(i * pitch + 16, 59.5, part.name, 'start', true);
    svg.text(i * pitch + 16, 76, formatNumber(part.value, 3));
  });
  svg.place(id);
}

// Stacked horizontal bars on one scale, one below the other.
// keys: [{name, color}]; bars: [{name, parts: [value per key]}].
function drawBarRows(id, keys, bars, label) {
  const totals = bars.map((bar) => bar.parts.reduce((sum, part) => sum + part, 0));
  const [left, top, pitch] = [250, 30, 24];
  const scale = (kSvgWidth - left - 70) / Math.max(...totals);
  const svg = new Svg(kSvgWidth, top + bars.length * pitch + 4, label);
  keys.forEach((key, i) => {
    svg.rect(left + i * 92, 6, 10, 10, key.color);
    svg.text(left + i * 92 + 15, 15.5, key.name, 'start', true);
  });
  bars.forEach((bar, i) => {
    const y = top + i * pitch;
    let x = left;
    svg.text(left - 12, y + 14, bar.name, 'end');
    bar.parts.forEach((part, k) => {
      svg.rect(x, y + 2, part * scale, pitch - 7, keys[k].color);
      x += part * scale;
    });
    svg.text(x + 8, y + 14, formatNumber(totals[i], 3));
  });
  svg.place(id);
}

const kLatencyMarks = [
  {key: 'p50', name: 'p50', shape: 'disc'}, {key: 'p90', name: 'p90', shape: 'bar'},
  {key: 'p99', name: 'p99', shape: 'ring'}, {key: 'p99_9', name: 'p99.9', shape: 'diamond'},
  {key: 'p99_99', name: 'p99.99', shape: 'square'}, {key: 'max', name: 'max', shape: 'tick'}
];

function drawMark(svg, shape, x, y, color) {
  if (shape === 'disc') svg.add('circle', {cx: x, cy: y, r: 4.5, fill: color});
  if (shape === 'bar') svg.line(x, y - 4, x, y + 4, color, 2);
  if (shape === 'ring')
    svg.add('circle', {cx: x, cy: y, r: 4, fill: '#fff', stroke: color, 'stroke-width': 2});
  if (shape === 'diamond') {
    svg.add('path', {d: `M${x - 5} ${y}L${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}Z`, fill: color});
  }
  if (shape === 'square') {
    svg.add('rect', {
      x: x - 3.5,
      y: y - 3.5,
      width: 7,
      height: 7,
      fill: '#fff',
      stroke: color,
      'stroke-width': 1.5
    });
  }
  if (shape === 'tick') svg.line(x, y - 7, x, y + 7, color, 1.5);
}

// Percentiles on a logarithmic axis. rows: [{name, color, latency: {min, p50, …, max}, title}], in
// µs. A title stands before the first of the rows that have it.
function drawLatency(id, rows) {
  const titled = rows.some((row) => row.title);
  const [left, right, top, pitch] = [titled ? 390 : 250, kSvgWidth - 44, 34, titled ? 21 : 26];
  const all =
      rows.flatMap((row) => [row.latency.min].concat(kLatencyMarks.map((m) => row.latency[m.key])))
          .filter((v) => v > 0);
  const low = Math.floor(Math.log10(Math.min(...all)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...all))));
  const place = (us) => left + (right - left) * (Math.log10(us) - low) / (high - low);
  const bottom = top + rows.length * pitch;
  const svg = new Svg(kSvgWidth, bottom + 40, 'Latency percentiles, logarithmic axis');
  for (let decade = low; decade <= high; ++decade) {
    const x = place(Math.pow(10, decade));
    svg.line(x, top, x, bottom, '#d8dce0');
    const [value, unit] = decade >= 6 ? [decade - 6, 's'] :
        decade >= 3                   ? [decade - 3, 'ms'] :
                                        [decade, 'µs'];
    svg.text(
        x, bottom + 16, `${Number(Math.pow(10, value).toPrecision(1))} ${unit}`, 'middle', true);
  }
  svg.text((left + right) / 2, bottom + 34, 'Command latency (logarithmic axis)', 'middle', true);
  kLatencyMarks.forEach((mark, i) => {
    drawMark(svg, mark.shape, left + 8 + i * 80, 13, '#444');
    svg.text(left + 20 + i * 80, 17, mark.name, 'start', true);
  });
  rows.forEach((row, i) => {
    const y = top + (i + 0.5) * pitch;
    svg.text(left - 12, y + 4, row.name, 'end');
    if (row.title && (i === 0 || rows[i - 1].title !== row.title)) {
      if (i > 0) svg.line(0, y - pitch / 2, right, y - pitch / 2, '#d8dce0');
      svg.text(0, y + 4, row.title, 'start', true);
    }
    const ends = [row.latency.min, row.latency.max].filter((v) => v > 0);
    if (ends.length === 2) svg.line(place(ends[0]), y, place(ends[1]), y, row.color, 1.2);
    for (const mark of kLatencyMarks) {
      if (row.latency[mark.key] > 0)
        drawMark(svg, mark.shape, place(row.latency[mark.key]), y, row.color);
    }
  });
  svg.place(id);
}

// Horizontal bars of shares from 0 to 1, in columns side by side.
// panels: [{title, keys: [{name, color}], bars: [{name, parts: [share per key]}]}]
function drawShares(id, panels) {
  const gap = 44;
  const width = (kSvgWidth - gap * (panels.length - 1)) / panels.length;
  const longest = Math.max(...panels.map((panel) => panel.bars.length));
  const pitch = longest > 24 ? 13 : 18;
  const [left, right, top] = [66, 44, 30];
  const svg = new Svg(kSvgWidth, top + longest * pitch + 24, 'Utilisation');
  panels.forEach((panel, p) => {
    const x0 = p * (width + gap) + left;
    const scale = width - left - right;
    const bottom = top + panel.bars.length * pitch;
    panel.keys.forEach((key, k) => {
      svg.rect(x0 + k * 90, 6, 10, 10, key.color);
      svg.text(x0 + k * 90 + 15, 15.5, key.name, 'start', true);
    });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      svg.line(x0 + share * scale, top, x0 + share * scale, bottom, '#d8dce0');
      svg.text(x0 + share * scale, bottom + 16, `${share * 100} %`, 'middle', true);
    }
    panel.bars.forEach((bar, i) => {
      const y = top + i * pitch;
      let x = x0;
      bar.parts.forEach((share, k) => {
        svg.rect(x, y + 2, share * scale, pitch - 5, panel.keys[k].color);
        x += share * scale;
      });
      svg.text(x0 - 8, y + pitch / 2 + 3.5, bar.name, 'end', true);
      svg.text(
          x0 + scale + 6, y + pitch / 2 + 3.5,
          formatNumber(100 * bar.parts.reduce((a, b) => a + b, 0), 0) + ' %', 'start', true);
    });
  });
  svg.place(id);
}
