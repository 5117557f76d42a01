import { countSeverity } from '../../model/diagnostic.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { QuotaUse } from '../../model/plan/plan.ts';
import { describePlanClosing } from '../text/closing.ts';
import {
  listEffectColumns,
  formatEffectCountLabel,
  type EffectWithOwnCount,
} from '../text/counts-text.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { html, joinHtml, emptyHtml, type SafeHtml } from '../../model/text/html.ts';
import { formatKindCount, formatKindLabel, formatQuotaLabel } from '../view/labels.ts';
import { formatCostColumnHead, formatPlanCostChange } from '../view/plan-cost.ts';
import { addProjectCounts } from '../view/project-counts.ts';
import type { ProjectEffectCounts } from '../view/project-counts.ts';
import { createAnsiStyle } from '../format/style.ts';
import { drawActionSymbol, type ShownAction } from '../view/symbols.ts';
import type { ChangeView, PlanView } from '../view/view.ts';
import { renderAddress, renderColumnHead, type ChangeAnchors } from './changes.ts';

const plain = createAnsiStyle(false);

/** Action whose colour and symbol each count of effects has. */
const countedActions: Readonly<Record<EffectWithOwnCount, ShownAction>> = {
  import: 'import',
  add: 'create',
  change: 'update',
  rebuild: 'rebuild',
  destroy: 'delete',
  expire: 'expire',
  due: 'due',
  forget: 'forget',
};

/** Largest number of projects whose table is not folded in a report. */
const openProjects = 30;

/** Order of the counts in a report: the dangerous effects come first. */
const figureOrder: readonly EffectWithOwnCount[] = [
  'rebuild',
  'destroy',
  'expire',
  'due',
  'change',
  'add',
  'import',
  'forget',
];

/** The counts of the plan, its losses, and a table of the projects. */
export function renderPlanSummary(view: PlanView, anchors: ChangeAnchors): SafeHtml {
  const losing = view.changes.filter(({ losses }) => losses.length > 0);
  const figures = listFigures(view, losing.length).filter(({ count }) => count > 0);
  const { counts, verdict, explanation } = describePlanClosing(view);
  // The banner says it already that a plan with errors cannot be applied.
  const closing = { counts, verdict: view.hasErrors ? undefined : verdict, explanation };
  const paragraphs = Object.entries(closing).flatMap(([part, text]) =>
    text === undefined
      ? []
      : [html`<p class="closing-${part}${view.hasErrors && ' bad'}">${text}</p>`],
  );
  const costs = [...(view.cost?.lines ?? []), ...(view.cost?.notes ?? [])];
  const lines = [
    html`<section aria-labelledby="summary"><h2 id="summary">Summary</h2>`,
    ...paragraphs,
    ...costs.map((text) => html`<p class="closing-cost">${text}</p>`),
    html`${figures.length > 0 && html`<ul class="tiles">${figures.map(renderTile)}</ul>`}`,
    view.projects.length > 0 ? renderProjects(view.projects) : emptyHtml,
    html`</section>`,
    renderLosses(losing, anchors),
    renderGone(view, anchors),
  ];
  return joinHtml(
    lines.filter(({ markup }) => markup !== ''),
    '\n',
  );
}

/** A number of the summary, with the sign and the colour of its action. */
interface Figure {
  readonly tone: ShownAction;
  readonly symbol: string;
  readonly count: number;
  readonly label: string;
}

/** Figures of a plan: errors and losses first, then its effects, from rebuild to forget. */
function listFigures({ mode, counts, drift, findings }: PlanView, losing: number): Figure[] {
  const errors = countSeverity(findings, 'error');
  const warnings = countSeverity(findings, 'warning');
  const outside = (action: ChangeView['action']) =>
    drift.filter((change) => change.action === action).length;
  const done = figureOrder.map((effect): Figure => {
    const tone = countedActions[effect];
    const symbol = drawActionSymbol(tone, plain).trim();
    return { tone, symbol, count: counts[effect], label: formatEffectCountLabel(effect, counts) };
  });
  const seen: Figure[] = [
    { tone: 'delete', symbol: '-', count: outside('gone'), label: 'deleted outside' },
    { tone: 'update', symbol: '~', count: outside('drift'), label: 'changed outside' },
  ];
  return [
    { tone: 'delete', symbol: '×', count: errors, label: errors === 1 ? 'error' : 'errors' },
    { tone: 'delete', symbol: '!', count: losing, label: 'losing data' },
    ...(mode === 'refresh' ? seen : done),
    {
      tone: 'update',
      symbol: '!',
      count: warnings,
      label: warnings === 1 ? 'warning' : 'warnings',
    },
  ];
}

function renderTile({ tone, symbol, count, label }: Figure): SafeHtml {
  return html`<li class="tile ${tone}"><span class="sym ${tone}" aria-hidden="true">${symbol}</span> <b>${count}</b> <span>${label}</span></li>`;
}

