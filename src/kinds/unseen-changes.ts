// Changes that somebody made to a resource between the plan that a person approved and the moment of its destruction.
import { predictResourceAfterCommand, hasRespelledCommandValues } from './carry-out.ts';
import { isOperationFinished, matchRecordWithCommand } from './operation-types.ts';
import { isBackupCommand, isResourceBusy, readUnderwayOperation } from './outcome.ts';
import { kindRegistry } from './registry.ts';
import { commandNames, type ResolvedCommand } from '../model/account/command.ts';
import type { Catalog, LiveResource } from '../model/account/live.ts';
import { omitUntoldFields } from '../model/account/told.ts';
import type { KindName } from '../model/kind-places.ts';
import { isEqual, type Attributes, type Value } from '../model/value.ts';

/**
 * Tells whether a kind has attributes that a reviewer checks before a resource is destroyed, by which changes since the plan are
 * noticed.
 */
export function hasReviewedAttributes(kind: KindName): boolean {
  return kindRegistry[kind].traits.signs !== undefined;
}

/**
 * Differences of a resource from the plan's reading, a phrase each; empty when there are none. `done` are the commands that
 * were carried out on it since: their effects are expected. Sensitive values are not quoted.
 */
export function findChangesSincePlan(
  planned: LiveResource,
  fresh: LiveResource,
  done: readonly ResolvedCommand[],
  catalog: Catalog,
  sensitive: readonly string[] = [],
): readonly string[] {
  const left = done.reduce((live, command) => predictResourceAfterCommand(live, command), planned);
  const expected = signsOf(left, catalog);
  const found = signsOf(fresh, catalog);
  // A change that was under way at the time of the plan has ended by now, as the plan expected: only the name is compared
  // then.
  const isChanging = isResourceBusy(planned) && !isBackedUp(planned);
  const names = isChanging ? ['name'] : Object.keys(expected);
  const changes = names
    .filter((name) => name in expected && name in found)
    .filter((name) => !isEqual(expected[name] ?? null, found[name] ?? null))
    .filter(
      (name) =>
        name !== 'name' ||
        !done.some((one) => 'name' in one && hasRespelledCommandValues(one, fresh)),
    )
    .map((name) =>
      sensitive.includes(name)
        ? `${name} is another`
        : `${name} is ${say(found[name])}, was ${say(expected[name])}`,
    );
  const isStarted = isRunning(left) === false && isRunning(fresh) === true;
  return isStarted ? [...changes, 'it is running, was stopped'] : changes;
}

/** Tells whether a resource is busy with a backup alone, which changes none of its signs. */
function isBackedUp(live: LiveResource): boolean {
  const { operation: type, status } = readUnderwayOperation(live);
  if (type === null || status === null || isOperationFinished({ status })) return false;
  return commandNames.some(
    (name) => isBackupCommand(name) && matchRecordWithCommand({ type }, name) === 'yes',
  );
}

function say(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}

function signsOf(live: LiveResource, catalog: Catalog): Attributes {
  return omitUntoldFields(kindRegistry[live.kind].traits.signs?.(live, catalog) ?? {});
}

// Power is compared in one direction: a VM that was stopped at the time of the plan, and runs by now, is in use again. A
// running one may well have been stopped in order to be destroyed.
function isRunning(live: LiveResource): boolean | undefined {
  return kindRegistry[live.kind].traits.isRunning?.(live);
}
