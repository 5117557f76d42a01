import type { ResourceAddress } from '../../model/address.ts';
import type { LiveRecordOfKind } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes } from '../../model/value.ts';
import type { LiveIdTranslator } from '../names.ts';

/** A live resource, described as a configuration would have it. */
export interface ExportedLiveResource {
  readonly fields: Attributes;
  /** Remarks about facts that the fields do not show; full sentences. */
  readonly remarks?: readonly string[];
}

/** Export of a kind: how its live resources are written as a configuration. */
export interface KindExport<K extends KindName = KindName> {
  /** Start of a key, or the whole key where nothing else gives one. */
  readonly keyWord: string;
  /** Text of the resource from which its key in the YAML is made. */
  keyFrom(live: LiveRecordOfKind<K>): string;
  /** The reason why no configuration can describe the resource, in full sentences; undefined where one can. */
  whyNot?(live: LiveRecordOfKind<K>, names: LiveIdTranslator): string | undefined;
  /** Text that two resources below one parent cannot share: the second is left out. */
  readonly unique?: {
    textOf(live: LiveRecordOfKind<K>): string;
    /** The reason why the second is left out; `parent` is undefined for a project. */
    why(first: LiveRecordOfKind<K>, parent: ResourceAddress | undefined): string;
  };
  /** Describes a resource under its key; `isNamesake`: an earlier resource below the same parent has its name. */
  describe(
    live: LiveRecordOfKind<K>,
    key: string,
    names: LiveIdTranslator,
    isNamesake: boolean,
  ): ExportedLiveResource;
}