function renderProjects(projects: readonly ProjectEffectCounts[]): SafeHtml {
  const total = addProjectCounts(projects, 'total');
  const rows = projects.length > 1 ? [...projects, total] : projects;
  const effects = listEffectColumns(total, []);
  const heads = [
    formatKindLabel(projectKind),
    ...effects,
    ...total.costs.map(formatCostColumnHead),
  ].map((name) => name.charAt(0).toUpperCase() + name.slice(1));
  const drawn = rows.map((row) => {
    const counts = effects.map((effect) => ({ text: `${row[effect]}`, isNone: row[effect] === 0 }));
    const costs = row.costs.map((cost) => ({ text: formatPlanCostChange(cost), isNone: false }));
    // On a phone each cell stands on its own line, with its label.
    const cells = [...counts, ...costs].map(
      ({ text, isNone }, index) =>
        html`<td data-head="${heads[index + 1]}"${isNone && html` class="none"`}>${text}</td>`,
    );
    const kinds = row.kinds.map(({ kind, count }) => formatKindCount(kind, count)).join(', ');
    return html`<tr><th scope="row">${row.project}</th>${cells}<td class="kinds">${kinds}</td></tr>`;
  });
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="Projects"><table class="counts"><thead><tr>${heads.map(renderColumnHead)}<th scope="col" class="kinds">Kinds</th></tr></thead><tbody>${drawn}</tbody></table></div>`;
  return foldLong(table, projects.length, formatKindCount(projectKind, projects.length));
}

/** Folds a long list under a line that says what it lists. */
function foldLong(list: SafeHtml, length: number, what: string): SafeHtml {
  if (length <= openProjects) return list;
  return html`<details class="fold"><summary>${what}</summary>${list}</details>`;
}

function renderLosses(losing: PlanView['changes'], anchors: ChangeAnchors): SafeHtml {
  if (losing.length === 0) return emptyHtml;
  const items = losing.map(
    ({ address, losses }) => html`<li>${renderAddress(address, anchors)}: ${losses.join(' ')}</li>`,
  );
  const many = `${formatCountWithNoun('change', losing.length)} ${losing.length === 1 ? 'loses' : 'lose'} data`;
  const list = html`<ul class="losses">${items}</ul>`;
  return html`<section aria-labelledby="losses"><h2 id="losses">Data that is lost</h2>${foldLong(list, losing.length, many)}</section>`;
}

function renderGone({ gone, mode }: PlanView, anchors: ChangeAnchors): SafeHtml {
  // A refresh-only plan lists resources that are gone among its other changes made outside.
  if (gone.length === 0 || mode === 'refresh') return emptyHtml;
  const items = gone.map((address) => html`<li>${renderAddress(address, anchors)}</li>`);
  return html`<section aria-labelledby="gone"><h2 id="gone">Deleted outside of Hostwright</h2><p>No longer in the configuration, and deleted outside: applying this plan removes them from the state.</p><ul>${items}</ul></section>`;
}

/** Renders the quotas that the plan changes, each with a gauge. */
export function renderChangedQuotas(quotas: readonly QuotaUse[]): SafeHtml {
  if (quotas.length === 0) return emptyHtml;
  const heads = ['Quota', 'Now', 'Peak', 'After', 'Limit', 'Use'];
  return html`<section aria-labelledby="quotas"><h2 id="quotas">Quotas</h2><p class="key">Solid: in use now. Striped: taken in addition. Outlined: given back. The line marks the peak.</p><div class="scroll" tabindex="0" role="group" aria-label="Quotas"><table class="quotas"><thead><tr>${heads.map(renderColumnHead)}</tr></thead><tbody>${quotas.map(renderQuota)}</tbody></table></div></section>`;
}

function renderQuota(quota: QuotaUse): SafeHtml {
  const { name, used, peak, after, limit } = quota;
  const most = Math.max(after, peak);
  const state = most > limit ? 'over' : most >= limit * 0.8 ? 'near' : 'fine';
  const over = after > limit && html` <strong>over by ${after - limit}</strong>`;
  return html`<tr class="${state}"><th scope="row">${formatQuotaLabel(name)}</th><td>${used}</td><td>${peak}</td><td>${after}</td><td>${limit}</td><td>${drawGauge(quota)}${over}</td></tr>`;
}

/** A bar of 200 by 12 pixels; amounts beyond the limit end at its edge. */
function drawGauge({ name, used, peak, after, limit }: QuotaUse): SafeHtml {
  const at = (amount: number) =>
    limit <= 0 ? (amount > 0 ? 200 : 0) : Math.round(Math.min(1, amount / limit) * 2_000) / 10;
  const [now, then, most] = [at(used), at(after), at(Math.max(peak, after))];
  const rect = (kind: string, from: number, to: number) =>
    to > from && html`<rect class="${kind}" x="${from}" y="0.5" width="${to - from}" height="11"/>`;
  const label = `${formatQuotaLabel(name)}: ${used} now, ${peak} at the peak, ${after} after, of ${limit}`;
  const parts = [
    rect('track', 0, 200),
    rect('solid', 0, Math.min(now, then)),
    rect('added', now, then),
    rect('freed', then, now),
  ];
  return html`<svg class="gauge" role="img" aria-label="${label}" viewBox="0 0 200 12" width="200" height="12">${parts}<path class="peak" d="M${Math.min(199, Math.max(1, most))} 0v12"/></svg>`;
}
