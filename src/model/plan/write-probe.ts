import type { DeferredValue } from '../deferred.ts';
import type { EvaluatedProbe, Probe } from './readiness.ts';
import type { Task } from './task.ts';

/** A probe in one line: a value that is not known yet is written as the configuration has it. */
export function formatProbe(probe: EvaluatedProbe | Probe): string {
  switch (probe.kind) {
    case 'tcp':
      return `tcp ${'host' in probe ? writeSocket(probe.host, probe.port) : writeValue(probe.address)}`;
    case 'http': {
      const { url, statuses, contains } = probe;
      const status = statuses.length === 1 && statuses[0] === 200 ? '' : ` ${statuses.join('|')}`;
      const text = contains === undefined ? '' : ` ${JSON.stringify(writeValue(contains))}`;
      return `http ${writeValue(url)}${status}${text}`;
    }
    case 'command':
      return `command ${JSON.stringify(probe.words.map(writeValue))}`;
  }
}

function writeSocket(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function writeValue(value: string | DeferredValue): string {
  if (typeof value === 'string') return value;
  if (value.kind === 'value')
    return typeof value.value === 'string' ? value.value : JSON.stringify(value.value);
  return value.kind === 'expression' ? value.text : '';
}

/** The probes that an apply of these tasks makes of one member. */
export interface PlannedProbes {
  readonly address: string;
  /** Probes in words, one line each. */
  readonly probes: readonly string[];
  /** Tells whether one of the probes runs a command, which the user must allow. */
  readonly runsCommand: boolean;
}

/** The probes that an apply of these tasks makes, by member in the order of the tasks. */
export function listProbes(tasks: readonly Task[]): readonly PlannedProbes[] {
  return tasks.flatMap(({ address, ready }) => {
    if (!ready) return [];
    const { probes } = ready;
    const runsCommand = probes.some(({ kind }) => kind === 'command');
    return [{ address, probes: probes.map(formatProbe), runsCommand }];
  });
}
