import type { ResourceAddress } from '../address.ts';
import type { Diagnostic, Finding } from '../diagnostic.ts';
import type { ChangeEffect } from '../effects.ts';
import type { Action } from './plan.ts';
import type { RememberedOutputs } from '../state/state.ts';

/** End of one change. `unknown`: the connection broke, and the account did not show whether it was carried out. */
export type ChangeResult =
  | { readonly kind: 'applied'; readonly id: string | null }
  /** `restoredFrom`: the id of the backup that has taken its rebuild back. */
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic; readonly restoredFrom?: string }
  | { readonly kind: 'skipped'; readonly causedBy: ResourceAddress }
  /** `isBegun`: some of its commands were carried out; the next plan has the rest. */
  | { readonly kind: 'interrupted'; readonly isBegun?: boolean }
  | { readonly kind: 'unknown'; readonly diagnostic: Diagnostic };

/** Tells whether a rebuild has failed, and its resource was restored from the backup that was made before it. */
export function isRestoredAfterFailedRebuild(result: ChangeResult): boolean {
  return result.kind === 'failed' && result.restoredFrom !== undefined;
}

/** A change of the plan with its result. */
export interface AppliedChange {
  readonly address: ResourceAddress;
  readonly action: Action;
  readonly result: ChangeResult;
  /** Effects that came about, also where the rest of the change failed. */
  readonly done: readonly ChangeEffect[];
  /** Milliseconds from the change's first request to its end. */
  readonly elapsedMs: number;
}

/** A lock that keeps a change waiting although its turn has come. */
export interface ChangeLock {
  /** Address of the locked resource; absent where it is unmanaged. */
  readonly resource?: ResourceAddress;
  /** The run that holds the lock; absent where it is unknown. */
  readonly by?: ChangeLockHolder;
}

/** A change of this run, or an operation of the service that no change of this run began. */
export type ChangeLockHolder =
  | { readonly kind: 'change'; readonly address: ResourceAddress }
  | {
      readonly kind: 'operation';
      readonly id: string;
      readonly type: string;
      /** Begin, by the service's clock, in milliseconds since the Unix epoch; null when the record does not say. */
      readonly since: number | null;
    };

/** Events of an apply, for displays and logs. */
export type ApplyEvent =
  | {
      readonly kind: 'started';
      readonly address: ResourceAddress;
      readonly step: ApplyStep;
      readonly id: string | null;
      readonly at: number;
      /** Milliseconds that the step may take at most. */
      readonly withinMs?: number;
    }
  | {
      /** Progress of a step: the status of its operation, or a lock that is waited for. */
      readonly kind: 'progress';
      readonly address: ResourceAddress;
      readonly step: ApplyStep;
      readonly status: string;
      /** The lock that is waited for; absent for other progress. */
      readonly lock?: ChangeLock;
      readonly at: number;
    }
  | {
      readonly kind: 'completed';
      readonly address: ResourceAddress;
      readonly step: ApplyStep;
      readonly id: string | null;
      readonly elapsedMs: number;
      readonly at: number;
      /** When the whole apply is expected to end; absent where that cannot be told. */
      readonly endsAt?: number | undefined;
    }
  | {
      readonly kind: 'errored';
      readonly address: ResourceAddress;
      readonly step: ApplyStep;
      readonly elapsedMs: number;
      readonly diagnostic: Diagnostic;
      /** Id of the backup by which a failed rebuild was undone. */
      readonly restoredFrom?: string;
      readonly at: number;
      readonly endsAt?: number | undefined;
    };

/** Effects of tasks on their resources, in the words of progress lines. */
export const applySteps = [
  'create',
  'update',
  'rebuild',
  'restore',
  'retire',
  'backup',
  'delete',
  'probe',
  'wait',
] as const;
export type ApplyStep = (typeof applySteps)[number];

/** Results of a finished apply. */
export interface ApplySummary {
  readonly changes: readonly AppliedChange[];
  /** Tells whether the run was asked to stop before everything was done. */
  readonly isInterrupted: boolean;
  /** Outputs that the state has after the apply. */
  readonly outputs?: RememberedOutputs;
  /** Findings after the apply: resources that are or may be doubled, and checks of the configuration that fail. */
  readonly findings?: readonly Finding[];
  /** Tells whether the run stopped because the state could not be written any more. */
  readonly isUnwritten?: boolean;
}
