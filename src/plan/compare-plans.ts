import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/group-by.ts';
import type { Change, Plan } from '../model/plan/plan.ts';
import { isEqual, type Attributes, type Value } from '../model/value.ts';

/**
 * What a plan would do otherwise than the one that was approved, a line each: `ADDRESS: power "running" -> "stopped"`.
 * What neither of them changes may have moved; what either destroys must be all as it was. Where there is no line, both
 * send the same commands and resolve deferred values alike; the order may be another, since it goes by what is free.
 */
export function comparePlans(approved: Plan, now: Plan): string[] {
  const before = byAddress(approved.changes);
  const after = byAddress(now.changes);
  const addresses = new Set([...before.keys(), ...after.keys()]);
  const changed = [...addresses].flatMap((address) =>
    compareChanges(address, before.get(address), after.get(address)),
  );
  return [
    // Other changes have other commands: that is no news.
    ...(changed.length > 0 ? changed : compareExecution(approved, now)),
    ...compareDrift(approved, now),
  ];
}

/** What is sent for each change, and what is left to its deferred values. */
function compareExecution(approved: Plan, now: Plan): string[] {
  const compare = (was: Map<Address, unknown>, is: Map<Address, unknown>, difference: string) =>
    [...new Set([...was.keys(), ...is.keys()])].flatMap((address) =>
      isDeepStrictEqual(was.get(address), is.get(address)) ? [] : [`${address}: ${difference}`],
    );
  return [
    ...compare(listCommands(approved), listCommands(now), 'other commands would be sent'),
    ...compare(
      byAddress(approved.deferred ?? []),
      byAddress(now.deferred ?? []),
      'its deferred values would be resolved otherwise',
    ),
  ];
}

/** The commands of each change by phase. A task without commands only waits. */
function listCommands({ tasks }: Plan): Map<Address, unknown> {
  const byPhase = groupBy(
    tasks.filter(({ commands }) => commands.length > 0),
    ({ address }) => address,
  );
  return new Map(
    [...byPhase].map(([address, own]) => [
      address,
      new Map(own.map(({ phase, commands }) => [phase, commands])),
    ]),
  );
}

function byAddress<T extends { readonly address: Address }>(all: readonly T[]) {
  return new Map(all.map((one) => [one.address, one]));
}

function isEffective(change: Change | undefined): change is Change {
  if (!change) return false;
  const { action, isImported, movedFrom } = change;
  return action !== 'no-op' || isImported === true || movedFrom !== undefined;
}

function compareChanges(address: Address, approved?: Change, now?: Change): string[] {
  if (!isEffective(approved) && !isEffective(now)) return [];
  const lines: string[] = [];
  const [was, is] = [approved?.action ?? 'no-op', now?.action ?? 'no-op'];
  if (was !== is) lines.push(`${sayAction(was)} -> ${sayAction(is)}`);
  const compare = (name: string, old: Value | undefined, fresh: Value | undefined): boolean => {
    const isSame = isEqual(old ?? null, fresh ?? null);
    if (!isSame) lines.push(`${name} ${say(old)} -> ${say(fresh)}`);
    return isSame;
  };
  const [had, has] = [approved?.before ?? null, now?.before ?? null];
  if ((had === null) !== (has === null)) lines.push(has ? 'it exists now' : 'it is gone');
  else if (approved && now) {
    compare('id', approved.id, now.id);
    compare('moved from', approved.movedFrom, now.movedFrom);
    compare('adopted', approved.isImported === true, now.isImported === true);
    compare('created first', approved.isCreatedFirst === true, now.isCreatedFirst === true);
    compare('data lost', approved.losses, now.losses);
    for (const name of listCompared(approved, now)) {
      const isAlike = compare(name, had?.[name], has?.[name]);
      // What it is to become follows from what it was, where that is another.
      if (isAlike) compare(`${name}, as planned,`, wanted(approved, name), wanted(now, name));
    }
  }
  return lines.map((line) => `${address}: ${line}`);
}

/** What an attribute is to be: nobody knows of what the service assigns. */
function wanted({ after, unknown }: Change, name: string): Value | undefined {
  return unknown.includes(name) ? '(known after apply)' : after?.[name];
}

/** The attributes that must be as they were: all of what comes or goes, of anything else those that change. */
function listCompared(...changes: readonly Change[]): ReadonlySet<string> {
  const names = changes.flatMap(({ action, before, after, fields }) => {
    if (action === 'no-op' || action === 'forget') return [];
    if (action !== 'update') return attributeNames(before, after);
    return ['name', ...fields.map(({ name }) => name)];
  });
  return new Set(names.filter((name) => name !== 'id').sort());
}

function attributeNames(...sides: readonly (Attributes | null)[]): string[] {
  return sides.flatMap((side) => Object.keys(side ?? {}));
}

/** Only a refresh acts on what changed outside. */
function compareDrift(approved: Plan, now: Plan): string[] {
  if (now.mode !== 'refresh') return [];
  const had = byAddress(approved.drift ?? []);
  const has = byAddress(now.drift ?? []);
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((address) => {
    const [was, is] = [had.get(address), has.get(address)];
    if (was && is && isEqual(was.after, is.after)) return [];
    if (!is) return [`${address}: it is as it was last applied`];
    if (is.after === null) return [`${address}: it is gone`];
    const { before, after } = is;
    const names = new Set([...is.names, ...(was?.names ?? [])]);
    const old = was ? was.after : before;
    return [...names]
      .filter((name) => !isEqual(old?.[name] ?? null, after[name] ?? null))
      .map((name) => `${address}: ${name} ${say(old?.[name])} -> ${say(after[name])}`);
  });
}

function sayAction(action: Change['action']): string {
  return action === 'no-op' ? 'no change' : action;
}

function say(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}
