import { matchesCommand } from '../api/operation-types.ts';
import type { LiveOperation } from '../api/operation.ts';
import type { CreateAttempt } from '../kinds/recognise.ts';
import { evidence } from '../model/evidence.ts';

/**
 * The ids of resources that records of such a create speak of, since it was sent, and that nothing else explains: a create
 * of ours may have made them. `isExplained`: the resource is known, or listed and not ours.
 */
export function listUnexplained(
  operations: readonly LiveOperation[],
  { command, serviceAt = 0, knownIds }: CreateAttempt,
  isExplained: (id: string) => boolean,
): readonly string[] {
  const known = new Set(knownIds);
  return operations.flatMap((operation) => {
    const { resourceId: id, createdAt } = operation;
    if (id === null || matchesCommand(operation, command.kind) !== 'yes') return [];
    if (createdAt !== null && createdAt < serviceAt - evidence.clockSkewMs) return [];
    return known.has(id) || isExplained(id) ? [] : [id];
  });
}
