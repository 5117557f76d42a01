// Functions that take lists as sets: what is in them counts, and once.
import type { Value } from '../../model/value.ts';
import { refuseLongList } from '../values/budget.ts';
import { defineFunction } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import { compareTexts } from '../notation/letters.ts';
import { makeValueIdentityKey, removeRepeatedItems, type ValueList } from './values.ts';

/** Texts and numbers in their order, as Terraform goes over a set; other values as they come. */
function orderSet(list: ValueList): Value {
  if (list.every((one) => typeof one === 'string')) return list.toSorted(compareTexts);
  return list.every((one) => typeof one === 'number') ? list.toSorted((a, b) => a - b) : list;
}

/** Makes a set of a list: each value once, texts and numbers sorted. */
export function makeSet(list: ValueList): Value {
  return orderSet(removeRepeatedItems(list));
}

function intersect(first: ValueList, ...others: readonly ValueList[]): Value {
  const sets = others.map((list) => new Set(list.map(makeValueIdentityKey)));
  return makeSet(first.filter((one) => sets.every((set) => set.has(makeValueIdentityKey(one)))));
}

/** The lists among the arguments, or those of one list of them. */
function readLists(given: readonly ValueList[]): readonly ValueList[] {
  const [only = []] = given;
  const lists = given.length === 1 && only.every((one) => Array.isArray(one)) ? only : given;
  if (lists.length > 1) return lists;
  throw new FunctionError(
    'setProduct() takes two or more lists, or one list of them',
    'Write for example `setProduct(var.environments, var.regions)`.',
    'expression-type',
  );
}

function combine(...given: readonly ValueList[]): Value {
  const lists = readLists(given);
  refuseLongList(lists.reduce((count, list) => count * list.length, 1) * lists.length);
  return lists.reduce<Value[][]>(
    (made, list) => made.flatMap((head) => list.map((one) => [...head, one])),
    [[]],
  );
}

export const functionsOnSets = [
  defineFunction(
    {
      is: 'setUnion(list: list, ...lists: list): list',
      does: 'All values that are in any of the lists, each once. Texts and numbers are sorted.',
      example: ['setUnion(["b", "a"], ["b", "c"])', ['a', 'b', 'c']],
    },
    (...lists: readonly ValueList[]) => makeSet(lists.flat()),
  ),
  defineFunction(
    {
      is: 'setIntersection(list: list, ...lists: list): list',
      does: 'The values that are in all of the lists, each once. Texts and numbers are sorted.',
      example: ['setIntersection(["a", "b"], ["b", "c"])', ['b']],
    },
    intersect,
  ),
  defineFunction(
    {
      is: 'setProduct(list: list, ...lists: list): list',
      does: 'All combinations of one item from each list.',
      example: [
        'setProduct(["dev", "prod"], ["a", "b"])',
        [
          ['dev', 'a'],
          ['dev', 'b'],
          ['prod', 'a'],
          ['prod', 'b'],
        ],
      ],
      isStructural: true,
    },
    combine,
  ),
];
