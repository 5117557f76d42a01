import { commandSubjects, type ResolvedCommand } from '../model/command.ts';
import { findCreated, hasComeTrue, isBusy } from '../kinds/outcome.ts';
import { statusOf, type LiveResource } from '../model/live.ts';
import type { Change } from '../model/plan.ts';
import { deposeResource } from '../model/state.ts';
import { awaitCommand } from './await-command.ts';
import { ambiguousCreate, neverAppeared, placeTaken } from './failure.ts';
import { managedFrom } from './managed.ts';
import { likenessOf, placeOf, type Job, type RunContext } from './run-context.ts';
import { sendCommand } from './send-command.ts';

/** How long an accepted create may take to show in the list. */
const appearanceMs = 120_000;
/** How long to look for a create whose answer was lost before it is sent again. */
const lostAnswerMs = 15_000;
const attempts = 3;

/**
 * Carries out one create: the intent on disk, the request, the new resource found by listing, bound to its address at
 * once, and awaited until the service is done with it.
 * @throws ChangeFailure, ApiError
 */
export async function runCreate(context: RunContext, job: Job): Promise<LiveResource> {
  const { found, takenAt } = await takeTurn(context, job.command, () => findOrCreate(context, job));
  const { store, clock, addresses, durations } = context;
  await depose(context, job.change, found);
  addresses.set(found.id, job.change.address);
  await store.record({ kind: 'bound', resource: managedFrom(context, job.change, found) });
  if (!isBusy(found) && hasComeTrue(job.command, found) && statusOf(found) !== 'failed') {
    durations.note(job.command.kind, clock.now() - takenAt);
    return found;
  }
  return (await awaitCommand(context, job, found.id, takenAt)) ?? found;
}

/** Before the address goes to the new resource, the old one is written down under another, so that no kill loses it. */
async function depose(
  { store, addresses }: RunContext,
  { address, id }: Change,
  found: LiveResource,
): Promise<void> {
  const before = store.state.resources.get(address);
  if (id === null || before?.id !== id || found.id === id || !addresses.has(id)) return;
  const resource = deposeResource(before);
  addresses.set(id, resource.address);
  await store.record({ kind: 'bound', resource });
}

/** True for a create whose address could be mistaken for that of another. */
function bringsAddress(command: ResolvedCommand): boolean {
  return (
    command.kind === 'createPublicIp' || (command.kind === 'createVm' && command.publicIp === 'new')
  );
}

/** Creates that could be mistaken for one another wait until the one before is known by its id. */
function takeTurn<T>(
  { turns }: RunContext,
  command: ResolvedCommand,
  work: () => Promise<T>,
): Promise<T> {
  if (!bringsAddress(command)) return work();
  return turns.take(`addresses of ${placeOf(command).projectId}`, work);
}

/** A create that was carried out, and when the service took it. */
interface Created {
  readonly found: LiveResource;
  readonly takenAt: number;
}

async function findOrCreate(context: RunContext, job: Job): Promise<Created> {
  const { change, command } = job;
  const { store, clock } = context;
  const knownIds = await readKnownIds(context, command);
  let cause: Error | undefined;
  // A state that cannot be written any more takes no further intent, and a change whose time is over sends no more.
  const isOver = () => store.failure !== undefined || clock.now() >= job.deadline;
  for (let attempt = 0; attempt < attempts && !(cause && isOver()); attempt += 1) {
    const { address, configured } = change;
    await store.record({
      kind: 'intent',
      address,
      command,
      knownIds,
      configured,
      at: clock.now(),
    });
    let sent;
    try {
      sent = await sendCommand(context, job, () => findRivals(context, command, knownIds));
    } catch (error) {
      // Refused for good: there is nothing to look for later.
      await store.record({ kind: 'abandoned', address, reason: String(error) });
      throw error;
    }
    if (sent.kind === 'accepted') {
      await store.record({
        kind: 'accepted',
        address,
        commandName: command.kind,
        at: sent.at,
      });
      const takenAt = sent.at;
      // After one that got lost there may be two of them: only the list shows that.
      if (!cause && sent.resource && isNamed(command, sent.resource)) {
        return { found: sent.resource, takenAt };
      }
      const found = await awaitAppearance(context, job, knownIds, appearanceMs);
      if (found) return { found, takenAt };
      throw neverAppeared(address);
    }
    if (sent.kind === 'taken' && !cause) {
      await store.record({ kind: 'abandoned', address, reason: String(sent.cause) });
      throw placeTaken(address, sent);
    }
    // Refused because of what an attempt of ours made whose answer was lost: it is found like that one.
    cause = sent.cause;
    const takenAt = clock.now();
    const found = await awaitAppearance(context, job, knownIds, lostAnswerMs);
    if (found) return { found, takenAt };
  }
  throw neverAppeared(change.address, cause);
}

