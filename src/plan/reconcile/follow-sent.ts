// Projects the commands whose end no earlier run has seen: the account as it will be after them, and the state as they leave
// it. The plan then shows none of them as a change of its own, or as one made outside Hostwright.
import {
  predictResourceAfterCommand,
  removeUnusedRebuildRollback,
  markRebuildRollbackNeeded,
  hasRespelledCommandValues,
  recordRebuildBackup,
  recordResourceAfterCommand,
  recordRebuildRolledBack,
} from '../../kinds/carry-out.ts';
import { fillUntoldAttributes } from '../../kinds/fill-untold.ts';
import {
  hasCommandTakenEffect,
  isBackupCommand,
  isResourceBusy,
  isRebuildCommand,
  isRestoreCommand,
  mayHaveTakenEffect,
} from '../../kinds/outcome.ts';
import { nameCommandWork } from '../../kinds/words/describe-underway.ts';
import type { UnderwayCommand } from '../../model/plan/underway.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { commandSubjects } from '../../model/account/command.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import type { Change } from '../../model/plan/plan.ts';
import type {
  ManagedResource,
  SentCommand,
  SentCommandOutcome,
  State,
} from '../../model/state/state.ts';
import type { AccountIndex } from '../account-index.ts';

/** Age from which a time of day alone may be mistaken for today's. */
const longAgoMs = 12 * 3_600_000;

/** Account and state as they will be once the commands that earlier runs sent have come to their end. */
export interface FollowedSentCommands {
  readonly live: LiveSnapshot;
  /** The state with the effects of our commands; its `sent` has only those that are not over yet. */
  readonly state: State;
  /** Operations that the service is still working on, by the id of the live resource. */
  readonly underway: ReadonlyMap<string, UnderwayCommand>;
  /** Ids of resources that deletes of earlier runs have removed. */
  readonly removed: ReadonlySet<string>;
  /** Notes on commands that had no effect, so that they are planned again. */
  readonly findings: readonly Finding[];
}

/**
 * Applies the effects of commands that earlier runs sent to the snapshot of the account and to the state, so that a plan starts
 * from the result of work that is under way. `sentOutcomes`: by live id, see `classifySentCommands`; `now`: time of the plan, in
 * milliseconds since the Unix epoch.
 */
export function followSentCommands(
  given: State,
  live: LiveSnapshot,
  {
    sentOutcomes,
    now,
  }: { readonly sentOutcomes: ReadonlyMap<string, SentCommandOutcome>; readonly now: number },
): FollowedSentCommands {
  const { sent, ...state } = given;
  if (!sent) {
    const resources = dropUnusedWaysBack(given.resources, new Map());
    const known = resources === given.resources ? given : { ...given, resources };
    return { live, state: known, underway: new Map(), removed: new Set(), findings: [] };
  }
  const byId = new Map([...live.projects, ...live.resources].map((one) => [one.id, one]));
  const managed = new Map([...given.resources.values()].map((one) => [one.id, one]));
  const names = {
    catalog: live.catalog,
    localKey: (_kind: string, id: string) =>
      parseResourceAddress(managed.get(id)?.address ?? '')?.local,
  };
  const open = new Map<string, SentCommand>();
  const removed = new Set<string>();
  const findings: Finding[] = [];
  const resources = new Map(given.resources);
  for (const [id, one] of sent) {
    const { command } = one;
    const resource = byId.get(id);
    const ours = managed.get(id);
    const { effect } = commandSubjects[command.kind];
    if (sentOutcomes.get(id) === 'failed' && effect !== 'create')
      findings.push(describeFailed(one));
    const outcome = sentOutcomes.get(id);
    if (!resource) {
      if (effect === 'delete') removed.add(id);
    } else if (outcome === 'underway') {
      open.set(id, one);
      byId.set(id, project(resource, one, ours));
    } else if (ours && isRebuildCommand(command.kind) && outcome === 'failed') {
      resources.set(ours.address, markRebuildRollbackNeeded(ours));
    } else if (ours && isRestoreCommand(command.kind) && outcome === 'done') {
      resources.set(ours.address, recordRebuildRolledBack(ours, resource, names));
    } else if (ours && effect === 'update' && hasEnded(one, resource, outcome)) {
      // Attributes that the service does not report are taken from the command.
      const shown = fillUntoldAttributes(
        resource,
        predictResourceAfterCommand(resource, command, ours.attributes),
      );
      const remembered = recordResourceAfterCommand(ours, command, shown, names);
      resources.set(ours.address, recordRebuildBackup(remembered, one));
    } else if (ours && isBackupCommand(command.kind) && outcome !== 'failed') {
      // The backup may have been made: only the list of backups shows whether it was.
      resources.set(ours.address, recordRebuildBackup(ours, one));
    }
  }
  const known = withoutRemoved(dropUnusedWaysBack(resources, open), removed, byId);
  // Lists may still show a deleted resource; it is reported until it is gone.
  const left = new Set([...known.values()].map(({ id }) => id).filter((id) => removed.has(id)));
  const kept = [...sent].filter(([id]) => open.has(id) || left.has(id));
  return {
    live: { ...live, resources: live.resources.map((one) => byId.get(one.id) ?? one) },
    state: {
      ...state,
      resources: known,
      ...(kept.length > 0 && { sent: new Map(kept) }),
    },
    underway: new Map([...open].map(([id, one]) => [id, describe(one, now)])),
    removed,
    findings,
  };
}

