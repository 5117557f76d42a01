/** Chance that follows from a seed and a name alone: the same question always gets the same answer. */
export class Dice {
  readonly #seed: number;
  #drawn = 0;

  constructor(seed: number, name = '') {
    this.#seed = mix(seed, hashText(name));
  }

  /** A number in [0, 1): the next one of the stream. */
  next(): number {
    this.#drawn += 1;
    return mix(this.#seed, this.#drawn) / 2 ** 32;
  }

  /** A whole number from 0 up to, but not with, `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** A number between the two. */
  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of several; there has to be one. */
  pick<T>(items: readonly T[]): T {
    const picked = items[this.below(items.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }
}

/** Spreads two numbers over 32 bits. */
function mix(one: number, other: number): number {
  let mixed = Math.imul(one ^ (other + 0x9e3779b9), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) + other;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x27d4eb2f);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