/** What has come since the plan was made and stands where the create would: of its name, or on its port. */
async function findRivals(
  { client, addresses }: RunContext,
  command: ResolvedCommand,
  knownIds: readonly string[],
): Promise<readonly LiveResource[]> {
  if (!('name' in command) && command.kind !== 'createPortForward') return [];
  const listed = await client.list(commandSubjects[command.kind].kind, placeOf(command));
  return findCreated(command, listed, (id) => knownIds.includes(id) || addresses.has(id));
}

/** An answered resource counts only when it is of the kind that was asked for. */
function isNamed(command: ResolvedCommand, resource: LiveResource): boolean {
  return resource.kind === commandSubjects[command.kind].kind && resource.id !== '';
}

/** For how long a list of addresses that was read in the turn before still tells what is new. */
const freshMs = 500;

/** Ids that could be mistaken for the new one. What has no name is listed afresh, since only newness tells it. */
async function readKnownIds(
  { client, clock, liveByLikeness, addressLists }: RunContext,
  command: ResolvedCommand,
): Promise<readonly string[]> {
  const place = placeOf(command);
  const { kind } = commandSubjects[command.kind];
  const name = 'name' in command ? command.name : undefined;
  if (kind === 'publicIp') {
    const last = addressLists.get(place.projectId);
    if (last && clock.now() - last.at <= freshMs) return last.ids;
    return (await client.list(kind, place)).map(({ id }) => id);
  }
  // A VM brings an address that the last list does not show.
  if (bringsAddress(command)) addressLists.delete(place.projectId);
  return (liveByLikeness.get(likenessOf(kind, place.projectId, name)) ?? []).map(({ id }) => id);
}

/** Looks for what a create made; undefined when nothing has shown up in time. */
async function awaitAppearance(
  context: RunContext,
  { change, command, deadline, taskMs }: Job,
  knownIds: readonly string[],
  withinMs: number,
): Promise<LiveResource | undefined> {
  const { observer, addresses, addressLists, clock, durations } = context;
  const { kind } = commandSubjects[command.kind];
  const place = placeOf(command);
  const known = new Set(knownIds);
  const seen = await observer.await<readonly LiveResource[]>({
    kind,
    place,
    needsOperations: false,
    // Others wait for their turn until an address is known; all else may be found while its end is waited for.
    ...(!bringsAddress(command) && { pace: () => durations.appearanceOf(command.kind, taskMs) }),
    deadline: Math.min(deadline, clock.now() + withinMs),
    judge({ resources, at }) {
      const found = findCreated(command, resources, (id) => known.has(id) || addresses.has(id));
      if (kind === 'publicIp') {
        addressLists.set(place.projectId, { ids: resources.map(({ id }) => id), at });
      }
      return found.length > 0 ? found : undefined;
    },
    expire: () => [],
  });
  if (seen.length > 1) {
    throw ambiguousCreate(
      change.address,
      seen.map((one) => one.id),
    );
  }
  return seen[0];
}
