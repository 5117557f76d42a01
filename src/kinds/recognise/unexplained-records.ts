import { matchRecordWithCommand } from '../operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import type { CreateAttempt } from './recognise.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { lostCreateSearchBounds } from '../../model/state/evidence.ts';
import { kindNames } from '../../model/kind-places.ts';

/** Types of resources that the service's operation records use for known kinds. */
const recordedTypes: ReadonlySet<string> = new Set([...kindNames, 'backup']);

/**
 * Ids in records of creates of this kind since the sending that nothing else explains: our creates may have made those
 * resources. A record of an unpublished type may be one. `isExplained`: the resource is known, or listed and not ours.
 */
export function listUnexplainedRecordIds(
  operations: readonly LiveOperation[],
  { command, serviceAt = 0, knownIds }: CreateAttempt,
  isExplained: (id: string) => boolean,
): readonly string[] {
  const known = new Set(knownIds);
  return operations.flatMap((operation) => {
    const { resourceId: id, resourceType, createdAt } = operation;
    if (id === null || matchRecordWithCommand(operation, command.kind) === 'no') return [];
    const { kind } = commandSubjects[command.kind];
    if (resourceType !== kind && recordedTypes.has(resourceType ?? '')) return [];
    if (createdAt !== null && createdAt < serviceAt - lostCreateSearchBounds.clockSkewMs) return [];
    return known.has(id) || isExplained(id) ? [] : [id];
  });
}
