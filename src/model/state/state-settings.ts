// Settings of the state, from the configuration or HOSTWRIGHT_STATE: its place, lock, history and encryption. No secret
// is among them.
import type { SourceRange } from '../source.ts';

/** Place of the state: a backend with its settings. */
export type StatePlace =
  | {
      readonly kind: 'local';
      /** Path of the state's directory, relative to that of the configuration. */
      readonly path?: string;
    }
  | { readonly kind: 'postgres'; readonly schema: string; readonly name: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** Prefix of the state's objects in the S3 bucket. */
      readonly key: string;
      /** AWS region of the bucket; taken from the environment unless given. */
      readonly region?: string;
      /** Address of the S3 service; Amazon's own unless given. */
      readonly endpoint?: string;
      /** Set where the bucket is part of the path and not of the host name. */
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
      /** Directory within the git branch that holds the state; its root unless given. */
      readonly path?: string;
    };

/** Kind of a backend, by its key in the section `state`. */
export type StatePlaceKind = StatePlace['kind'];

/** Settings of the `state` section. */
export interface StateSettings {
  /** Place of the state; the directory of the configuration unless given. */
  readonly place: StatePlace | undefined;
  /** Position of `place` in the configuration; undefined where it is not given there. */
  readonly source: SourceRange | undefined;
  /** Origin of the encryption key; the state is not encrypted unless given. */
  readonly encryption: 'passphrase' | 'command' | undefined;
  /** For how long a run may be silent before its lock is taken over, in milliseconds; undefined when nothing is said. */
  readonly leaseMs: number | undefined;
  /** Limits on kept versions of the state, by number and by age. */
  readonly history: { readonly versions?: number; readonly ageMs?: number };
}
