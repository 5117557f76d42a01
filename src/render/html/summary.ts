import { countSeverity } from '../../model/diagnostic.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { QuotaUse } from '../../model/plan/plan.ts';
import { describeClosing } from '../text/closing.ts';
import { listColumns, nameCount, type CountedEffect } from '../text/counts-text.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { countKind, kindLabel, quotaLabel } from '../view/labels.ts';
import { headCost, showCostChange } from '../view/plan-cost.ts';
import { addProjects } from '../view/project-counts.ts';
import type { ProjectCounts } from '../view/project-counts.ts';
import { createStyle } from '../format/style.ts';
import { drawActionSymbol, type ShownAction } from '../view/symbols.ts';
import type { ChangeView, PlanView } from '../view/view.ts';
import { renderAddress, type Anchors } from './changes.ts';
import { escapeMarkup } from '../../model/text/html.ts';

const plain = createStyle(false);

/** What each count is painted as. */
const countedActions: Readonly<Record<CountedEffect, ShownAction>> = {
  import: 'import',
  add: 'create',
  change: 'update',
  rebuild: 'rebuild',
  destroy: 'delete',
  forget: 'forget',
};

/** More projects than these are folded away. */
const openProjects = 30;

/** In this order: what is worth a look comes first. */
const figureOrder: readonly CountedEffect[] = [
  'rebuild',
  'destroy',
  'change',
  'add',
  'import',
  'forget',
];

