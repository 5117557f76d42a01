import { findCompanionResourceId } from '../../kinds/relations/brought.ts';
import type { CommandContext } from '../../kinds/kind.ts';
import { findCommandFacts } from '../../kinds/find-facts.ts';
import { readIdAfterUnmanagedPrefix, spellUnmanagedId } from '../../kinds/names.ts';
import { readContainerId } from '../../kinds/relations/parent-id.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { makeChildAddress, type ResourceAddress } from '../../model/address.ts';
import type { Command, ResourceRef } from '../../model/account/command.ts';
import type { Catalog, LiveResource } from '../../model/account/live.ts';
import { findContainingKind } from '../../model/kind-places.ts';
import { isRetiring } from '../../model/plan/plan.ts';
import type { TaskPhase } from '../../model/plan/task.ts';
import type { State } from '../../model/state/state.ts';
import { parseKnownAddress } from '../account-index.ts';
import type { ChangeDecision } from './decision.ts';

/** Input for writing the commands of a change, beside the decision about it. */
export interface DecisionCommandInput {
  readonly catalog: Catalog;
  readonly state: Pick<State, 'resources'>;
  /** Addresses that are destroyed before a resource can take their place: whatever is attached to them is detached early. */
  readonly destroyedFirst: ReadonlySet<ResourceAddress>;
}

/** The commands of a decision, by phase. A phase without an entry has nothing to do. */
export function listDecisionCommands(
  decision: ChangeDecision,
  input: DecisionCommandInput,
): ReadonlyMap<TaskPhase, readonly Command[]> {
  const { change, live } = decision;
  const phases = new Map<TaskPhase, readonly Command[]>();
  if (decision.leftPublicIpId !== undefined) {
    phases.set('destroy', destroyLeft(decision, decision.leftPublicIpId, input));
  }
  const isGoingLast =
    change.isCreatedFirst === true && decision.kind.traits.credential !== undefined;
  const isGoing = ['delete', 'replace', 'expire'].includes(change.action);
  if (live && isGoing && !isGoingLast) {
    const commands = isRetiring(change)
      ? retireCommands(decision, live, input)
      : destroyCommands(decision, live, input);
    phases.set('destroy', commands);
  }
  if (live && change.isCreatedFirst && decision.asideName !== undefined) {
    phases.set('prepare', renameAside(updateCommands(decision, live, input), decision.asideName));
  }
  if (change.action === 'create' || change.action === 'replace') {
    const context = contextOf(decision, { idOf: change.address }, undefined, input.catalog);
    phases.set('apply', decision.kind.create(change.after ?? {}, context));
  }
  if (live && (change.action === 'update' || change.action === 'rebuild')) {
    addUpdates(phases, decision, live, input);
  }
  const { dueBackup } = change;
  if (live && dueBackup) {
    const place = { project: { id: live.projectId }, self: { id: live.id } };
    const backup = decision.kind.traits.backUp?.(place, dueBackup.maxAgeMs) ?? [];
    phases.set('apply', [...(phases.get('apply') ?? []), ...backup]);
  }
  // Nothing to change, but an operation is under way: apply waits until it is over.
  if (change.action === 'no-op' && !decision.isSettled) phases.set('apply', []);
  const last = isGoingLast && live ? destroyCommands(decision, live, input) : [];
  const leftover = destroyDeposed(decision, input);
  if (last.length + leftover.length === 0) return phases;
  // Remains of earlier runs are destroyed first, so that they take no room from new resources.
  const phase = change.action === 'delete' ? 'destroy' : 'apply';
  phases.set(phase, [...leftover, ...(phases.get(phase) ?? []), ...last]);
  return phases;
}

/** Destroys former resources of the address that an earlier run did not get to destroy. */
function destroyDeposed(
  { change, kind, deposed = [] }: ChangeDecision,
  { catalog }: DecisionCommandInput,
): Command[] {
  return deposed.flatMap((live) =>
    kind.destroy(contextOf({ change }, { id: live.id }, live, catalog)),
  );
}

/** Deletes the resource that the service created along with one that is gone. */
function destroyLeft(
  decision: ChangeDecision,
  id: string,
  { state, catalog }: DecisionCommandInput,
): readonly Command[] {
  const projectId = state.resources.get(decision.change.address)?.projectId;
  const context = contextOf(decision, { id }, undefined, catalog);
  const project = projectId === undefined ? context.project : { id: projectId };
  return destroyBrought(decision, id, { ...context, project });
}

function destroyBrought(
  { kind }: Pick<ChangeDecision, 'kind'>,
  id: string,
  context: CommandContext,
): readonly Command[] {
  const { brings } = kind.traits;
  return brings ? kindRegistry[brings.kind].destroy({ ...context, self: { id } }) : [];
}

