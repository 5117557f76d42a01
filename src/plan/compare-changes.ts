// Differences between two changes of one address, in words: for a stale plan, and for one that differs from the approved
// plan.
import { readMaxBackupAgeMs } from '../kinds/outcome.ts';
import type { Command } from '../model/account/command.ts';
import type { ResourceAddress } from '../model/address.ts';
import { groupBy } from '../model/group-by.ts';
import {
  findEntryNameOfField,
  isEffectiveChange,
  leavesAttributesUnchanged,
  formatEntryNameWithId,
  type Change,
  type Plan,
} from '../model/plan/plan.ts';
import { removeSourcePlaces } from '../model/source.ts';
import { isEqual, type Attributes, type Value } from '../model/value.ts';

/** A difference between two plans at one address: in words, and as data where there are values. */
export interface PlanDifference {
  /** A name as in the JSON of a plan: `action`, `before.ram`, `after.ram`, `data_lost`. */
  readonly field?: string;
  readonly was?: unknown;
  readonly is?: unknown;
  /** The difference on one line: `power "running" -> "stopped"`. */
  readonly words: string;
}

/**
 * The differences between a change and the approved one. An attribute that neither of them changes may have moved; a resource
 * that either destroys must be entirely as it was.
 */
export function compareChanges(approved?: Change, now?: Change): readonly PlanDifference[] {
  if (![approved, now].some((one) => one && isEffectiveChange(one))) return [];
  const found: PlanDifference[] = [];
  const [was, is] = [approved?.action ?? 'no-op', now?.action ?? 'no-op'];
  if (was !== is)
    found.push({ field: 'action', was, is, words: `${sayAction(was)} -> ${sayAction(is)}` });
  const compare = (
    label: string,
    old: Value | undefined,
    fresh: Value | undefined,
    [side, name]: readonly [side: string, name: string] = ['', label],
  ): boolean => {
    const left = {
      value: old ?? null,
      name: findEntryNameOfField(approved?.entryNames, name, old),
    };
    const right = {
      value: fresh ?? null,
      name: findEntryNameOfField(now?.entryNames, name, fresh),
    };
    const isSame = isSameEntry(left, right);
    if (!isSame) {
      const then = formatEntryNameWithId(approved?.entryNames, name, left.value);
      const by = formatEntryNameWithId(now?.entryNames, name, right.value);
      found.push({ ...describeValueDifference(label, then, by), field: side + fieldOf(name) });
    }
    return isSame;
  };
  const [had, has] = [approved?.before ?? null, now?.before ?? null];
  if ((had === null) !== (has === null)) {
    const words = has ? 'it exists now' : 'it is gone';
    found.push({ field: 'exists', was: had !== null, is: has !== null, words });
  } else if (approved && now) {
    compare('id', approved.id, now.id);
    compare('moved from', approved.movedFrom, now.movedFrom);
    compare('adopted', approved.isImported === true, now.isImported === true);
    compare('created first', approved.isCreatedFirst === true, now.isCreatedFirst === true);
    compare('data lost', omitDueBackupLosses(approved).losses, omitDueBackupLosses(now).losses);
    for (const name of listComparedAttributes(approved, now)) {
      const isAlike = compare(name, had?.[name], has?.[name], ['before.', name]);
      const [then, by] = [
        findPlannedAttributeValue(approved, name),
        findPlannedAttributeValue(now, name),
      ];
      // A planned value that follows from a value before is only compared where that one is equal.
      if (isAlike) compare(`${name}, as planned,`, then, by, ['after.', name]);
    }
  }
  return found;
}

/**
 * Losses of a change without those by a backup that is due: it may become due between two plans, and a finding tells of its
 * losses.
 */
export function omitDueBackupLosses(
  change: Change,
): Pick<Change, 'losses' | 'lostBackups' | 'displacedBackup'> {
  return change.dueBackup ? { losses: [] } : change;
}

/** The difference of a value, under its label in a line. */
export function describeValueDifference(
  label: string,
  was: Value | undefined,
  is: Value | undefined,
): PlanDifference {
  return {
    field: fieldOf(label),
    was,
    is,
    words: `${label} ${formatValueText(was)} -> ${formatValueText(is)}`,
  };
}

const fieldOf = (label: string) => label.replaceAll(' ', '_');

/** A value with the name of the catalog entry that it names by id. */
interface Spelled {
  readonly value: Value;
  readonly name: string | undefined;
}

/**
 * Equality of values, where two spellings of one entry are equal. Two entries of one name differ where both are written by
 * id.
 */
function isSameEntry(was: Spelled, is: Spelled): boolean {
  if (isEqual(was.value, is.value)) return true;
  if ((was.name === undefined) === (is.name === undefined)) return false;
  return isEqual(was.name ?? was.value, is.name ?? is.value);
}

/** The planned value of an attribute; a placeholder for one that the service assigns. */
export function findPlannedAttributeValue(
  { after, unknown }: Change,
  name: string,
): Value | undefined {
  return unknown.includes(name) ? '(known after apply)' : after?.[name];
}

/** The attributes that must be as they were: all of a resource that comes or goes, and otherwise those that change. */
export function listComparedAttributes(...changes: readonly Change[]): ReadonlySet<string> {
  const names = changes.flatMap(({ action, before, after, fields }) => {
    if (leavesAttributesUnchanged({ action }) || action === 'forget') return [];
    if (action !== 'update') return attributeNames(before, after);
    return ['name', ...fields.map(({ name }) => name)];
  });
  return new Set(names.filter((name) => name !== 'id').sort());
}

function attributeNames(...sides: readonly (Attributes | null)[]): string[] {
  return sides.flatMap((side) => Object.keys(side ?? {}));
}

function sayAction(action: Change['action']): string {
  return action === 'no-op' ? 'no change' : action;
}

/** Writes a value on one line, for comparisons of plans. */
export function formatValueText(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}

const isDue = (command: Command) => readMaxBackupAgeMs(command) !== undefined;

/** The execution of a change: the commands of each phase, and its deferred values. */
export interface ChangeExecution {
  readonly commands?: Readonly<Record<string, unknown>>;
  readonly deferred?: unknown;
}

/** Executions by address. A task without commands only waits, and has none. */
export function mapChangeExecutions({
  tasks,
  deferred = [],
}: Plan): ReadonlyMap<ResourceAddress, ChangeExecution> {
  const executions = new Map<ResourceAddress, ChangeExecution>();
  // A backup is due by the clock: it may fall between the two.
  const busy = tasks
    .map((task) => ({ ...task, commands: task.commands.filter((one) => !isDue(one)) }))
    .filter(({ commands }) => commands.length > 0);
  for (const [address, own] of groupBy(busy, (task) => task.address)) {
    const commands = Object.fromEntries(own.map((task) => [task.phase, task.commands]));
    executions.set(address, { commands });
  }
  for (const one of deferred) {
    const { address } = one;
    executions.set(address, { ...executions.get(address), deferred: removeSourcePlaces(one) });
  }
  return executions;
}
