import type { Clock } from '../../../model/runtime.ts';
import { readPatienceMs, retryUntilReached } from '../backend-error.ts';
import { decodeDocument, type StateDocument } from './state-document.ts';
import type { StateServer } from './state-server.ts';

/** The stored document, asked for once; undefined when there is none. Rejects with a BackendError. */
export async function readDocument(
  server: StateServer,
  attemptMs?: number,
): Promise<StateDocument | undefined> {
  const text = await server.get(attemptMs);
  return text === undefined ? undefined : decodeDocument(text, server.endpoint.place);
}

/** The stored document, asked for again while the server cannot be reached. */
export function readPatiently(
  server: StateServer,
  clock: Clock,
): Promise<StateDocument | undefined> {
  return retryUntilReached((attemptMs) => readDocument(server, attemptMs), {
    clock,
    patienceMs: readPatienceMs,
  });
}
