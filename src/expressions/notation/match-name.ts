import type { EvaluationBudget } from '../values/budget.ts';
import { matchPattern } from './pattern.ts';

/** RE2 pattern of an entry: `legacy-*` for any text in between, `^db-[0-9]+$` as it is; undefined for a plain name. */
function toPattern(written: string): string | undefined {
  if (written.startsWith('^')) return written;
  if (!written.includes('*')) return undefined;
  const parts = written.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return `(?s)^${parts.join('.*')}$`;
}

/** Matcher for a list of names, of which each is a plain name or a pattern. */
export class NamePatternMatcher {
  readonly #names = new Set<string>();
  readonly #patterns: readonly string[];
  readonly #budget: EvaluationBudget;

  constructor(written: readonly string[], budget: EvaluationBudget) {
    this.#budget = budget;
    this.#patterns = written.flatMap((one) => {
      const pattern = toPattern(one);
      if (pattern === undefined) this.#names.add(one.normalize('NFC'));
      return pattern ?? [];
    });
  }

  /**
   * Tells whether a text is one of the names, or matches one of the patterns. @throws ExpressionError for an invalid
   * RE2 pattern, or when it takes too long
   */
  matches(text: string): boolean {
    const name = text.normalize('NFC');
    if (this.#names.has(name)) return true;
    return this.#patterns.some((pattern) => matchPattern(name, pattern, this.#budget));
  }
}
