import type { Address, InstanceKey } from '../../model/address.ts';
import { findPattern, joinTexts, takeInstance, type Instance, type Row } from './instance-texts.ts';

/** So many equal ones are read as one; fewer are read as they are. */
export const leastFolded = 4;
/** With so many different groups of one resource another one is compared: neighbours are alike. */
const maxCompared = 16;

interface Member<T> {
  readonly item: T;
  readonly key: InstanceKey;
  readonly texts: readonly string[];
}

/** Equal ones of the instances of one resource. */
export interface InstanceGroup<T> {
  readonly instance: Instance;
  readonly members: [Member<T>, ...Member<T>[]];
  /** By the place of a text, the change of it along with the key; unknown while there is one member. */
  patterns: readonly string[] | undefined;
}

/** What has to be the same in every member, and the texts that may go along with its key. */
export interface Shape {
  readonly same: unknown;
  readonly texts: readonly string[];
}

/**
 * Puts what is equal of the instances of one resource (`count`, `forEach`) together: as one that `join` draws, in the place of
 * its first member. What is of no instance, or of too few, stays as it is.
 */
export function foldInstances<T extends { readonly address?: Address }>(
  items: readonly T[],
  takeShape: (item: T) => Shape,
  join: (group: InstanceGroup<T>) => T,
): readonly T[] {
  const buckets = new Map<string, InstanceGroup<T>[]>();
  const places: (InstanceGroup<T> | { readonly item: T })[] = [];
  for (const item of items) {
    const instance = item.address === undefined ? undefined : takeInstance(item.address);
    if (!instance) {
      places.push({ item });
      continue;
    }
    const { start, key, end } = instance;
    const { same, texts } = takeShape(item);
    const shape = JSON.stringify([start, typeof key, end, same]);
    const groups = buckets.get(shape) ?? [];
    buckets.set(shape, groups);
    const member = { item, key, texts };
    if (groups.slice(-maxCompared).some((group) => joinGroup(group, member))) continue;
    const group: InstanceGroup<T> = { instance, members: [member], patterns: undefined };
    groups.push(group);
    places.push(group);
  }
  // What is not folded goes back to its place.
  const position = new Map(items.map((item, index) => [item, index]));
  return places
    .flatMap((place) => {
      if (!('instance' in place)) return [{ ...place, first: place.item }];
      const { members } = place;
      return members.length < leastFolded
        ? members.map(({ item }) => ({ item, first: item }))
        : [{ item: join(place), first: members[0].item }];
    })
    .sort((a, b) => Number(position.get(a.first)) - Number(position.get(b.first)))
    .map(({ item }) => item);
}

/** The keys of all members. */
export function listKeys<T>({ members }: InstanceGroup<T>): Row<InstanceKey> {
  const [first, ...others] = members;
  return [first.key, ...others.map(({ key }) => key)];
}

/** The text of all members at a place among their texts, as one. */
export function joinText<T>(group: InstanceGroup<T>, index: number): string {
  const texts = group.members.flatMap((member) => member.texts.slice(index, index + 1));
  return joinTexts(texts as [string], listKeys(group), group.patterns?.[index] as string);
}

function joinGroup<T>(group: InstanceGroup<T>, member: Member<T>): boolean {
  const [first] = group.members;
  const { patterns } = group;
  const found: string[] = [];
  for (const [index, text] of first.texts.entries()) {
    const other = member.texts[index] as string;
    const pattern = findPattern([text, first.key], [other, member.key]);
    if (pattern === undefined || (patterns && patterns[index] !== pattern)) return false;
    found.push(pattern);
  }
  group.patterns = found;
  group.members.push(member);
  return true;
}
