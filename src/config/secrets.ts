import { NameTree, Unknown, type ScopeValue } from '../expressions/scope.ts';
import type { Fault } from './fault-list.ts';

const mark = '(sensitive)';

/** Shorter ones stand in many a word: they are masked only where they stand alone. */
const shortLength = 4;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** The values of sensitive variables, and what was made of them: they are kept out of every message. */
export class Secrets {
  readonly #texts = new Set<string>();

  /** Takes down every text and number in a value. */
  add(value: ScopeValue | undefined): void {
    if (value instanceof Unknown || value instanceof NameTree) return;
    if (typeof value === 'string' || typeof value === 'number') {
      if (String(value).trim() !== '') this.#texts.add(String(value));
    } else if (Array.isArray(value)) {
      for (const one of value as readonly ScopeValue[]) this.add(one);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        this.#texts.add(key);
        this.add(one);
      }
    }
  }

  /** The fault with every secret in its words masked. */
  mask(fault: Fault): Fault {
    if (this.#texts.size === 0) return fault;
    const { summary, detail, hint } = fault;
    return {
      ...fault,
      summary: this.#maskText(summary),
      ...(detail !== undefined && { detail: this.#maskText(detail) }),
      ...(hint !== undefined && { hint: this.#maskText(hint) }),
    };
  }

  #maskText(text: string): string {
    // The longest first: one may be a part of another.
    const secrets = [...this.#texts].sort((a, b) => b.length - a.length);
    return secrets.reduce((all, secret) => {
      if (secret.length >= shortLength) return all.replaceAll(secret, mark);
      return all.replace(new RegExp(`(?<![\\w-])${escapePattern(secret)}(?![\\w-])`, 'g'), mark);
    }, text);
  }
}
