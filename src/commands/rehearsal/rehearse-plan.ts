import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Runtime } from '../../model/runtime.ts';
import { readFaultScript } from '../../sandbox/faults/read-script.ts';
import type { Planned } from '../../engine/make-plan.ts';
import { readGivenFile } from '../session/read-given-file.ts';
import { defaultMaxConnections } from '../session/service-network.ts';
import type { Session } from '../session/session.ts';
import { rehearse } from './rehearse.ts';

/** What the flags ask of a rehearsal. */
export interface RehearsalRequest {
  /** How often. */
  readonly times: number;
  /** The number of changes that run at once. */
  readonly parallelism: number;
  /** The path of a fault script, as it was written. */
  readonly faults?: string | undefined;
}

/** Rehearses a plan of a session; undefined for one that changes nothing. */
type RehearsePlan = (
  session: Pick<Session, 'configuration' | 'store' | 'connection'>,
  planned: Planned,
) => Promise<Rehearsal | undefined>;

/**
 * Reads what a rehearsal is given, before anything else is read. What it gives back has the time of day from outside, and
 * else nothing: of a session only what it has read.
 * @throws DiagnosticError for a fault script that cannot be used
 */
export async function prepareRehearsal(
  { cwd, clock }: Pick<Runtime, 'cwd' | 'clock'>,
  { times, parallelism, faults: file }: RehearsalRequest,
): Promise<RehearsePlan> {
  const faults =
    file === undefined
      ? undefined
      : { file, script: await readFaultScript(await readGivenFile(cwd, file, '--faults'), file) };
  return ({ configuration, store: { state }, connection }, planned) => {
    const { service, speed } = connection;
    const { maxConnections = defaultMaxConnections, requestsPerSecond } = configuration;
    const timeouts = configuration.requestTimeouts;
    // No sandbox of Hostwright is spared requests.
    const pace = { maxConnections, timeouts, ...(speed === undefined && { requestsPerSecond }) };
    const input = { state, service, speed, pace, parallelism, now: clock.now() };
    return rehearse(planned, input, { times, faults });
  };
}
