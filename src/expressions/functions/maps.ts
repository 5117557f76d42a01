// Functions that work on maps.
import type { Value } from '../../model/value.ts';
import { defineFunction, requireKnownPart } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import { compareTexts } from '../notation/letters.ts';
import { makeMap, type ValueList, type ValueMap } from './values.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

function sortedKeys(map: ValueMap): string[] {
  return Object.keys(map).sort(compareTexts);
}

function mergeMaps(...given: readonly Value[]): Value {
  // A single list is spread: `merge(list)` stands for Terraform's `merge(list...)`, which CEL lacks.
  const [only] = given;
  const maps = given.length === 1 && Array.isArray(only) ? only : given;
  const entries = maps.flatMap((map): [string, Value][] => {
    requireKnownPart(map);
    if (map === null) return [];
    if (typeof map === 'object' && !Array.isArray(map)) return Object.entries(map as ValueMap);
    throw new FunctionError(
      'merge() takes maps, or a list of maps',
      'Write for example `merge(local.tags, {"env": var.env})`.',
      'expression-type',
    );
  });
  return makeMap(entries);
}

function lookUp(map: ValueMap, key: string, ...otherwise: readonly Value[]): Value {
  const found = Object.hasOwn(map, key) ? map[key] : undefined;
  if (found !== undefined) return found;
  const [value] = otherwise;
  if (value !== undefined) return value;
  throw new FunctionError(
    `lookup() was given a map without the key ${JSON.stringify(key)}`,
    'Give a third argument: the value for a missing key.',
  );
}

function pairUp(keys: ValueList, values: ValueList): Value {
  if (keys.length !== values.length) {
    throw new FunctionError(
      'zipMap() takes as many values as keys',
      `Give lists of one length: these have ${formatCountWithNoun('key', keys.length)} and ${formatCountWithNoun('value', values.length)}.`,
    );
  }
  requireKnownPart(...keys);
  if (!keys.every((key) => typeof key === 'string')) {
    throw new FunctionError(
      'zipMap() takes texts as keys',
      'Convert them to texts: `keys.map(one, string(one))`.',
      'expression-type',
    );
  }
  return makeMap(keys.map((key, index) => [key, values[index] ?? null]));
}

export const functionsOnMaps = [
  defineFunction(
    {
      is: 'keys(map: map): list',
      does: 'The keys of a map, sorted.',
      example: ['keys({"b": 1, "a": 2})', ['a', 'b']],
      isStructural: true,
    },
    sortedKeys,
  ),
  defineFunction(
    {
      is: 'values(map: map): list',
      does: 'The values of a map, in the order of its sorted keys.',
      example: ['values({"b": 1, "a": 2})', [2, 1]],
      isStructural: true,
    },
    (map: ValueMap) => sortedKeys(map).map((key) => map[key] ?? null),
  ),
  defineFunction(
    {
      is: 'lookup(map: map, key: text, default?: any): any',
      does: 'The value of a key, or the default if the map has no such key.',
      example: ['lookup({"eu": 2}, "us", 1)', 1],
      isStructural: true,
    },
    lookUp,
  ),
  defineFunction(
    {
      is: 'merge(...maps: any): map',
      does: 'One map made of several. For equal keys the last value wins. It also takes a list of maps, and skips null.',
      example: ['merge({"a": 1, "b": 1}, {"b": 2})', { a: 1, b: 2 }],
      isStructural: true,
    },
    mergeMaps,
  ),
  defineFunction(
    {
      is: 'zipMap(keys: list, values: list): map',
      does: 'A map made of a list of keys and a list of their values.',
      example: ['zipMap(["a", "b"], [1, 2])', { a: 1, b: 2 }],
      isStructural: true,
    },
    pairUp,
  ),
];
