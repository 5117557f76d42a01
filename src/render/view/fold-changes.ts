import type { InstanceKey } from '../../model/address.ts';
import { elementAt } from '../../model/group-by.ts';
import { isProject } from '../../model/kind-places.ts';
import type { Value } from '../../model/value.ts';
import {
  foldInstances,
  joinMemberTexts,
  listGroupInstanceKeys,
  type InstanceGroup,
  type ComparableInstanceParts,
} from './fold-instances.ts';
import {
  findCommonInstancePattern,
  joinInstanceAddresses,
  joinInstanceTexts,
  type InstanceValues,
} from './instance-texts.ts';
import type { ValueDiff } from './value-diff.ts';
import type { AttributeView, ChangeView } from './view.ts';

/**
 * Folds equal changes of the instances of one resource (`count`, `forEach`) into one. Equal changes have the same action for
 * the same reason, the same losses and marks and the same attributes. They may differ in their ids, in attributes that do not
 * change, and in text that says the key of the instance, as a name does: `web-{0..39}` stands for all of them. A folded
 * change stands in the place of its first member.
 */
export function foldChanges(changes: readonly ChangeView[]): readonly ChangeView[] {
  return foldInstances(changes, takeShape, drawTogether);
}

/** Counts the changes of the plan that a shown change represents. */
export function countFoldedChanges({ members }: ChangeView): number {
  return members?.length ?? 1;
}

function takeShape(change: ChangeView): ComparableInstanceParts {
  const texts: string[] = [];
  const same = mapTexts(change, (text) => {
    texts.push(text);
    return '';
  });
  const attributes = same.attributes.map((attribute) =>
    mayDiffer(attribute)
      ? { ...attribute, diff: [attribute.diff.mark, shapeOf(attribute)] }
      : attribute,
  );
  const project = isProject(change.kind) ? '' : change.project;
  return { same: { ...same, address: '', project, attributes }, texts };
}

/** Attributes that the service assigns: nobody chose their values. */
export const serviceAssignedAttributes: ReadonlySet<string> = new Set([
  'id',
  'address',
  'cidr',
  'fingerprint',
  'internalIp',
]);

/** Attributes in which equal changes may differ: those that the service assigns, and those that do not change. */
function mayDiffer({ name, diff, waiting }: AttributeView): boolean {
  return serviceAssignedAttributes.has(name) || (diff.mark === 'none' && waiting === undefined);
}

/** Kind of an attribute's difference, since a value that goes is not equal to one that stays. */
function shapeOf({ diff }: AttributeView): string {
  return diff.mark === 'none' ? '' : diff.kind;
}

/** One change that stands for all members of a group; the members have the same attributes and equally many texts. */
function drawTogether(group: InstanceGroup<ChangeView>): ChangeView {
  const { instance, members } = group;
  const keys = listGroupInstanceKeys(group);
  let index = -1;
  const joined = mapTexts(members[0].item, () => {
    index += 1;
    return joinMemberTexts(group, index);
  });
  return {
    ...joined,
    ...(joined.reason !== undefined && { reason: rephraseForAllInstances(joined.reason) }),
    losses: joined.losses.map(rephraseForAllInstances),
    address: joinInstanceAddresses(instance, keys),
    members: members.map(({ item }) => item.address),
    attributes: joined.attributes.map((attribute, at) => {
      const all = members.flatMap(({ item }) => item.attributes.slice(at, at + 1));
      const diffs = all.map(({ diff }) => diff);
      return mayDiffer(attribute) ? { ...attribute, diff: joinDiffs(diffs, keys) } : attribute;
    }),
  };
}

/**
 * Differences of an attribute in all members: as one where they are equal, as a pattern where the keys explain them, else as
 * a count.
 */
