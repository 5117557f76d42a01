import { CelDouble, NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import {
  createSecretMask,
  maskDiagnosticTexts,
  type SecretMask,
} from '../../model/text/mask-texts.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** Replaces a secret by as many stars as it has characters: the text behind it in its line keeps its column. */
function drawStars(found: string): string {
  return found.replace(/\S/g, '*');
}

/**
 * The secrets of a run, which are masked in every message and every frame: the access token, the values of sensitive
 * variables, and values that were computed from them.
 */
export class SecretMasker {
  readonly #texts: Set<string>;
  /** Functions that mask the secrets so far, with the number of those secrets. */
  #masks:
    { readonly size: number; readonly words: SecretMask; readonly frames: SecretMask } | undefined;

  /**
   * Begins with the given secrets.
   * @param known secrets that are known before any file is read
   */
  constructor(known: Iterable<string> = []) {
    this.#texts = new Set(known);
  }

  /** Adds every text and number within a value to the secrets. */
  add(value: ScopeValue | undefined): void {
    if (value instanceof Unknown || value instanceof NameTree) return;
    if (value instanceof CelDouble) {
      this.add(value.value);
      return;
    }
    if (typeof value === 'string' || typeof value === 'number') {
      if (String(value).trim() !== '') this.#texts.add(String(value));
    } else if (Array.isArray(value)) {
      for (const one of value) this.add(one);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        this.#texts.add(key);
        this.add(one);
      }
    }
  }

  /** Tells whether a text is one of the secrets. */
  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** The number of secrets found so far; it only grows. */
  get size(): number {
    return this.#texts.size;
  }

  /** Masks every secret in the words of a diagnostic. */
  mask<T extends Pick<Diagnostic, 'summary' | 'detail' | 'hint'>>(fault: T): T {
    return maskDiagnosticTexts(fault, this.#currentMasks.words);
  }

  /** Masks every secret in a text of a file; the text keeps its length and lines. */
  maskFrame(text: string): string {
    return this.#currentMasks.frames(text);
  }

  get #currentMasks() {
    const { size } = this.#texts;
    if (this.#masks?.size !== size) {
      this.#masks = {
        size,
        words: createSecretMask(this.#texts),
        frames: createSecretMask(this.#texts, drawStars),
      };
    }
    return this.#masks;
  }
}
