// Words of the pages for the enumerations of the API.
import { formatAge, formatTime } from '../../../render/format/moment.ts';
import { formatElapsed } from '../../../render/format/elapsed.ts';
import { changeEffects } from '../../../model/effects.ts';
import { formatCountWithNoun } from '../../../model/text/count-noun.ts';
import { html, type SafeHtml } from '../../../model/text/html.ts';

/** A word for a status, a sign beside it, and which colour it has. */
interface StatusWords {
  readonly label: string;
  readonly sign: string;
  readonly tone: 'good' | 'bad' | 'warn' | 'busy' | 'plain';
}

/** Words and colours for the statuses of workspaces. */
export const workspaceStatusWords: Readonly<Record<string, StatusWords>> = {
  failed: { label: 'Failed', sign: '✕', tone: 'bad' },
  drifted: { label: 'Drifted', sign: '≠', tone: 'warn' },
  waiting: { label: 'Waiting for you', sign: '●', tone: 'warn' },
  running: { label: 'Running', sign: '▶', tone: 'busy' },
  neverPlanned: { label: 'Never planned', sign: '○', tone: 'plain' },
  inSync: { label: 'In sync', sign: '✓', tone: 'good' },
  destroyed: { label: 'Destroyed', sign: '–', tone: 'plain' },
};

const runWords: Readonly<Record<string, StatusWords>> = {
  queued: { label: 'Queued', sign: '…', tone: 'plain' },
  running: { label: 'Running', sign: '▶', tone: 'busy' },
  succeeded: { label: 'Succeeded', sign: '✓', tone: 'good' },
  failed: { label: 'Failed', sign: '✕', tone: 'bad' },
  cancelled: { label: 'Cancelled', sign: '–', tone: 'warn' },
  superseded: { label: 'Superseded', sign: '–', tone: 'plain' },
};

const operationWords: Readonly<Record<string, string>> = {
  plan: 'Plan',
  preview: 'Preview',
  apply: 'Apply',
  destroy: 'Destroy',
  drift: 'Drift check',
};

/** Names a run by operation and number: `Plan #12`. */
export function formatRunName({
  operation,
  number,
}: {
  operation: string;
  number: number;
}): string {
  return `${nameOperation(operation)} #${number}`;
}

/** Names an operation: `Drift check`. */
function nameOperation(operation: string): string {
  return operationWords[operation] ?? operation;
}

/** Renders the status of a workspace as a badge. */
export function renderWorkspaceStatusBadge(status: string): SafeHtml {
  return showBadge(workspaceStatusWords[status], status);
}

/** Renders the status of a run as a badge. */
export function renderRunStatusBadge(status: string): SafeHtml {
  return showBadge(runWords[status], status);
}

function showBadge(words: StatusWords | undefined, status: string): SafeHtml {
  const { label, sign, tone } = words ?? { label: status, sign: '', tone: 'plain' };
  return html`<span class="badge ${tone}"><span aria-hidden="true">${sign}</span> ${label}</span>`;
}

/** Writes a number with its noun: `1 workspace`, `2,000 workspaces`. */
export function formatGroupedCount(amount: number, noun: string): string {
  return formatCountWithNoun(noun, amount).replace(/^\d+/, amount.toLocaleString('en-US'));
}

/** Renders an age as `5m ago`, with the exact time as its tooltip. */
export function renderTimeAgo(at: string, now: number): SafeHtml {
  const ms = Date.parse(at);
  const age = now - ms < 1_000 ? 'just now' : `${formatAge(ms, now)} ago`;
  return html`<time datetime="${at}" title="${formatTime(ms)}">${age}</time>`;
}

/** Renders a duration, so far or in all: `1m10s`. */
export function renderRunDuration(
  startedAt: string,
  endedAt: string | undefined,
  now: number,
): string {
  return formatElapsed((endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt));
}

/** Counts of a plan: `3 to add, 1 to destroy`. Zero counts are left out. */
export function sumUpPlanCounts(counts: Readonly<Record<string, number>>): string {
  const parts = changeEffects
    .filter((effect) => effect !== 'disksLost' && (counts[effect] ?? 0) > 0)
    .map((effect) => `${counts[effect] ?? 0} to ${actionWords[effect] ?? effect}`);
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

const actionWords: Readonly<Record<string, string>> = {
  create: 'add',
  update: 'change',
  replace: 'replace',
  rebuild: 'rebuild',
  delete: 'destroy',
  expire: 'expire',
  due: 'back up',
  forget: 'forget',
};

/** Counts of a run's changes, by action: `3 to add, 1 to destroy`. */
export function sumUpRunChanges(changes: readonly { readonly action: string }[]): string {
  const tally = new Map<string, number>();
  for (const { action } of changes) tally.set(action, (tally.get(action) ?? 0) + 1);
  const parts = [...tally].map(
    ([action, amount]) => `${amount} to ${actionWords[action] ?? action}`,
  );
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

/** Counts of the differences to the state, by sort: `2 changed, 1 deleted`. */
export function sumUpDriftCounts(changes: readonly { readonly action: string }[]): string {
  const deleted = changes.filter(({ action }) => action === 'delete').length;
  const parts = [
    [changes.length - deleted, 'changed'],
    [deleted, 'deleted'],
  ] as const;
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => `${amount} ${word}`)
    .join(', ');
}

/** Shortens the hash of a commit to its first characters. */
export function shortenCommitHash(commit: string): string {
  return commit.slice(0, 10);
}
