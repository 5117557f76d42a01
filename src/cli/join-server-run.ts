import { Socket } from 'node:net';
import type { OwnedProject } from '../model/account/owned-project.ts';
import type { ReservedQuota } from '../model/account/reserved-quota.ts';
import type { Clock, RunMark, Runtime } from '../model/runtime.ts';
import { sendStateStatements } from './ask-state.ts';
import { LeasedBudget } from './lease-requests.ts';
import { reportApplySteps } from './tell-steps.ts';
import { WorkerConnection, type WorkerPipe } from './worker-line.ts';

/** Number of the file descriptor by which the server's worker and this process talk. */
const descriptor = 3;

/** Opens the pipe that the server's worker has given this process. */
export function openWorkerPipe(): WorkerPipe {
  return new Socket({ fd: descriptor, readable: true, writable: true });
}

/** Parts of this process that are needed to take part in a run of the server. */
export interface JoiningProcess {
  readonly clock: Clock;
  readonly openPipe: () => WorkerPipe;
  /** Ends the process at once, without waiting for anything. */
  readonly end: () => void;
}

/** Parts of the runtime that the process of a server's run has from its worker. */
export interface ServerRun {
  readonly mark: RunMark;
  readonly reservedQuotas: readonly ReservedQuota[];
  readonly ownedProjects: readonly OwnedProject[];
  readonly openBudget: NonNullable<Runtime['openBudget']>;
  readonly followApply: NonNullable<Runtime['followApply']>;
  readonly askState: NonNullable<Runtime['askState']>;
  readonly rescueDirectory?: string;
}

/**
 * Joins the run that `HOSTWRIGHT_SERVER_RUN` names as `ID/ATTEMPT`. From here on the process ends at once when its worker
 * ends: the state and its journal are safe at any moment, and another worker goes on. Undefined for any other text.
 */
export function joinServerRun(
  {
    HOSTWRIGHT_SERVER_RUN: text = '',
    HOSTWRIGHT_SERVER_RESERVED: reserved = '[]',
    HOSTWRIGHT_SERVER_PROJECTS: owned = '[]',
    HOSTWRIGHT_SERVER_RESCUE: rescueDirectory,
  }: Runtime['env'],
  { clock, openPipe, end }: JoiningProcess,
): ServerRun | undefined {
  const [, id, attempt] = /^([\w-]+)\/(\d+)$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  const pipe = openPipe();
  // Without such a pipe there is no worker whose end could end this process.
  pipe.on('error', () => undefined);
  pipe.on('end', end);
  pipe.resume();
  const line = new WorkerConnection(pipe);
  const budget = new LeasedBudget(line, clock);
  return {
    reservedQuotas: JSON.parse(reserved) as readonly ReservedQuota[],
    ownedProjects: JSON.parse(owned) as readonly OwnedProject[],
    mark: { id, attempt: Number(attempt) },
    openBudget: (service) => budget.enter(service),
    followApply: reportApplySteps(line),
    askState: sendStateStatements(line),
    ...(rescueDirectory !== undefined && { rescueDirectory }),
  };
}
