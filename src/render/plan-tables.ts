import type { QuotaUse } from '../model/plan.ts';
import { escapeText } from './escape.ts';
import { drawGauge, gaugeWidth, paintUse } from './gauge.ts';
import { countKind, countNoun, quotaLabels } from './labels.ts';
import { cutMiddle, measureWidth, wrapText } from './measure.ts';
import { addProjects } from './project-counts.ts';
import type { ProjectCounts } from './project-counts.ts';
import type { Layout, Style } from './style.ts';
import { drawTable } from './table.ts';

/** More rows than these do not fit on a screen: the rest is added up in one. */
const maxRows = 12;
/** From so many changes on, even one project is worth a table. */
const manyChanges = 10;
/** What the three counts of the summary take with all gaps. */
const countColumns = 30;
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
  const shown = foldProjects(projects);
  const rows = [...shown, ...(shown.length > 1 ? [total] : [])].flatMap(prepareRows(shown, layout));
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

/** Draws a project in one row, or in more where its kinds need them. */
function prepareRows(
  shown: readonly ProjectCounts[],
  { columns, style }: Layout,
): (row: ProjectCounts) => string[][] {
  const name = (row: ProjectCounts) =>
    cutMiddle(escapeText(row.project), Math.max(12, Math.floor((columns - countColumns) / 2)));
  const nameWidth = Math.max(...shown.map((row) => measureWidth(name(row))));
  const kindRoom = Math.max(16, columns - countColumns - nameWidth);
  const count = (amount: number, paint: Style['red']) =>
    amount === 0 ? style.dim('0') : paint(String(amount));
  return (row) => {
    // A number is not parted from its noun: between them the line does not break.
    const kinds = row.kinds.map(({ kind, count: amount }) =>
      countKind(kind, amount).replaceAll(' ', '\u00a0'),
    );
    const counts = [
      name(row),
      count(row.add, style.green),
      count(row.change, style.yellow),
      count(row.destroy, style.red),
    ];
    return wrapText(kinds.join(', '), kindRoom).map((line, index) => [
      ...(index === 0 ? counts : ['', '', '', '']),
      style.dim(line.replaceAll('\u00a0', ' ')),
    ]);
  };
}
