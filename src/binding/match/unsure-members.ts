// Members whose place in a schema is not told by it alone: a person is asked about them.
import type { MemberShape } from '../../api/contract/shapes.ts';
import type { AssignedBindingPairs, LikelyBindingPair } from './assign.ts';
import type { SchemaLeaf } from './leaves.ts';

/** A member of a record and a place in a schema that may be it. */
export type MemberPair = LikelyBindingPair<string, SchemaLeaf>;

/**
 * Makes a question of each place inside an object that is itself matched with another member. A member that the
 * contract can do without is not asked about there.
 */
export function askAboutNestedPlaces(
  members: readonly (readonly [string, MemberShape])[],
  { bound, open }: AssignedBindingPairs<string, SchemaLeaf>,
): AssignedBindingPairs<string, SchemaLeaf> {
  const records = members.flatMap(([name, { type }]) => {
    const pointer = type === 'record' ? bound.get(name)?.theirs.pointer : undefined;
    return pointer === undefined ? [] : [pointer];
  });
  const shapes = new Map(members);
  const isInner = ({ theirs }: { readonly theirs: SchemaLeaf }) =>
    records.some((pointer) => theirs.pointer.startsWith(`${pointer}/`));
  const inner = [...bound].filter(([, pair]) => isInner(pair));
  const isOptional = (name: string) => shapes.get(name)?.isOptional === true;
  const asked = inner.filter(([name]) => !isOptional(name));
  const left = [...open].filter(([name, pairs]) => !(isOptional(name) && pairs.every(isInner)));
  const outside = [...bound].filter(([, pair]) => !isInner(pair));
  const taken = new Set(outside.map(([, { theirs }]) => theirs));
  // Of an optional member that may stand inside such an object or in one place outside it, the one outside is meant.
  const told = left.flatMap(([name, pairs]) => {
    const [alone, ...others] = pairs.filter((pair) => !isInner(pair));
    const isTold =
      alone !== undefined && others.length === 0 && pairs.length > 1 && isOptional(name);
    return isTold && alone.score >= surely && !taken.has(alone.theirs)
      ? [[name, alone] as const]
      : [];
  });
  const names = new Set(told.map(([name]) => name));
  return {
    bound: new Map([...outside, ...told]),
    open: new Map([
      ...left.filter(([name]) => !names.has(name)),
      ...asked.map(([name, pair]) => [name, [pair]] as const),
    ]),
  };
}

/**
 * Makes a question of each place that was bound by a word that may mean another thing, and lists no words of its own,
 * where an unbound enum may be there as well: `task_state` may be the operation and the status of one.
 */
export function askAboutAmbiguousPlaces(
  members: readonly (readonly [string, MemberShape])[],
  pairs: readonly MemberPair[],
  { bound, open }: AssignedBindingPairs<string, SchemaLeaf>,
): AssignedBindingPairs<string, SchemaLeaf> {
  const enums = new Set(members.flatMap(([name, { type }]) => (type === 'enum' ? [name] : [])));
  const doubtful = [...bound.values()].flatMap((pair) => {
    const isUntold = enums.has(pair.ours) && pair.theirs.schema.words.length === 0;
    if (!isUntold || pair.score > unsure) return [];
    const others = pairs.filter(
      ({ ours, theirs }) =>
        theirs === pair.theirs && ours !== pair.ours && enums.has(ours) && !bound.has(ours),
    );
    return others.length > 0 ? [pair, ...others] : [];
  });
  const asked = new Map(open);
  for (const pair of doubtful) asked.set(pair.ours, [...(open.get(pair.ours) ?? []), pair]);
  return { bound: new Map([...bound].filter(([name]) => !asked.has(name))), open: asked };
}

/** Least score of a pair that is bound because its rivals are parts of another member. */
const surely = 0.9;

/** Highest score of a pair whose name may mean another thing. */
const unsure = 0.7;
