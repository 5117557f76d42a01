import type { LostSecret } from '../../kinds/command-facts.ts';
import type { SecretSink } from './secret-sink.ts';

/** Keeps a secret that is shown once. What is of no use without it is revoked where it could not be kept. */
export async function keepSecret(
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
