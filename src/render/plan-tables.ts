import type { QuotaUse } from '../model/plan.ts';
import { escapeText } from './escape.ts';
import { drawGauge, gaugeWidth, paintUse } from './gauge.ts';
import { countKind, countNoun, quotaLabels } from './labels.ts';
import { cutEnd, cutMiddle } from './measure.ts';
import { addProjects } from './project-counts.ts';
import type { ProjectCounts } from './project-counts.ts';
import type { Layout, Style } from './style.ts';
import { drawTable } from './table.ts';

/** More rows than these do not fit on a screen: the rest is added up in one. */
const maxRows = 20;
/** From so many changes on, even one project is worth a table. */
const manyChanges = 10;
/** Below this width a gauge would break its line. */
const gaugeColumns = 46 + gaugeWidth;

/** The quotas that a plan changes: now, after it, and the limit. */
export function drawQuotas(out: string[], quotas: readonly QuotaUse[], layout: Layout): void {
  if (quotas.length === 0) return;
  const { style, columns } = layout;
  const rows = quotas.map(({ name, used, after, limit }) => [
    quotaLabels[name],
    String(used),
    paintUse(String(after), after, limit, style),
    String(limit),
    columns >= gaugeColumns ? drawGauge(used, after, limit, style) : '',
    after > limit ? style.red(`over by ${after - limit}`) : '',
  ]);
  const head = ['', 'now', 'after', 'limit'].map((text) => style.dim(text));
  out.push(style.bold('Quotas:'));
  out.push(...drawTable([head, ...rows], ['left', 'right', 'right', 'right', 'left', 'left']), '');
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
  const rows = foldProjects(projects).map((row) => drawRow(row, layout));
  if (rows.length > 1) rows.push(drawRow(total, layout));
  const head = ['', 'add', 'change', 'destroy'].map((text) => style.dim(text));
  out.push(style.bold('Summary:'));
  out.push(...drawTable([head, ...rows], ['left', 'right', 'right', 'right', 'left']), '');
}

function foldProjects(projects: readonly ProjectCounts[]): readonly ProjectCounts[] {
  if (projects.length <= maxRows) return projects;
  const rest = projects.slice(maxRows - 1);
  return [
    ...projects.slice(0, maxRows - 1),
    addProjects(rest, countNoun('more project', rest.length)),
  ];
}

function drawRow(row: ProjectCounts, { columns, style }: Layout): string[] {
  const count = (amount: number, paint: Style['red']) =>
    amount === 0 ? style.dim('0') : paint(String(amount));
  const kinds = row.kinds.map(({ kind, count: amount }) => countKind(kind, amount)).join(', ');
  // The three counts with their gaps take 30 cells; the rest is shared between the name and the kinds.
  const nameRoom = Math.max(12, Math.floor((columns - 30) * 0.5));
  return [
    cutMiddle(escapeText(row.project), nameRoom),
    count(row.add, style.green),
    count(row.change, style.yellow),
    count(row.destroy, style.red),
    style.dim(cutEnd(kinds, Math.max(8, columns - 32 - nameRoom))),
  ];
}
