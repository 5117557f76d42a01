import type { Finding } from '../../model/diagnostic.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import type { DeferredChangeResolution } from './resolve-change.ts';

/** Result for a task whose change has been resolved. */
export type ResolvedTask =
  | { readonly kind: 'ready'; readonly change: Change; readonly task: Task }
  /** A replacement turned out to be needless, so that nothing is deleted. */
  | { readonly kind: 'needless' }
  /** The resource that the change reads exists, but has no such value. */
  | { readonly kind: 'missing'; readonly reference: string }
  /** The expressions cannot be evaluated, or their values do not fit. */
  | { readonly kind: 'fault'; readonly findings: readonly Finding[] };

/** Tells whether a task runs with the deferred values of its change, or because of them. */
export function needsDeferredValues(change: Change, { phase }: Pick<Task, 'phase'>): boolean {
  // The temporary name of a swap is set in any case; that before a replacement only when there is to be one.
  return phase !== 'prepare' || change.isCreatedFirst === true;
}

/** The task of a deferred change, by the resolution of the change. */
export function resolveDeferredTask(
  change: Change,
  task: Task,
  resolution: DeferredChangeResolution,
): ResolvedTask {
  switch (resolution.kind) {
    case 'known': {
      const { change: resolved, commands } = resolution;
      if (task.phase === 'apply') {
        const own = commands.get('apply') ?? [];
        return { kind: 'ready', change: resolved, task: { ...task, commands: own } };
      }
      if (resolved.action === change.action) return { kind: 'ready', change: resolved, task };
      // The resource that was to be created first was resolved before, and has changed in place by now.
      if (change.isCreatedFirst && task.phase === 'destroy') return { kind: 'needless' };
      // The resource stays, and releases the claims that others wait for.
      const early = commands.get('prepare') ?? [];
      return early.length > 0
        ? { kind: 'ready', change: resolved, task: { ...task, phase: 'prepare', commands: early } }
        : { kind: 'needless' };
    }
    case 'unknown':
      // Destroyed before the values that it reads exist: the replacement was certain.
      return task.phase === 'destroy'
        ? { kind: 'ready', change, task }
        : { kind: 'missing', reference: resolution.reference };
    case 'fault':
      return resolution;
  }
}
