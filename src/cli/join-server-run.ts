import { Socket } from 'node:net';
import type { OtherWorkspaceProject } from '../model/account/owned-project.ts';
import type { ReservedQuota } from '../model/account/reserved-quota.ts';
import type { Clock, ServerRunAttempt, Runtime } from '../model/runtime.ts';
import { LeasedRequestBudget } from './lease-requests.ts';
import { WorkerConnection, type WorkerPipe } from './worker-line.ts';

/** Number of the file descriptor by which the server's worker and this process talk. */
const descriptor = 3;

/** Opens the pipe that the server's worker has given this process. */
export function openWorkerPipe(): WorkerPipe {
  return new Socket({ fd: descriptor, readable: true, writable: true });
}

/** Parts of this process that are needed to take part in a run of the server. */
export interface RunProcessParts {
  readonly clock: Clock;
  readonly openPipe: () => WorkerPipe;
  /** Ends the process at once, without waiting for anything. */
  readonly end: () => void;
}

/** Members of the runtime that go through the server's worker when this process carries out one of its runs. */
export interface ServerRunRuntime {
  readonly mark: ServerRunAttempt;
  readonly reservedQuotas: readonly ReservedQuota[];
  readonly ownedProjects: readonly OtherWorkspaceProject[];
  readonly openBudget: NonNullable<Runtime['openBudget']>;
  readonly followApply: NonNullable<Runtime['followApply']>;
  readonly askState: NonNullable<Runtime['askState']>;
  readonly rescueDirectory?: string;
}

/**
 * Connects this process to the worker whose run it carries out, named by `HOSTWRIGHT_SERVER_RUN` as `ID/ATTEMPT`. From then on
 * the process ends as soon as its worker does: the state and its journal are complete at any moment, and another worker continues
 * the run. Undefined for any other text.
 */
export function joinServerRun(
  {
    HOSTWRIGHT_SERVER_RUN: text = '',
    HOSTWRIGHT_SERVER_RESERVED: reserved = '[]',
    HOSTWRIGHT_SERVER_PROJECTS: owned = '[]',
    HOSTWRIGHT_SERVER_RESCUE: rescueDirectory,
  }: Runtime['env'],
  { clock, openPipe, end }: RunProcessParts,
): ServerRunRuntime | undefined {
  const [, id, attempt] = /^([\w-]+)\/(\d+)$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  const pipe = openPipe();
  // A process without such a pipe, as one started by hand, has no worker whose end could end it: no failure.
  pipe.on('error', () => undefined);
  pipe.on('end', end);
  pipe.resume();
  const line = new WorkerConnection(pipe);
  const budget = new LeasedRequestBudget(line, clock);
  return {
    reservedQuotas: JSON.parse(reserved) as readonly ReservedQuota[],
    ownedProjects: JSON.parse(owned) as readonly OtherWorkspaceProject[],
    mark: { id, attempt: Number(attempt) },
    openBudget: (service) => budget.enter(service),
    followApply: reportApplySteps(line),
    askState: sendStateSqlStatements(line),
    ...(rescueDirectory !== undefined && { rescueDirectory }),
  };
}

// Reports the steps of an apply from the process of a run to its worker: people watch them on a page. Loaded for such a run
// alone.

/** Says how many steps an apply has, and when each begins and ends. */
function reportApplySteps(line: WorkerConnection): NonNullable<Runtime['followApply']> {
  return (steps) => {
    line.say({ steps });
    return {
      note({ kind, address, step, at }) {
        if (kind !== 'progress') line.say({ step: { kind, address, step, at } });
      },
    };
  };
}

// The state of a run of a server, by its worker: this process has no credentials for the database. Loaded for such a run alone.

/** The answer of the worker to one statement. */
interface StateAnswer {
  readonly id: number;
  readonly rows?: readonly Readonly<Record<string, string | null>>[];
  readonly code?: string;
  readonly message?: string;
}

/** Sends statements to the worker. Each rejects as PostgreSQL would. */
export function sendStateSqlStatements(line: WorkerConnection): NonNullable<Runtime['askState']> {
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
