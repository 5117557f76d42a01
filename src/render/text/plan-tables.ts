import type { QuotaUse } from '../../model/plan/plan.ts';
import { groupBy } from '../../model/group-by.ts';
import { listEffectColumns, type EffectWithOwnCount } from './counts-text.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { drawQuotaGauge, quotaGaugeWidth, paintQuotaUse } from '../format/gauge.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatKindCount, formatQuotaLabel } from '../view/labels.ts';
import {
  cutTextMiddle,
  findFirstDifference,
  measureTerminalWidth,
  wrapText,
} from '../format/measure.ts';
import { formatCostColumnHead, formatPlanCostChange } from '../view/plan-cost.ts';
import { addProjectCounts } from '../view/project-counts.ts';
import type { ProjectEffectCounts } from '../view/project-counts.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import { drawTable, fullTableWidth, type CellAlignment } from '../format/table.ts';

/** Most rows of projects: more do not fit on a screen, and the rest is added up in one row. */
const maxRows = 12;
/** Fewest cells of the names of projects, before costs get columns. */
const nameColumns = 20;
/** Kinds go beside the numbers where there are so many cells left, and else below them. */
const kindColumns = 28;
/** Cells before every column of numbers; `marginColumns` are those around all columns. */
const columnGap = 3;
const marginColumns = 5;
/** Narrowest output, in columns, that has gauges; in a narrower one they would break their lines. */
const gaugeColumns = 46 + quotaGaugeWidth;

/** Width in cells of the column with the peaks of quotas. */
const peakColumns = 8;

/** Tells whether a plan uses more of some quota on the way than before and after it, so that the peak gets a column. */
export function hasQuotaPeak(quotas: readonly QuotaUse[]): boolean {
  return quotas.some(({ used, peak, after }) => peak > Math.max(used, after));
}

/** Draws the quotas that a plan changes: the use now, at its peak where that is higher, and after the plan, and the limit. */
export function drawQuotas(out: string[], quotas: readonly QuotaUse[], layout: TextLayout): void {
  if (quotas.length === 0) return;
  const { style, columns } = layout;
  const withPeak = hasQuotaPeak(quotas);
  const gaugeRoom = gaugeColumns + (withPeak ? peakColumns : 0);
  const rows = quotas.map(({ name, used, peak, after, limit }) => [
    formatQuotaLabel(name),
    String(used),
    ...(withPeak ? [paintQuotaUse(String(peak), peak, limit, style)] : []),
    paintQuotaUse(String(after), after, limit, style),
    String(limit),
    columns >= gaugeRoom ? drawQuotaGauge(used, after, limit, style) : '',
    after > limit ? style.red(`over by ${after - limit}`) : '',
  ]);
  const names = ['now', ...(withPeak ? ['peak'] : []), 'after', 'limit'];
  const head = ['', ...names].map((text) => style.dim(text));
  const sides = ['left', ...names.map(() => 'right' as const), 'left', 'left'] as const;
  out.push(style.bold('Quotas:'), ...drawLines([head, ...rows], sides, columns), '');
}

/** Draws the effects of the plan by project and kind, on one screen; nothing for a plan without changes. */
export function drawProjects(
  out: string[],
  projects: readonly ProjectEffectCounts[],
  layout: TextLayout,
): void {
  if (projects.length === 0) return;
  const total = addProjectCounts(projects, 'total');
  const { columns, style } = layout;
  const folded = foldProjects(projects);
  const shown = folded.length > 1 ? [...folded, total] : folded;
  const effects = listEffectColumns(total, []);
  const costs = fitCosts(total.costs, effects, layout);
  const heads = [...effects, ...costs];
  const names = cutNames(
    shown.map(({ project }) => project),
    columns < fullTableWidth ? columns - 4 : columns - measureCounts(heads),
  );
  const rows = shown.map((row) => [
    names.get(row.project) ?? row.project,
    ...effects.map((effect) => drawCount(row[effect], painters[effect], style)),
    ...row.costs.slice(0, costs.length).map(formatPlanCostChange),
  ]);
  const sides = ['left', ...heads.map(() => 'right' as const)] as const;
  const table = [['', ...heads].map((text) => style.dim(text)), ...rows];
  const kinds = shown.map(nameKinds);
  const nameWidth = Math.max(...[...names.values()].map(measureTerminalWidth));
  const room = columns - measureCounts(heads) - nameWidth;
  const drawn =
    room >= Math.min(kindColumns, Math.max(...kinds.map(measureTerminalWidth)))
      ? drawLines(placeBeside(table, kinds, room, style), [...sides, 'left'], columns)
      : placeBelow(drawTable(table, sides, { columns, hasHead: true }), kinds, layout);
  out.push(style.bold('Summary:'), ...drawn, '');
}

