import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { Ledger } from './ledger.ts';

/** What says that something may stand there twice, or that it could be somebody else's. */
const tellsOfDoubles: ReadonlySet<string> = new Set([
  ...['may-be-doubled', 'create-doubled', 'ambiguous-create', 'perhaps-ours', 'create-not-seen'],
  ...['create-recognised', 'create-lookalike'],
]);

/** What says that something is somebody else's. */
const tellsOfOthers: ReadonlySet<string> = new Set(['name-taken', 'port-taken']);

const textOf = ({ summary, detail = '', hint = '' }: Diagnostic): string =>
  `${summary} ${detail} ${hint}`;

/** Everything that the program said, in all its runs. */
export class Heard {
  readonly #ledger: Ledger;
  readonly #texts = new Set<string>();
  readonly #doubtful = new Set<string>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  note(diagnostic: Diagnostic): void {
    this.noteWords(diagnostic);
    const { code, address = '' } = diagnostic;
    const text = textOf(diagnostic);
    if (code === 'create-lookalike') {
      const told = this.#ledger.listUnbound().filter((id) => text.includes(id));
      for (const id of told) this.#ledger.noteLookalike(id);
    }
    if (!tellsOfOthers.has(code)) return;
    for (const id of this.#ledger.listUnbound()) {
      if (!text.includes(id) || this.#ledger.isExcused(id) || this.doubts(id)) continue;
      // What another of our addresses made stands in the way as anything else does.
      if (this.#ledger.findMaker(id)?.address !== address) continue;
      this.#ledger.violations.add(`ours said to be somebody else's: ${code} ${address} ${id}`);
    }
  }

  /** Words of a moment that is over: they were read all the same, and accuse nobody. */
  noteWords(diagnostic: Diagnostic): void {
    const { code, address = '' } = diagnostic;
    const text = textOf(diagnostic);
    this.#texts.add(text);
    if (tellsOfDoubles.has(code)) this.#doubtful.add(`${address} ${text}`);
  }

  /** True when anything was said of it. */
  names(id: string): boolean {
    return [...this.#texts].some((text) => text.includes(id));
  }

  /** True when it was said that there may be two of it. */
  doubts(...names: readonly string[]): boolean {
    return [...this.#doubtful].some((text) => names.some((name) => text.includes(name)));
  }
}
