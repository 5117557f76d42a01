import { Socket } from 'node:net';
import type { ReservedQuota } from '../model/account/reserved-quota.ts';
import type { Clock, RunMark, Runtime } from '../model/runtime.ts';
import { LeasedBudget } from './lease-requests.ts';
import { tellSteps } from './tell-steps.ts';

/** The descriptor of the pipe to the worker. */
const pipe = 3;

/** What a process has of the server that runs it. */
export interface ServerRun {
  readonly mark: RunMark;
  readonly reservedQuotas: readonly ReservedQuota[];
  readonly openBudget: NonNullable<Runtime['openBudget']>;
  readonly followApply: NonNullable<Runtime['followApply']>;
}

/**
 * What `HOSTWRIGHT_SERVER_RUN` says, `ID/ATTEMPT`: which run this process carries out. From here on it ends at once when its worker
 * ends: the state and its journal are safe at any moment, and another worker goes on. Undefined for any other text.
 */
export function joinServerRun(
  { HOSTWRIGHT_SERVER_RUN: text = '', HOSTWRIGHT_SERVER_RESERVED: reserved = '[]' }: Runtime['env'],
  clock: Clock,
): ServerRun | undefined {
  const [, id, attempt] = /^([\w-]+)\/(\d+)$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  const socket = new Socket({ fd: pipe, readable: true, writable: true });
  // Where there is no such pipe, nobody waits for the end of this process.
  socket.on('error', () => undefined);
  socket.on('end', () => process.exit(130));
  socket.resume().unref();
  const budget = new LeasedBudget(socket, clock);
  return {
    reservedQuotas: JSON.parse(reserved) as readonly ReservedQuota[],
    mark: { id, attempt: Number(attempt) },
    openBudget: (service) => budget.enter(service),
    followApply: tellSteps(socket),
  };
}
