// Regular expressions in time that is linear in the text, as RE2 has them. JavaScript's own would hang on `(a+)+$`.
import { RE2JS, RE2JSException, type Matcher } from 're2js';
import { refuseLongList, refuseLongText, type EvaluationBudget } from '../values/budget.ts';
import { ExpressionError } from '../parse/expression-fault.ts';

/** Longest pattern: its repetitions are written out when it is compiled. */
const maxLength = 1_000;
const maxInstructions = 5_000;
/** Instructions of a regular expression that are run for one step of the evaluation budget. */
const instructionsPerStep = 32;
const compiled = new Map<string, RE2JS>();
const maxCompiled = 500;
/** Steps of the evaluation budget for compiling one instruction of a regular expression. */
const stepsPerInstruction = 4;

function tooLarge(): ExpressionError {
  return new ExpressionError(
    'unsafe-pattern',
    'The pattern is too large',
    'Repeat less in it, or check the text in several steps.',
  );
}

function compile(pattern: string, budget: EvaluationBudget): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (pattern.length > maxLength) throw tooLarge();
  try {
    const made = RE2JS.compile(pattern);
    budget.spend(stepsPerInstruction * (pattern.length + made.programSize()));
    if (made.programSize() > maxInstructions) throw tooLarge();
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(pattern, made);
    return made;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new ExpressionError(
      'unsafe-pattern',
      `The pattern cannot be used: ${error.message.replace('error parsing regexp: ', '')}`,
      'Use the patterns of RE2: it has no look-ahead, no look-behind and no back references.',
    );
  }
}

/** Steps of the evaluation budget for running a regular expression over a text. */
function costOf(made: RE2JS, length: number): number {
  return Math.ceil((length * made.programSize()) / instructionsPerStep);
}

/** Tells whether a pattern matches anywhere in the text. @throws ExpressionError for a pattern that RE2 does not know */
export function matchPattern(text: string, pattern: string, budget: EvaluationBudget): boolean {
  const made = compile(pattern, budget);
  budget.spend(costOf(made, text.length));
  return made.matcher(text).find();
}

/** Match of a pattern: its whole text, and its groups by number or by name; null for a group that took no part. */
export interface PatternMatch {
  readonly whole: string;
  readonly groups: readonly (string | null)[];
  /** Named groups of the match; empty where no group has a name. */
  readonly named: Readonly<Record<string, string | null>>;
}

/**
 * A search after a match may look at all of the rest of the text before it finds the next one. It rarely does, so a
 * step pays for much of it; but a text of which every search does is paid for.
 */
const charactersPerStep = 16;

/** Goes from match to match: none is empty right behind another one, as in Go. */
function* search(text: string, pattern: string, budget: EvaluationBudget): Iterable<Matcher> {
  const made = compile(pattern, budget);
  budget.spend(costOf(made, text.length));
  const matcher = made.matcher(text);
  let end = -1;
  while (matcher.find()) {
    budget.spend(1 + Math.ceil((text.length - matcher.start()) / charactersPerStep));
    if (matcher.end() > matcher.start() || matcher.start() !== end) yield matcher;
    end = matcher.end();
  }
}

/** Finds the matches of a pattern in a text, from the first on. @throws ExpressionError for an invalid RE2 pattern */
export function findMatches(
  text: string,
  pattern: string,
  budget: EvaluationBudget,
  atMost = Infinity,
): PatternMatch[] {
  const found: PatternMatch[] = [];
  for (const matcher of search(text, pattern, budget)) {
    const groups = Array.from({ length: matcher.groupCount() }, (_, index) =>
      matcher.group(index + 1),
    );
    found.push({ whole: matcher.group() ?? '', groups, named: { ...matcher.getNamedGroups() } });
    refuseLongList(found.length);
    if (found.length >= atMost) break;
  }
  return found;
}

const placeholder = /\$(?:(\$)|(\w+)|\{(\w+)\})/g;

/** Replaces every match in a text; `$1`, `$name` and `${name}` in the replacement mean groups. @throws ExpressionError */
export function replacePattern(
  text: string,
  pattern: string,
  by: string,
  budget: EvaluationBudget,
): string {
  let made = '';
  let at = 0;
  for (const matcher of search(text, pattern, budget)) {
    const inserted = by.replace(placeholder, (_, dollar?: string, bare?: string, name?: string) =>
      dollar === undefined ? readGroup(matcher, bare ?? name ?? '') : '$',
    );
    made += text.slice(at, matcher.start()) + inserted;
    at = matcher.end();
    refuseLongText(made.length + text.length - at);
  }
  return made + text.slice(at);
}

function readGroup(matcher: Matcher, group: string): string {
  const isNumber = /^\d+$/.test(group);
  const exists = isNumber
    ? Number(group) <= matcher.groupCount()
    : Object.hasOwn(matcher.getNamedGroups(), group);
  // A group that the pattern does not have is empty, as in RE2 itself.
  return (exists ? matcher.group(isNumber ? Number(group) : group) : '') ?? '';
}
