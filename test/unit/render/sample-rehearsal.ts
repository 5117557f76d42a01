// Rehearsals for the tests of this folder: each says only what its test is about.
import type { Rehearsal, RehearsedFailure } from '../../../src/model/plan/rehearsal.ts';

const startedAt = Date.UTC(2026, 0, 2, 12);

export const seconds = (from: number, to: number) => ({
  startedAt: startedAt + from * 1_000,
  endedAt: startedAt + to * 1_000,
});

export const vm = (key: string): string => `projects.shop.vms.${key}`;

/** One that ends whole, of three changes in 250 seconds. */
export const makeRehearsal = (given: Partial<Rehearsal> = {}): Rehearsal => ({
  errors: 0,
  doubts: [],
  undecided: [],
  timeline: {
    ...seconds(0, 250),
    entries: [
      {
        ...{ address: vm('web'), step: 'create', result: 'applied', isCritical: true },
        ...seconds(0, 250),
      },
    ],
  },
  path: [],
  changes: 3,
  ...{ failures: [], skipped: [], remaining: [], findings: [], quotas: [], held: [] },
  durations: { learned: [], assumed: [] },
  ...given,
});

export function makeFailure(address: string, code = 'insufficient-capacity'): RehearsedFailure {
  const summary = 'The cluster is full';
  const detail = 'There is no room.';
  return { address, command: 'createVm', diagnostic: { severity: 'error', code, summary, detail } };
}
