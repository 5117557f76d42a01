import type { ResourceAddress, InstanceKey } from '../../model/address.ts';
import { elementAt } from '../../model/group-by.ts';
import {
  findInstancePattern,
  joinInstanceTexts,
  splitInstanceAddress,
  type InstanceAddress,
  type InstanceValues,
} from './instance-texts.ts';

/** Fewest equal instances that are folded into one; fewer are shown as they are. */
export const minFoldedInstances = 4;
/** Most groups of one resource that an instance is compared with: neighbours are alike. */
const maxCompared = 16;

interface Member<T> {
  readonly item: T;
  readonly key: InstanceKey;
  readonly texts: readonly string[];
}

/** Instances of one resource that are equal except for their keys. */
export interface InstanceGroup<T> {
  readonly instance: InstanceAddress;
  readonly members: [Member<T>, ...Member<T>[]];
  /** Patterns by which each text of the members changes with the instance key; undefined while there is one member. */
  patterns: readonly string[] | undefined;
}

/**
 * Parts of an item by which it is compared with other instances: `same` must be equal in every member of a group, and
 * `texts` may change with the key.
 */
export interface ComparableInstanceParts {
  readonly same: unknown;
  readonly texts: readonly string[];
}

/**
 * Folds equal items of the instances of one resource (`count`, `forEach`) into one that `join` draws, in the place of its
 * first member. Items of no instance, or of too few, stay as they are.
 */
export function foldInstances<T extends { readonly address?: ResourceAddress }>(
  items: readonly T[],
  takeShape: (item: T) => ComparableInstanceParts,
  join: (group: InstanceGroup<T>) => T,
): readonly T[] {
  const buckets = new Map<string, InstanceGroup<T>[]>();
  const places: (InstanceGroup<T> | { readonly item: T })[] = [];
  for (const item of items) {
    const instance = item.address === undefined ? undefined : splitInstanceAddress(item.address);
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
  // Groups too small to be folded are dissolved; their items return to their places.
  const position = new Map(items.map((item, index) => [item, index]));
  return places
    .flatMap((place) => {
      if (!('instance' in place)) return [{ ...place, first: place.item }];
      const { members } = place;
      return members.length < minFoldedInstances
        ? members.map(({ item }) => ({ item, first: item }))
        : [{ item: join(place), first: members[0].item }];
    })
    .sort((a, b) => Number(position.get(a.first)) - Number(position.get(b.first)))
    .map(({ item }) => item);
}

/** Lists the instance keys of a group's members. */
export function listGroupInstanceKeys<T>({
  members,
}: InstanceGroup<T>): InstanceValues<InstanceKey> {
  const [first, ...others] = members;
  return [first.key, ...others.map(({ key }) => key)];
}

/** Joins the texts that all members of a group have at one index into one text. */
export function joinMemberTexts<T>(group: InstanceGroup<T>, index: number): string {
  const texts = group.members.flatMap((member) => member.texts.slice(index, index + 1));
  return joinInstanceTexts(texts, listGroupInstanceKeys(group), group.patterns?.[index] as string);
}

function joinGroup<T>(group: InstanceGroup<T>, member: Member<T>): boolean {
  const [first] = group.members;
  const { patterns } = group;
  const found: string[] = [];
  for (const [index, text] of first.texts.entries()) {
    const other = elementAt(member.texts, index);
    const pattern = findInstancePattern([text, first.key], [other, member.key]);
    if (pattern === undefined || (patterns && patterns[index] !== pattern)) return false;
    found.push(pattern);
  }
  group.patterns = found;
  group.members.push(member);
  return true;
}
