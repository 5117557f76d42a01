import type { LostSecret } from '../../kinds/command-facts.ts';
import type { SecretSink } from './secret-sink.ts';

/**
 * Saves a secret that is shown only once at its destination. Where that fails, the credential itself is revoked, since nobody has
 * its secret. @returns the loss; undefined where the secret was saved
 */
export async function saveSecretOrRevoke(
  sink: Pick<SecretSink, 'keep'>,
  secret: string,
  revoke: () => Promise<unknown>,
): Promise<LostSecret | undefined> {
  try {
    await sink.keep(secret);
    return undefined;
  } catch (error) {
    const isRevoked = await revoke().then(
      () => true,
      () => false,
    );
    const why = error instanceof Error ? error.message.replaceAll(secret, '[token]') : 'It failed';
    return { why: `${why}.`, isRevoked };
  }
}
