/** Who waits for a turn, in the order of asking; some are let in before the others, who get every second turn all the same. */
export class TurnQueue<T> {
  readonly #first = new Set<T>();
  readonly #others = new Set<T>();
  /** True: one of those that go first had the last turn. */
  #hasOvertaken = false;

  add(one: T, { goesFirst }: { readonly goesFirst: boolean }): void {
    (goesFirst ? this.#first : this.#others).add(one);
  }

  delete(one: T): void {
    this.#first.delete(one);
    this.#others.delete(one);
  }

  /** Takes out whose turn it is; undefined where nobody waits. */
  take(): T | undefined {
    const [first] = this.#first;
    const [other] = this.#others;
    const isFirst = first !== undefined && !(this.#hasOvertaken && other !== undefined);
    const taken = isFirst ? first : other;
    this.#hasOvertaken = isFirst;
    if (taken !== undefined) this.delete(taken);
    return taken;
  }

  get all(): readonly T[] {
    return [...this.#first, ...this.#others];
  }
}