/** Commands that stop a resource and keep it, instead of deleting it. */
function retireCommands(
  { change, kind }: ChangeDecision,
  live: LiveResource,
  { catalog }: DecisionCommandInput,
): readonly Command[] {
  const context = contextOf({ change }, { id: live.id }, live, catalog);
  return kind.traits.retire?.write(live, change.retirement?.name ?? '', context) ?? [];
}

function destroyCommands(
  { change, kind, desired }: ChangeDecision,
  live: LiveResource,
  { catalog, state }: DecisionCommandInput,
): readonly Command[] {
  const context = contextOf({ change }, { id: live.id }, live, catalog);
  const brought = findCompanionResourceId(state.resources.get(change.address), live);
  const own = kind.destroy(context);
  const kept = Object.values(desired?.attributes ?? {});
  if (brought === undefined || kept.includes(spellUnmanagedId(brought))) return own;
  // The service leaves the resource that came along; it was made for this one, so it is destroyed with it.
  return [...own, ...destroyBrought({ kind }, brought, context)];
}

function addUpdates(
  phases: Map<TaskPhase, readonly Command[]>,
  decision: ChangeDecision,
  live: LiveResource,
  input: DecisionCommandInput,
): void {
  const { destroyedFirst } = input;
  const commands = [...restoreCommands(decision, live), ...updateCommands(decision, live, input)];
  const letsGoEarly = decision.heldReferences?.some(
    (address) =>
      destroyedFirst.has(address) &&
      kindRegistry[parseKnownAddress(address).kind].traits.inUse?.isByReferences,
  );
  const isReleasing = ({ kind }: Command) => findCommandFacts(kind).isReleasing === true;
  const early = letsGoEarly ? commands.filter(isReleasing) : [];
  const aside = renameAside(commands, decision.asideName);
  if (early.length + aside.length > 0) phases.set('prepare', [...early, ...aside]);
  phases.set(
    'apply',
    commands.filter((command) => early.length === 0 || !isReleasing(command)),
  );
}

/** Commands that take back a rebuild which failed in an earlier run. */
function restoreCommands({ change, kind }: ChangeDecision, live: LiveResource): readonly Command[] {
  if (change.restoring === undefined) return [];
  const place = { project: { id: live.projectId }, self: { id: live.id } };
  return kind.traits.restore?.(place, change.restoring, change.after ?? {}) ?? [];
}

/** Commands that change a resource in place; its name is set, too, where it has to step aside. */
function updateCommands(
  { change, kind, desired, asideName }: ChangeDecision,
  live: LiveResource,
  { catalog }: DecisionCommandInput,
): readonly Command[] {
  const names = change.fields.map((field) => field.name);
  return kind.update(
    {
      fields: new Set(asideName === undefined ? names : [...names, 'name']),
      before: change.before ?? {},
      after: change.after ?? {},
      isRebuild: change.action === 'rebuild',
      deleteBackups: desired?.deleteBackupsOnRebuild === true,
      backupFirst: desired?.backupBeforeRebuild === true,
    },
    contextOf({ change }, { id: live.id }, change.action === 'replace' ? live : undefined, catalog),
  );
}

/** The rename among the commands, with the temporary name of a swap or a replacement in place of the final one. */
function renameAside(commands: readonly Command[], name: string | undefined): Command[] {
  if (name === undefined) return [];
  return commands.flatMap((command) =>
    command.kind.startsWith('rename') ? [{ ...command, name } as Command] : [],
  );
}

/** The addresses that a resource will refer to, without those that it merely keeps until its next rebuild. */
export function listWantedReferences({
  change,
  kind,
}: Pick<ChangeDecision, 'change' | 'kind'>): ResourceAddress[] {
  if (!change.after) return [];
  const { address, project, after, waiting = {} } = change;
  return kind
    .references({ address, kind: change.kind, project, attributes: after })
    .filter(({ attribute }) => !(attribute in waiting))
    .map((reference) => reference.address);
}

/** `standing` is given for commands about the present resource, whose ids are all known. */
function contextOf(
  { change }: Pick<ChangeDecision, 'change'>,
  self: ResourceRef,
  existing: LiveResource | undefined,
  catalog: Catalog,
): CommandContext {
  const { address, project } = change;
  const projectRef: ResourceRef = existing ? { id: existing.projectId } : { idOf: project };
  const parent = parseKnownAddress(address).parent;
  const parentRef: ResourceRef =
    existing && findContainingKind(existing.kind)
      ? { id: readContainerId(existing) }
      : { idOf: parent ?? project };
  return {
    project: projectRef,
    self,
    parent: parentRef,
    catalog,
    refTo(kind, local) {
      const id = readIdAfterUnmanagedPrefix(local);
      return id === undefined ? { idOf: makeChildAddress(project, kind, local) } : { id };
    },
  };
}
