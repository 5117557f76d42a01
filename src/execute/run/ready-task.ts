import type { Address } from '../../model/address.ts';
import type { KnownResource } from '../../model/deferred.ts';
import type { Diagnostic, Finding } from '../../model/diagnostic.ts';
import { InternalError } from '../../model/errors.ts';
import type { DeferredChange } from '../../model/plan/deferred-change.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import { knownNow } from '../../plan/deferred/known-resource.ts';
import { resolveChange, type Resolution } from '../../plan/deferred/resolve-change.ts';
import { needsValues, resolveTask, type ResolvedTask } from '../../plan/deferred/resolve-task.ts';
import type { RunContext } from './run-context.ts';

/** A task that may run now, or why it does not. */
type ReadyTask =
  | Extract<ResolvedTask, { kind: 'ready' | 'needless' }>
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** A task with the values that the expressions of its change come to by now. */
export function readyTask(context: RunContext, change: Change, task: Task): ReadyTask {
  const { address } = change;
  const deferred = context.planned.deferred.get(address);
  if (!deferred || !needsValues(change, task)) return { kind: 'ready', change, task };
  const resolution = context.history.resolved.get(address) ?? resolveNow(context, change, deferred);
  const resolved = resolveTask(change, task, resolution);
  switch (resolved.kind) {
    case 'missing':
      return { kind: 'failed', diagnostic: describeMissing(address, resolved.reference) };
    case 'fault':
      return { kind: 'failed', diagnostic: describeFaults(address, resolved.findings) };
    case 'ready':
    case 'needless':
      return resolved;
  }
}

/** Resolves a change once, and checks it as the plan would have been checked with its values. */
function resolveNow(context: RunContext, change: Change, deferred: DeferredChange): Resolution {
  const { address, action } = change;
  const resolution = resolveChange(change, deferred, {
    addresses: context.planned.readable,
    read: (one) => readNow(context, one),
    claims: context.history.claims,
    catalog: context.planned.live.catalog,
    live: context.planned.liveById,
    isGone: action === 'replace' && !context.store.state.resources.has(address),
    steps: context.steps,
  });
  if (resolution.kind !== 'known') return resolution;
  for (const claim of resolution.claims) context.history.claims.set(claim, address);
  const findings = context.planned.checkResolved(resolution.change);
  if (findings.length > 0) return { kind: 'fault', findings };
  context.history.resolved.set(address, resolution);
  return resolution;
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
  if (!first) throw new InternalError(`${address} has an error that was not reported`);
  const detail = [first.detail, ...others.map(({ summary }) => `${summary}.`)].join(' ').trim();
  return { ...first, address, ...(detail !== '' && { detail }) };
}

/** A resource as it will be after this run, as far as that is known by now. */
function readNow(
  { planned: { changes }, history: { done }, store }: RunContext,
  address: Address,
): KnownResource | undefined {
  const change = changes.get(address);
  const existing = store.state.resources.get(address)?.attributes;
  return change && knownNow(change, done.has(address), existing);
}