function drawCount(amount: number, paint: keyof TextStyle, style: TextStyle): string {
  return amount === 0 ? style.dim('0') : style[paint](String(amount));
}

/** `8 VMs, 3 port forwards`. A number is not parted from its noun: between them the line does not break. */
function nameKinds({ kinds }: ProjectEffectCounts): string {
  return kinds
    .map(({ kind, count }) => formatKindCount(kind, count).replaceAll(' ', '\u00a0'))
    .join(', ');
}

function wrapKinds(kinds: string, room: number, { dim }: TextStyle): string[] {
  return wrapText(kinds, room).map((line) => dim(line.replaceAll('\u00a0', ' ')));
}

/** The kinds as a last column, in further rows where they take several lines; the head of the table has no cell for them. */
function placeBeside(
  [head = [], ...rows]: readonly (readonly string[])[],
  kinds: readonly string[],
  room: number,
  style: TextStyle,
): (readonly string[])[] {
  const placed = rows.flatMap((row, at) =>
    wrapKinds(kinds[at] ?? '', room, style).map((line, index) => [
      ...(index === 0 ? row : row.map(() => '')),
      line,
    ]),
  );
  return [head, ...placed];
}

/** Puts the counts by kind on lines of their own below each row. */
function placeBelow(
  [head = '', ...rows]: readonly string[],
  kinds: readonly string[],
  { columns, style }: TextLayout,
): string[] {
  const placed = rows.flatMap((row, at) => [
    row,
    ...wrapKinds(kinds[at] ?? '', columns - 4, style).map((line) => `    ${line}`),
  ]);
  return head === '' ? placed : [head, ...placed];
}

/** A table in lines, without the head where a narrow terminal leaves it empty. */
function drawLines(
  rows: readonly (readonly string[])[],
  sides: readonly CellAlignment[],
  columns: number,
): string[] {
  return drawTable(rows, sides, { columns, hasHead: true }).filter((line) => line !== '');
}

const painters: Readonly<Record<EffectWithOwnCount, 'cyan' | 'green' | 'yellow' | 'red'>> = {
  import: 'cyan',
  add: 'green',
  change: 'yellow',
  rebuild: 'red',
  destroy: 'red',
  expire: 'red',
  due: 'cyan',
  forget: 'cyan',
};

/** Heads of the columns of costs; none where the columns have no room: the totals follow the table. */
function fitCosts(
  costs: ProjectEffectCounts['costs'],
  effects: readonly EffectWithOwnCount[],
  { columns }: TextLayout,
): readonly string[] {
  const heads = costs.map(formatCostColumnHead);
  const room = columns - measureCounts([...effects, ...heads]);
  return room < nameColumns ? [] : heads;
}

/** Measures the cells that columns of numbers take. */
function measureCounts(heads: readonly string[]): number {
  return heads.reduce((sum, head) => sum + head.length + columnGap, marginColumns);
}

function foldProjects(projects: readonly ProjectEffectCounts[]): readonly ProjectEffectCounts[] {
  if (projects.length <= maxRows) return projects;
  const rest = projects.slice(maxRows - 1);
  return [
    ...projects.slice(0, maxRows - 1),
    addProjectCounts(rest, formatCountWithNoun('more project', rest.length)),
  ];
}

/** Cuts names to the room there is; the part in which two names differ stays to be seen. */
function cutNames(names: readonly string[], room: number): ReadonlyMap<string, string> {
  const texts = names.map(escapeUntrustedText);
  const groups = groupBy(texts, (text) => cutTextMiddle(text, room));
  const cutOne = (text: string) => {
    const cut = cutTextMiddle(text, room);
    const other = groups.get(cut)?.find((one) => one !== text);
    return other === undefined ? cut : cutTextMiddle(text, room, findFirstDifference(text, other));
  };
  return new Map(names.map((name) => [name, cutOne(escapeUntrustedText(name))]));
}
