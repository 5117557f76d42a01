import { deleteToken } from './access-tokens.ts';
import type { ServiceClient } from '../../api/client.ts';
import type { CreatedToken } from '../../model/account/account.ts';
import type { SecretSink } from './secret-sink.ts';

/** A value that could not be kept. */
export interface LostValue {
  /** Why, as a sentence that does not hold the value. */
  readonly why: string;
  /** False: the token still works, and nobody has its value. */
  readonly isRevoked: boolean;
}

/** Keeps the value of a new token. What cannot be kept is revoked: nobody could ever use it. */
export async function keepOrRevoke(
  client: ServiceClient,
  { token, value }: CreatedToken,
  sink: Pick<SecretSink, 'keep'>,
): Promise<LostValue | undefined> {
  try {
    await sink.keep(value);
    return undefined;
  } catch (error) {
    const isRevoked = await deleteToken(client, token.id).then(
      () => true,
      () => false,
    );
    const why = error instanceof Error ? error.message.replaceAll(value, '[token]') : 'It failed';
    return { why: `${why}.`, isRevoked };
  }
}
