import type { Address } from '../address.ts';
import type { Diagnostic, Finding } from '../diagnostic.ts';
import type { Effect } from '../effects.ts';
import type { Action } from './plan.ts';
import type { RememberedOutputs } from '../state/state.ts';

/** How one change ended. `unknown`: the connection broke and what became of it could not be seen. */
export type ChangeResult =
  | { readonly kind: 'applied'; readonly id: string | null }
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'skipped'; readonly causedBy: Address }
  /** `isBegun`: some of what it takes was done; the next plan has the rest. */
  | { readonly kind: 'interrupted'; readonly isBegun?: boolean }
  | { readonly kind: 'unknown'; readonly diagnostic: Diagnostic };

/** One change with its end. */
export interface AppliedChange {
  readonly address: Address;
  readonly action: Action;
  readonly result: ChangeResult;
  /** What was done of it, also where the rest failed. */
  readonly done: readonly Effect[];
  /** From its first request to its end. */
  readonly elapsedMs: number;
}

/** What keeps a change waiting although its turn has come: something that it needs is locked. */
export interface Lock {
  /** What is locked; absent where it has no address. */
  readonly resource?: Address;
  /** What locks it; absent where that is not known. */
  readonly by?: LockHolder;
}

/** A change of this run, or an operation of the service that no change of this run began. */
export type LockHolder =
  | { readonly kind: 'change'; readonly address: Address }
  | {
      readonly kind: 'operation';
      readonly id: string;
      readonly type: string;
      /** By the service's clock, in milliseconds since the Unix epoch; null when the record does not say. */
      readonly since: number | null;
    };

/** What happens during an apply, for whoever shows it. */
export type ApplyEvent =
  | {
      readonly kind: 'started';
      readonly address: Address;
      readonly step: ApplyStep;
      readonly id: string | null;
      readonly at: number;
      /** How long it may take at most, in milliseconds. */
      readonly withinMs?: number;
    }
  | {
      /** The service said something of what it does: the status of an operation, a lock that is waited for. */
      readonly kind: 'progress';
      readonly address: Address;
      readonly step: ApplyStep;
      readonly status: string;
      /** Given while a lock is waited for. */
      readonly lock?: Lock;
      readonly at: number;
    }
  | {
      readonly kind: 'completed';
      readonly address: Address;
      readonly step: ApplyStep;
      readonly id: string | null;
      readonly elapsedMs: number;
      readonly at: number;
      /** When the whole apply is expected to end; absent where that cannot be told. */
      readonly endsAt?: number | undefined;
    }
  | {
      readonly kind: 'errored';
      readonly address: Address;
      readonly step: ApplyStep;
      readonly elapsedMs: number;
      readonly diagnostic: Diagnostic;
      readonly at: number;
      readonly endsAt?: number | undefined;
    };

/** What a task does to its resource, in the words of progress lines. */
export type ApplyStep = 'create' | 'update' | 'rebuild' | 'delete' | 'probe';

/** The end of an apply. */
export interface ApplySummary {
  readonly changes: readonly AppliedChange[];
  /** True when the run was asked to stop before everything was done. */
  readonly isInterrupted: boolean;
  /** The outputs that the state has now. */
  readonly outputs?: RememberedOutputs;
  /** What is or may be doubled, and what the checks of the configuration say of the result. */
  readonly findings?: readonly Finding[];
  /** True when it stopped because the state could not be written any more. */
  readonly isUnwritten?: boolean;
}
