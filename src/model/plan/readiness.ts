// Probes of a block with a rollout: the answers that make a member ready, first as expressions, then as they are asked.
import type { DeferredValue } from '../deferred.ts';

/** A probe of a rollout as it is configured. */
export type Probe =
  /** Probe that succeeds when a connection to `HOST:PORT` can be opened. */
  | { readonly kind: 'tcp'; readonly address: DeferredValue }
  /** A GET is answered with one of these statuses, and with a body that has the text in it. */
  | {
      readonly kind: 'http';
      readonly url: DeferredValue;
      readonly statuses: readonly number[];
      readonly contains?: DeferredValue;
    }
  /** A program with its arguments exits with 0; it runs in the directory of the configuration, without a shell. */
  | { readonly kind: 'command'; readonly words: readonly DeferredValue[] };

/** Conditions under which a changed resource counts as ready. */
export interface ReadinessConditions {
  /** Probes that must all succeed, one after the other. */
  readonly probes: readonly Probe[];
  /** Probes to use once a failed rebuild was rolled back; set where `probes` read attributes that the rebuild changes. */
  readonly restored?: readonly Probe[];
  /** Milliseconds within which the probes must succeed. */
  readonly withinMs: number;
  /** Milliseconds for which the probes must then keep succeeding. */
  readonly settleMs: number;
}

/** A probe of a rollout with all expressions in it evaluated. */
export type EvaluatedProbe =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly statuses: readonly number[];
      readonly contains?: string;
    }
  | { readonly kind: 'command'; readonly words: readonly string[] };

/** Answer to one attempt of a probe. */
export type ProbeAttemptResult =
  | { readonly kind: 'holds' }
  /** The condition may hold later; `seen` is a short clause for a message, not escaped yet. */
  | { readonly kind: 'failing'; readonly seen: string }
  /** The probe is not allowed, for the reason in the sentence. */
  | { readonly kind: 'refused'; readonly why: string };

/** The resource that is probed, with the time from which it is; milliseconds of the clock of the run. */
export interface ProbedMember {
  readonly address: string;
  readonly since: number;
  /** Set where it is again what it was before a rebuild that was taken back. */
  readonly isRestored?: boolean;
  /** Addresses of the public IPs of the account: on a server, a probe reaches no others by itself. */
  readonly publicIps?: readonly string[] | undefined;
}

/** Asks a probe once. Never throws; an attempt takes at most 10 seconds. */
export type RunProbeOnce = (
  probe: EvaluatedProbe,
  member: ProbedMember,
  signal: AbortSignal,
) => Promise<ProbeAttemptResult>;
