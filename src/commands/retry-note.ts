import type { CallEvent } from '../api/call.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** A retry that is over sooner than this is nobody's concern. */
const patienceMs = 4_000;
/** How long it then stays silent, however many requests are tried again meanwhile. */
const silenceMs = 30_000;

/**
 * Tells of requests that have to be tried again for so long that it would look like a hang. To be called with every
 * attempt of a client.
 */
export function createRetryNote(tell: (note: Diagnostic) => void): (event: CallEvent) => void {
  let troubleSince: number | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    const { method, url, attempt, startedAt, elapsedMs, retryAfterMs, failure } = event;
    if (retryAfterMs === null) {
      if (failure === null) troubleSince = undefined;
      return;
    }
    const endedAt = startedAt + elapsedMs;
    troubleSince ??= startedAt;
    const isShort = endedAt + retryAfterMs - troubleSince < patienceMs;
    if (isShort || endedAt - toldAt < silenceMs) return;
    toldAt = endedAt;
    tell({
      severity: 'note',
      code: 'service-retried',
      summary: 'The service does not answer as it should: trying again',
      detail: `${method} ${url}: ${failure ?? 'no answer'}. Attempt ${attempt + 1} follows in ${Math.ceil(retryAfterMs / 1_000)} s.`,
    });
  };
}
