// Charts of one run from its samples and its summary, the controls, and the assembly of the page.
'use strict';

const kDirectionColors = {
  read: '#b5532a',
  write: '#1f5fa8',
  trim: '#6b7078'
};
const column = (name) => columnOf(run, name);

// -------------------------------------------------------------------------------- line charts

// Values of `name` in the phases that `wanted` selects, null elsewhere so that no line is drawn.
function inPhases(name, wanted) {
  const result = new Array(rowCount).fill(null);
  const values = column(name);
  for (const span of run.spans) {
    if (!wanted(span)) continue;
    for (let i = span.first; i < span.end; ++i) result[i] = values[i];
  }
  return result;
}

function drawMarks(canvas, area, chart, axis, labelled) {
  const right = area.x + area.w;
  const edge = (span, which) =>
      chart.toDomXCoord(view.written ? span[which + '_GB'] : axis.position(span[which + '_s']));
  run.spans.forEach((span, k) => {
    const [x0, x1] = [edge(span, 'begin'), edge(span, 'end')];
    if (!span.writes && !span.reads) {
      canvas.fillStyle = '#f4f5f6';
      canvas.fillRect(x0, area.y, x1 - x0, area.h);
    }
    if (k > 0) {
      canvas.fillStyle = '#9aa3ab';
      canvas.fillRect(Math.round(x0), area.y, 1, area.h);
    }
    if (labelled)
      drawPhaseName(canvas, area.y + 14, span, Math.max(x0, area.x), Math.min(x1, right));
  });
  if (!view.written) {
    for (const stretch of axis.quiet) drawBreak(canvas, area, chart, axis, stretch, labelled);
  }
  let free = area.x;  // where the next text finds room
  if (labelled)
    for (const segment of run.segments.filter((s) => s.has_drop))
      free = drawDrop(canvas, area, chart, axis, segment, free);
}

// The name where it fits, else the number that the phase table gives it.
function drawPhaseName(canvas, y, span, x0, x1) {
  canvas.fillStyle = '#5d666f';
  const number = span.index >= 0 ? String(span.index + 1) : '';
  for (const label of [phaseLabel(span), number]) {
    if (canvas.measureText(label).width + 10 > x1 - x0) continue;
    canvas.fillText(label, x0 + 5, y);
    return;
  }
}

// The end of an SLC segment, with its length and rate where there is room from `free` on. Returns
// where it ends.
function drawDrop(canvas, area, chart, axis, segment, free) {
  const span = run.spans[segment.span];
  const x = chart.toDomXCoord(
      view.written ? span.begin_GB + segment.written_GB :
                     axis.position(span.begin_s + segment.duration_s));
  const lines = [
    `SLC ${formatNumber(segment.written_GB, 0)} GB`,
    `at ${formatNumber(segment.rate_MBps / 1000, 2)} GB/s`
  ];
  const width = Math.max(...lines.map((line) => canvas.measureText(line).width));
  if (x < area.x || x > area.x + area.w) return free;
  canvas.fillStyle = '#1f5fa8';
  for (let y = area.y + 20; y < area.y + area.h; y += 7) canvas.fillRect(Math.round(x), y, 1, 4);
  if (x < free || x + width + 10 > area.x + area.w) return free;
  lines.forEach((line, i) => canvas.fillText(line, x + 6, area.y + 34 + 16 * i));
  return x + width + 10;
}

// The composite temperature, and those of the nodes where they were sampled.
function temperatureSeries(composite) {
  const lines = [{name: 'composite', color: '#444b52', dash: [6, 4], values: composite}];
  for (const [name, id, color] of [
           ['controller', 'controller_C', '#7c5aa6'], ['NAND', 'nand_C', '#b5532a']]) {
    const values = column(id);
    if (values.some((t) => t !== null)) lines.push({name, color, values});
  }
  return lines;
}

function lineCharts(axis, positions) {
  const writes = (span) => span.writes;
  const reads = (span) => span.reads && !view.written;
  const throughput = [];
  if (run.spans.some(writes)) {
    throughput.push(
        {name: 'write, 100 ms', color: '#b5cdea', width: 1, values: inPhases('write_MBps', writes)},
        {
          name: 'write, 1 s mean',
          color: '#1f5fa8',
          width: 2,
          values: inPhases('write_mean_MBps', writes)
        });
  }
  if (run.spans.some(reads)) {
    throughput.push(
        {name: 'read, 100 ms', color: '#eec9b6', width: 1, values: inPhases('read_MBps', reads)}, {
          name: 'read, 1 s mean',
          color: '#b5532a',
          width: 2,
          values: inPhases('read_mean_MBps', reads)
        });
  }
  const measured = measuredSeries(run.measured, wholeOf(run), axis, positions);
  if (measured) throughput.push(measured);
  if (throughput.length === 0)
    throughput.push({name: 'write', color: '#1f5fa8', values: column('write_MBps')});
  const charts = [
    {id: 'sustain', unit: 'MB/s', ylabel: 'Throughput (MB/s)', labelled: true, series: throughput},
    {
      id: 'slc',
      unit: 'GB',
      ylabel: 'SLC data (GB)',
      series: [
        {name: 'in use', color: '#7fa6d3', fill: true, values: column('slc_used_GB')},
        {name: 'valid', color: '#1f5fa8', width: 2, values: column('slc_valid_GB')},
        {name: 'limit', color: '#444b52', dash: [6, 4], values: column('slc_limit_GB')}
      ]
    },
    {
      id: 'free',
      unit: '',
      ylabel: 'Superblocks',
      series: [{name: 'free superblocks', color: '#444b52', values: column('free_superblocks')}]
    },
    {
      id: 'waf-time',
      unit: '',
      ylabel: 'WAF',
      includeZero: false,
      series: [{
        name: 'write amplification in the window',
        color: '#7c5aa6',
        values: inPhases('waf_window', writes)
      }]
    },
    {
      id: 'relocation',
      unit: 'MB/s',
      ylabel: 'Rate (MB/s)',
      series: [
        {name: 'fold (SLC to TLC)', color: '#e0962f', values: column('fold_MBps')},
        {name: 'garbage collection', color: '#b5532a', values: column('gc_MBps')}
      ]
    },
  ];
  const temperature = column('temp_C');
  if (new Set(temperature.filter((t) => t !== null)).size > 1) {
    charts.push({
      id: 'temperature',
      unit: '°C',
      ylabel: '°C',
      includeZero: false,
      series: temperatureSeries(temperature)
    });
    element('section-temperature').hidden = false;
  }
  const power = column('power_W');
  if (power.some((p) => p > 0)) {
    charts.push({
      id: 'power',
      unit: 'W',
      ylabel: 'Power (W)',
      series: [{name: 'whole drive', color: '#2f8f83', values: power}]
    });
    element('section-power').hidden = false;
  }
  return charts;
}

