// CEL expressions: text in, a value or a fault out. What a name means is the caller's: it hands in a tree of names.
// Nothing here reads a file, a clock or the environment, and nothing throws: faults are values.
import type { Value } from '../../model/value.ts';

/** Placeholder for a missing value: the service has yet to assign it, or its own expression has a fault. */
export class Unknown {
  /** Name of the missing value, e.g. `projects.shop.publicIps.edge.address`. */
  readonly reference: string;
  /** Tells whether a fault, which was reported at its place, keeps the value from being known. */
  readonly isFault: boolean;
  /** Reason for which the value is missing, in words that follow its name. */
  readonly why: string;

  constructor(reference: string, isFault = false, why = 'which has no value') {
    this.reference = reference;
    this.isFault = isFault;
    this.why = why;
  }
}

/** Value of the account that was not read yet, such as `data` before its query. Until then it counts as a fault. */
export class UnreadValue extends Unknown {
  constructor(reference: string) {
    super(reference, true);
  }
}

/**
 * Value that a change leaves as it is in the account, whatever the configuration says: known once a plan is made, and
 * no fault.
 */
export class UnchangedAccountValue extends Unknown {}

/** Number that is a CEL `double` even where it is whole, such as an amount of money. */
export class CelDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Value of a name in an expression: data, a tree of names, or an unknown. */
export type ScopeValue =
  | Value
  | Unknown
  | CelDouble
  | NameTree
  | readonly ScopeValue[]
  | { readonly [key: string]: ScopeValue };

/** Tells whether a value has no unknown parts, and is no tree of names. */
export function isKnown(value: ScopeValue): value is Value {
  if (value instanceof Unknown || value instanceof CelDouble) return false;
  if (value instanceof NameTree) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((one) => isKnown(one));
}

/** Names below a name, each computed when it is first read: `projects`, `projects.shop`, a VM with its attributes. */
export class NameTree {
  /** Path of this level as an expression writes it; empty at the top. */
  readonly label: string;
  /** Lists the names of this level without computing their values. */
  readonly keys: () => readonly string[];
  /** Value of a name below; undefined when there is no such name. */
  readonly get: (key: string) => ScopeValue | undefined;

  constructor(
    label: string,
    keys: () => readonly string[],
    get: (key: string) => ScopeValue | undefined,
  ) {
    this.label = label;
    this.keys = keys;
    this.get = get;
  }

  /** Makes a tree of names with fixed values. */
  static of(label: string, values: Readonly<Record<string, ScopeValue>>): NameTree {
    return new NameTree(
      label,
      () => Object.keys(values),
      (key) => (Object.hasOwn(values, key) ? values[key] : undefined),
    );
  }
}
