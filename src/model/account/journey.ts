// The journey: the acceptance test of Hostwright on an account, as data.
import type { Address } from '../address.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { CatalogConfiguration, CatalogTariff, QuotaName } from './live.ts';

/**
 * The verdict on an operation. `works`: it did as the contract says. `otherwise`: `words` say what it did. `not-tried`: `words`
 * say why.
 */
export type JourneyVerdict =
  { readonly kind: 'works' } | { readonly kind: 'otherwise' | 'not-tried'; readonly words: string };

/** A step of a journey, ended. */
export interface JourneyStep {
  /** `Stop the VM`. */
  readonly title: string;
  /** The operation of the contract that it tries. */
  readonly operation: string;
  readonly verdict: JourneyVerdict;
  /** The account afterwards, a short sentence each: `bootStatus: Running -> Stopped`. */
  readonly seen: readonly string[];
  readonly elapsedMs: number;
}

/** The need of one quota, and the amount that is left of it. */
export interface QuotaNeed {
  readonly name: QuotaName;
  readonly needed: number;
  readonly left: number;
}

/** All that a journey orders and needs, told before it begins. */
export interface JourneyOrder {
  readonly service: string;
  /** The name of the project that it makes. */
  readonly project: string;
  readonly configuration: CatalogConfiguration;
  /** Name of the image. */
  readonly image: string;
  readonly tariff: CatalogTariff;
  /** The price of one period, as `--yes` takes it: `0.01 EUR`, or `unknown`. */
  readonly sum: string;
  /** Set where the sandbox made the price up. */
  readonly isPriceAssumed: boolean;
  readonly quotas: readonly QuotaNeed[];
  readonly scopes: readonly string[];
}

/** An operation of the contract with the verdict of a journey. */
export interface TriedOperation {
  readonly operation: string;
  /** True for one that changes nothing. */
  readonly isRead: boolean;
  readonly verdict: JourneyVerdict;
}

/**
 * The end of a journey. `done`: every operation that was tried works. `otherwise`: some don't. `interrupted`: a person ended it
 * early. `left`: something that it made could not be taken away.
 */
export type JourneyOutcome = 'declined' | 'done' | 'otherwise' | 'interrupted' | 'left';

/** A journey, ended. */
export interface JourneyReport {
  readonly outcome: JourneyOutcome;
  readonly order: JourneyOrder;
  readonly steps: readonly JourneyStep[];
  /** Every operation of the contract, in its order. */
  readonly operations: readonly TriedOperation[];
  /** Addresses, in the journey's state, of resources that it could not remove. */
  readonly left: readonly Address[];
  /** Failures of steps. */
  readonly diagnostics: readonly Diagnostic[];
  readonly elapsedMs: number;
}

/** True where all that was tried works, and nothing is left. */
export function isGoodJourney({ outcome }: Pick<JourneyReport, 'outcome'>): boolean {
  return outcome === 'done';
}
