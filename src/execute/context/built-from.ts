import { kindRegistry } from '../../kinds/registry.ts';
import { getLiveName, type LiveResource } from '../../model/account/live.ts';
import type { ResourceBuildSource, ManagedResource } from '../../model/state/state.ts';
import { readAttributeText } from '../../model/value.ts';
import type { RunContext } from './run-context.ts';

/**
 * The catalog entries and keys that a live resource was built from, as far as they are known; of entries that are gone by
 * now, the record of before.
 */
export function findBuildSources(
  context: RunContext,
  live: LiveResource,
  had: ManagedResource | undefined,
): Pick<ManagedResource, 'builtFrom'> {
  const { builtFrom } = kindRegistry[live.kind].traits;
  if (!builtFrom) return {};
  const ids = builtFrom.idsOf(live);
  if (!ids) return had?.builtFrom ? { builtFrom: had.builtFrom } : {};
  const before = new Map(had?.builtFrom?.map((part) => [part.id, part]));
  return {
    builtFrom: [...new Set(ids)].map((id) => describePart(context, id) ?? before.get(id) ?? { id }),
  };
}

/** A part that is there, or that this run made; nothing of it that is secret. */
function describePart(
  { addresses, store, planned: { liveById } }: RunContext,
  id: string,
): ResourceBuildSource | undefined {
  const address = addresses.get(id);
  const managed = address === undefined ? undefined : store.state.resources.get(address);
  const live = liveById.get(id);
  if (!managed && !live) return undefined;
  const { attributes = {}, sensitive = [] } = managed ?? {};
  const fingerprint = live && 'fingerprint' in live ? live.fingerprint : attributes.fingerprint;
  const name = (live && getLiveName(live)) ?? readAttributeText(attributes, 'name');
  const isShown = (field: string) => !sensitive.includes(field);
  return {
    id,
    ...(isShown('name') && name !== '' && { name }),
    ...(isShown('publicKey') && typeof fingerprint === 'string' && { fingerprint }),
  };
}
