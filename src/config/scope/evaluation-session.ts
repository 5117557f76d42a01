import { EvaluationBudget } from '../../expressions/values/budget.ts';
import { EvaluationSuspension } from '../../expressions/values/suspend-evaluation.ts';
import type { ConfigurationSizeLimits } from '../../model/bounds.ts';
import { DataValues } from './data-values.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { ExpansionCounter } from './expansion.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import { toSourceRange, type SourceTextRange } from '../source/source-file.ts';

/** Sources that a value was computed from, beside its expression. */
interface Sources {
  /** Tells whether a sensitive value is among the sources. */
  readonly isSensitive: boolean;
  /** The entries of `data`, as expressions write them with their module. */
  readonly data: ReadonlySet<string>;
  /** Addresses of the resources that were read. */
  readonly resources: ReadonlySet<ResourceAddress>;
}

/** Collects what the value being computed has read: resources, `data` and secrets. */
class SourceLog implements Sources {
  isSensitive = false;
  readonly data = new Set<string>();
  readonly resources = new Set<ResourceAddress>();
}

const nothing: Sources = new SourceLog();

/** Depth to which values that need each other are computed recursively; deeper chains are computed one after the other. */
const maxDepth = 100;

/** One evaluation of a configuration: the data that all of its modules and expressions share. */
export class EvaluationSession {
  readonly faults: ConfigurationFaultList;
  /** Evaluation steps that all expressions of the run may still take. */
  readonly steps = EvaluationBudget.ofRun();
  readonly expansion: ExpansionCounter;
  /** Results of the `data` queries, for expressions. */
  readonly data: DataValues;
  /** The values that are being worked out, each needed by the one before it. */
  readonly open: EvaluationCell<unknown>[] = [];
  /** Values that are being deferred, each within the one before it: the source of each, and its space. */
  readonly deferring: { readonly node: LocatedYamlNode; readonly space: object }[] = [];
  /** Sources that the value being computed has read so far. */
  read = new SourceLog();
  /** Entries of `data` that policies depend on: these are needed for a destroy, too. */
  readonly policyData = new Set<string>();

  constructor(
    faults: ConfigurationFaultList,
    bounds?: ConfigurationSizeLimits,
    data = new DataValues(),
  ) {
    this.faults = faults;
    this.data = data;
    data.onRead = (query) => {
      this.read.data.add(query);
    };
    this.expansion = new ExpansionCounter(faults, bounds);
  }

  /** A budget of evaluation steps for one expression, out of that of the run. */
  makeBudget(): EvaluationBudget {
    return this.steps.forExpression();
  }

  /** Adds the sources of another value to those of the value that is being computed. */
  note({ isSensitive, data, resources }: Sources): void {
    this.read.isSensitive ||= isSensitive;
    for (const one of data) this.read.data.add(one);
    for (const one of resources) this.read.resources.add(one);
  }

  /** Does the work and gives its sources: sensitive values, `data` and resources. They count for the surrounding work, too. */
  trace<T>(work: () => T): { value: T } & Sources {
    const outer = this.read;
    const inner = new SourceLog();
    this.read = inner;
    try {
      const value = work();
      const { isSensitive, data, resources } = inner;
      return { value, isSensitive, data, resources };
    } finally {
      this.read = outer;
      this.note(inner);
    }
  }
}

/** Subject of a cell in messages: its name, and the place of its source. */
interface Subject {
  readonly label: string;
  readonly place: SourceTextRange;
}

/** Value that is computed once, when it is first read. A value that depends on itself is a fault, which names the whole cycle. */
export class EvaluationCell<T> {
  readonly #session: EvaluationSession;
  readonly #subject: Subject;
  readonly #compute: () => T;
  /** Value of the cell when it cannot be computed, as after a cyclic reference. */
  readonly #otherwise: T;
  #state: 'new' | 'open' | 'done' = 'new';
  #value: T;
  #sources: Sources = nothing;

  constructor(session: EvaluationSession, subject: Subject, compute: () => T, otherwise: T) {
    this.#session = session;
    this.#subject = subject;
    this.#compute = compute;
    this.#otherwise = otherwise;
    this.#value = otherwise;
  }

  /** Computes the value at the first call and returns it. */
  read(): T {
    if (this.#state === 'open') {
      const { open } = this.#session;
      this.#reportCircle(open.slice(open.indexOf(this)));
      return this.#otherwise;
    }
    if (this.#state === 'new') {
      if (this.#session.open.length === 0) this.#openFirst();
      else this.#open();
    }
    this.#session.note(this.#sources);
    return this.#value;
  }

  /**
   * Computes a chain that may be longer than the stack is deep: a value that lies too deep is computed first, and the chain
   * begins anew.
   */
  #openFirst(): void {
    const pending: EvaluationCell<unknown>[] = [this];
    for (let at = pending.at(-1); at; at = pending.at(-1)) {
      try {
        if (at.#state === 'new') at.#open();
        pending.pop();
      } catch (error) {
        if (!(error instanceof EvaluationSuspension) || !(error.need instanceof EvaluationCell))
          throw error;
        const need = error.need as EvaluationCell<unknown>;
        // A value that is pending already needs itself: the circle is longer than the stack is deep.
        if (pending.includes(need)) {
          need.#state = 'done';
          need.#reportCircle(pending.slice(pending.indexOf(need)));
        } else pending.push(need);
      }
    }
  }

  #open(): void {
    const { open } = this.#session;
    if (open.length >= maxDepth) throw new EvaluationSuspension<EvaluationCell<unknown>>(this);
    this.#state = 'open';
    open.push(this);
    try {
      const { value, ...sources } = this.#session.trace(this.#compute);
      this.#value = value;
      this.#sources = sources;
      this.#state = 'done';
    } catch (error) {
      this.#state = error instanceof EvaluationSuspension ? 'new' : 'done';
      throw error;
    } finally {
      open.pop();
    }
  }

  #reportCircle(cells: readonly EvaluationCell<unknown>[]): void {
    const { faults } = this.#session;
    const circle = cells.map((cell) => cell.#subject);
    // A circle may be entered anywhere: it is reported from its first place on, so that it is reported once.
    const first = circle.reduce((a, b) => (isBefore(b.place, a.place) ? b : a));
    const from = circle.indexOf(first);
    const ordered = [...circle.slice(from), ...circle.slice(0, from)];
    const way = [...ordered, first].map(({ label }) => `\`${label}\``).join(' → ');
    const places = ordered.map(
      ({ label, place }) => `\`${label}\` at ${formatSourcePlace(toSourceRange(place))}`,
    );
    faults.add({
      code: 'reference-cycle',
      summary:
        circle.length > 1
          ? 'Values refer to each other in a cycle'
          : `\`${first.label}\` refers to itself`,
      detail: `${way}. Defined: ${places.join(', ')}.`,
      hint: 'Write one of them out.',
      place: first.place,
    });
  }
}

function isBefore(a: SourceTextRange, b: SourceTextRange): boolean {
  return a.file.path === b.file.path ? a.start < b.start : a.file.path < b.file.path;
}
