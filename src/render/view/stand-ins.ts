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

/** In words, behind the value that is shown of the field; nothing where the service tells it. Of a change, only the old value stands in. */
export function wordStandIn(
  by: StandIns[string] | undefined,
  isChanged: boolean,
): string | undefined {
  if (by === undefined) return undefined;
  const word = by === 'state' ? 'as recorded' : 'not told';
  return isChanged ? `old value ${word}` : word;
}
