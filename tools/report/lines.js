// The line charts of a page over their common axis: which stretches of it are quiet, what the controls
// change, and how the charts are drawn anew. The page defines drawLineCharts().
'use strict';

const group = new ChartGroup();
const view = {
  part: 0,
  written: false,
  compress: true
};

// Rows [first, end) of a run, and what counts as zero on both axes. All of it:
const wholeOf = (run) =>
    ({first: 0, end: run.series.t_s.length, begin_s: 0, begin_GB: 0, spans: run.spans});

const columnOf = (run, name) => run.series[name] || new Array(run.series.t_s.length).fill(null);

// Stretches of a cut without host traffic and without any change on the drive: [{begin, end}] in s.
function stillStretches(run, cut) {
  const t = run.series.t_s;
  const state =
      ['slc_used_GB', 'slc_valid_GB', 'free_superblocks'].map((name) => columnOf(run, name));
  const rates =
      ['write_MBps', 'read_MBps', 'fold_MBps', 'gc_MBps'].map((name) => columnOf(run, name));
  const found = [];
  for (let i = cut.first + 1; i < cut.end; ++i) {
    if (!state.every((v) => v[i] === v[i - 1]) || rates.some((v) => v[i] > 0)) continue;
    const [begin, end] = [t[i - 1] - cut.begin_s, t[i] - cut.begin_s];
    const last = found[found.length - 1];
    if (last && last.end === begin)
      last.end = end;
    else
      found.push({begin, end});
  }
  return found;
}

// The axis of a page whose charts are `length` s long; `stretches` are still, and drawn short where
// they are long enough to be in the way.
function makeAxis(length, stretches) {
  if (view.written) return new WrittenAxis();
  const shortest = Math.max(10, 0.02 * length);
  const quiet = view.compress ? stretches.filter((q) => q.end - q.begin >= shortest) : [];
  const busy = length - quiet.reduce((sum, q) => sum + q.end - q.begin, 0);
  return new TimeAxis(length, quiet, Math.max(1, 0.07 * busy));
}

// The series of a measured curve on `grid`: it begins where the first writing phase of the cut does.
// null if there is none.
function measuredSeries(curve, cut, axis, grid) {
  const first = cut.spans.find((span) => span.writes);
  if (!curve || !first) return null;
  const [t0, gb0] = [first.begin_s - cut.begin_s, first.begin_GB - cut.begin_GB];
  const x = view.written ? curve.written_GB.map((v) => gb0 + v) :
                           curve.t_s.map((v) => axis.position(t0 + v));
  return {
    name: `measured: ${curve.name}`,
    color: '#1c2024',
    dash: [2, 3],
    width: 2,
    values: resample(x, curve.write_MBps, grid)
  };
}

// Draws `charts` ({id, unit, ylabel, series, ...}) on one axis; marks(canvas, area, drawn, chart)
// draws below the lines.
function drawCharts(axis, grid, charts, marks) {
  group.clear();
  for (const chart of charts) {
    const below = (canvas, area, drawn) => {
      canvas.save();
      canvas.beginPath();
      canvas.rect(area.x, area.y, area.w, area.h);
      canvas.clip();
      canvas.font = '12px system-ui, "DejaVu Sans", sans-serif';
      marks(canvas, area, drawn, chart);
      canvas.restore();
    };
    draw(
        chart.id,
        () => group.add(
            chart.id, axis, grid, chart.series, Object.assign({marks: below}, chart)));
  }
}

function setView(change) {
  Object.assign(view, change);
  element('axis-time').setAttribute('aria-pressed', String(!view.written));
  element('axis-written').setAttribute('aria-pressed', String(view.written));
  element('compress-idle').disabled = view.written;
  drawLineCharts();
}

function connectControls() {
  element('axis-time').addEventListener('click', () => setView({written: false}));
  element('axis-written').addEventListener('click', () => setView({written: true}));
  element('compress-idle').addEventListener('change', (event) => setView({
                                                        compress: event.target.checked
                                                      }));
  element('reset-zoom').addEventListener('click', () => group.resetZoom());
  connectPrint(group);
}
