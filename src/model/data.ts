// Queries of `data`: entries of the account that are live and not managed, and of the lists that the service offers.
import type { Finding } from './diagnostic.ts';
import type { KindName } from './kind-places.ts';
import type { SourceRange } from './source.ts';
import type { Attributes } from './value.ts';

/** Kinds of catalog entries that `data` can query. */
export type CatalogDataKind = 'image' | 'configuration' | 'tariff';

export type DataKind = KindName | CatalogDataKind;

/** Rule by which a query selects one of its candidates. */
export type DataSelector =
  /** An attribute that has exactly this value: `id`, or the key of its kind. */
  | { readonly attribute: string; readonly value: string }
  /** Selects the entry whose key matches this regular expression (RE2). */
  | { readonly pattern: string };

/** Query of one entry of `data`: a lookup in the account. */
export interface DataQuery {
  /** As expressions write it, with its module: `modules.shopEu["eu"].data.core`. */
  readonly name: string;
  readonly kind: DataKind;
  /** Name or id of the project; absent for kinds outside of projects. */
  readonly project?: string;
  readonly selector: DataSelector;
  /** Tells whether the newest of the selected entries is meant. */
  readonly isNewest: boolean;
  readonly source: SourceRange;
}

/** An entry of the account that a query may select. */
export interface DataCandidate {
  readonly id: string;
  /** Name of the entry, or the address of a public IP; null where it has none yet. */
  readonly key: string | null;
  /** Milliseconds since the Unix epoch; null where the service does not say. */
  readonly createdAt: number | null;
  /** Every attribute of the entry that an expression may read. */
  readonly values: Attributes;
}

/** Why a query has no result. `field` is the key of the entry that is to blame; the entry as a whole unless given. */
export type DataQueryFault = Omit<Finding, 'severity' | 'address' | 'source'> & {
  readonly field?: string;
};

/** Result of a `data` query: what it has found, or why nothing. */
export type DataQueryOutcome =
  | {
      readonly kind: 'found';
      readonly id: string;
      /** Name of the found entry's project; absent for kinds outside of projects. */
      readonly projectName?: string;
      readonly values: Attributes;
    }
  | { readonly kind: 'fault'; readonly fault: DataQueryFault };

/** A result that the configuration uses; a saved plan is checked against it. */
export interface UsedDataResult {
  readonly query: DataQuery;
  readonly id: string;
  /** Name of the found entry's project; absent for kinds outside of projects. */
  readonly projectName?: string;
  /** The attributes that its expressions have read; others may change without a consequence. */
  readonly values: Attributes;
}
