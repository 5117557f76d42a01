// Making an access token. Its value is in the answer and nowhere else, so a token whose answer was lost, or whose value
// could not be kept, is revoked: nobody could ever use it. It is in the state only once its value is kept; until then the
// intent in the journal is all that is known, and the next run takes what it finds for lost.
import { createToken, deleteToken, listTokens } from '../api/access-tokens.ts';
import { OutcomeUnknownError } from '../api/errors.ts';
import type { ResolvedCommand } from '../model/command.ts';
import { InternalError } from '../model/errors.ts';
import { parseLifetime } from '../model/lifetime.ts';
import { accountId, type LiveAccessToken } from '../model/live.ts';
import type { AccessToken, CreatedToken } from '../model/account.ts';
import { ChangeFailure, neverAppeared } from './failure.ts';
import { managedFrom } from './managed.ts';
import type { Job, RunContext } from './run-context.ts';
import type { SecretSink } from './secret-sink.ts';

/** A create of a token. */
type TokenJob = Job & { readonly command: Extract<ResolvedCommand, { kind: 'createToken' }> };

const attempts = 3;
/** How often, and how far apart, to look for what a lost answer may have made. */
const looks = 5;
const lookEveryMs = 1_000;

/**
 * Makes a token, keeps its value where the configuration says, and only then binds it to its address.
 * @throws ChangeFailure, ApiError
 */
export async function runTokenCreate(context: RunContext, job: TokenJob): Promise<LiveAccessToken> {
  const { store, addresses, claimSink } = context;
  const { change } = job;
  if (!claimSink) throw new InternalError('there is no place for the value of a token');
  const sink = await claimSink(change.after?.writeTo);
  let created: CreatedToken;
  try {
    created = await createOnce(context, job);
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  await keep(context, job, sink, created);
  const live = asLive(created.token);
  const before = store.state.resources.get(change.address);
  const deposed = [...new Set([...(before?.deposed ?? []), ...(before ? [before.id] : [])])];
  addresses.set(live.id, change.address);
  await store.record({
    kind: 'settled',
    resource: { ...managedFrom(context, change, live), ...(deposed.length > 0 && { deposed }) },
  });
  return live;
}

function asLive(token: AccessToken): LiveAccessToken {
  return { kind: 'accessToken', projectId: accountId, ...token };
}

/** Asks until one answer came whole; what an answer that got lost may have made is revoked first. */
async function createOnce(context: RunContext, job: TokenJob): Promise<CreatedToken> {
  const { client, store, clock } = context;
  const { address, configured } = job.change;
  const { name } = job.command;
  const knownIds = (await listTokens(client))
    .filter((one) => one.name === name)
    .map(({ id }) => id);
  let cause: Error | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const command = withEnd(job.command, clock.now());
    const intent = { kind: 'intent', address, command, knownIds, configured } as const;
    await store.record({ ...intent, at: clock.now() });
    try {
      const expiresAt = command.expiresAt === null ? null : Date.parse(command.expiresAt);
      const created = await createToken(client, { name, scopes: command.scopes, expiresAt });
      if (cause) await revokeStrays(context, name, [...knownIds, created.token.id], 1);
      return created;
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) {
        await store.record({ kind: 'abandoned', address, reason: 'refused' });
        throw error;
      }
      cause = error;
      await revokeStrays(context, name, knownIds, looks);
    }
  }
  throw neverAppeared(address, cause);
}

/** A lifetime counts from when the token is asked for. */
function withEnd(command: TokenJob['command'], now: number): TokenJob['command'] {
  const { expiresIn } = command;
  const livesMs = expiresIn === null ? undefined : parseLifetime(expiresIn);
  if (livesMs === undefined) return command;
  return { ...command, expiresAt: new Date(now + livesMs).toISOString() };
}

/** Revokes tokens of a name that were not there before: their values were lost with an answer. */
async function revokeStrays(
  { client, clock }: RunContext,
  name: string,
  knownIds: readonly string[],
  atMost: number,
): Promise<void> {
  for (let look = 1; look <= atMost; look += 1) {
    if (atMost > 1) await clock.sleep(lookEveryMs);
    const strays = (await listTokens(client)).filter(
      (one) => one.name === name && !knownIds.includes(one.id),
    );
    for (const { id } of strays) await deleteToken(client, id);
    if (strays.length > 0) return;
  }
}

/** Keeps the value. A token whose value cannot be kept is revoked; where that fails, the intent remembers it. */
async function keep(
  { client, store }: RunContext,
  { change: { address } }: TokenJob,
  sink: SecretSink,
  { token, value }: CreatedToken,
): Promise<void> {
  try {
    await sink.keep(value);
  } catch (error) {
    const isRevoked = await deleteToken(client, token.id).then(
      () => true,
      () => false,
    );
    if (isRevoked) {
      await store.record({ kind: 'abandoned', address, reason: 'its value could not be kept' });
    }
    const why = error instanceof Error ? error.message.replaceAll(value, '[token]') : 'it failed';
    throw new ChangeFailure({
      severity: 'error',
      code: 'token-not-saved',
      summary: `The value of the new token could not be given to ${sink.label}`,
      detail: `${why}. ${
        isRevoked
          ? 'The new token was revoked again; one that stood before still works.'
          : 'The new token could not be revoked; the next run does so.'
      }`,
      hint: 'Mend what writeTo names, then apply again.',
      address,
    });
  }
}
