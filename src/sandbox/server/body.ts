import type { IncomingMessage } from 'node:http';
import { parseJsonWithLongNumbers } from '../contract/long-numbers.ts';
import { RequestRefusal } from '../contract/problems.ts';

const maxBodyBytes = 1024 * 1024;

/** Most items of a list in a body: the contract asks to compare each with all others, which takes minutes for longer lists. */
const maxItems = 1000;

/** Characters that the data file cannot keep: it ends a text at NUL, and it has no lone surrogates. */
const unstorable = /\0|\p{Surrogate}/u;

/**
 * Parses the bytes of a body whose `Content-Type` is given; undefined for an empty body. Throws the refusal with status
 * 400, 415 or 422.
 */
export function parseJsonBytes(bytes: Uint8Array, contentType: string | null | undefined): unknown {
  if (bytes.length === 0) return undefined;
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|\s*$)/i.test(contentType ?? '')) {
    throw new RequestRefusal(415, 'malformed', 'The body must be declared as application/json.');
  }
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof RequestRefusal) throw error;
    throw notJson();
  }
}

/** Parses the text of a JSON body; undefined where it is empty. Throws the refusal with status 400, 413 or 422. */
export function parseJsonText(text: string): unknown {
  if (Buffer.byteLength(text) > maxBodyBytes) throw tooLarge();
  return text === '' ? undefined : parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return parseJsonWithLongNumbers(text, requireUsable);
  } catch (error) {
    throw error instanceof RequestRefusal ? error : notJson();
  }
}

const notJson = () =>
  new RequestRefusal(400, 'malformed', 'The body is not JSON in UTF-8, or is nested too deeply.');
const brokenOff = () =>
  new RequestRefusal(400, 'malformed', 'The body ended before its declared length.');
const tooLarge = () =>
  new RequestRefusal(413, 'malformed', `The body is over ${maxBodyBytes} bytes.`);

function requireUsable(key: string, value: unknown): unknown {
  if (unstorable.test(key) || (typeof value === 'string' && unstorable.test(value))) {
    throw new RequestRefusal(
      400,
      'malformed',
      'A string in the body contains NUL or a lone surrogate.',
    );
  }
  if (Array.isArray(value) && value.length > maxItems) {
    throw new RequestRefusal(
      422,
      'validation',
      `A list in the body has more than ${maxItems} items.`,
    );
  }
  return value;
}

/**
 * Reads the body of a request, never more than the maximum size, whatever the client declares. Throws the refusal with
 * status 400 or 413.
 */
export async function readBodyBytes(request: Request): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  // An iterator over it takes more time than all else that is done for a small request.
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw brokenOff();
    });
    if (done) return Buffer.concat(chunks);
    length += value.length;
    if (length > maxBodyBytes) {
      // The rest of a body over the limit is dropped without waiting for it, so that the 413 goes out at once.
      reader.cancel().catch(() => undefined);
      throw tooLarge();
    }
    chunks.push(value);
  }
}

/** Reads the body of a request to Node's own server. Throws the refusal with status 413. */
export function readIncomingBodyBytes(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBodyBytes) return void chunks.push(chunk);
      // The rest of a body that is too large is discarded without being waited for.
      incoming.off('data', take).resume();
      reject(tooLarge());
    };
    incoming.on('data', take);
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
    incoming.once('error', () => reject(brokenOff()));
  });
}
