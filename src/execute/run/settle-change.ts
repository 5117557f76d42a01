import { listAttributes } from '../../kinds/attribute-names.ts';
import { listLateFields } from '../../kinds/late-fields.ts';
import type { Address } from '../../model/address.ts';
import type { KnownResource } from '../../model/deferred.ts';
import type { Diagnostic, Finding } from '../../model/diagnostic.ts';
import { InternalError } from '../../model/errors.ts';
import type { LateOutcome } from '../../model/plan/late.ts';
import type { Change, Task } from '../../model/plan/plan.ts';
import type { RunContext } from './run-context.ts';

/** A change with the values that its expressions came to. */
export type Late = Extract<LateOutcome, { kind: 'known' }>;

/** What a task comes to. */
type Settled =
  | { readonly kind: 'ready'; readonly change: Change; readonly task: Task }
  /** A destruction that nothing asks for any more. */
  | { readonly kind: 'needless' }
  /** Its expressions cannot be evaluated, or what they come to does not fit. */
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** A task with the values that the expressions of its change come to by now. */
export function settleChange(context: RunContext, change: Change, task: Task): Settled {
  // A swap steps aside whatever comes of it; what makes way for its own replacement only when there is to be one.
  const isAside = task.phase === 'prepare' && change.isCreatedFirst !== true;
  if (isAside || listLateFields(change).length === 0) return { kind: 'ready', change, task };
  const { address } = change;
  const isGone = change.action === 'replace' && !context.store.state.resources.has(address);
  const outcome =
    context.settled.get(address) ?? context.settle(address, (one) => readNow(context, one), isGone);
  switch (outcome.kind) {
    case 'known': {
      context.settled.set(address, outcome);
      const { change: late, commands } = outcome;
      if (task.phase === 'apply') {
        const own = commands.get('apply') ?? [];
        return { kind: 'ready', change: late, task: { ...task, commands: own } };
      }
      if (late.action === change.action) return { kind: 'ready', change: late, task };
      // What comes first was worked out before, and has changed in place by now.
      if (change.isCreatedFirst && task.phase === 'destroy') return { kind: 'needless' };
      // It stays, and lets go of what others wait for.
      const early = commands.get('prepare') ?? [];
      return early.length > 0
        ? { kind: 'ready', change: late, task: { ...task, phase: 'prepare', commands: early } }
        : { kind: 'needless' };
    }
    case 'unknown':
      // Destroyed before what it reads is there: it was to be replaced, and is.
      return task.phase === 'destroy'
        ? { kind: 'ready', change, task }
        : { kind: 'failed', diagnostic: describeMissing(address, outcome.reference) };
    case 'fault':
      return { kind: 'failed', diagnostic: describeFaults(address, outcome.findings) };
  }
}

function describeMissing(address: Address, reference: string): Diagnostic {
  return {
    severity: 'error',
    code: 'still-unknown',
    summary: `\`${reference}\` is still not known`,
    detail: 'What it belongs to is there, and the service has not assigned it.',
    hint: 'Apply again once it is.',
    address,
  };
}

/** One diagnostic for all that is wrong with a change. */
function describeFaults(address: Address, findings: readonly Finding[]): Diagnostic {
  const [first, ...others] = findings;
  if (!first) throw new InternalError(`${address} has a fault that nobody told`);
  const detail = [first.detail, ...others.map(({ summary }) => `${summary}.`)].join(' ').trim();
  return { ...first, address, ...(detail !== '' && { detail }) };
}

/** A resource as it will be after this run, as far as that is known by now. */
function readNow(context: RunContext, address: Address): KnownResource | undefined {
  const { changes, done, store } = context;
  const change = changes.get(address);
  if (!change?.after) return undefined;
  const isDone = done.has(address) || change.action === 'no-op';
  return {
    names: listAttributes(change.kind),
    values: { ...(isDone && store.state.resources.get(address)?.attributes), ...change.after },
    unknown: done.has(address) ? [] : change.unknown,
  };
}
