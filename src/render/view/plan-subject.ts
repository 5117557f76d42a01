// The subject of a plan (directory, service, commit) and its verdict, in the words that stand above every form of the plan.
import { embeddedSandboxLabel, type PlanIdentity } from '../../model/plan/identity.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { PlanSummary } from './outline.ts';

const shortCommit = 7;

/** Titles of a plan by its mode, without and with a name behind them. */
const titles: Readonly<Record<PlanMode, { alone: string; of: string }>> = {
  apply: { alone: 'Plan', of: 'Plan for' },
  destroy: { alone: 'Plan to destroy', of: 'Plan to destroy' },
  refresh: { alone: 'Refresh-only plan', of: 'Refresh-only plan for' },
};

/**
 * Parts of a plan's title, such as `Plan for infra/shop`, with the service and the commit; without name, service and
 * commit where the plan's identity is unknown.
 */
export interface PlanSubject {
  /** Title of the plan: `Plan for`, or `Plan` where it has no name. */
  readonly title: string;
  readonly name?: string;
  /** Words about the plan's service and commit: `on api.example.com/v1`, `at 1a2b3c4`. */
  readonly places: readonly {
    readonly word: 'on' | 'at';
    readonly text: string;
    /** Set for `embeddedSandboxLabel`: these words are no address, and need no quotes. */
    readonly isWords?: boolean;
  }[];
}

/** Finds the parts of a plan's title. The texts come from outside: the caller escapes them. */
export function findPlanSubject(mode: PlanMode, identity: PlanIdentity | undefined): PlanSubject {
  const { alone, of } = titles[mode];
  if (!identity) return { title: alone, places: [] };
  const { name, account, commit } = identity;
  return {
    title: of,
    name,
    places: [
      ...(account === undefined ? [] : [describeAccount(account)]),
      ...(commit === undefined
        ? []
        : [{ word: 'at', text: commit.slice(0, shortCommit) } as const]),
    ],
  };
}

function describeAccount(account: string): PlanSubject['places'][number] {
  const isWords = account === embeddedSandboxLabel;
  return { word: 'on', text: account.replace(/^https:\/\//, ''), isWords };
}

/** Writes the title of a plan: `Plan for infra/shop on api.example.com/v1 at 1a2b3c4`. */
export function formatPlanTitle({ title, name, places }: PlanSubject): string {
  const words = places.map(({ word, text }) => `${word} ${text}`);
  return [title, ...(name === undefined ? [] : [name]), ...words].join(' ');
}

/** Verdict on a plan in a few words, with its severity. */
export interface PlanVerdict {
  readonly tone: 'error' | 'loss' | 'fine' | 'idle';
  /** Verdict in words: `cannot be applied`, `loses 80 GB and 1 public IP`, `loses nothing`, `no changes`. */
  readonly words: string;
}

/** Decides the verdict on a plan: errors first, then losses. */
export function decidePlanVerdict(outline: PlanSummary): PlanVerdict {
  if (outline.hasErrors) return { tone: 'error', words: 'cannot be applied' };
  if (outline.lost) return { tone: 'loss', words: `loses ${outline.lost.brief}` };
  const { hasChanges, hasDrift, outputs } = outline;
  return hasChanges || hasDrift || outputs.length > 0
    ? { tone: 'fine', words: 'loses nothing' }
    : { tone: 'idle', words: 'no changes' };
}
