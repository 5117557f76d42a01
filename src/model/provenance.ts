import type { SourceRange } from './source.ts';
import type { Value } from './value.ts';

/** Kinds of places that a value can come from: a literal, a variable, a default, and so on. */
export type OriginKind =
  | 'written' // in the block itself, or at a name that an expression reads
  | 'defaults' // in a block of `defaults`
  | 'default' // nowhere: the default of Hostwright
  | 'default-value' // in the `default` of a variable
  | 'given' // from outside: a flag, the environment, or a file with variables
  | 'repeated' // by `count` or `forEach`
  | 'block' // in a whole block that an expression reads a part of
  | 'file' // in a file that a function reads
  | 'service'; // nowhere: the service assigns it

/** Place that a value comes from, with the values that it was made of. */
export interface ValueOrigin {
  /** Name in the configuration: `image`, `var.size`, `projects.shop.vms.web[0].name`, `file("a.txt")`. */
  readonly name: string;
  readonly kind: OriginKind;
  /** The value; absent where it is sensitive or known only after an apply. */
  readonly value?: Value;
  readonly isSensitive?: true;
  /** Flag or environment variable that gave the value: `--var size`, `HOSTWRIGHT_VAR_size`. */
  readonly givenBy?: string;
  /** Source position of the value; absent where no file contains it. */
  readonly source?: SourceRange;
  /** Text in the YAML at `source`, given where it has expressions. */
  readonly written?: string;
  /** Origins of the values that these expressions read, each once. */
  readonly reads: readonly ValueOrigin[];
}