function joinDiffs(diffs: readonly ValueDiff[], keys: InstanceValues<InstanceKey>): ValueDiff {
  const first = elementAt(diffs, 0);
  const text = JSON.stringify(first);
  if (diffs.every((diff) => JSON.stringify(diff) === text)) return first;
  const texts = diffs.flatMap((diff) => {
    const isWhole = diff.kind === 'scalar' && diff.before === diff.after;
    return isWhole && typeof diff.after === 'string' ? [diff.after] : [];
  });
  if (texts.length < diffs.length) return hideValues(first, diffs.length);
  const pattern = findCommonInstancePattern(texts, keys);
  if (pattern === undefined) return hideValues(first, diffs.length);
  const row = joinInstanceTexts(texts, keys, pattern);
  return { kind: 'scalar', mark: first.mark, before: row, after: row };
}

function hideValues(diff: ValueDiff, count: number): ValueDiff {
  if (diff.kind !== 'swap') return { kind: 'various', mark: diff.mark, count };
  return { ...diff, before: { kind: 'various', mark: 'delete', count } };
}

/** Replaces every text of a change that may say the key of its instance, always in the same order. */
function mapTexts(change: ChangeView, map: (text: string) => string): ChangeView {
  const { reason, movedFrom, asideName } = change;
  return {
    ...change,
    ...(reason !== undefined && { reason: map(reason) }),
    ...(movedFrom !== undefined && { movedFrom: map(movedFrom) }),
    ...(asideName !== undefined && { asideName: map(asideName) }),
    losses: change.losses.map(map),
    attributes: change.attributes.map((attribute) => ({
      ...attribute,
      ...(!mayDiffer(attribute) && { diff: mapDiff(attribute.diff, map) }),
      ...(attribute.outside !== undefined && { outside: mapValue(attribute.outside, map) }),
    })),
  };
}

function mapValue(value: Value, map: (text: string) => string): Value {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Value) => mapValue(item, map));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapValue(one, map)]));
}

function mapDiff(diff: ValueDiff, map: (text: string) => string): ValueDiff {
  switch (diff.kind) {
    case 'scalar':
      return mapScalar(diff, map);
    case 'text':
      return { ...diff, lines: diff.lines.map((line) => ({ ...line, text: map(line.text) })) };
    case 'list':
      return { ...diff, elements: diff.elements.map((element) => mapDiff(element, map)) };
    case 'map':
      return {
        ...diff,
        entries: diff.entries.map((entry) => ({ ...entry, diff: mapDiff(entry.diff, map) })),
      };
    case 'swap':
      return { ...diff, before: mapDiff(diff.before, map), after: mapDiff(diff.after, map) };
    default:
      return diff;
  }
}

function mapScalar(diff: ValueDiff & { kind: 'scalar' }, map: (text: string) => string): ValueDiff {
  const { before, after } = diff;
  return {
    ...diff,
    before: typeof before === 'string' ? map(before) : before,
    after: typeof after === 'string' ? map(after) : after,
  };
}

/** Phrases about one resource, and the same phrases about several. */
const plurals: readonly (readonly [one: RegExp, many: string])[] = [
  [/\bon its disk \((\d+) GB\)/, 'on their disks ($1 GB each)'],
  [/^Its backups are deleted/, 'Their backups are deleted'],
  [/^Its 1 backup is deleted/, 'Their backups (1 each) are deleted'],
  [/^Its (\d+) backups are deleted/, 'Their backups ($1 each) are deleted'],
  [/ with it\.$/, ' with them.'],
  [/\bindex (\[.*\]) is out of range\b/, 'indexes $1 are out of range'],
  [/\bkey (\[.*\]) is not in\b/, 'keys $1 are not in'],
  [/\bits creation failed\b/, 'their creation failed'],
  [/\bit is already being deleted\b/, 'they are already being deleted'],
];

/**
 * Rephrases a loss or a reason of one instance for all instances: `Its backups are deleted` becomes `Their backups are
 * deleted`.
 */
export function rephraseForAllInstances(text: string): string {
  return plurals.reduce((said, [one, many]) => said.replace(one, many), text);
}
