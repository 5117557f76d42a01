import type { Catalog } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';

/** Translates ids of live resources into keys of the configuration. */
export interface LiveIdTranslator {
  /** The local key (`web[0]`) that stands for this id in the configuration; undefined when there is none. */
  localKey(kind: KindName, id: string): string | undefined;
  /** Tells whether an id of Hostwright has no key because another resource is about to replace it; absent where none does. */
  isReplaced?(id: string): boolean;
  readonly catalog: Catalog;
}

/** Prefix of a live resource's id where it stands in place of a local key: the configuration does not know the resource. */
const outsidePrefix = 'id:';

/**
 * Spells the id of a live resource as the configuration would refer to it: by its local key, or as `id:…` where the configuration
 * does not know the resource.
 */
export function spellLiveId(names: LiveIdTranslator, kind: KindName, id: string): string {
  return names.localKey(kind, id) ?? spellUnmanagedId(id);
}

/** Spells the id of a resource that the state does not manage. */
export function spellUnmanagedId(id: string): string {
  return `${outsidePrefix}${id}`;
}

/** The id behind a spelling made by `spellLiveId` for a resource that is not ours; undefined for a local key. */
export function readIdAfterUnmanagedPrefix(local: string): string | undefined {
  return local.startsWith(outsidePrefix) ? local.slice(outsidePrefix.length) : undefined;
}
