import type { ResourceAddress } from '../../model/address.ts';
import type { MetricSeries } from '../../model/account/vm-work.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import { formatTime, formatIsoTime } from '../format/moment.ts';
import type { TextLayout } from '../format/style.ts';
import { drawTable } from '../format/table.ts';

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** The most points of a metric that are drawn; of more, only the newest are. */
const mostBars = 24;
/** Narrowest output, in columns, that has bars; in a narrower one they would break their lines. */
const barColumns = 72;

/**
 * Renders the measurements of a VM, one line for each quantity: its last, least, mean and greatest value, and a small
 * bar chart.
 */
export function renderVmMetricsText(
  address: ResourceAddress,
  series: readonly MetricSeries[],
  { columns, style }: TextLayout,
): string {
  const filled = series.filter(({ points }) => points.length > 0);
  if (filled.length === 0)
    return `The service shows no metrics of ${escapeUntrustedText(address)}.\n`;
  const rows = filled.map(({ name, unit, points }) => {
    const values = points.map(({ value }) => value);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const figures = [values.at(-1) ?? 0, Math.min(...values), mean, Math.max(...values)];
    const course = columns < barColumns ? '' : style.cyan(drawCourse(values.slice(-mostBars)));
    return [
      escapeUntrustedText(name),
      ...figures.map(formatFigure),
      escapeUntrustedText(unit),
      course,
    ];
  });
  const head = ['', 'last', 'least', 'mean', 'most', 'unit', ''].map(style.dim);
  const times = filled.flatMap(({ points }) => points.map(({ at }) => at ?? Number.NaN));
  const known = times.filter((at) => !Number.isNaN(at));
  const [from, to] = known.length === 0 ? [null, null] : [Math.min(...known), Math.max(...known)];
  const out = [
    style.bold(`Metrics of ${escapeUntrustedText(address)}:`),
    ...drawTable([head, ...rows], ['left', 'right', 'right', 'right', 'right', 'left', 'left'], {
      columns,
      hasHead: true,
    }),
    '',
    `From ${formatTime(from)} to ${formatTime(to)}.`,
    ...wrapText(sampleNote, columns).map(style.dim),
  ];
  return `${out.join('\n')}\n`;
}

/** Note about metrics: by section 4 of the specification, the answer is fixed sample data. */
const sampleNote =
  'The service documents these figures as fixed sample data: they measure nothing.';

function formatFigure(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function drawCourse(values: readonly number[]): string {
  const least = Math.min(...values);
  const range = Math.max(...values) - least || 1;
  const level = (value: number) => Math.round(((value - least) / range) * (bars.length - 1));
  return values.map((value) => bars[level(value)] ?? '').join('');
}

/** The answer of `vm metrics --json`: `address`, `isSampleData`, and `series` of `{ name, unit, points: [{ at, value }] }`. */
export function renderVmMetricsJson(
  address: ResourceAddress,
  series: readonly MetricSeries[],
): object {
  return {
    format_version: '1.0',
    address,
    isSampleData: true,
    series: series.map(({ name, unit, points }) => ({
      name,
      unit,
      points: points.map(({ at, value }) => ({ at: formatIsoTime(at), value })),
    })),
  };
}