function drawLineCharts() {
  const axis = makeAxis(series.t_s[rowCount - 1], stillStretches(run, wholeOf(run)));
  const positions = view.written ? column('written_GB') : series.t_s.map((t) => axis.position(t));
  drawCharts(
      axis, positions, lineCharts(axis, positions),
      (canvas, area, drawn, chart) =>
          drawMarks(canvas, area, drawn, axis, Boolean(chart.labelled)));
}

// -------------------------------------------------------------------------------- other charts

function drawWaf() {
  const given = summary.waf_by_cause;
  const value = (name) => given && isNumber(given[name]) ? given[name] : 0;
  const known = kCauses.map(([name]) => name);
  const others = Object.keys(given || {}).filter((name) => !known.includes(name));
  const parts = kCauses.concat(others.map((name) => [name, '#c9b458']))
                    .map(([name, color]) => ({name, color, value: value(name)}))
                    .filter((part) => part.value > 0 || (given && part.name in given));
  if (!parts.some((part) => part.value > 0)) return noData('waf', 'Nothing was written.');
  return draw('waf', () => drawStackedBar('waf', parts, 'Write amplification by cause'));
}

function latencyRows() {
  return phases.flatMap(
      (phase, index) => directionsOf(phase).map((direction) => ({
                                                  phase: `${index + 1}. ${text(phase.name)}`,
                                                  direction,
                                                  data: phase[direction],
                                                  latency: phase[direction].latency_us || {}
                                                })));
}

function drawLatencyChart(rows) {
  const drawable =
      rows.filter((row) => row.latency.max > 0).map((row) => ({
                                                      name: `${
                                                          row.phase.length > 26 ?
                                                              row.phase.slice(0, 25) + '…' :
                                                              row.phase} · ${row.direction}`,
                                                      color: kDirectionColors[row.direction],
                                                      latency: row.latency
                                                    }));
  if (drawable.length === 0) return noData('latency', 'No command was completed.');
  return draw('latency', () => drawLatency('latency', drawable));
}

function drawUtilisation() {
  const use = summary.utilisation || {};
  const share = (value) => isNumber(value) ? Math.min(1, Math.max(0, value)) : 0;
  const panels = [];
  if (Array.isArray(use.dies) && use.dies.length > 0) {
    panels.push({
      title: 'Dies',
      keys: [
        {name: 'read', color: '#b5532a'}, {name: 'program', color: '#1f5fa8'},
        {name: 'erase', color: '#444b52'}
      ],
      bars: use.dies.map((die) => ({
                           name: `die ${die.id}`,
                           parts: [share(die.read), share(die.program), share(die.erase)]
                         }))
    });
  }
  if (Array.isArray(use.channels) && use.channels.length > 0) {
    panels.push({
      title: 'Channels',
      keys: [{name: 'bus busy', color: '#2f8f83'}],
      bars:
          use.channels.map((channel) => ({name: `ch ${channel.id}`, parts: [share(channel.busy)]}))
    });
  }
  if (panels.length === 0) return noData('utilisation', 'The run recorded no utilisation.');
  return draw('utilisation', () => drawShares('utilisation', panels));
}

// ------------------------------------------------------------------------------------- assembly

function buildPage() {
  fillHeader();
  fillKeyFigures();
  fillPhaseTable();
  fillLoads();
  fillRounds();
  fillHolds();
  fillSegmentTable();
  fillPowerTables();
  fillMapTable();
  const rows = latencyRows();
  fillLatencyTable(rows);
  fillIdentity();
  if (rowCount > 0) {
    drawLineCharts();
    connectControls();
  } else {
    element('controls').remove();
    ['sustain', 'slc', 'free', 'waf-time', 'relocation'].forEach(
        (id) => noData(id, 'The run has no samples.'));
  }
  drawWaf();
  drawLatencyChart(rows);
  drawUtilisation();
  fillColdSection();
  document.documentElement.setAttribute('data-charts-drawn', String(drawnCharts));
}

buildPage();
