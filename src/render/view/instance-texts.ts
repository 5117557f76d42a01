import type { ResourceAddress, InstanceKey } from '../../model/address.ts';
import { groupBy, elementAt } from '../../model/group-by.ts';

/** Address taken apart at its innermost instance: `projects.shop.publicIps.edge[3].forwards.https`. */
export interface InstanceAddress {
  /** Address before the instance: `projects.shop.publicIps.edge`. */
  readonly start: ResourceAddress;
  readonly key: InstanceKey;
  /** Rest of the address behind the instance key: `.forwards.https`. */
  readonly end: string;
}

const instancePattern = /\[(\d+|"(?:[^"\\]|\\.)*")\]/g;

/** A value for each instance of one resource; never empty. */
export type InstanceValues<T> = readonly [T, ...T[]];

/** Takes an address apart at its innermost instance; undefined where it has none. */
export function splitInstanceAddress(address: ResourceAddress): InstanceAddress | undefined {
  const last = [...address.matchAll(instancePattern)].at(-1);
  if (last?.[1] === undefined) return undefined;
  return {
    start: address.slice(0, last.index),
    key: JSON.parse(last[1]) as InstanceKey,
    end: address.slice(last.index + last[0].length),
  };
}

/**
 * Finds the pattern by which the texts of two instances differ: empty where they are equal, undefined where they differ
 * in more than their keys. Numbers grow with the index: `web-1` of index 0 matches `web-5` of index 4.
 */
export function findInstancePattern(
  [text, key]: readonly [string, InstanceKey],
  [otherText, otherKey]: readonly [string, InstanceKey],
): string | undefined {
  if (text === otherText) return '';
  if (typeof key === 'number' && typeof otherKey === 'number') {
    return findMoving(text, otherText, otherKey - key);
  }
  const [from, to] = [String(key), String(otherKey)];
  if (from === '' || !text.includes(from)) return undefined;
  if (replaceLast(text, from, to) === otherText) return 'last';
  return text.replaceAll(from, () => to) === otherText ? 'all' : undefined;
}

const digits = /(\d+)/;

/** Pattern of a text's numbers: `=` for each number that stays, `+` for each that moves with the index. */
function findMoving(text: string, otherText: string, distance: number): string | undefined {
  const [parts, others] = [text.split(digits), otherText.split(digits)];
  if (parts.length !== others.length) return undefined;
  let pattern = '';
  for (const [index, part] of parts.entries()) {
    const other = others[index];
    const isNumber = index % 2 === 1;
    if (part === other) pattern += isNumber ? '=' : '';
    else if (isNumber && Number(other) - Number(part) === distance) pattern += '+';
    else return undefined;
  }
  return pattern;
}

/** The pattern that all texts have in common; undefined where they have none. */
export function findCommonInstancePattern(
  texts: readonly string[],
  [key, ...otherKeys]: InstanceValues<InstanceKey>,
): string | undefined {
  const first = elementAt(texts, 0);
  const patterns = texts
    .slice(1)
    .map((text, index) => findInstancePattern([first, key], [text, elementAt(otherKeys, index)]));
  const [pattern] = patterns;
  return patterns.every((other) => other === pattern) ? pattern : undefined;
}

/** Joins all texts of one pattern into one: `web-{0..39}`, or `[0..39]` where the key is in brackets. */
export function joinInstanceTexts(
  texts: readonly string[],
  keys: InstanceValues<InstanceKey>,
  pattern: string,
): string {
  const first = elementAt(texts, 0);
  if (pattern === '') return first;
  if (pattern === 'last' || pattern === 'all') return joinKeys(first, keys, pattern);
  const numbers = texts.map((text) => Array.from(text.matchAll(/\d+/g), ([number]) => number));
  let at = -1;
  return first.replace(/\d+/g, (number, offset: number) => {
    at += 1;
    if (pattern[at] !== '+') return number;
    const range = drawRanges(numbers.flatMap((row) => row.slice(at, at + 1)));
    return isBetween(first, offset, number, ['[', ']']) ? range : `{${range}}`;
  });
}

function joinKeys(
  text: string,
  keys: InstanceValues<InstanceKey>,
  pattern: 'last' | 'all',
): string {
  const key = String(keys[0]);
  const last = text.lastIndexOf(key);
  return text.replaceAll(key, (_, offset: number) => {
    if (pattern === 'last' && offset !== last) return key;
    return isBetween(text, offset, key, ['["', '"]'])
      ? drawKeys(keys).slice(1, -1)
      : `{${keys.join(', ')}}`;
  });
}

function isBetween(
  text: string,
  at: number,
  part: string,
  [start, end]: [string, string],
): boolean {
  return text.slice(0, at).endsWith(start) && text.startsWith(end, at + part.length);
}

/** Joins the addresses of many instances into one: `projects.shop.vms.web[0..2, 7]`. */
export function joinInstanceAddresses(
  { start, end }: InstanceAddress,
  keys: InstanceValues<InstanceKey>,
): ResourceAddress {
  return `${start}[${drawKeys(keys)}]${end}`;
}

function drawKeys(keys: InstanceValues<InstanceKey>): string {
  return typeof keys[0] === 'number'
    ? drawRanges(keys.map(String))
    : keys.map((key) => JSON.stringify(key)).join(', ');
}

/** Numbers with each row of three or more as a range: `0..3, 7, 8`. */
function drawRanges(numbers: readonly string[]): string {
  const rows: { from: string; to: string; count: number }[] = [];
  for (const number of numbers) {
    const row = rows.at(-1);
    if (row && isNext(row.to, number)) {
      row.to = number;
      row.count += 1;
    } else rows.push({ from: number, to: number, count: 1 });
  }
  return rows
    .flatMap(({ from, to, count }) => {
      if (count === 1) return [from];
      return count === 2 ? [from, to] : [`${from}..${to}`];
    })
    .join(', ');
}

/** Tells whether a number continues a range. A number filled up with zeros follows only one of its own length. */
function isNext(number: string, other: string): boolean {
  const isFilled = /^0\d/.test(number) || /^0\d/.test(other);
  if (isFilled && number.length !== other.length) return false;
  return Number(other) === Number(number) + 1;
}

function replaceLast(text: string, from: string, to: string): string {
  const at = text.lastIndexOf(from);
  return text.slice(0, at) + to + text.slice(at + from.length);
}

/** Address that was joined from several, with the addresses that it replaces. */
export interface JoinedAddress {
  readonly address: ResourceAddress;
  readonly members: readonly ResourceAddress[];
}

/** Joins addresses that differ in their innermost instance alone, where there are at least `least` of them. */
export function joinAddresses(
  addresses: readonly ResourceAddress[],
  least: number,
): readonly JoinedAddress[] {
  const groups = groupBy(
    addresses.map((address) => ({ address, instance: splitInstanceAddress(address) })),
    ({ address, instance }) =>
      instance ? JSON.stringify([instance.start, typeof instance.key, instance.end]) : address,
  );
  return [...groups.values()].flatMap((group) => {
    const members = group.map(({ address }) => address);
    const [instance, ...others] = group.flatMap((member) => member.instance ?? []);
    if (!instance || group.length < least) {
      return members.map((address) => ({ address, members: [address] }));
    }
    const keys = [instance.key, ...others.map(({ key }) => key)] as const;
    return [{ address: joinInstanceAddresses(instance, keys), members }];
  });
}
