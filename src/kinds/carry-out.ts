// What a command of Hostwright makes of a resource: as it will be read, and as the state remembers it.
import { commandSubjects, type ResolvedCommand } from '../model/account/command.ts';
import type { LiveResource } from '../model/account/live.ts';
import { withShown } from '../model/state/shown.ts';
import type { ManagedResource, SentCommand } from '../model/state/state.ts';
import type { Attributes, Value } from '../model/value.ts';
import { rememberEntries } from './asked-entries.ts';
import { findFacts } from './find-facts.ts';
import { spellId, type Names } from './names.ts';
import { isBackup, isRebuild } from './outcome.ts';
import { readAsWritten } from './read-attributes.ts';
import { kinds } from './registry.ts';
import { isSameField, isSpelling } from './spelling.ts';

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

/** What a command has set, as it was asked for and as it shows, in the configuration's terms; nothing of what is untold. */
function readSet(
  command: ResolvedCommand,
  live: LiveResource,
  names: Names,
  managed: ManagedResource | undefined,
): readonly { readonly name: string; readonly asked: Value; readonly shown: Value }[] {
  const read = readAsWritten(live, names, managed);
  const wanted = readAsWritten(carryOut(live, command, managed?.attributes), names, managed);
  return (findFacts(command.kind).sets ?? []).flatMap((name) => {
    const shown = read[name];
    return shown === undefined ? [] : [{ name, shown, asked: wanted[name] ?? null }];
  });
}

const noNames: Names = {
  catalog: { configurations: [], images: [], tariffs: [] },
  localKey: () => undefined,
};

/** True where a resource shows what a command has set, and some of it in the service's own spelling. */
export function hasSpelledOtherwise(command: ResolvedCommand, live: LiveResource): boolean {
  if (!isChangeOf(command, live)) return false;
  const differing = readSet(command, live, noNames, undefined).filter(
    ({ name, asked, shown }) => !isSameField(live.kind, name, asked, shown),
  );
  return (
    differing.length > 0 &&
    differing.every(({ name, asked, shown }) => isSpelling(live.kind, name, asked, shown))
  );
}

/**
 * True where what a command has set is neither what it asked for nor what it was `before`. Of a set that proves nothing, for
 * others may have changed another part of it.
 */
export function hasBecomeAnother(
  command: ResolvedCommand,
  live: LiveResource,
  before: LiveResource,
): boolean {
  if (!isChangeOf(command, live)) return false;
  const had = readAsWritten(before, noNames, undefined);
  return readSet(command, live, noNames, undefined).some(
    ({ name, shown }) =>
      name in kinds[live.kind].fields &&
      kinds[live.kind].fields[name]?.isSet !== true &&
      had[name] !== undefined &&
      !isSameField(live.kind, name, had[name], shown),
  );
}

function isChangeOf({ kind }: ResolvedCommand, live: LiveResource): boolean {
  return commandSubjects[kind].effect === 'update' && commandSubjects[kind].kind === live.kind;
}

/**
 * What the state remembers of a resource after a command on it that shows: what the command has not set stays as it was
 * last applied, so that what others do is still told. `names` gives ids in the configuration's terms.
 */
export function rememberCommand(
  managed: ManagedResource,
  command: ResolvedCommand,
  live: LiveResource,
  names: Names,
): ManagedResource {
  const { kind } = managed;
  const facts = findFacts(command.kind);
  const attributes: Record<string, Value> = { ...managed.attributes };
  const shown: Record<string, Value> = { ...managed.shown };
  for (const one of readSet(command, live, names, managed)) {
    const isSpelled =
      !isSameField(kind, one.name, one.asked, one.shown) &&
      isSpelling(kind, one.name, one.asked, one.shown, names.catalog);
    attributes[one.name] = isSpelled ? one.asked : one.shown;
    if (isSpelled) shown[one.name] = one.shown;
    else Reflect.deleteProperty(shown, one.name);
  }
  Object.assign(
    attributes,
    facts.remember?.(managed.attributes, command, (of, id) => spellId(names, of, id)),
  );
  return withShown({ ...managed, attributes, ...renewEntries(managed, facts.sets, live) }, shown);
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
