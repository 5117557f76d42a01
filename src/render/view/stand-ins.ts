import type { Change } from '../../model/plan/plan.ts';

/** By field that the service does not tell: whose value stands in for it, what the state has recorded or what the configuration says. */
export type StandIns = Readonly<Record<string, 'state' | 'configuration'>>;

/** The stand-ins of a resource. */
export function listStandIns({
  asRecorded = [],
  untold = [],
}: Pick<Change, 'asRecorded' | 'untold'>): StandIns {
  const byConfiguration = untold.map((name) => [name, 'configuration'] as const);
  return Object.fromEntries([
    ...byConfiguration,
    ...asRecorded.map((name) => [name, 'state'] as const),
  ]);
}
