import type { Address } from '../../model/address.ts';
import type { LiveOf } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes } from '../../model/value.ts';
import type { Names } from '../names.ts';

/** A live resource as a configuration would say it. */
export interface DescribedLive {
  readonly fields: Attributes;
  /** What the fields do not tell; full sentences. */
  readonly remarks?: readonly string[];
}

/** How live resources of a kind are written as a configuration. */
export interface KindExport<K extends KindName = KindName> {
  /** What a key begins with, or is, where nothing else gives one. */
  readonly keyWord: string;
  /** What the key is made of. */
  keyFrom(live: LiveOf<K>): string;
  /** Why no configuration can describe it, in full sentences; undefined where one can. */
  whyNot?(live: LiveOf<K>, names: Names): string | undefined;
  /** What two that stand below one parent cannot share: the second is left out. */
  readonly unique?: {
    textOf(live: LiveOf<K>): string;
    /** Why the second is left out; `parent` is undefined for a project. */
    why(first: LiveOf<K>, parent: Address | undefined): string;
  };
  /** Describes it under its key; `isNamesake`: one before it below the same parent has its name. */
  describe(live: LiveOf<K>, key: string, names: Names, isNamesake: boolean): DescribedLive;
}
