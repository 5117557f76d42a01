// The state of a run of a server, by its worker: this process has no credentials for the database. Loaded for such a run alone.
import type { Runtime } from '../model/runtime.ts';
import type { WorkerConnection } from './worker-line.ts';

/** The answer of the worker to one statement. */
interface StateAnswer {
  readonly id: number;
  readonly rows?: readonly Readonly<Record<string, string | null>>[];
  readonly code?: string;
  readonly message?: string;
}

/** Sends statements to the worker. Each rejects as PostgreSQL would. */
export function sendStateStatements(line: WorkerConnection): NonNullable<Runtime['askState']> {
  const waiting = new Map<number, (answer: StateAnswer) => void>();
  let last = 0;
  line.hear(({ state }: { readonly state?: StateAnswer }) => {
    if (!state) return;
    waiting.get(state.id)?.(state);
    waiting.delete(state.id);
  });
  return async (statement, values) => {
    const id = (last += 1);
    const answer = new Promise<StateAnswer>((resolve) => waiting.set(id, resolve));
    line.say({ state: { id, statement, values } });
    const { rows, code, message } = await line.hold(answer);
    if (rows) return { rows };
    throw Object.assign(new Error(message), code !== undefined && { code });
  };
}
