// Effect of a command of Hostwright on a resource: on its live record, and on the state's, with the way back from a rebuild.
import { commandSubjects, type ResolvedCommand } from '../model/account/command.ts';
import type { LiveResource } from '../model/account/live.ts';
import { setServiceShownValues } from '../model/state/shown.ts';
import type { ManagedResource, SentCommand } from '../model/state/state.ts';
import type { Attributes, Value } from '../model/value.ts';
import { forgetEntryTexts, recordCatalogEntryIds } from './asked-entries.ts';
import { findCommandFacts } from './find-facts.ts';
import { spellLiveId, type LiveIdTranslator } from './names.ts';
import { isBackupCommand, isRebuildCommand, readMaxBackupAgeMs } from './outcome.ts';
import { readAttributesAsWritten } from './read-attributes.ts';
import { kindRegistry } from './registry.ts';
import { isSameFieldValue, isServiceSpelling } from './spelling.ts';

/**
 * A resource after a command on it; unchanged by a command that it does not show, or that removes it. `ours`: its attributes
 * in the state; absent where the state does not have it.
 */
export function predictResourceAfterCommand(
  live: LiveResource,
  command: ResolvedCommand,
  ours?: Attributes,
): LiveResource {
  if (live.kind !== commandSubjects[command.kind].kind) return live;
  const facts = findCommandFacts(command.kind);
  if (facts.carryOut) return facts.carryOut(live, command, ours);
  return 'name' in command && 'name' in live ? { ...live, name: command.name } : live;
}

/** A record with the ids of catalog entries that a command has set on the resource. */
function renewEntries(
  managed: ManagedResource,
  sets: readonly string[] = [],
  live: LiveResource,
): ManagedResource {
  const now = recordCatalogEntryIds(live);
  const pick = (byField: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(byField).filter(([field]) => sets.includes(field)));
  const ids = pick(now.entryIds);
  if (Object.keys(ids).length === 0) return managed;
  const others = forgetEntryTexts(managed, sets);
  const entryTexts = { ...others.entryTexts, ...pick(now.entryTexts) };
  const hasTexts = Object.keys(entryTexts).length > 0;
  return { ...others, entryIds: { ...managed.entryIds, ...ids }, ...(hasTexts && { entryTexts }) };
}

/** Requested and shown values of a command, in the configuration's terms, without fields that the service does not report. */
function readSet(
  command: ResolvedCommand,
  live: LiveResource,
  names: LiveIdTranslator,
  managed: ManagedResource | undefined,
): readonly { readonly name: string; readonly asked: Value; readonly shown: Value }[] {
  const { sets = [] } = findCommandFacts(command.kind);
  const recorded = managed && forgetEntryTexts(managed, sets);
  const read = readAttributesAsWritten(live, names, recorded);
  const wanted = readAttributesAsWritten(
    predictResourceAfterCommand(live, command, managed?.attributes),
    names,
    recorded,
  );
  return sets.flatMap((name) => {
    const shown = read[name];
    return shown === undefined ? [] : [{ name, shown, asked: wanted[name] ?? null }];
  });
}

const noNames: LiveIdTranslator = {
  catalog: { configurations: [], images: [], tariffs: [] },
  localKey: () => undefined,
};

/** Tells whether a resource shows the effect of a command, some of it in the service's own spelling. */
export function hasRespelledCommandValues(command: ResolvedCommand, live: LiveResource): boolean {
  if (!isChangeOf(command, live)) return false;
  const differing = readSet(command, live, noNames, undefined).filter(
    ({ name, asked, shown }) => !isSameFieldValue(live.kind, name, asked, shown),
  );
  return (
    differing.length > 0 &&
    differing.every(({ name, asked, shown }) => isServiceSpelling(live.kind, name, asked, shown))
  );
}

/**
 * Tells whether a field that a command has set has neither the requested value nor the one `before`. A set proves nothing,
 * for others may have changed another part of it.
 */
export function hasUnexpectedFieldValue(
  command: ResolvedCommand,
  live: LiveResource,
  before: LiveResource,
): boolean {
  if (!isChangeOf(command, live)) return false;
  const had = readAttributesAsWritten(before, noNames, undefined);
  return readSet(command, live, noNames, undefined).some(
    ({ name, shown }) =>
      name in kindRegistry[live.kind].fields &&
      kindRegistry[live.kind].fields[name]?.isSet !== true &&
      had[name] !== undefined &&
      !isSameFieldValue(live.kind, name, had[name], shown),
  );
}

function isChangeOf({ kind }: ResolvedCommand, live: LiveResource): boolean {
  return commandSubjects[kind].effect === 'update' && commandSubjects[kind].kind === live.kind;
}

/**
 * The state's record of a resource after a command that shows on it: fields that the command has not set stay as last
 * applied, so that changes of others are still noticed. `names` gives ids in the configuration's terms.
 */
export function recordResourceAfterCommand(
  managed: ManagedResource,
  command: ResolvedCommand,
  live: LiveResource,
  names: LiveIdTranslator,
): ManagedResource {
  const { kind } = managed;
  const facts = findCommandFacts(command.kind);
  const attributes: Record<string, Value> = { ...managed.attributes };
  const shown: Record<string, Value> = { ...managed.shown };
  for (const one of readSet(command, live, names, managed)) {
    const isSpelled =
      !isSameFieldValue(kind, one.name, one.asked, one.shown) &&
      isServiceSpelling(kind, one.name, one.asked, one.shown, names.catalog);
    attributes[one.name] = isSpelled ? one.asked : one.shown;
    if (isSpelled) shown[one.name] = one.shown;
    else Reflect.deleteProperty(shown, one.name);
  }
  Object.assign(
    attributes,
    facts.remember?.(managed.attributes, command, (of, id) => spellLiveId(names, of, id)),
  );
  return setServiceShownValues({ ...renewEntries(managed, facts.sets, live), attributes }, shown);
}

