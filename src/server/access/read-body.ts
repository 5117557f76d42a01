import { ApiProblemError } from '../errors/problem.ts';

/**
 * Reads the body of a request, from any sender, up to a size limit.
 * @throws what `tooLarge` makes for a body beyond the limit; ApiProblemError 400 for one that breaks off
 */
export async function readRequestBody(
  request: Request,
  mostBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of survive((request.body ?? []) as AsyncIterable<Uint8Array>)) {
    length += chunk.length;
    if (length > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The parts of a body until its end, or until its sender breaks the connection, which is no failure of this server. */
async function* survive(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new ApiProblemError(400, 'The body broke off');
  }
}
