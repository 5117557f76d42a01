import type { CallEvent } from '../../api/transport/attempt.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** Shortest trouble that is noted: a shorter retry is not worth a line. */
const patienceMs = 4_000;
/** Silence after a note, however many requests are retried meanwhile. */
const silenceMs = 30_000;

/**
 * Notes requests that are retried for so long that the command would seem to hang, and every wait that the service asks for.
 * To be called with every attempt of a client.
 */
export function createRetryNote(tell: (note: Diagnostic) => void): (event: CallEvent) => void {
  let troubleSince: number | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;
  return (event) => {
    const { method, url, attempt, startedAt, elapsedMs, retryAfterMs, failure, holdMs } = event;
    const endedAt = startedAt + elapsedMs;
    if (holdMs !== null && holdMs >= patienceMs) {
      // Requests that were under way together are refused together, and a hold is reported once.
      const isTold = endedAt < heldUntil;
      heldUntil = Math.max(heldUntil, endedAt + holdMs);
      if (isTold) return;
      toldAt = endedAt;
      tell(describeHold(event, holdMs));
      return;
    }
    if (retryAfterMs === null) {
      if (failure === null) troubleSince = undefined;
      return;
    }
    troubleSince ??= startedAt;
    const isShort = endedAt + retryAfterMs - troubleSince < patienceMs;
    if (isShort || endedAt - toldAt < silenceMs) return;
    toldAt = endedAt;
    tell({
      severity: 'note',
      code: 'service-retried',
      summary: 'Unexpected response of the service: trying again',
      detail: `${method} ${url}: ${failure ?? 'no answer'}. Attempt ${attempt + 1} follows in ${Math.ceil(retryAfterMs / 1_000)} s.`,
    });
  };
}

function describeHold({ method, url, status }: CallEvent, holdMs: number): Diagnostic {
  return {
    severity: 'note',
    code: 'service-hold',
    summary: `The service asked to wait ${Math.ceil(holdMs / 1_000)} s before the next request`,
    detail: `${method} ${url} answered ${status ?? 'nothing'}. Nothing is sent to the service until then.`,
  };
}
