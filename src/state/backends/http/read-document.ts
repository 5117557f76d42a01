import type { Clock } from '../../../model/runtime.ts';
import { stateReadRetryMs, retryUntilReached } from '../backend-error.ts';
import { decodeStateDocument, type StateDocument } from './state-document.ts';
import type { StateServer } from './state-server.ts';

/** Reads the stored document with a single request; undefined when there is none. Rejects with a BackendError. */
export async function readStateDocument(
  server: StateServer,
  attemptMs?: number,
): Promise<StateDocument | undefined> {
  const text = await server.get(attemptMs);
  return text === undefined ? undefined : decodeStateDocument(text, server.endpoint.place);
}

/** Reads the stored document, and repeats the request while the server cannot be reached. */
export function readStateDocumentWithRetries(
  server: StateServer,
  clock: Clock,
): Promise<StateDocument | undefined> {
  return retryUntilReached((attemptMs) => readStateDocument(server, attemptMs), {
    clock,
    patienceMs: stateReadRetryMs,
  });
}
