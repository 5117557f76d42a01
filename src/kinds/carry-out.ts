// What a command of Hostwright makes of a resource: as it will be read, and as the state remembers it.
import { commandSubjects, type ResolvedCommand } from '../model/account/command.ts';
import type { LiveResource } from '../model/account/live.ts';
import type { ManagedResource, SentCommand } from '../model/state/state.ts';
import type { Attributes } from '../model/value.ts';
import { rememberEntries } from './asked-entries.ts';
import { findFacts } from './find-facts.ts';
import { rememberName } from './kept-name.ts';
import { spellId, type Names } from './names.ts';
import { isBackup, isRebuild } from './outcome.ts';

/**
 * A resource after a command on it; as it is after one that it does not show, or that removes it. `ours`: its attributes as
 * the state has them; absent where the state does not have it.
 */
export function carryOut(
  live: LiveResource,
  command: ResolvedCommand,
  ours?: Attributes,
): LiveResource {
  if (live.kind !== commandSubjects[command.kind].kind) return live;
  const facts = findFacts(command.kind);
  if (facts.carryOut) return facts.carryOut(live, command, ours);
  return 'name' in command && 'name' in live ? { ...live, name: command.name } : live;
}

/** The ids of the entries that a command has set. */
function renewEntries(
  { entryIds }: ManagedResource,
  sets: readonly string[] = [],
  live: LiveResource,
): Pick<ManagedResource, 'entryIds'> {
  const ids = Object.entries(rememberEntries(live).entryIds ?? {});
  const set = ids.filter(([field]) => sets.includes(field));
  return set.length === 0 ? {} : { entryIds: { ...entryIds, ...Object.fromEntries(set) } };
}

/**
 * What the state remembers of a resource after a command on it that shows: what the command has not set stays as it was
 * last applied, so that what others do is still told. `read` is the resource as it is now, in the configuration's terms.
 */
export function rememberCommand(
  managed: ManagedResource,
  command: ResolvedCommand,
  live: LiveResource,
  { read, names }: { readonly read: Attributes; readonly names: Names },
): ManagedResource {
  const facts = findFacts(command.kind);
  const set = (facts.sets ?? []).filter((name) => name in read);
  const attributes = {
    ...managed.attributes,
    ...Object.fromEntries(set.map((name) => [name, read[name] ?? null])),
    ...facts.remember?.(managed.attributes, command, (kind, id) => spellId(names, kind, id)),
  };
  const resource = { ...managed, attributes, ...renewEntries(managed, facts.sets, live) };
  return 'name' in command ? rememberName(resource, live, command.name) : resource;
}

/**
 * The same for the backup before a rebuild: the state knows of it from when it was asked for until the rebuild has come
 * about. `id`: its own, once it was seen.
 */
export function rememberBackup(
  managed: ManagedResource,
  { command, at, serviceAt }: Pick<SentCommand, 'command' | 'at' | 'serviceAt'>,
  id?: string,
): ManagedResource {
  if (!isBackup(command.kind) && !isRebuild(command.kind)) return managed;
  const resource = withoutRebuildBackup(managed);
  if (isRebuild(command.kind)) return resource;
  const times = { at, ...(serviceAt !== undefined && { serviceAt }) };
  return { ...resource, rebuildBackup: { ...times, ...(id !== undefined && { id }) } };
}

/** A resource whose rebuild has come about, or is wanted no more. */
export function withoutRebuildBackup(managed: ManagedResource): ManagedResource {
  const resource = { ...managed };
  Reflect.deleteProperty(resource, 'rebuildBackup');
  return resource;
}
