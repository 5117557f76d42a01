import type { QuotaUse } from '../../model/plan/plan.ts';
import { listColumns, type CountedEffect } from './counts-text.ts';
import { escapeText } from '../format/escape.ts';
import { drawGauge, gaugeWidth, paintUse } from '../format/gauge.ts';
import { countKind, countNoun, quotaLabel } from '../view/labels.ts';
import { cutMiddle, findDifference, measureWidth, wrapText } from '../format/measure.ts';
import { headCost, showCostChange } from '../view/plan-cost.ts';
import { addProjects } from '../view/project-counts.ts';
import type { ProjectCounts } from '../view/project-counts.ts';
import type { Layout, Style } from '../format/style.ts';
import { drawTable, type Alignment } from '../format/table.ts';

/** More rows than these do not fit on a screen: the rest is added up in one. */
const maxRows = 12;
/** From so many changes on, even one project is worth a table. */
const manyChanges = 10;
/** What the names and the kinds take at least. */
const minNameColumns = 12;
const minKindColumns = 16;
/** Before every column of numbers, and around all of them. */
const columnGap = 3;
const marginColumns = 5;
/** Below this width a gauge would break its line. */
const gaugeColumns = 46 + gaugeWidth;

/** What the column of the peak takes. */
const peakColumns = 8;

/** True where more is in use on the way than before and after: then the peak is worth a column. */
export function hasPeak(quotas: readonly QuotaUse[]): boolean {
  return quotas.some(({ used, peak, after }) => peak > Math.max(used, after));
}

/** The quotas that a plan changes: now, at their peak where that is higher, after it, and the limit. */
export function drawQuotas(out: string[], quotas: readonly QuotaUse[], layout: Layout): void {
  if (quotas.length === 0) return;
  const { style, columns } = layout;
  const withPeak = hasPeak(quotas);
  const gaugeRoom = gaugeColumns + (withPeak ? peakColumns : 0);
  const rows = quotas.map(({ name, used, peak, after, limit }) => [
    quotaLabel(name),
    String(used),
    ...(withPeak ? [paintUse(String(peak), peak, limit, style)] : []),
    paintUse(String(after), after, limit, style),
    String(limit),
    columns >= gaugeRoom ? drawGauge(used, after, limit, style) : '',
    after > limit ? style.red(`over by ${after - limit}`) : '',
  ]);
  const names = ['now', ...(withPeak ? ['peak'] : []), 'after', 'limit'];
  const head = ['', ...names].map((text) => style.dim(text));
  const sides = ['left', ...names.map(() => 'right' as const), 'left', 'left'] as const;
  out.push(style.bold('Quotas:'), ...drawLines([head, ...rows], sides, columns), '');
}

/** What the plan does by project and kind, on one screen; nothing where the changes themselves are one. */
export function drawProjects(
  out: string[],
  projects: readonly ProjectCounts[],
  layout: Layout,
): void {
  const total = addProjects(projects, 'total');
  if (projects.length < 2 && total.total <= manyChanges) return;
  const { style } = layout;
  const shown = foldProjects(projects);
  const columns = listColumns(total);
  const costs = fitCosts(total.costs, columns, layout);
  const rows = [...shown, ...(shown.length > 1 ? [total] : [])].flatMap(
    prepareRows(shown, { effects: columns, costs }, layout),
  );
  const names = [...columns, ...costs];
  const head = ['', ...names].map((text) => style.dim(text));
  const sides = ['left', ...names.map(() => 'right' as const), 'left'] as const;
  out.push(style.bold('Summary:'), ...drawLines([head, ...rows], sides, layout.columns), '');
}

/** A table in lines; on a narrow terminal its head says nothing. */
function drawLines(
  rows: readonly (readonly string[])[],
  sides: readonly Alignment[],
  columns: number,
): string[] {
  return drawTable(rows, sides, { columns, hasHead: true }).filter((line) => line !== '');
}

const painters: Readonly<Record<CountedEffect, 'cyan' | 'green' | 'yellow' | 'red'>> = {
  import: 'cyan',
  add: 'green',
  change: 'yellow',
  rebuild: 'red',
  destroy: 'red',
  forget: 'cyan',
};

/** The heads of the columns of costs; none where they have no room: the totals are reported below. */
function fitCosts(
  costs: ProjectCounts['costs'],
  effects: readonly CountedEffect[],
  { columns }: Layout,
): readonly string[] {
  const heads = costs.map(headCost);
  const room = columns - measureCounts([...effects, ...heads]);
  return room < minNameColumns + minKindColumns ? [] : heads;
}

/** What columns of numbers take. */
function measureCounts(heads: readonly string[]): number {
  return heads.reduce((sum, head) => sum + head.length + columnGap, marginColumns);
}

function foldProjects(projects: readonly ProjectCounts[]): readonly ProjectCounts[] {
  if (projects.length <= maxRows) return projects;
  const rest = projects.slice(maxRows - 1);
  return [
    ...projects.slice(0, maxRows - 1),
    addProjects(rest, countNoun('more project', rest.length)),
  ];
}

/** Draws a project in one row, or in more where its kinds need them. */
function prepareRows(
  shown: readonly ProjectCounts[],
  { effects, costs }: { effects: readonly CountedEffect[]; costs: readonly string[] },
  { columns, style }: Layout,
): (row: ProjectCounts) => string[][] {
  const countRoom = measureCounts([...effects, ...costs]);
  const nameRoom = Math.max(minNameColumns, Math.floor((columns - countRoom) / 2));
  const names = cutNames([...shown.map((row) => row.project), 'total'], nameRoom);
  const nameWidth = Math.max(...[...names.values()].map(measureWidth));
  const kindRoom = Math.max(minKindColumns, columns - countRoom - nameWidth);
  const count = (amount: number, paint: Style['red']) =>
    amount === 0 ? style.dim('0') : paint(String(amount));
  return (row) => {
    // A number is not parted from its noun: between them the line does not break.
    const kinds = row.kinds.map(({ kind, count: amount }) =>
      countKind(kind, amount).replaceAll(' ', '\u00a0'),
    );
    const counts = [
      names.get(row.project) ?? row.project,
      ...effects.map((effect) => count(row[effect], style[painters[effect]])),
      ...row.costs.slice(0, costs.length).map(showCostChange),
    ];
    return wrapText(kinds.join(', '), kindRoom).map((line, index) => [
      ...(index === 0 ? counts : counts.map(() => '')),
      style.dim(line.replaceAll('\u00a0', ' ')),
    ]);
  };
}

/** Cuts names to the room there is; where two would look the same, what tells them apart stays to be seen. */
function cutNames(names: readonly string[], room: number): ReadonlyMap<string, string> {
  const texts = names.map(escapeText);
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const cut = cutMiddle(text, room);
    const alike = groups.get(cut);
    if (alike) alike.push(text);
    else groups.set(cut, [text]);
  }
  const cutOne = (text: string) => {
    const cut = cutMiddle(text, room);
    const other = groups.get(cut)?.find((one) => one !== text);
    return other === undefined ? cut : cutMiddle(text, room, findDifference(text, other));
  };
  return new Map(names.map((name, index) => [name, cutOne(texts[index] ?? name)]));
}
