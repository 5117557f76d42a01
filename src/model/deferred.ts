// Values of the configuration that are worked out later: against a plan, or against the resources after an apply.
import type { ResourceAddress } from './address.ts';
import type { KindName } from './kind-places.ts';
import type { SourceRange } from './source.ts';
import type { Attributes, Value } from './value.ts';

/** An expression with all values that its evaluation needs, except for the resources. */
export interface DeferredExpression {
  readonly kind: 'expression';
  /** Source of the expression in CEL; with `isTemplate`, a text with `${…}` in it. */
  readonly text: string;
  readonly isTemplate: boolean;
  readonly source: SourceRange;
  /** Names in the expression, as it writes them: `projects.shop.publicIps.edge.address`. */
  readonly references: readonly string[];
  /** Values of the names other than `projects`, each with its path: `["local", "prefix"]`. */
  readonly names: readonly (readonly [way: readonly (string | number)[], value: DeferredValue])[];
  /** The module whose `projects` are meant, as the start of their addresses: empty, or `modules.shopEu["eu"].`. */
  readonly prefix: string;
}

/** A value that is known, or has expressions whose values are known during an apply. */
export type DeferredValue =
  | {
      readonly kind: 'value';
      readonly value: Value;
      /** Set for a secret: it is shown nowhere, and no file of Hostwright holds it. */
      readonly isSensitive?: true;
    }
  | { readonly kind: 'list'; readonly items: readonly DeferredValue[] }
  | { readonly kind: 'map'; readonly entries: Readonly<Record<string, DeferredValue>> }
  | DeferredExpression;

/** A resource as far as it is known when an expression reads it: as planned, or as it stands. */
export interface KnownResource {
  /** Every attribute of the resource that an expression may read. */
  readonly names: readonly string[];
  readonly values: Attributes;
  /** Names of attributes whose values are known only after an apply. */
  readonly unknown: readonly string[];
}

/** An output of the configuration: a value that is shown after an apply. */
export interface OutputEntry {
  readonly name: string;
  readonly value: DeferredValue;
  readonly description?: string;
  /** Set for an output whose value is shown only when asked for by name, and stored nowhere. */
  readonly sensitive: boolean;
  readonly source: SourceRange;
}

/** Members that policies and checks have in common. */
interface ConditionEntry {
  /** Name of the policy or check with its module: `modules.shopEu["eu"].edgeHasIp`. */
  readonly name: string;
  /** Prefix of the addresses in its module; empty outside of modules. */
  readonly prefix: string;
  readonly assert: DeferredValue;
  readonly message?: DeferredValue;
  readonly severity: 'warn' | 'deny';
  /** Set for a condition that reads a sensitive value: its message is not shown, and it is not kept in a plan file. */
  readonly isSensitive?: boolean;
  readonly source: SourceRange;
}

/**
 * A condition over each planned change of one kind, of its module and the modules within: over `before`, `after`,
 * `action`, `address` and `kind`.
 */
export interface PolicyEntry extends ConditionEntry {
  readonly for: KindName;
  /** Number of people who have to approve a plan in which the condition does not hold; the severity is `warn` then. */
  readonly approvals?: number;
  /** Resources that need not meet it for a while; none when absent. */
  readonly exemptions?: readonly PolicyExemption[];
}

/** Resources that need not meet a policy for a while, as whoever runs the command allows. */
export interface PolicyExemption {
  readonly name: string;
  /** Addresses of the resources, or of what holds them. */
  readonly addresses: readonly ResourceAddress[];
  readonly reason: string;
  /** Last day of the exemption, in UTC: `2027-03-31`. */
  readonly until: string;
}

/** A check of the configuration: a condition on the resources after an apply. */
export type CheckEntry = ConditionEntry;
