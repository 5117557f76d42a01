// Making an access token. Its value is in the answer and nowhere else, so a token whose answer was lost, or whose value
// could not be kept, is revoked: nobody could ever use it. It is in the state only once its value is kept; until then the
// intent in the journal is all that is known, and the next run takes what it finds for lost.
import { createToken, deleteToken, listTokens } from '../secrets/access-tokens.ts';
import { OutcomeUnknownError } from '../../api/errors/errors.ts';
import type { Caller } from '../../api/wire/reading.ts';
import { recognise } from '../../kinds/recognise.ts';
import type { Address } from '../../model/address.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import { DiagnosticError, InternalError } from '../../model/errors.ts';
import { parseLifetime } from '../../kinds/access-token/lifetime.ts';
import { accountId } from '../../model/account/live.ts';
import type { LiveAccessToken } from '../../kinds/access-token/model.ts';
import type { AccessToken, CreatedToken } from '../../model/account/account.ts';
import type { PendingCreate } from '../../model/state/state.ts';
import { ChangeFailure, neverAppeared } from '../run/failure.ts';
import { managedFrom } from '../run/managed.ts';
import { sendingOf, type Job, type RunContext } from '../run/run-context.ts';
import { keepOrRevoke } from '../secrets/keep-token.ts';
import type { SecretSink } from '../secrets/secret-sink.ts';

/** A create of a token. */
type TokenJob = Job & { readonly command: Extract<ResolvedCommand, { kind: 'createToken' }> };

const attempts = 3;
/** How often, and how far apart, to look for what a lost answer may have made. */
const looks = 5;
const lookEveryMs = 1_000;

/**
 * Makes a token, keeps its value where the configuration says, and only then binds it to its address. The intent stays
 * after an answer was lost, in this run or in one before, until what it made must have shown.
 * @throws ChangeFailure, ApiError
 */
export async function runTokenCreate(context: RunContext, job: TokenJob): Promise<LiveAccessToken> {
  const { store, addresses, claimSink } = context;
  const { change } = job;
  if (!claimSink) throw new InternalError('there is no place for the value of a token');
  const { resources, pending } = store.state;
  const known = {
    managed: resources.get(change.address),
    isOpen: pending.has(change.address) || change.isImported === true,
  };
  const sink = await claimSink(change.after, known).catch((error: unknown) => {
    throw explainNoPlace(error, change.address);
  });
  let made: MadeToken;
  try {
    made = await createOnce(context, job);
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  await keep(context, job, sink, made);
  const live = asLive(made.created.token);
  const before = store.state.resources.get(change.address);
  const deposed = [...new Set([...(before?.deposed ?? []), ...(before ? [before.id] : [])])];
  addresses.set(live.id, change.address);
  await store.record({
    kind: 'settled',
    resource: { ...managedFrom(context, change, live), ...(deposed.length > 0 && { deposed }) },
  });
  if (made.isOnlyOne) await abandon(context, job, 'its value is kept');
  return live;
}

/** Where there is no place for the value, no token is made: its change fails, and all others go on. */
function explainNoPlace(error: unknown, address: Address): unknown {
  const diagnostic = error instanceof DiagnosticError ? error.diagnostics[0] : undefined;
  return diagnostic ? new ChangeFailure({ ...diagnostic, address }, { cause: error }) : error;
}

/** A token with its value. `isOnlyOne`: nothing else can have been made for its address that nobody knows of. */
interface MadeToken {
  readonly created: CreatedToken;
  readonly isOnlyOne: boolean;
}

function abandon({ store }: RunContext, { change }: TokenJob, reason: string): Promise<void> {
  return store.record({ kind: 'abandoned', address: change.address, reason });
}

function asLive(token: AccessToken): LiveAccessToken {
  return { kind: 'accessToken', projectId: accountId, ...token };
}

/** Asks until one answer came whole; what an answer that got lost may have made is revoked first. */
async function createOnce(context: RunContext, job: TokenJob): Promise<MadeToken> {
  const { client, store, clock } = context;
  const { address, configured } = job.change;
  const command = withEnd(job.command, clock.now());
  const { name, scopes } = command;
  const expiresAt = command.expiresAt === null ? null : Date.parse(command.expiresAt);
  const earlier = store.state.pending.get(address);
  const knownIds = await readKnownIds(context, name, earlier);
  const sender: Caller = {
    call: (request) => client.call(request, sendingOf(context, job)),
  };
  let cause: Error | undefined;
  for (let attempt = 0; attempt < attempts && !(cause && store.failure); attempt += 1) {
    const serviceAt = client.serviceTime();
    await store.record({
      ...{ kind: 'intent', address, command, knownIds, configured, at: clock.now() },
      ...(serviceAt !== undefined && { serviceAt }),
    });
    try {
      const created = await createToken(sender, { name, scopes, expiresAt });
      if (cause) await revokeStrays(context, command, [...knownIds, created.token.id], 1);
      return { created, isOnlyOne: !cause && !earlier };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) {
        if (!cause && !earlier) await abandon(context, job, 'refused');
        throw error;
      }
      cause = error;
      await revokeStrays(context, command, knownIds, looks);
    }
  }
  throw neverAppeared(address, cause);
}

/** Tokens of the name that are no strays: those from before, or from before the search that is still open. */
async function readKnownIds(
  { client, store }: RunContext,
  name: string,
  earlier: PendingCreate | undefined,
): Promise<readonly string[]> {
  const named = (await listTokens(client)).filter((one) => one.name === name).map(({ id }) => id);
  if (!earlier) return named;
  const ours = store.state.resources.get(earlier.address);
  const known = new Set([...earlier.knownIds, ...(ours ? [ours.id, ...(ours.deposed ?? [])] : [])]);
  return named.filter((id) => known.has(id));
}

/** A lifetime counts from when the token is asked for. */
function withEnd(command: TokenJob['command'], now: number): TokenJob['command'] {
  const { expiresIn } = command;
  const livesMs = expiresIn === null ? undefined : parseLifetime(expiresIn);
  if (livesMs === undefined) return command;
  return { ...command, expiresAt: new Date(now + livesMs).toISOString() };
}

/** Revokes tokens that were not there before and are as was asked for: their values were lost with an answer. */
async function revokeStrays(
  { client, clock }: RunContext,
  command: TokenJob['command'],
  knownIds: readonly string[],
  atMost: number,
): Promise<void> {
  for (let look = 1; look <= atMost; look += 1) {
    if (atMost > 1) await clock.sleep(lookEveryMs);
    const live = (await listTokens(client)).map(asLive);
    const { ours: strays } = recognise({ command, knownIds }, live, () => false);
    for (const { id } of strays) await deleteToken(client, id);
    if (strays.length > 0) return;
  }
}

/** Keeps the value. A token whose value cannot be kept is revoked; where that fails, the intent remembers it. */
async function keep(
  context: RunContext,
  job: TokenJob,
  sink: SecretSink,
  { created, isOnlyOne }: MadeToken,
): Promise<void> {
  const lost = await keepOrRevoke(context.client, created, sink);
  if (!lost) return;
  if (lost.isRevoked && isOnlyOne) await abandon(context, job, 'its value could not be kept');
  throw new ChangeFailure({
    severity: 'error',
    code: 'token-not-saved',
    summary: `The value of the new token could not be given to ${sink.label}`,
    detail: `${lost.why} ${
      lost.isRevoked
        ? 'The new token was revoked again; one that stood before still works.'
        : 'The new token could not be revoked; the next run does so.'
    }`,
    hint: 'Mend what writeTo names, then apply again.',
    address: job.change.address,
  });
}
