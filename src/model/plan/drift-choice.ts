// Drift as a choice: what differs from the last apply, and the three ways on: put back, accept, ignore.
import type { ResourceAddress } from '../address.ts';
import type { KindName } from '../kind-places.ts';
import type { SourceRange } from '../source.ts';
import type { Value } from '../value.ts';
import type { FieldEffect } from './plan.ts';

/** An edit that replaces part of a file's text. */
export interface TextEdit {
  /** Position of the replaced text; an empty range where nothing is replaced. */
  readonly source: SourceRange;
  /** Start of the edit, as an offset in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The way to accept a live value: edits of the configuration, or why a person must make them. */
export type AcceptDriftWay =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | {
      readonly kind: 'by-hand';
      /** Reason why the drift cannot be accepted, in full sentences. */
      readonly why: string;
      /** Line of the configuration to change; absent where there is none. */
      readonly source?: SourceRange;
    };

/** The way to ignore drift: a line for a block of the configuration, or why there is none. */
export type IgnoreDriftWay =
  { readonly line: string; readonly source?: SourceRange } | { readonly why: string };

/** A configured attribute whose live value was changed outside of this program. */
export interface DriftedValue {
  readonly what: 'changed';
  readonly field: string;
  /** The values of the last apply, of the account, and of the configuration; all null where it is sensitive. */
  readonly applied: Value;
  readonly live: Value;
  readonly configured: Value;
  readonly isSensitive: boolean;
  /** Effect on the resource of restoring the configured value. */
  readonly effect: FieldEffect;
}

/** A resource that was deleted outside, or made in an exclusive project. */
export interface DriftedResource {
  readonly what: 'deleted' | 'created';
}

/** Drift as a plan shows it. */
export type DriftSubject = (DriftedValue | DriftedResource) & {
  readonly address: ResourceAddress;
  readonly kind: KindName;
  /** Position of the resource's block; absent where it has none. */
  readonly source?: SourceRange;
  readonly ignore: IgnoreDriftWay;
};

/** Drift with its three ways. The first is the next apply, which puts it back. */
export type DriftChoice = DriftSubject & {
  readonly accept: AcceptDriftWay;
  /** Directory of the configuration, from the working directory; absent where it is that. */
  readonly directory?: string;
};

/** The words that name drift on the command line: `ADDRESS.FIELD`, or the address of a whole resource. */
export function nameDrift(choice: DriftSubject): string {
  return choice.what === 'changed' ? `${choice.address}.${choice.field}` : choice.address;
}
