import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { copySource } from '../../model/source.ts';
import { showFirst } from '../../model/text/show-first.ts';
import { Secrets } from './secrets.ts';
import { locate, type Place } from './source-file.ts';

/** An error, or a warning, before its place is worked out. */
export interface Fault extends Omit<Diagnostic, 'severity' | 'source'> {
  /** An error unless given. */
  readonly severity?: 'warning';
  readonly place?: Place;
}

function compareFaults(a: Diagnostic, b: Diagnostic): number {
  if (!a.source || !b.source) return Number(Boolean(a.source)) - Number(Boolean(b.source));
  if (a.source.file !== b.source.file) return a.source.file < b.source.file ? -1 : 1;
  return a.source.line - b.source.line || a.source.column - b.source.column;
}

function locateFault({ place, ...rest }: Fault): Diagnostic {
  return { severity: 'error', ...rest, ...(place && { source: locate(place) }) };
}

/** With nothing left of the file that its place is in. */
function drawSource(diagnostic: Diagnostic): Diagnostic {
  const { source } = diagnostic;
  return source ? { ...diagnostic, source: copySource(source) } : diagnostic;
}

function keyOfPlace({ file, start }: Place): string {
  return `${file.path}\n${start}`;
}

/** How many are kept: enough to show those that stand first. Of the rest only the number is. */
const mostKept = 20_000;

/** Every fault and warning of a run, gathered as they are found. */
export class FaultList {
  readonly #faults = new Map<string, Fault>();
  readonly #ignored = new Set<string>();
  /** The places of the errors. */
  readonly #erroneous = new Set<string>();
  #warnings = 0;
  #unseen: Record<Severity, number> | undefined;
  /** Values that no message may show. */
  readonly secrets: Secrets;

  /** @param known what is secret before anything is read */
  constructor(known: readonly string[] = []) {
    this.secrets = new Secrets(known);
  }

  /** Takes no more faults of these codes: they may follow from what could not be read. */
  ignore(codes: Iterable<string>): void {
    for (const code of codes) this.#ignored.add(code);
  }

  /** Takes a fault down, once: what is wrong with an anchor is wrong at all of its aliases. */
  add(fault: Fault): void {
    const { place, code, summary, detail, hint } = fault;
    if (this.#ignored.has(code)) return;
    // The summary names the way to the value, which differs from alias to alias.
    const key = place
      ? [place.file.path, place.start, code, detail, hint].join('\n')
      : `${code}\n${summary}`;
    if (this.#faults.has(key)) return;
    if (this.#faults.size >= mostKept) {
      this.#unseen ??= { error: 0, warning: 0, note: 0 };
      this.#unseen[fault.severity ?? 'error'] += 1;
      return;
    }
    this.#faults.set(key, fault);
    if (fault.severity === 'warning') this.#warnings += 1;
    else if (place) this.#erroneous.add(keyOfPlace(place));
  }

  /** True where an error is at a place. */
  hasErrorAt(place: Place): boolean {
    return this.#erroneous.has(keyOfPlace(place));
  }

  /** How many errors there are. */
  get size(): number {
    return this.#faults.size - this.#warnings + (this.#unseen?.error ?? 0);
  }

  /** True where nothing but warnings is there. */
  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** All of them as diagnostics with frames, by file and position; where they are very many, the first of them. */
  toDiagnostics(): Diagnostic[] {
    const all = [...this.#faults.values()]
      .map((fault) => locateFault(this.secrets.mask(fault)))
      .sort(compareFaults);
    return showFirst(all, this.#unseen).map(drawSource);
  }
}
