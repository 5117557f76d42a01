import { readErrorCode } from '../errors.ts';
import { createSecretMask, type SecretMask } from './mask-texts.ts';

const placeholder = '[token]';
/** Shortest token that is taken out of messages: a shorter one would make them unreadable. */
const shortestToken = 4;
/** Shortest token that is taken out of data: no name is equal to so long a text by accident. */
const shortestInData = 16;

/** Masks by their token, the one used last at the end: making one takes longer than most texts take. */
const masks = new Map<string, SecretMask>();
/** A mask holds a third of a megabyte, and every rehearsal has a token of its own. */
const mostMasks = 8;

function maskFor(token: string): SecretMask {
  const mask = masks.get(token) ?? createSecretMask([token], placeholder);
  masks.delete(token);
  masks.set(token, mask);
  const [oldest] = masks.keys();
  if (masks.size > mostMasks && oldest !== undefined) masks.delete(oldest);
  return mask;
}

/** Takes the access token out of a text, wherever and however the service or the network stack repeated it. */
export function redactTokenInText(text: string, token: string): string {
  return token.length < shortestToken ? text : maskFor(token)(text);
}

/** Takes the access token out of an answer that is worked with, and may be shown, kept or saved. */
export function redactTokenInData(text: string, token: string): string {
  return token.length < shortestInData ? text : maskFor(token)(text);
}

/** Depth at which an error's chain of causes is cut off in messages. */
const deepestCause = 4;

/**
 * A copy of an error that can be kept as a cause: name, message, code and stack, and its own causes, without the token.
 * A copy, because a network stack may hang anything on its errors, the request's headers among it.
 */
export function copyRedactedError(cause: unknown, token: string, depth = 0): Error | undefined {
  if (cause === undefined || cause === null || depth >= deepestCause) return undefined;
  if (!(cause instanceof Error)) return new Error(redactTokenInText(describeThrown(cause), token));
  const inner = copyRedactedError(findInnerCause(cause), token, depth + 1);
  const copy = new Error(redactTokenInText(cause.message, token), inner && { cause: inner });
  copy.name = cause.name;
  copy.stack = redactTokenInText(cause.stack ?? '', token);
  const code = readErrorCode(cause);
  return code === undefined ? copy : Object.assign(copy, { code: redactTokenInText(code, token) });
}

/** The failure behind an error: its cause, or the first error of an `AggregateError`. */
export function findInnerCause(error: Error): unknown {
  const tried: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return error.cause ?? tried[0];
}

function describeThrown(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : `thrown: ${typeof thrown}`;
}
