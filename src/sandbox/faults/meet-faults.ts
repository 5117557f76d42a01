import type { SandboxAnswer } from '../contract/answer.ts';
import type { InjectedRequestFaults } from './fault-desk.ts';

/** Error of `fetch` for a broken connection: the client cannot know if its request was carried out. */
export class ConnectionDroppedError extends TypeError {
  constructor() {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    super('fetch failed', { cause });
    this.name = 'TypeError';
  }
}

/** Timer for faults that delay or hang, with the signal that ends them. */
export interface InjectedFaultTimer {
  /** Resolves after so many ms; rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Aborted when the sandbox is closed: then nothing hangs any longer. */
  readonly closed: AbortSignal;
}

/**
 * Answers a request with its injected faults. `abandoned` gives a signal that is aborted when nobody waits for the
 * answer any more. Throws `ConnectionDroppedError` where a fault cuts the connection.
 */
export async function applyInjectedFaults(
  { delayMs, ending }: InjectedRequestFaults,
  answer: () => Promise<SandboxAnswer>,
  waiting: InjectedFaultTimer,
  abandoned: () => AbortSignal,
): Promise<SandboxAnswer> {
  if (delayMs === 0 && ending === null) return answer();
  const signal = AbortSignal.any([abandoned(), waiting.closed]);
  if (delayMs > 0) await waiting.sleep(delayMs, signal);
  if (ending === null) return answer();
  if (ending.moment === 'after') await answer();
  switch (ending.kind) {
    case 'drop':
      throw new ConnectionDroppedError();
    case 'hang':
      return hang(signal);
    case 'answer': {
      const { status, headers, body } = ending;
      const isBodiless = status === 204 || status === 205 || status === 304;
      return { status, headers, text: isBodiless ? null : body };
    }
  }
}

/** Never answers a request; ends when the client has given up. */
async function hang(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  throw new ConnectionDroppedError();
}
