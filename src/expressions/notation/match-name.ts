import type { EvaluationBudget } from '../values/budget.ts';
import { matchPattern } from './pattern.ts';

/** RE2 pattern of an entry: `legacy-*` for any text in between, `^db-[0-9]+$` as it is; undefined for a plain name. */
function toPattern(written: string): string | undefined {
  if (written.startsWith('^')) return written;
  if (!written.includes('*')) return undefined;
  const parts = written.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return `(?s)^${parts.join('.*')}$`;
}

/** Names of which each stands for itself, or for all that its pattern matches. */
export class NameMatcher {
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

  /** True for a text that one of them means. @throws ExpressionError for no pattern of RE2, or when it takes too long */
  matches(text: string): boolean {
    const name = text.normalize('NFC');
    if (this.#names.has(name)) return true;
    return this.#patterns.some((pattern) => matchPattern(name, pattern, this.#budget));
  }
}
