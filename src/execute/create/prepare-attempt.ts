import {
  isPossibleCreateResult,
  isNamedCreate,
  isNamelessCreate,
  listLookalikeResources,
  recogniseCreatedResources,
  type CreateAttempt,
} from '../../kinds/recognise/recognise.ts';
import { findCompanionKind } from '../../kinds/relations/brought.ts';
import { isDeleteOperation } from '../../kinds/operation-types.ts';
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { getLiveName, type LiveResource } from '../../model/account/live.ts';
import type { ServiceError } from '../../api/errors/errors.ts';
import {
  makePossibleRenameFailure,
  makeClaimTakenFailure,
  type ChangeFailure,
} from '../context/failure.ts';
import { createLikenessKey } from '../context/likeness.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';

/**
 * Lists the resources that exist right before a create is sent for the first time, by a list that all creates of the moment
 * share.
 * @throws ChangeFailure when a resource of its name has appeared since the plan; ApiError when the place cannot be listed
 */
export async function prepareCreateAttempt(
  context: RunContext,
  job: ChangeCommandJob,
): Promise<CreateAttempt> {
  const { collectionLooks } = context;
  const { command, change } = job;
  const { kind } = commandSubjects[command.kind];
  const place = placeOfCommand(command);
  const { resources, serviceAt } = await collectionLooks.read(kind, place);
  const rivals = findNewcomers(context, command, resources);
  if (rivals.length > 0) {
    // Another run that took the lock may have created resources meanwhile, so the lock is checked.
    await context.store.requireLock();
    throw explainTakenResourceName(context, change.address, { rivals });
  }
  const isAllKnown = serviceAt === undefined;
  const listed = listKnown(command, resources, isAllKnown);
  const seen = [...listed, ...listPlanned(context, command)];
  // Resources of another kind that the create brings along are missing in the last list of that kind.
  const brought = findCompanionKind(command);
  if (brought) collectionLooks.forget(brought, place);
  return { command, knownIds: [...new Set(seen.map(({ id }) => id))], isAllKnown, serviceAt };
}

/**
 * The attempt right before it goes out: what any list has shown by now was there, and so was what operation records have
 * named, though no list shows it.
 */
export function addSeenResources(
  { client, addresses, collectionLooks, history: { bound }, planned: { liveById } }: RunContext,
  attempt: CreateAttempt,
): CreateAttempt {
  const { command, isAllKnown, knownIds } = attempt;
  const shown = collectionLooks.shown(commandSubjects[command.kind].kind, placeOfCommand(command));
  const mistakable = listKnown(command, shown, isAllKnown).map(({ id }) => id);
  const unlisted = client.recordedIds.findUnknown(
    // A deleted resource cannot be mistaken for the result of a create.
    (id, type) =>
      isDeleteOperation({ type }) || liveById.has(id) || addresses.has(id) || bound.has(id),
  );
  return { ...attempt, knownIds: [...new Set([...knownIds, ...mistakable, ...unlisted])] };
}

/** Filters a list to the resources that a create could be mistaken by; all of them where the service tells no time. */
function listKnown(
  command: ResolvedCommand,
  listed: readonly LiveResource[],
  isAllKnown = false,
): readonly LiveResource[] {
  return isAllKnown
    ? listed.filter((live) => isPossibleCreateResult(command, live))
    : listLookalikeResources(command, listed);
}

/** Something stands where a create would: somebody else's, or what an earlier create of the address has made late. */
export function explainTakenResourceName(
  { store, addresses }: RunContext,
  address: ResourceAddress,
  taken: { readonly rivals: readonly LiveResource[]; readonly cause?: ServiceError },
): ChangeFailure {
  const { rivals } = taken;
  const isPerhapsOurs = (store.state.possibleDoubles ?? [])
    .filter((double) => double.address === address)
    .some(
      (double) =>
        recogniseCreatedResources(double, rivals, (id) => addresses.has(id)).ours.length > 0,
    );
  return isPerhapsOurs
    ? makePossibleRenameFailure(address, rivals)
    : makeClaimTakenFailure(address, taken);
}

/** Finds resources that have come since the plan and have the name that a command asks for, or the port of a create. @throws ApiError */
export async function findRivalClaimants(
  context: RunContext,
  command: ResolvedCommand,
): Promise<readonly LiveResource[]> {
  const { kind } = commandSubjects[command.kind];
  const place = placeOfCommand(command);
  const listed = await context.client.list(kind, place, { needsWhole: context.isNew });
  context.collectionLooks.note(kind, place, listed);
  return findNewcomers(context, command, listed);
}

/** Tells whether this run has taken the name or port that a command asks for from what had it: that may be free late. */
export function canClaimBecomeFree(
  { planned: { liveById }, history: { carriedOut } }: RunContext,
  command: ResolvedCommand,
): boolean {
  const { kind } = commandSubjects[command.kind];
  const hadIt = (live: LiveResource) =>
    live.kind === kind && (!isNamedCreate(command) || getLiveName(live) === command.name);
  const letsGo = (done: ResolvedCommand) =>
    commandSubjects[done.kind].effect === 'delete' ||
    !isNamedCreate(command) ||
    isNamedCreate(done);
  return [...carriedOut].some(([id, done]) => {
    const live = liveById.get(id);
    return live !== undefined && hadIt(live) && done.some(letsGo);
  });
}

function findNewcomers(
  { addresses, history: { bound }, planned: { liveById } }: RunContext,
  command: ResolvedCommand,
  resources: readonly LiveResource[],
): readonly LiveResource[] {
  if (isNamelessCreate(command)) return [];
  const isKnown = (id: string) => addresses.has(id) || bound.has(id) || liveById.has(id);
  const { ours, rivals } = recogniseCreatedResources({ command, knownIds: [] }, resources, isKnown);
  // A name that only folds to the same, as in another case of its letters, leaves the name free.
  const isExact = (live: LiveResource) =>
    !('name' in command) || ('name' in live && live.name === command.name);
  return [...ours, ...rivals].filter(isExact);
}

/** Look-alikes that the plan found: a list that lags may show them no more, or not yet. */
function listPlanned(
  { planned: { liveByLikeness } }: RunContext,
  command: ResolvedCommand,
): readonly LiveResource[] {
  const name = 'name' in command ? command.name : undefined;
  const { kind } = commandSubjects[command.kind];
  const planned =
    liveByLikeness.get(createLikenessKey(kind, placeOfCommand(command).projectId, name)) ?? [];
  return listLookalikeResources(command, planned);
}