/** The resources without ways back from rebuilds that did nothing, and are not under way. */
function dropUnusedWaysBack(
  resources: State['resources'],
  open: ReadonlyMap<string, SentCommand>,
): State['resources'] {
  const unused = [...resources.values()]
    .filter(({ id, wayBack }) => wayBack && !open.has(id))
    .map((one) => [one, removeUnusedRebuildRollback(one)] as const)
    .filter(([one, left]) => one !== left);
  if (unused.length === 0) return resources;
  return new Map([...resources, ...unused.map(([{ address }, left]) => [address, left] as const)]);
}

function describeFailed({ address, command }: SentCommand): Finding {
  return {
    severity: 'warning',
    code: 'earlier-run-failed',
    summary: `The ${nameCommandWork(command.kind)} that an earlier run sent has failed`,
    detail: 'This plan starts from what the account holds now.',
    address,
  };
}

function describe({ command, at, acceptedAt }: SentCommand, now: number): UnderwayCommand {
  const since = acceptedAt ?? at;
  const isLongAgo = now - since > longAgoMs;
  return { command: command.kind, since, ...(isLongAgo && { isLongAgo }) };
}

/** Tells whether a command has ended: its result shows, or is unreported and its record has ended well. */
function hasEnded(
  { command }: SentCommand,
  live: LiveResource,
  outcome: SentCommandOutcome | undefined,
): boolean {
  if (outcome === 'done' && mayHaveTakenEffect(command, live)) return true;
  return hasCommandTakenEffect(command, live) || hasRespelledCommandValues(command, live);
}

/** A resource as it will be, and busy until it is: a list may lag. */
function project(
  live: LiveResource,
  { command }: SentCommand,
  ours: ManagedResource | undefined,
): LiveResource {
  const projected = predictResourceAfterCommand(live, command, ours?.attributes);
  if (isResourceBusy(projected) || !('status' in projected)) return projected;
  const isDelete = commandSubjects[command.kind].effect === 'delete';
  return { ...projected, status: isDelete ? 'deleting' : 'updating' };
}

/** Resources that we have deleted are no longer ours, except where something of them is left. */
function withoutRemoved(
  resources: ReadonlyMap<string, ManagedResource>,
  removed: ReadonlySet<string>,
  live: ReadonlyMap<string, LiveResource>,
): State['resources'] {
  const isLeft = ({ allocatedPublicIpId = '', deposed = [] }: ManagedResource) =>
    [allocatedPublicIpId, ...deposed].some((id) => live.has(id));
  const kept = [...resources].filter(([, one]) => !removed.has(one.id) || isLeft(one));
  return new Map(kept);
}

/** Tells whether a resource of the state was removed by somebody else. */
export function isRemovedByOthers(
  address: ResourceAddress,
  { index, removed }: Pick<FollowedSentCommands, 'removed'> & { readonly index: AccountIndex },
): boolean {
  const managed = index.managed.get(address);
  return managed !== undefined && !removed.has(managed.id);
}

/** Operation of an earlier run that is under way on a resource. */
export function findUnderwayOperation(
  id: string | undefined,
  { underway }: Pick<FollowedSentCommands, 'underway'>,
): Pick<Change, 'underway'> {
  const found = underway.get(id ?? '');
  return found ? { underway: found } : {};
}
