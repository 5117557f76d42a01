import { countSeverity } from '../../model/diagnostic.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { QuotaUse } from '../../model/plan/plan.ts';
import { describeClosing } from '../text/closing.ts';
import { listColumns, nameCount, type CountedEffect } from '../text/counts-text.ts';
import { countKind, countNoun, kindLabel, quotaLabel } from '../view/labels.ts';
import { headCost, showCostChange } from '../view/plan-cost.ts';
import { addProjects } from '../view/project-counts.ts';
import type { ProjectCounts } from '../view/project-counts.ts';
import { createStyle } from '../format/style.ts';
import { drawActionSymbol, type ShownAction } from '../format/symbols.ts';
import type { ChangeView, PlanView } from '../view/view.ts';
import { renderAddress, type Anchors } from './changes.ts';
import { escapeMarkup } from '../format/escape-markup.ts';

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

/** The counts, what is lost, and what is done in each project. */
export function renderSummary(view: PlanView, anchors: Anchors): string {
  const { counts, findings } = view;
  const losing = view.changes.filter(({ losses }) => losses.length > 0);
  const errors = countSeverity(findings, 'error');
  const warnings = countSeverity(findings, 'warning');
  const outside = (action: ChangeView['action']) =>
    view.drift.filter((change) => change.action === action).length;
  const done = listColumns(counts).map((effect) => {
    const action = countedActions[effect];
    return tile(
      action,
      drawActionSymbol(action, plain).trim(),
      counts[effect],
      nameCount(effect, counts),
    );
  });
  const seen = [
    tile('update', '~', outside('drift'), 'changed outside'),
    tile('delete', '-', outside('gone'), 'deleted outside'),
  ];
  const tiles = [
    ...(view.mode === 'refresh' ? seen : done),
    ...(losing.length > 0 ? [tile('delete', '!', losing.length, 'losing data')] : []),
    ...(errors > 0 ? [tile('delete', '×', errors, noun('error', errors))] : []),
    ...(warnings > 0 ? [tile('update', '!', warnings, noun('warning', warnings))] : []),
  ];
  return [
    '<section aria-labelledby="summary"><h2 id="summary">Summary</h2>',
    ...Object.entries(describeClosing(view)).map(
      ([part, text]) =>
        `<p class="closing-${part}${view.hasErrors ? ' bad' : ''}">${escapeMarkup(text as string)}</p>`,
    ),
    ...[...(view.cost?.lines ?? []), ...(view.cost?.notes ?? [])].map(
      (text) => `<p class="closing-cost">${escapeMarkup(text)}</p>`,
    ),
    `<ul class="tiles">${tiles.join('')}</ul>`,
    view.projects.length > 0 ? renderProjects(view.projects) : '',
    '</section>',
    renderLosses(losing, anchors),
    renderGone(view, anchors),
  ].join('\n');
}

function noun(word: string, count: number): string {
  return countNoun(word, count).replace(/^\d+ /, '');
}

function tile(tone: string, symbol: string, count: number, label: string): string {
  const sign = escapeMarkup(symbol);
  return `<li class="tile ${count === 0 ? 'none' : tone}"><span class="sym ${tone}" aria-hidden="true">${sign}</span> <b>${count}</b> <span>${label}</span></li>`;
}

function renderProjects(projects: readonly ProjectCounts[]): string {
  const total = addProjects(projects, 'total');
  const rows = projects.length > 1 ? [...projects, total] : projects;
  const columns = listColumns(total);
  const costs = total.costs.map(headCost);
  const heads = [kindLabel(projectKind), ...columns, ...costs].map(
    (name) => `<th scope="col">${name.charAt(0).toUpperCase()}${name.slice(1)}</th>`,
  );
  const table = [
    '<div class="scroll" tabindex="0" role="group" aria-label="Projects"><table class="counts"><thead><tr>',
    ...heads,
    '<th scope="col" class="kinds">Kinds</th></tr></thead><tbody>',
    ...rows.map(
      (row) =>
        `<tr><th scope="row">${escapeMarkup(row.project)}</th>` +
        columns.map((effect) => `<td>${row[effect]}</td>`).join('') +
        row.costs.map((cost) => `<td>${showCostChange(cost)}</td>`).join('') +
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
  return [
    '<section aria-labelledby="losses"><h2 id="losses">Data that is lost</h2>',
    `<p>${countNoun('change', losing.length)} ${losing.length === 1 ? 'loses' : 'lose'} data. There is no undo.</p>`,
    losing.length <= openProjects
      ? `<ul class="losses">${items.join('')}</ul>`
      : `<details class="fold"><summary>Show them</summary><ul class="losses">${items.join('')}</ul></details>`,
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
