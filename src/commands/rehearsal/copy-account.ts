import { findCommandFacts } from '../../kinds/find-facts.ts';
import { readOperationOutcome } from '../../kinds/operation-types.ts';
import { isResourceBusy, readUnderwayOperation } from '../../kinds/outcome.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { BusyPlannedResource } from '../../model/plan/rehearsal.ts';
import type { SentCommand } from '../../model/state/state.ts';
import type { MirroredOperation } from '../../sandbox/mirror/mirror-context.ts';
import type { MirroredAccount } from '../../sandbox/mirror/mirrored-account.ts';
import type { PlanWithSources } from '../../engine/make-plan.ts';
import type { ExpectedDurations } from './expected-durations.ts';

/** Copy of the account as the plan has read it, with the operations that the service is still carrying out. */
export interface AccountCopy {
  readonly account: MirroredAccount;
  /** Resources that the service is still working on, for which the plan has to wait. */
  readonly held: readonly BusyPlannedResource[];
}

/** An operation that the service is carrying out, with its expected end. */
interface Work extends MirroredOperation {
  readonly isEndKnown: boolean;
  readonly isSinceKnown: boolean;
}

/** Milliseconds that an operation is assumed to take when nothing is known of its duration. */
const unheardOfMs = 60_000;

/**
 * Copies the account, as it was read for a plan, into the data of a sandbox for a rehearsal. `now`: milliseconds since the Unix
 * epoch.
 */
export function copyAccount(
  { plan, live, known, reading }: PlanWithSources,
  durations: ExpectedDurations,
  now: number,
): AccountCopy {
  const since = new Map<string, number>();
  for (const operation of reading.operations) {
    const { resourceId, createdAt } = operation;
    const isOpen = readOperationOutcome(operation) === 'unfinished';
    if (isOpen && resourceId !== null && createdAt !== null) since.set(resourceId, createdAt);
  }
  const work = new Map<string, Work>();
  for (const one of live.resources) {
    if (!isResourceBusy(one)) continue;
    const sent = known.sent?.get(one.id);
    work.set(one.id, expectEnd(one, { sent, since: since.get(one.id), durations, now }));
  }
  return {
    account: { live: reading.live, work: [...work.values()] },
    held: plan.changes.flatMap(({ address, id, action, underway }) => {
      const found = work.get(id ?? '');
      if (!found || (action === 'no-op' && !underway)) return [];
      const { type: operation, endsAt, isEndKnown } = found;
      return [
        { address, operation, endsAt, isEndKnown, since: found.isSinceKnown ? found.since : null },
      ];
    }),
  };
}

/** Expected end of work, by the usual duration of such work; work that is late already is given that long once more. */
function expectEnd(
  becomes: LiveResource,
  {
    sent,
    since: recorded,
    durations,
    now,
  }: {
    readonly sent: SentCommand | undefined;
    readonly since: number | undefined;
    readonly durations: ExpectedDurations;
    readonly now: number;
  },
): Work {
  const [ours] = sent ? (findCommandFacts(sent.command.kind).operationTypes ?? []) : [];
  const type = ours ?? readUnderwayOperation(becomes).operation;
  const usual = durations.usualOf(type);
  const { meanMs, deviationMs } = usual ?? { meanMs: unheardOfMs, deviationMs: 0 };
  const told = recorded ?? sent?.acceptedAt ?? sent?.at;
  const since = Math.min(told ?? now, now);
  const isLate = now - since > meanMs + 2 * deviationMs;
  const leftMs = isLate ? meanMs : Math.max(since + meanMs - now, deviationMs, 1);
  return {
    type,
    since,
    becomes,
    endsAt: Math.ceil(now + leftMs),
    isEndKnown: usual !== undefined && told !== undefined && !isLate,
    isSinceKnown: told !== undefined,
  };
}
