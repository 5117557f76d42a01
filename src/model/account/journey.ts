// The journey: the acceptance test of Hostwright on an account, as data.
import type { ResourceAddress } from '../address.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { CatalogConfiguration, CatalogTariff, QuotaName } from './live.ts';

/**
 * The verdict on an operation. `works`: it did as the contract says. `otherwise`: `words` say what it did. `not-tried`: `words`
 * say why.
 */
export type JourneyVerdict =
  { readonly kind: 'works' } | { readonly kind: 'otherwise' | 'not-tried'; readonly words: string };

/** A finished step of `contract journey`, which tries the contract's operations on a real account. */
export interface JourneyStep {
  /** Title of the step for people, as `Stop the VM`. */
  readonly title: string;
  /** Name of the contract's operation that the step tries. */
  readonly operation: string;
  readonly verdict: JourneyVerdict;
  /** The account afterwards, a short sentence each: `bootStatus: Running -> Stopped`. */
  readonly seen: readonly string[];
  readonly elapsedMs: number;
}

/** Amount of a quota that a journey needs, with what is left of it. */
export interface JourneyQuotaNeed {
  readonly name: QuotaName;
  readonly needed: number;
  readonly left: number;
}

/** Purchases and quotas of a journey, shown before it begins. */
export interface JourneyPurchases {
  readonly service: string;
  /** Name of the project that the journey creates. */
  readonly project: string;
  readonly configuration: CatalogConfiguration;
  /** Name of the image for the journey's VM. */
  readonly image: string;
  readonly tariff: CatalogTariff;
  /** The price of one period, as `--yes` takes it: `0.01 EUR`, or `unknown`. */
  readonly sum: string;
  /** Tells whether the sandbox invented the price. */
  readonly isPriceAssumed: boolean;
  readonly quotas: readonly JourneyQuotaNeed[];
  readonly scopes: readonly string[];
}

/** An operation of the contract with what a journey found out about it. */
export interface JourneyOperationResult {
  readonly operation: string;
  /** Tells whether the operation changes nothing. */
  readonly isRead: boolean;
  readonly verdict: JourneyVerdict;
}

/**
 * The end of a journey. `done`: every operation that was tried works. `otherwise`: some don't. `interrupted`: a person ended it
 * early. `left`: something that it made could not be taken away.
 */
export type JourneyOutcome = 'declined' | 'done' | 'otherwise' | 'interrupted' | 'left';

/** Report of a finished journey through the contract's operations. */
export interface JourneyReport {
  readonly outcome: JourneyOutcome;
  readonly order: JourneyPurchases;
  readonly steps: readonly JourneyStep[];
  /** Every operation of the contract, in the contract's order. */
  readonly operations: readonly JourneyOperationResult[];
  /** Addresses, in the journey's state, of resources that it could not remove. */
  readonly left: readonly ResourceAddress[];
  /** Diagnostics of the steps that failed. */
  readonly diagnostics: readonly Diagnostic[];
  readonly elapsedMs: number;
}

/** Tells whether all tried operations work and nothing is left in the account. */
export function hasJourneySucceeded({ outcome }: Pick<JourneyReport, 'outcome'>): boolean {
  return outcome === 'done';
}
