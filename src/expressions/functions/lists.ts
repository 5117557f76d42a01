// Functions that work on lists.
import { isEqual, type Value } from '../../model/value.ts';
import { refuseLongList } from '../values/budget.ts';
import { isKnown } from '../values/scope.ts';
import { defineFunction, requireKnownPart } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import { scaleDecimals } from '../notation/decimals.ts';
import { compareTexts } from '../notation/letters.ts';
import { removeRepeatedItems, type ValueList } from './values.ts';

function sortValues(list: ValueList): Value {
  if (list.every((one) => typeof one === 'number')) return list.toSorted((a, b) => a - b);
  if (list.every((one) => typeof one === 'string')) return list.toSorted(compareTexts);
  throw new FunctionError(
    'sort() takes a list of texts, or a list of numbers',
    'Convert its items to texts: `list.map(one, string(one))`.',
    'expression-type',
  );
}

/** Tells whether a list contains a value. A match decides, even if other items are unknown. */
function holds(list: ValueList, value: Value): boolean {
  const known = list.filter((one) => isKnown(one));
  if (isKnown(value) && known.some((one) => isEqual(one, value))) return true;
  requireKnownPart(value, ...list);
  return false;
}

function flattenDeep(list: ValueList): Value[] {
  return list.flatMap((one) => (Array.isArray(one) ? flattenDeep(one) : [one]));
}

function countUp(...bounds: readonly number[]): Value {
  const [first = 0, second, third] = bounds;
  const [start, end] = second === undefined ? [0, first] : [first, second];
  const step = third ?? (end < start ? -1 : 1);
  if (step === 0 || (end - start) * step < 0) {
    throw new FunctionError(
      'range() never reaches its end with this step',
      'Give a positive step if the end is larger than the start, a negative one if it is smaller.',
    );
  }
  const { scaled, toNumber } = scaleDecimals([start, end, step]);
  const [from = 0n, to = 0n, by = 1n] = scaled;
  // Rounded away from zero: the end is left out, and what lies before it is not.
  const length = Number((to - from + by - (by > 0n ? 1n : -1n)) / by);
  refuseLongList(length);
  return Array.from({ length }, (_, index) => toNumber(from + BigInt(index) * by));
}

function cutIntoChunks(list: ValueList, size: number): Value {
  if (size < 0) throw new FunctionError('chunk() takes a size of 0 or more', 'Give 1 or more.');
  // As in Terraform, the chunk size 0 makes one chunk of the whole list.
  const step = size === 0 ? Math.max(1, list.length) : size;
  return Array.from({ length: Math.ceil(list.length / step) }, (_, index) =>
    list.slice(index * step, (index + 1) * step),
  );
}

function takeOnly(list: ValueList): Value {
  if (list.length < 2) return list[0] ?? null;
  throw new FunctionError(
    `one() was given a list of ${list.length} items`,
    'Give a list of none or one, or choose an item by its number, as in `list[0]`.',
  );
}

function addUp(list: ValueList): Value {
  const numbers = list.filter((one) => typeof one === 'number');
  if (numbers.length < list.length) {
    throw new FunctionError(
      'sum() takes a list of numbers',
      'Convert its items to numbers: `list.map(one, int(one))`.',
      'expression-type',
    );
  }
  if (numbers.length > 0) {
    const { scaled, toNumber } = scaleDecimals(numbers);
    return toNumber(scaled.reduce((a, b) => a + b, 0n));
  }
  throw new FunctionError(
    'sum() was given an empty list',
    'Begin with a 0 if the list may be empty: `sum(concat([0], list))`.',
  );
}

export const functionsOnLists = [
  defineFunction(
    {
      is: 'contains(list: list, value: any): bool',
      does: 'True if the list holds the value. CEL also has `value in list`.',
      example: ['contains(["a", "b"], "b")', true],
      isStructural: true,
    },
    holds,
  ),
  defineFunction(
    {
      is: 'concat(list: list, ...lists: list): list',
      does: 'One list made of several, one after the other.',
      example: ['concat(["a"], ["b", "c"])', ['a', 'b', 'c']],
      isStructural: true,
    },
    (...lists: readonly ValueList[]) => lists.flat(),
  ),
  defineFunction(
    {
      is: 'flatten(list: list): list',
      does: 'The list with the items of inner lists in their place, at any depth.',
      example: ['flatten([["a"], [["b"], "c"]])', ['a', 'b', 'c']],
    },
    flattenDeep,
  ),
  defineFunction(
    {
      is: 'distinct(list: list): list',
      does: 'The list without repeated items. The first of each stays.',
      example: ['distinct(["b", "a", "b"])', ['b', 'a']],
    },
    removeRepeatedItems,
  ),
  defineFunction(
    {
      is: 'sort(list: list): list',
      does: 'Texts by their code points, or numbers from the smallest on.',
      example: ['sort(["b", "a10", "a2"])', ['a10', 'a2', 'b']],
    },
    sortValues,
  ),
  defineFunction(
    {
      is: 'reverse(list: list): list',
      does: 'The list from its end to its start.',
      example: ['reverse([1, 2, 3])', [3, 2, 1]],
      isStructural: true,
    },
    (list: ValueList) => list.toReversed(),
  ),
  defineFunction(
    {
      is: 'range(start: number, end?: number, step?: number): list',
      does: 'Numbers from the start up to the end, which is left out. A single argument is the end, and the start is 0.',
      example: ['range(1, 4)', [1, 2, 3]],
    },
    countUp,
  ),
  defineFunction(
    {
      is: 'compact(list: list): list',
      does: 'The list without null and empty texts.',
      example: ['compact(["a", "", null, "b"])', ['a', 'b']],
    },
    (list: ValueList) => list.filter((one) => one !== null && one !== ''),
  ),
  defineFunction(
    {
      is: 'chunk(list: list, size: integer): list',
      does: 'The list cut into lists of this size. Terraform calls it `chunklist`.',
      example: ['chunk([1, 2, 3], 2)', [[1, 2], [3]]],
      isStructural: true,
    },
    cutIntoChunks,
  ),
  defineFunction(
    {
      is: 'one(list: list): any',
      does: 'The only item of a list, or null for an empty list.',
      example: ['one(["a"])', 'a'],
      isStructural: true,
    },
    takeOnly,
  ),
  defineFunction(
    {
      is: 'sum(list: list): number',
      does: 'The sum of a list of numbers.',
      example: ['sum([1, 2, 3.5])', 6.5],
    },
    addUp,
  ),
];
