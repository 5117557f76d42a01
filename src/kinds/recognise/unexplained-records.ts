import { matchRecordWithCommand, mayRecordKind } from '../operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import type { CreateAttempt } from './recognise.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { lostCreateSearchBounds } from '../../model/state/evidence.ts';

/** Tells whether a record may be that of a sent create, by its type, the kind of its resource and its time. */
export function mayRecordCreate(
  operation: LiveOperation,
  { command, serviceAt = 0 }: Pick<CreateAttempt, 'command' | 'serviceAt'>,
): boolean {
  if (matchRecordWithCommand(operation, command.kind) === 'no') return false;
  if (!mayRecordKind(operation, commandSubjects[command.kind].kind)) return false;
  const { createdAt } = operation;
  return createdAt === null || createdAt >= serviceAt - lostCreateSearchBounds.clockSkewMs;
}

/**
 * Ids in records of creates of this kind since the sending that nothing else explains: our creates may have made those
 * resources. A record of an unpublished type may be one. `isExplained`: the resource is known, or listed and not ours.
 */
export function listUnexplainedRecordIds(
  operations: readonly LiveOperation[],
  attempt: CreateAttempt,
  isExplained: (id: string) => boolean,
): readonly string[] {
  const known = new Set(attempt.knownIds);
  return operations.flatMap((operation) => {
    const { resourceId: id } = operation;
    if (id === null || !mayRecordCreate(operation, attempt)) return [];
    return known.has(id) || isExplained(id) ? [] : [id];
  });
}