/** The counts, what is lost, and what is done in each project. */
export function renderSummary(view: PlanView, anchors: Anchors): string {
  const losing = view.changes.filter(({ losses }) => losses.length > 0);
  const figures = listFigures(view, losing.length).filter(({ count }) => count > 0);
  const { counts, verdict, explanation } = describeClosing(view);
  // That it cannot be applied comes first.
  const closing = { counts, verdict: view.hasErrors ? undefined : verdict, explanation };
  return [
    '<section aria-labelledby="summary"><h2 id="summary">Summary</h2>',
    ...Object.entries(closing).map(([part, text]) =>
      text === undefined
        ? ''
        : `<p class="closing-${part}${view.hasErrors ? ' bad' : ''}">${escapeMarkup(text)}</p>`,
    ),
    ...[...(view.cost?.lines ?? []), ...(view.cost?.notes ?? [])].map(
      (text) => `<p class="closing-cost">${escapeMarkup(text)}</p>`,
    ),
    figures.length > 0 ? `<ul class="tiles">${figures.map(renderTile).join('')}</ul>` : '',
    view.projects.length > 0 ? renderProjects(view.projects) : '',
    '</section>',
    renderLosses(losing, anchors),
    renderGone(view, anchors),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** A number of the summary, with its sign and the colour of what it counts. */
interface Figure {
  readonly tone: ShownAction;
  readonly symbol: string;
  readonly count: number;
  readonly label: string;
}

/** What a plan counts: errors and losses first, then what it does, from rebuild to forget. */
function listFigures({ mode, counts, drift, findings }: PlanView, losing: number): Figure[] {
  const errors = countSeverity(findings, 'error');
  const warnings = countSeverity(findings, 'warning');
  const outside = (action: ChangeView['action']) =>
    drift.filter((change) => change.action === action).length;
  const done = figureOrder.map((effect): Figure => {
    const tone = countedActions[effect];
    const symbol = drawActionSymbol(tone, plain).trim();
    return { tone, symbol, count: counts[effect], label: nameCount(effect, counts) };
  });
  const seen: Figure[] = [
    { tone: 'delete', symbol: '-', count: outside('gone'), label: 'deleted outside' },
    { tone: 'update', symbol: '~', count: outside('drift'), label: 'changed outside' },
  ];
  return [
    { tone: 'delete', symbol: '×', count: errors, label: noun('error', errors) },
    { tone: 'delete', symbol: '!', count: losing, label: 'losing data' },
    ...(mode === 'refresh' ? seen : done),
    { tone: 'update', symbol: '!', count: warnings, label: noun('warning', warnings) },
  ];
}

function noun(word: string, count: number): string {
  return countNoun(word, count).replace(/^\d+ /, '');
}

function renderTile({ tone, symbol, count, label }: Figure): string {
  const sign = escapeMarkup(symbol);
  return `<li class="tile ${tone}"><span class="sym ${tone}" aria-hidden="true">${sign}</span> <b>${count}</b> <span>${label}</span></li>`;
}

function renderProjects(projects: readonly ProjectCounts[]): string {
  const total = addProjects(projects, 'total');
  const rows = projects.length > 1 ? [...projects, total] : projects;
  const columns = listColumns(total, []);
  const costs = total.costs.map(headCost);
  const names = [kindLabel(projectKind), ...columns, ...costs].map(
    (name) => name.charAt(0).toUpperCase() + name.slice(1),
  );
  const heads = names.map((name) => `<th scope="col">${name}</th>`);
  // On a phone each cell has its own line, with its label.
  const cell = (index: number, text: string, isNone = false) =>
    `<td data-head="${names[index] ?? ''}"${isNone ? ' class="none"' : ''}>${text}</td>`;
  const table = [
    '<div class="scroll" tabindex="0" role="group" aria-label="Projects"><table class="counts"><thead><tr>',
    ...heads,
    '<th scope="col" class="kinds">Kinds</th></tr></thead><tbody>',
    ...rows.map(
      (row) =>
        `<tr><th scope="row">${escapeMarkup(row.project)}</th>` +
        columns
          .map((effect, index) => cell(index + 1, String(row[effect]), row[effect] === 0))
          .join('') +
        row.costs
          .map((cost, index) => cell(columns.length + index + 1, showCostChange(cost)))
          .join('') +
        `<td class="kinds">${row.kinds.map(({ kind, count }) => countKind(kind, count)).join(', ')}</td></tr>`,
    ),
    '</tbody></table></div>',
  ].join('');
  return projects.length <= openProjects
    ? table
    : `<details class="fold"><summary>${countKind(projectKind, projects.length)}</summary>${table}</details>`;
}

function renderLosses(losing: PlanView['changes'], anchors: Anchors): string {
  if (losing.length === 0) return '';
  const items = losing.map(
    ({ address, losses }) =>
      `<li>${renderAddress(address, anchors)}: ${losses.map(escapeMarkup).join(' ')}</li>`,
  );
  const many = `${countNoun('change', losing.length)} ${losing.length === 1 ? 'loses' : 'lose'} data`;
  const list = `<ul class="losses">${items.join('')}</ul>`;
  return [
    '<section aria-labelledby="losses"><h2 id="losses">Data that is lost</h2>',
    losing.length <= openProjects
      ? list
      : `<details class="fold"><summary>${many}</summary>${list}</details>`,
    '</section>',
  ].join('');
}

function renderGone({ gone, mode }: PlanView, anchors: Anchors): string {
  // Where all is about what happened outside, they stand among it.
  if (gone.length === 0 || mode === 'refresh') return '';
  return [
    '<section aria-labelledby="gone"><h2 id="gone">Deleted outside of Hostwright</h2>',
    '<p>No longer in the configuration, and deleted outside: applying this plan removes them from the state.</p>',
    `<ul>${gone.map((address) => `<li>${renderAddress(address, anchors)}</li>`).join('')}</ul></section>`,
  ].join('');
}

/** The quotas that the plan changes, each with its gauge. */
export function renderQuotas(quotas: readonly QuotaUse[]): string {
  if (quotas.length === 0) return '';
  const heads = ['Quota', 'Now', 'Peak', 'After', 'Limit', 'Use'];
  return [
    '<section aria-labelledby="quotas"><h2 id="quotas">Quotas</h2>',
    '<p class="key">Solid: in use now. Striped: taken in addition. Outlined: given back. The line marks the peak.</p>',
    `<div class="scroll" tabindex="0" role="group" aria-label="Quotas"><table class="quotas"><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>`,
    ...quotas.map(renderQuota),
    '</tbody></table></div></section>',
  ].join('');
}

function renderQuota(quota: QuotaUse): string {
  const { name, used, peak, after, limit } = quota;
  const most = Math.max(after, peak);
  const state = most > limit ? 'over' : most >= limit * 0.8 ? 'near' : 'fine';
  const over = after > limit ? ` <strong>over by ${after - limit}</strong>` : '';
  return (
    `<tr class="${state}"><th scope="row">${quotaLabel(name)}</th><td>${used}</td><td>${peak}</td>` +
    `<td>${after}</td><td>${limit}</td><td>${drawGauge(quota)}${over}</td></tr>`
  );
}

/** A bar of 200 by 12; everything beyond the limit ends at its edge. */
function drawGauge({ name, used, peak, after, limit }: QuotaUse): string {
  const at = (amount: number) =>
    limit <= 0 ? (amount > 0 ? 200 : 0) : Math.round(Math.min(1, amount / limit) * 2_000) / 10;
  const [now, then, most] = [at(used), at(after), at(Math.max(peak, after))];
  const rect = (kind: string, from: number, to: number) =>
    to > from ? `<rect class="${kind}" x="${from}" y="0.5" width="${to - from}" height="11"/>` : '';
  const label = `${quotaLabel(name)}: ${used} now, ${peak} at the peak, ${after} after, of ${limit}`;
  return (
    `<svg class="gauge" role="img" aria-label="${escapeMarkup(label)}" viewBox="0 0 200 12" width="200" height="12">` +
    rect('track', 0, 200) +
    rect('solid', 0, Math.min(now, then)) +
    rect('added', now, then) +
    rect('freed', then, now) +
    `<path class="peak" d="M${Math.min(199, Math.max(1, most))} 0v12"/></svg>`
  );
}
