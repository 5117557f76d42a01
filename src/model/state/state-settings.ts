// What a configuration, or HOSTWRIGHT_STATE, says of the state: where it is kept and how. No secret is among it.
import type { SourceRange } from '../source.ts';

/** Where the state is kept. */
export type StatePlace =
  | {
      readonly kind: 'local';
      /** Of its directory, relative to that of the configuration. */
      readonly path?: string;
    }
  | { readonly kind: 'postgres'; readonly schema: string; readonly name: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** What the names of its objects begin with. */
      readonly key: string;
      /** The environment's unless given. */
      readonly region?: string;
      /** That of AWS unless given. */
      readonly endpoint?: string;
      /** True: the bucket is part of the path and not of the host. */
      readonly isPathStyle: boolean;
    }
  | {
      readonly kind: 'http';
      readonly address: string;
      readonly lockAddress?: string;
      readonly unlockAddress?: string;
      readonly lockMethod?: string;
      readonly unlockMethod?: string;
      readonly updateMethod?: string;
    }
  | {
      readonly kind: 'git';
      readonly branch: string;
      /** The name of a remote of the repository; that of the current branch unless given. */
      readonly remote?: string;
      /** A directory of the branch. */
      readonly path?: string;
    };

/** What kind of place there is, by its key in `state`. */
export type StatePlaceKind = StatePlace['kind'];

/** What `state` says. */
export interface StateSettings {
  /** The directory of the configuration unless given. */
  readonly place: StatePlace | undefined;
  /** Where that stands. */
  readonly source: SourceRange | undefined;
  /** Where the key comes from with which the state is encrypted; it is not encrypted unless given. */
  readonly encryption: 'passphrase' | 'command' | undefined;
  /** For how long a run may be silent before its lock is taken over, in milliseconds; undefined when nothing is said. */
  readonly leaseMs: number | undefined;
  /** How many former states are kept, and for how long. */
  readonly history: { readonly versions?: number; readonly ageMs?: number };
}
