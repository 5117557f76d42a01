import type { ResourceAddress } from '../../model/address.ts';
import type { Diagnostic, Finding } from '../../model/diagnostic.ts';
import { InternalError } from '../../model/errors.ts';
import type { DeferredChange } from '../../model/plan/deferred-change.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import {
  resolveDeferredChange,
  type DeferredChangeResolution,
} from '../../plan/deferred/resolve-change.ts';
import {
  needsDeferredValues,
  resolveDeferredTask,
  type ResolvedTask,
} from '../../plan/deferred/resolve-task.ts';
import type { RunContext } from '../context/run-context.ts';

/** A task that may run now, or the reason why it does not. */
type ReadyTask =
  | Extract<ResolvedTask, { kind: 'ready' | 'needless' }>
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** A task with the values that the expressions of its change come to by now, once the change has passed the checks. */
export function resolveTaskValues(context: RunContext, change: Change, task: Task): ReadyTask {
  const { address } = change;
  const deferred = context.planned.deferred.get(address);
  if (!deferred || !needsDeferredValues(change, task))
    return check(context, change, { change, task });
  const resolution = context.history.resolved.get(address) ?? resolveNow(context, change, deferred);
  const resolved = resolveDeferredTask(change, task, resolution);
  switch (resolved.kind) {
    case 'missing':
      return { kind: 'failed', diagnostic: describeMissing(address, resolved.reference) };
    case 'fault':
      return { kind: 'failed', diagnostic: describeFaults(address, resolved.findings) };
    case 'ready':
      return check(context, resolution.kind === 'known' ? resolution.change : change, resolved);
    case 'needless':
      return resolved;
  }
}

/** Checks a change as it stands by now, once, before any of its requests goes out. */
function check(
  { history: { checked }, check: find, tell }: RunContext,
  change: Change,
  ready: { readonly change: Change; readonly task: Task },
): ReadyTask {
  const findings = checked.has(change) ? [] : find(change);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    return { kind: 'failed', diagnostic: describeFaults(change.address, errors) };
  if (findings.length > 0) tell(findings);
  checked.add(change);
  return { kind: 'ready', change: ready.change, task: ready.task };
}

/** Resolves the deferred values of a change, once. */
function resolveNow(
  context: RunContext,
  change: Change,
  deferred: DeferredChange,
): DeferredChangeResolution {
  const { address, action } = change;
  const resolution = resolveDeferredChange(change, deferred, {
    addresses: context.planned.readable,
    read: context.readNow,
    claims: context.history.claims,
    catalog: context.planned.live.catalog,
    live: context.planned.liveById,
    isGone: action === 'replace' && !context.store.state.resources.has(address),
    steps: context.steps,
  });
  if (resolution.kind !== 'known') return resolution;
  for (const claim of resolution.claims) context.history.claims.set(claim, address);
  context.history.resolved.set(address, resolution);
  return resolution;
}

function describeMissing(address: ResourceAddress, reference: string): Diagnostic {
  return {
    severity: 'error',
    code: 'still-unknown',
    summary: `\`${reference}\` is still not known`,
    detail: 'What it belongs to is there, and the service has not assigned it.',
    hint: 'Apply again once it is.',
    address,
  };
}

/** Joins all faults of one change into one diagnostic. */
function describeFaults(address: ResourceAddress, findings: readonly Finding[]): Diagnostic {
  const [first, ...others] = findings;
  if (!first) throw new InternalError(`${address} has an error that was not reported`);
  const detail = [first.detail, ...others.map(({ summary }) => `${summary}.`)].join(' ').trim();
  return { ...first, address, ...(detail !== '' && { detail }) };
}
