import type { ShownOnce } from '../command-facts.ts';
import { parseLifetime } from '../../model/text/lifetime.ts';
import { decodeCreatedToken, decodeLiveToken } from './wire.ts';

/** The procedure of a token's create: only its answer has the token's value. */
export const tokenShownOnce: ShownOnce<'accessToken', 'createToken'> = {
  kind: 'shown-once',
  sendAt(command, now) {
    const { expiresIn } = command;
    const livesMs = expiresIn === null ? undefined : parseLifetime(expiresIn);
    if (livesMs === undefined) return command;
    return { ...command, expiresAt: new Date(now + livesMs).toISOString() };
  },
  decode(wire) {
    return { live: decodeLiveToken(wire), secret: decodeCreatedToken(wire).value };
  },
  describeLost: ({ why, isRevoked }, sink) => ({
    severity: 'error',
    code: 'token-not-saved',
    summary: `The value of the new token could not be passed to ${sink}`,
    detail: `${why} ${
      isRevoked
        ? 'The new token was revoked again; one from before still works.'
        : 'The new token could not be revoked; the next run does so.'
    }`,
    hint: 'Fix the target of writeTo, then apply again.',
  }),
};
