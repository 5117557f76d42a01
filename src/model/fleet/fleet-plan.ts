// The difference between a file of workspaces and what a server has.
import type { SourceRange } from '../source.ts';
import type { Value } from '../value.ts';

/** A field that changes. `before` is undefined for something new. */
export interface FleetFieldChange {
  readonly name: string;
  readonly before?: Value | undefined;
  readonly after: Value;
}

/** A variable that changes, without its values. */
export interface FleetVariableChange {
  readonly name: string;
  readonly action: 'add' | 'change' | 'remove';
  readonly isSecret: boolean;
}

/** A workspace or a set of variables that is created or changed. Nothing is ever deleted. */
export interface FleetChange {
  readonly kind: 'workspace' | 'variable set';
  readonly name: string;
  readonly action: 'create' | 'update';
  readonly fields: readonly FleetFieldChange[];
  readonly variables: readonly FleetVariableChange[];
  readonly source: SourceRange;
}

/** A plan for the workspaces of a server. */
export interface FleetPlan {
  /** Changes in the order in which they are made. */
  readonly changes: readonly FleetChange[];
  /** Names of what the server has and the file does not: it stays. */
  readonly unlisted: Readonly<Record<FleetChange['kind'], readonly string[]>>;
}

/** The outcome of a plan, and of its apply where there was one. */
export interface FleetResult {
  readonly plan: FleetPlan;
  /** Changes that were made; undefined where none was to be, or somebody said no. */
  readonly made?: readonly FleetChange[];
  readonly isDeclined?: boolean;
}
