import { Refusal } from './problems.ts';

const maxBodyBytes = 1024 * 1024;

/** To compare every item with every other, as the contract asks, would take minutes for a list as long as a body holds. */
const maxItems = 1000;

/** What the data file cannot keep as it is: it ends a text at NUL, and it has no lone surrogates. */
const unstorable = /\0|\p{Surrogate}/u;

/** Reads the JSON body of a request; undefined when it has none. Throws the 400, 413, 415 or 422. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|\s*$)/i.test(contentType)) {
    throw new Refusal(415, 'malformed', 'The body must be declared as application/json.');
  }
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw notJson();
  }
}

/** The same for a body that is in memory and declared as JSON. Throws the 400, 413 or 422. */
export function parseJsonBody(text: string): unknown {
  if (Buffer.byteLength(text) > maxBodyBytes) throw tooLarge();
  return text === '' ? undefined : parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, requireUsable) as unknown;
  } catch (error) {
    throw error instanceof Refusal ? error : notJson();
  }
}

const notJson = () =>
  new Refusal(400, 'malformed', 'The body is not JSON in UTF-8, or is nested too deeply.');
const tooLarge = () => new Refusal(413, 'malformed', `The body is over ${maxBodyBytes} bytes.`);

function requireUsable(key: string, value: unknown): unknown {
  if (unstorable.test(key) || (typeof value === 'string' && unstorable.test(value))) {
    throw new Refusal(400, 'malformed', 'A string in the body contains NUL or a lone surrogate.');
  }
  if (Array.isArray(value) && value.length > maxItems) {
    throw new Refusal(422, 'validation', `A list in the body has more than ${maxItems} items.`);
  }
  return value;
}

/** Never holds more than the cap, whatever the client declares. Throws the 400 or the 413. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  // An iterator over it takes more time than all else that is done for a small request.
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refusal(400, 'malformed', 'The body ended before its declared length.');
    });
    if (done) return Buffer.concat(chunks);
    length += value.length;
    if (length > maxBodyBytes) {
      // What is left of it is not waited for.
      reader.cancel().catch(() => undefined);
      throw tooLarge();
    }
    chunks.push(value);
  }
}
