// The charts of a comparison: all runs on one axis, whole or one phase at a time.
'use strict';

const spanName = (span) => span.name || 'unnamed';

// The parts that can be looked at: everything, and each phase with traffic that some run has.
// A phase is known by its name and its place among those of that name.
function findParts() {
  const parts = [{title: 'whole run', key: null}];
  for (const run of runs) {
    for (const span of run.spans) {
      if (!span.writes && !span.reads) continue;
      const key = partKey(run, span);
      if (parts.some((p) => p.key === key)) continue;
      const nth = Number(key.split('\n')[1]);
      parts.push({title: spanName(span) + (nth > 0 ? ` (${nth + 1})` : ''), key});
    }
  }
  return parts;
}

function partKey(run, span) {
  const same = run.spans.filter((s) => s.name === span.name);
  return `${span.name}\n${same.indexOf(span)}`;
}

// What is drawn of a run: its rows [first, end), and what counts as zero on both axes.
function cutOf(run, part) {
  if (part.key === null) return wholeOf(run);
  const span = run.spans.find((s) => (s.writes || s.reads) && partKey(run, s) === part.key);
  if (!span) return {first: 0, end: 0, begin_s: 0, begin_GB: 0, spans: []};
  return {
    first: span.first,
    end: span.end,
    begin_s: span.begin_s,
    begin_GB: span.begin_GB,
    spans: [span]
  };
}

// Stretches in which no run has traffic and none changes: [{begin, end}] in s. A run that has ended
// is quiet.
function quietStretches(cuts) {
  const length = Math.max(...runs.map((run, i) => endOf(run, cuts[i])));
  let common = [{begin: 0, end: length}];
  runs.forEach((run, i) => {
    const still =
        stillStretches(run, cuts[i]).concat([{begin: endOf(run, cuts[i]), end: Infinity}]);
    common = common.flatMap(
        (a) => still
                   .map((b) => ({
                          begin: Math.max(a.begin, b.begin),
                          end: Math.min(a.end, b.end)
                        }))
                   .filter((s) => s.end > s.begin));
  });
  return common;
}

function endOf(run, cut) {
  return cut.end > cut.first ? run.series.t_s[cut.end - 1] - cut.begin_s : 0;
}

// Positions on the axis that stand for the rows of a run.
function positionsOf(run, cut, axis) {
  const rows = [];
  for (let i = cut.first; i < cut.end; ++i) {
    rows.push(
        view.written ? columnOf(run, 'written_GB')[i] - cut.begin_GB :
                       axis.position(run.series.t_s[i] - cut.begin_s));
  }
  return rows;
}

// Everything that the line charts share: the axis, the grid of rows and where each run has its own.
function layOut() {
  const part = parts[view.part];
  const cuts = runs.map((run) => cutOf(run, part));
  const length = Math.max(...runs.map((run, i) => endOf(run, cuts[i])), 0.1);
  const axis = makeAxis(length, view.written ? [] : quietStretches(cuts));
  const own = runs.map((run, i) => positionsOf(run, cuts[i], axis));
  const grid = [...new Set(own.flat())].sort((a, b) => a - b);
  return {cuts, axis, own, grid};
}

// A series per run of a column, or of a function of the row.
function seriesOf(plan, value, change) {
  return runs.map((run, i) => {
    const cut = plan.cuts[i];
    const rows = [];
    for (let row = cut.first; row < cut.end; ++row) rows.push(value(run, row));
    return Object.assign(
        {
          name: labels[i],
          color: runColor(i),
          dash: runDash(i),
          width: 2,
          values: resample(plan.own[i], rows, plan.grid)
        },
        change ? change(i) : {});
  });
}

const ofColumn = (name) => (run, row) => columnOf(run, name)[row];

// Not in samples without a write, where it is 0.
function whileWriting(name) {
  return (run, row) => columnOf(run, name)[row] > 0 ? columnOf(run, name)[row] : null;
}

function writeSeries(plan) {
  const series = seriesOf(plan, ofColumn('write_mean_MBps'));
  const measured = measuredSeries(data.measured, plan.cuts[0], plan.axis, plan.grid);
  if (measured) series.push(measured);
  return series;
}

function lineCharts(plan) {
  const slc = seriesOf(plan, ofColumn('slc_used_GB'))
                  .concat(seriesOf(
                      plan, ofColumn('slc_limit_GB'),
                      (i) => ({name: labels[i] + ' limit', dash: [5, 4], width: 1})));
  const charts = [
    {id: 'write', unit: 'MB/s', ylabel: 'Write (MB/s)', labelled: true, series: writeSeries(plan)},
    {id: 'slc', unit: 'GB', ylabel: 'SLC data (GB)', series: slc}, {
      id: 'waf-time',
      unit: '',
      ylabel: 'WAF',
      includeZero: false,
      series: seriesOf(plan, whileWriting('waf_window'), () => ({width: 1.2}))
    },
    {
      id: 'relocation',
      unit: 'MB/s',
      ylabel: 'Rate (MB/s)',
      series: seriesOf(
          plan,
          (run, row) => columnOf(run, 'fold_MBps')[row] + columnOf(run, 'gc_MBps')[row],
          () => ({width: 1.2}))
    },
    {
      id: 'free',
      unit: '',
      ylabel: 'Superblocks',
      series: seriesOf(plan, ofColumn('free_superblocks'), () => ({width: 1.6}))
    }
  ];
  if (!view.written && runs.some((run, i) => plan.cuts[i].spans.some((s) => s.reads))) {
    charts.push({
      id: 'read',
      unit: 'MB/s',
      ylabel: 'Read (MB/s)',
      labelled: true,
      series: seriesOf(plan, ofColumn('read_mean_MBps'))
    });
  }
  const temperatures = runs.flatMap((run) => columnOf(run, 'temp_C')).filter(isNumber);
  if (new Set(temperatures).size > 1) {
    charts.push({
      id: 'temperature',
      unit: '°C',
      ylabel: '°C',
      includeZero: false,
      series: seriesOf(plan, ofColumn('temp_C'))
    });
    element('section-temperature').hidden = false;
  }
  return charts;
}

