import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { copySourceRange } from '../../model/source.ts';
import { limitShownDiagnostics } from '../../model/text/show-first.ts';
import { SecretMasker } from './secrets.ts';
import { toSourceRange, type SourceTextRange } from './source-file.ts';

/** Fault of the configuration, whose place in a file is not worked out yet. */
export interface ConfigurationFault extends Omit<Diagnostic, 'severity' | 'source'> {
  /** Severity of the fault; an error when absent. */
  readonly severity?: 'warning';
  readonly place?: SourceTextRange;
}

function compareFaults(a: Diagnostic, b: Diagnostic): number {
  if (!a.source || !b.source) return Number(Boolean(a.source)) - Number(Boolean(b.source));
  if (a.source.file !== b.source.file) return a.source.file < b.source.file ? -1 : 1;
  return a.source.line - b.source.line || a.source.column - b.source.column;
}

function locateFault({ place, ...rest }: ConfigurationFault): Diagnostic {
  return { severity: 'error', ...rest, ...(place && { source: toSourceRange(place) }) };
}

/** Copies the source position, so that the diagnostic does not keep the whole file in memory. */
function drawSource(diagnostic: Diagnostic): Diagnostic {
  const { source } = diagnostic;
  return source ? { ...diagnostic, source: copySourceRange(source) } : diagnostic;
}

function keyOfPlace({ file, start }: SourceTextRange): string {
  return `${file.path}\n${start}`;
}

/** The most faults that are kept: enough to show those that come first. Further ones are only counted. */
const mostKept = 20_000;

/** Collects every fault and warning of reading a configuration. */
export class ConfigurationFaultList {
  readonly #faults = new Map<string, ConfigurationFault>();
  readonly #ignored = new Set<string>();
  /** Places that have an error, so that no warning of a bare expression is added there. */
  readonly #erroneous = new Set<string>();
  #warnings = 0;
  #unseen: Record<Severity, number> | undefined;
  /** Secrets that are masked in messages. */
  readonly secrets: SecretMasker;

  /** @param known secrets that are known before any file is read. */
  constructor(known: readonly string[] = []) {
    this.secrets = new SecretMasker(known);
  }

  /** Ignores faults of these codes from now on: they may only follow from a file that could not be read. */
  ignore(codes: Iterable<string>): void {
    for (const code of codes) this.#ignored.add(code);
  }

  /** Adds a fault unless it was added before: a fault in an anchored value is found again at each of its aliases. */
  add(fault: ConfigurationFault): void {
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

  /** Tells whether an error was reported at a place. */
  hasErrorAt(place: SourceTextRange): boolean {
    return this.#erroneous.has(keyOfPlace(place));
  }

  /** The number of errors, warnings not counted. */
  get size(): number {
    return this.#faults.size - this.#warnings + (this.#unseen?.error ?? 0);
  }

  /** Tells whether there is no error; there may be warnings. */
  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** All faults as diagnostics with frames, by file and position; of very many, the first. */
  toDiagnostics(): Diagnostic[] {
    const all = [...this.#faults.values()]
      .map((fault) => locateFault(this.secrets.mask(fault)))
      .sort(compareFaults);
    return limitShownDiagnostics(all, this.#unseen).map(drawSource);
  }
}
