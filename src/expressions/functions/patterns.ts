// Functions that look for patterns. They are RE2's: no text makes them slow.
import type { Value } from '../../model/value.ts';
import { findMatches, type PatternMatch } from '../notation/pattern.ts';
import { defineCostlyFunction } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import { makeMap } from './values.ts';

/** The groups by name, else by number, else the whole. @throws FunctionError for groups of both sorts */
function toValue({ whole, groups, named }: PatternMatch): Value {
  const names = Object.entries(named);
  if (names.length > 0 && names.length < groups.length) {
    throw new FunctionError(
      'The pattern has groups with names and groups without',
      'Name all of them, or write `(?:…)` for groups that are only there to group.',
    );
  }
  if (names.length > 0) return makeMap(names);
  return groups.length > 0 ? groups : whole;
}

export const patternFunctions = [
  defineCostlyFunction(
    {
      is: 'regex(pattern: text, text: text): any',
      does: 'The first match of a pattern: a text, a list if the pattern has groups, a map if they have names as in `(?P<year>\\d+)`. No match is an error.',
      example: ['regex("(\\\\d+)-(\\\\d+)", "web-10-20")', ['10', '20']],
    },
    (budget) => (pattern: string, text: string) => {
      const [found] = findMatches(text, pattern, budget, 1);
      if (found) return toValue(found);
      throw new FunctionError(
        'regex() found no match for its pattern',
        'Use `regexAll()`, which then gives an empty list, or `try(regex(…), …)`.',
      );
    },
  ),
  defineCostlyFunction(
    {
      is: 'regexAll(pattern: text, text: text): list',
      does: 'All matches of a pattern, each as `regex` gives it. Without a match it is an empty list.',
      example: ['regexAll("[a-z]+", "a1b2c")', ['a', 'b', 'c']],
    },
    (budget) => (pattern: string, text: string) => findMatches(text, pattern, budget).map(toValue),
  ),
];