// Below the lines: where phases of the first run begin, stretches that are not to scale, and the
// cliffs of the runs as ticks in their colours.
function drawMarks(canvas, area, chart, plan, labelled) {
  const place = (i, span, which) => {
    const cut = plan.cuts[i];
    return chart.toDomXCoord(
        view.written ? span[which + '_GB'] - cut.begin_GB :
                       plan.axis.position(span[which + '_s'] - cut.begin_s));
  };
  if (!view.written)
    for (const q of plan.axis.quiet) drawBreak(canvas, area, chart, plan.axis, q, labelled);
  plan.cuts[0].spans.forEach((span, k) => {
    const [x0, x1] = [place(0, span, 'begin'), place(0, span, 'end')];
    if (k > 0) {
      canvas.fillStyle = '#c3c9ce';
      canvas.fillRect(Math.round(x0), area.y, 1, area.h);
    }
    const width = canvas.measureText(spanName(span)).width;
    if (!labelled || width + 10 > x1 - x0) return;
    canvas.fillStyle = '#5d666f';
    canvas.fillText(spanName(span), Math.max(x0, area.x) + 5, area.y + 14);
  });
}

function drawLineCharts() {
  const plan = layOut();
  const charts = lineCharts(plan);
  element('figure-read').hidden = !charts.some((c) => c.id === 'read');
  drawCharts(
      plan.axis, plan.grid, charts,
      (canvas, area, drawn, chart) =>
          drawMarks(canvas, area, drawn, plan, Boolean(chart.labelled)));
}

// ------------------------------------------------------------------------------------ SVG charts

function drawWaf() {
  const bars = figures.map((f) => ({
                             name: f.label,
                             parts: kCauses.map(([name]) => (f.waf_by_cause || {})[name] || 0)
                           }));
  if (!bars.some((bar) => bar.parts.some((part) => part > 0)))
    return noData('waf', 'Nothing was written.');
  const used = kCauses.map((cause, i) => bars.some((bar) => bar.parts[i] > 0));
  const pick = (list) => list.filter((unused, i) => used[i]);
  return draw(
      'waf',
      () => drawBarRows(
          'waf', pick(kCauses).map(([name, color]) => ({name, color})),
          bars.map((bar) => ({name: bar.name, parts: pick(bar.parts)})),
          'Write amplification by cause and run'));
}

// Rows of one phase and direction follow each other, in the order of the runs.
function drawLatencyChart() {
  const rows = [];
  for (const part of findParts().slice(1)) {
    for (const direction of kDirections) {
      runs.forEach((run, i) => {
        const span = run.spans.find((s) => partKey(run, s) === part.key);
        const phase = span && span.index >= 0 ? run.summary.phases[span.index] : null;
        const figures = phase && phase[direction];
        if (!figures || !(figures.commands > 0) || !(figures.latency_us.max > 0)) return;
        const title = `${part.title} · ${direction}`;
        rows.push({
          title: title.length > 34 ? title.slice(0, 33) + '…' : title,
          name: labels[i],
          color: runColor(i),
          latency: figures.latency_us
        });
      });
    }
  }
  if (rows.length === 0) return noData('latency', 'No command was completed.');
  return draw('latency', () => drawLatency('latency', rows));
}

// ------------------------------------------------------------------------------------- assembly

function connectPart() {
  parts.forEach(
      (part, i) => element('part').append(node('option', {value: String(i)}, part.title)));
  element('part').addEventListener('change', (event) => setView({
                                               part: Number(event.target.value)
                                             }));
}

function buildPage() {
  fillTables();
  if (runs.some((run) => run.series.t_s.length > 0)) {
    drawLineCharts();
    connectControls();
    connectPart();
  } else {
    element('controls').remove();
    element('figure-read').remove();
    ['write', 'slc', 'waf-time', 'relocation', 'free'].forEach(
        (id) => noData(id, 'The runs have no samples.'));
  }
  if (data.measured) {
    element('measured-note').hidden = false;
    element('measured-note').textContent =
        `The measured curve (${data.measured.name}) begins with the first writing phase of ` +
        'the part that is shown.';
  }
  drawWaf();
  drawLatencyChart();
  document.documentElement.setAttribute('data-charts-drawn', String(drawnCharts));
}

const parts = findParts();
buildPage();
