import { Dice } from './dice.ts';
import { faultKinds, type FaultKind } from './fault-kinds.ts';

/** One fault that struck: where, and what. */
export interface Strike {
  /** The point at which it struck, e.g. `r12` for the twelfth request. */
  readonly point: string;
  readonly kind: FaultKind;
}

/** Where faults may strike, and which of them. */
export interface MischiefOptions {
  readonly seed: number;
  /** How often, of the points at which one may. */
  readonly rate: number;
  readonly kinds: ReadonlySet<FaultKind>;
  /** Given: only at these points. For a seed that is shrunk. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Told of every fault that struck. */
  readonly onStrike?: ((strike: Strike, what: string) => void) | undefined;
}

/**
 * Decides at every point whether something goes wrong there. A decision follows from the seed and the point alone, so
 * that taking one fault away leaves the others where they are.
 */
export class Mischief {
  readonly strikes: Strike[] = [];
  readonly #options: MischiefOptions;
  readonly #points = new Map<string, number>();
  #isOver = false;

  constructor(options: MischiefOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** From here on nothing goes wrong. */
  end(): void {
    this.#isOver = true;
  }

  /** The next point of a sort, and the dice of it. */
  next(sort: string): Point {
    const count = (this.#points.get(sort) ?? 0) + 1;
    this.#points.set(sort, count);
    const name = `${sort}${count}`;
    return { name, dice: new Dice(this.#options.seed, name) };
  }

  /** Which of these faults strikes at the point, if any. `weight` raises or lowers the rate. */
  choose<K extends FaultKind>(point: Point, among: readonly K[], weight = 1): K | undefined {
    const { rate, kinds, only } = this.#options;
    const isStruck = point.dice.chance(rate * weight);
    if (!isStruck || this.#isOver || (only && !only.has(point.name))) return undefined;
    const possible = among.filter((kind) => kinds.has(kind));
    return possible.length === 0 ? undefined : point.dice.pick(possible);
  }

  /** It did strike. */
  note(point: Point, kind: FaultKind, what = ''): void {
    const strike = { point: point.name, kind };
    this.strikes.push(strike);
    this.#options.onStrike?.(strike, what);
  }
}

/** A place in a run at which something may go wrong. */
export interface Point {
  readonly name: string;
  readonly dice: Dice;
}

/** How often each kind struck. */
export type Counts = Readonly<Record<FaultKind, number>>;

export function countStrikes(strikes: readonly Strike[]): Counts {
  const counts = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<
    FaultKind,
    number
  >;
  for (const { kind } of strikes) counts[kind] += 1;
  return counts;
}

export const addCounts = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(faultKinds.map((kind) => [kind, one[kind] + other[kind]])) as Counts;
