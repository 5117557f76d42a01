// The difference between a file of workspaces and what a server has.
import type { SourceRange } from '../source.ts';
import type { Value } from '../value.ts';

/** A field of a workspace or a set of variables that changes. `before` is undefined for something new. */
export interface WorkspaceFieldChange {
  readonly name: string;
  readonly before?: Value | undefined;
  readonly after: Value;
}

/** A variable that changes, without its values. */
export interface WorkspaceVariableChange {
  readonly name: string;
  readonly action: 'add' | 'change' | 'remove';
  readonly isSecret: boolean;
}

/** A workspace or a set of variables that is created or changed. Nothing is ever deleted. */
export interface WorkspacesChange {
  readonly kind: 'workspace' | 'variable set';
  readonly name: string;
  readonly action: 'create' | 'update';
  readonly fields: readonly WorkspaceFieldChange[];
  readonly variables: readonly WorkspaceVariableChange[];
  readonly source: SourceRange;
}

/** A plan for the workspaces of a server. */
export interface WorkspacesPlan {
  /** Changes in the order in which they are made. */
  readonly changes: readonly WorkspacesChange[];
  /** Names of what the server has and the file does not: it stays. */
  readonly unlisted: Readonly<Record<WorkspacesChange['kind'], readonly string[]>>;
}

/** The outcome of a plan, and of its apply where there was one. */
export interface WorkspacesResult {
  readonly plan: WorkspacesPlan;
  /** Changes that were made; undefined where none was to be, or somebody said no. */
  readonly made?: readonly WorkspacesChange[];
  readonly isDeclined?: boolean;
}
