import type { Finding } from '../../model/diagnostic.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import type { Resolution } from './resolve-change.ts';

/** What a task comes to once its change is resolved. */
export type ResolvedTask =
  | { readonly kind: 'ready'; readonly change: Change; readonly task: Task }
  /** A destruction that nothing asks for any more. */
  | { readonly kind: 'needless' }
  /** What it reads is there, and the value is not. */
  | { readonly kind: 'missing'; readonly reference: string }
  /** Its expressions cannot be evaluated, or what they come to does not fit. */
  | { readonly kind: 'fault'; readonly findings: readonly Finding[] };

/** True for what runs with the deferred values of its change, or because of them. */
export function needsValues(change: Change, { phase }: Pick<Task, 'phase'>): boolean {
  // A swap steps aside whatever comes of it; what makes way for its own replacement only when there is to be one.
  return phase !== 'prepare' || change.isCreatedFirst === true;
}

/** A task of a deferred change with what the change comes to. */
export function resolveTask(change: Change, task: Task, resolution: Resolution): ResolvedTask {
  switch (resolution.kind) {
    case 'known': {
      const { change: resolved, commands } = resolution;
      if (task.phase === 'apply') {
        const own = commands.get('apply') ?? [];
        return { kind: 'ready', change: resolved, task: { ...task, commands: own } };
      }
      if (resolved.action === change.action) return { kind: 'ready', change: resolved, task };
      // What comes first was resolved before, and has changed in place by now.
      if (change.isCreatedFirst && task.phase === 'destroy') return { kind: 'needless' };
      // It stays, and lets go of what others wait for.
      const early = commands.get('prepare') ?? [];
      return early.length > 0
        ? { kind: 'ready', change: resolved, task: { ...task, phase: 'prepare', commands: early } }
        : { kind: 'needless' };
    }
    case 'unknown':
      // Destroyed before what it reads is there: it was to be replaced, and is.
      return task.phase === 'destroy'
        ? { kind: 'ready', change, task }
        : { kind: 'missing', reference: resolution.reference };
    case 'fault':
      return resolution;
  }
}
