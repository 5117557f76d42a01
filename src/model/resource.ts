import type { Address } from './address.ts';
import type { SourceRange } from './source.ts';
import type { Attributes } from './value.ts';

/** The kinds of resources, in the order in which one may need another. */
export const kindNames = ['project', 'sshKey', 'network', 'publicIp', 'vm', 'portForward'] as const;
export type KindName = (typeof kindNames)[number];

/** How long one change of a resource may take, in milliseconds. */
export interface Timeouts {
  readonly createMs: number;
  readonly updateMs: number;
  readonly deleteMs: number;
}

/** One resource as the configuration wants it, `count` already expanded. */
export interface DesiredResource {
  readonly address: Address;
  readonly kind: KindName;
  /** The address of its project; its own when it is a project. */
  readonly project: Address;
  /**
   * What the configuration says, in its own terms: references as local keys (`web[0]`), catalog entries as written.
   * A field that nobody configured and that has no default is absent: it is left alone.
   */
  readonly attributes: Attributes;
  /** What to do with the backups on a rebuild; false unless configured. */
  readonly deleteBackupsOnRebuild?: boolean;
  readonly timeouts: Timeouts;
  /** Where the resource stands. */
  readonly source: SourceRange;
  /** Where each configured attribute stands, for findings. */
  readonly attributeSources: Readonly<Record<string, SourceRange>>;
}

/** Everything the configuration wants. Addresses are unique; references point at resources that are present. */
export interface DesiredGraph {
  readonly resources: readonly DesiredResource[];
}

/** A graph that wants nothing: what `destroy` plans against. */
export const emptyGraph: DesiredGraph = { resources: [] };
