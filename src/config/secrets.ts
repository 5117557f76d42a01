import { NameTree, Unknown, type ScopeValue } from '../expressions/scope.ts';
import { maskTexts } from '../model/mask-texts.ts';
import type { Fault } from './fault-list.ts';

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

  /** True for a text that was taken down. */
  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** The fault with every secret in its words masked. */
  mask(fault: Fault): Fault {
    return maskTexts(fault, this.#texts);
  }
}
