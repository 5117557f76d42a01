import type { SourceRange } from './source.ts';
import type { Value } from './value.ts';

/** Where a value comes from. */
export type OriginKind =
  | 'written' // in the block itself, or in what an expression names
  | 'defaults' // in a block of `defaults`
  | 'default' // nowhere: it is what Hostwright takes where nothing is written
  | 'default-value' // in the `default` of a variable
  | 'given' // from outside: a flag, the environment, or a file with variables
  | 'repeated' // by `count` or `forEach`
  | 'block' // in a whole block, of which an expression reads what it needs
  | 'file' // in a file that a function reads
  | 'service'; // nowhere: the service assigns it

/** Where one value comes from, and what it was made of. */
export interface ValueOrigin {
  /** As the configuration calls it: `image`, `var.size`, `projects.shop.vms.web[0].name`, `file("a.txt")`. */
  readonly name: string;
  readonly kind: OriginKind;
  /** Absent where it is sensitive, or known after apply. */
  readonly value?: Value;
  readonly isSensitive?: true;
  /** How it was given from outside: `--var size`, `HOSTWRIGHT_VAR_size`. */
  readonly givenBy?: string;
  /** Where it is written; absent where it is written in no file. */
  readonly source?: SourceRange;
  /** The text that stands there, where it has expressions. */
  readonly written?: string;
  /** What these expressions read, each once. */
  readonly reads: readonly ValueOrigin[];
}
