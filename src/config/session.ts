import { Budget } from '../expressions/budget.ts';
import { formatPlace } from '../model/source.ts';
import type { FaultList } from './fault-list.ts';
import { locate, type Place } from './source-file.ts';
import type { Origin } from './space.ts';

/** Steps for all expressions of one configuration. */
const allSteps = 20_000_000;

/** Values that need each other are worked out within each other: so deep, and no deeper. */
const maxDepth = 100;

/** One reading of a configuration: what all of its parts share. */
export class Session {
  readonly faults: FaultList;
  readonly #steps = new Budget(allSteps);
  /** The values that are being worked out, each needed by the one before it. */
  readonly open: Cell<unknown>[] = [];
  /** What is being put off, each within the one before it. */
  readonly deferring: Origin[] = [];
  /** True once the value that is being worked out has read a sensitive one. */
  isTainted = false;

  constructor(faults: FaultList) {
    this.faults = faults;
  }

  /** What one expression may cost. */
  makeBudget(): Budget {
    return new Budget(undefined, this.#steps);
  }

  /** Does the work and tells whether it read a sensitive value; what surrounds it is told too. */
  trace<T>(work: () => T): { value: T; isSensitive: boolean } {
    const before = this.isTainted;
    this.isTainted = false;
    try {
      const value = work();
      return { value, isSensitive: this.isTainted };
    } finally {
      this.isTainted ||= before;
    }
  }
}

/** What a cell stands for: its name in messages, and where it is written. */
interface Subject {
  readonly label: string;
  readonly place: Place;
}

/** A value that is worked out when it is first asked for, once. One that needs itself is a fault, with the whole circle. */
export class Cell<T> {
  readonly #session: Session;
  readonly #subject: Subject;
  readonly #compute: () => T;
  /** What it is when it cannot be worked out. */
  readonly #otherwise: T;
  #state: 'new' | 'open' | 'done' = 'new';
  #value: T;
  #isSensitive = false;

  constructor(session: Session, subject: Subject, compute: () => T, otherwise: T) {
    this.#session = session;
    this.#subject = subject;
    this.#compute = compute;
    this.#otherwise = otherwise;
    this.#value = otherwise;
  }

  /** Its value. */
  read(): T {
    if (this.#state === 'open') {
      this.#reportCircle();
      return this.#otherwise;
    }
    if (this.#state === 'new') this.#open();
    if (this.#isSensitive) this.#session.isTainted = true;
    return this.#value;
  }

  #open(): void {
    const { open } = this.#session;
    if (open.length >= maxDepth) {
      this.#reportDepth();
      return;
    }
    this.#state = 'open';
    open.push(this);
    try {
      const { value, isSensitive } = this.#session.trace(this.#compute);
      this.#value = value;
      this.#isSensitive = isSensitive;
    } finally {
      open.pop();
      this.#state = 'done';
    }
  }

  #reportCircle(): void {
    const { open, faults } = this.#session;
    const circle = open.slice(open.indexOf(this)).map((cell) => cell.#subject);
    // The same circle may be entered anywhere: it is told from its first place on.
    const first = circle.reduce((a, b) => (isBefore(b.place, a.place) ? b : a));
    const from = circle.indexOf(first);
    const ordered = [...circle.slice(from), ...circle.slice(0, from)];
    const way = [...ordered, first].map(({ label }) => `\`${label}\``).join(' → ');
    const places = ordered.map(
      ({ label, place }) => `\`${label}\` at ${formatPlace(locate(place))}`,
    );
    faults.add({
      code: 'reference-cycle',
      summary:
        circle.length > 1
          ? 'Values refer to each other in a circle'
          : `\`${first.label}\` refers to itself`,
      detail: `${way}. Written are ${places.join(', ')}.`,
      hint: 'Write one of them out.',
      place: first.place,
    });
  }

  #reportDepth(): void {
    this.#session.faults.add({
      code: 'reference-chain-too-long',
      summary: `More than ${maxDepth} values refer to one another in a row`,
      hint: 'Write some of them out.',
      place: this.#subject.place,
    });
  }
}

function isBefore(a: Place, b: Place): boolean {
  return a.file.path === b.file.path ? a.start < b.start : a.file.path < b.file.path;
}
