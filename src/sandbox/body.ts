import { Refusal } from './problems.ts';

const maxBodyBytes = 1024 * 1024;

/** Reads the JSON body of a request; undefined when it has none. Throws the 400, 413 or 415. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|\s*$)/i.test(contentType)) {
    throw new Refusal(415, 'malformed', 'The body must be declared as application/json.');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new Refusal(400, 'malformed', 'The body is not JSON in UTF-8.');
  }
}

/** Never holds more than the cap, whatever the client declares. */
async function readBytes(request: Request): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBodyBytes) {
      throw new Refusal(413, 'malformed', `The body is over ${maxBodyBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