/**
 * The state's record with the backup before a rebuild, which is kept from the request until the rebuild has come about, and
 * with the way back from that. `id`: the id of the backup, once it was seen.
 */
export function recordRebuildBackup(
  managed: ManagedResource,
  { command, at, serviceAt }: Pick<SentCommand, 'command' | 'at' | 'serviceAt'>,
  id?: string,
): ManagedResource {
  if (!isBackupCommand(command.kind) && !isRebuildCommand(command.kind)) return managed;
  // A backup that is due by age does not serve a rebuild: it may be older than the data that the rebuild will destroy.
  if (readMaxBackupAgeMs(command) !== undefined) return managed;
  const resource = removeRebuildBackupRecord(managed);
  if (isRebuildCommand(command.kind)) return keepWayBack(resource);
  const times = { at, ...(serviceAt !== undefined && { serviceAt }) };
  return { ...resource, rebuildBackup: { ...times, ...(id !== undefined && { id }) } };
}

/** The resource without the backup times of a rebuild, once the rebuild is done or no longer wanted. */
export function removeRebuildBackupRecord(managed: ManagedResource): ManagedResource {
  const resource = { ...managed };
  Reflect.deleteProperty(resource, 'rebuildBackup');
  return resource;
}

/** Picks the attributes that a rebuild of the resource sets. */
export function pickRebuiltAttributes({
  kind,
  attributes,
}: Pick<ManagedResource, 'kind' | 'attributes'>): Attributes {
  const { fields } = kindRegistry[kind];
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => fields[name]?.effect === 'rebuild'),
  );
}

/**
 * Record of a resource, right before a rebuild that sets `after`, with what the rebuild can be rolled back to: the id of its
 * backup, and the present values of the rebuilt fields.
 */
export function recordRebuildRollback(
  managed: ManagedResource,
  after: Attributes,
  backup: string,
): ManagedResource {
  const { kind, entryIds, entryTexts, builtFrom } = managed;
  const wayBack = {
    backup,
    asked: pickRebuiltAttributes(managed),
    target: pickRebuiltAttributes({ kind, attributes: after }),
    ...(entryIds && { entryIds }),
    ...(entryTexts && { entryTexts }),
    ...(builtFrom && { builtFrom }),
  };
  return { ...managed, wayBack };
}

/** Record of a resource whose rebuild has failed, or was not ready in time, with the mark that its backup is to be restored. */
export function markRebuildRollbackNeeded(managed: ManagedResource): ManagedResource {
  const { wayBack } = managed;
  return wayBack ? { ...managed, wayBack: { ...wayBack, hasFailed: true } } : managed;
}

/** Removes the backup to return to from a managed resource. */
export function removeRebuildRollback(managed: ManagedResource): ManagedResource {
  const resource = { ...managed };
  Reflect.deleteProperty(resource, 'wayBack');
  return resource;
}

/** A resource whose rebuild has come about: one with probes may still be taken back. */
function keepWayBack(managed: ManagedResource): ManagedResource {
  const resource = managed.isNotReady ? { ...managed } : removeRebuildRollback(managed);
  Reflect.deleteProperty(resource, 'failedTarget');
  return resource;
}

/** Record of a resource without the rollback data of a rebuild that was never sent, or of which nothing shows. */
export function removeUnusedRebuildRollback(managed: ManagedResource): ManagedResource {
  const { kind, wayBack, attributes } = managed;
  if (!wayBack || wayBack.hasFailed) return managed;
  const isRebuilt = Object.entries(wayBack.target).every(([name, value]) =>
    isSameFieldValue(kind, name, attributes[name], value),
  );
  return isRebuilt ? managed : removeRebuildRollback(managed);
}

/**
 * Record of a resource whose backup was restored after a failed rebuild: its attributes are as before the rebuild, and the values
 * that failed are remembered.
 */
export function recordRebuildRolledBack(
  managed: ManagedResource,
  live: LiveResource,
  names: LiveIdTranslator,
): ManagedResource {
  const { wayBack } = managed;
  if (!wayBack) return managed;
  const { asked, target, entryIds, entryTexts, builtFrom } = wayBack;
  const resource = {
    ...forgetEntryTexts(removeRebuildRollback(managed), Object.keys(asked)),
    attributes: { ...managed.attributes, ...asked },
    ...(entryIds && { entryIds }),
    ...(entryTexts && { entryTexts }),
    ...(builtFrom && { builtFrom }),
    failedTarget: target,
  };
  Reflect.deleteProperty(resource, 'rebuildBackup');
  // A service may restore the disk, and go on to show what the rebuild has set.
  const read = readAttributesAsWritten(live, names, resource);
  const others = Object.entries(
    pickRebuiltAttributes({ kind: managed.kind, attributes: read }),
  ).filter(([name, value]) => !isSameFieldValue(managed.kind, name, value, asked[name]));
  const shown = Object.entries(managed.shown ?? {}).filter(([name]) => !(name in asked));
  return setServiceShownValues(resource, Object.fromEntries([...shown, ...others]));
}

/**
 * Tells whether a rebuild to these values was rolled back, and nothing else is asked for since, so that no plan tries it again by
 * itself.
 */
export function isRolledBackRebuildTarget(
  { kind, failedTarget }: Pick<ManagedResource, 'kind' | 'failedTarget'>,
  wanted: Attributes,
): boolean {
  if (!failedTarget) return false;
  return Object.entries(failedTarget).every(([name, value]) =>
    isSameFieldValue(kind, name, wanted[name] ?? value, value),
  );
}
