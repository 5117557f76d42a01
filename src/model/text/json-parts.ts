// JSON of any length, made and written in pieces: a plan of many thousand resources is too long to be kept in memory at once.
import { isJsonObject } from '../json-object.ts';

/** A list whose items are made anew each time it is read, one after the other: they are never in memory together. */
export class LazyList<T> implements Iterable<T> {
  readonly #make: () => Iterator<T>;

  /** @param make begins a new reading; may be called more than once */
  constructor(make: () => Iterator<T>) {
    this.#make = make;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#make();
  }
}

/**
 * A lazy list of what `make` gives for each item, as it is read; an item for which it gives `undefined` is left out.
 */
export function mapLazily<T, U>(items: Iterable<T>, make: (item: T) => U | undefined): LazyList<U> {
  return new LazyList(function* () {
    for (const item of items) {
      const made = make(item);
      if (made !== undefined) yield made;
    }
  });
}

/** The type of a value whose lazy lists are arrays: those of its own members, of theirs, and of what lists hold. */
type Collected<T> =
  T extends LazyList<infer Item>
    ? readonly Item[]
    : T extends readonly (infer Item)[]
      ? readonly Collected<Item>[]
      : T extends object
        ? string extends keyof T
          ? T
          : { readonly [Key in keyof T]: Collected<T[Key]> }
        : T;

/** Replaces the lazy lists in a value by arrays, in nested objects and arrays, too. */
export function collectLazyLists<T>(value: T): Collected<T> {
  return collect(value) as Collected<T>;
}

function collect(value: unknown): unknown {
  if (value instanceof LazyList) return [...(value as LazyList<unknown>)];
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => (holdsList(item) ? collect(item) : item));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, collect(one)]));
}

function holdsList(item: unknown): boolean {
  return (
    typeof item === 'object' &&
    item !== null &&
    Object.values(item).some((member) => member instanceof LazyList)
  );
}

/** Rules of writing JSON: the order of keys, and the text of single values. */
export interface JsonWritingRules {
  /** Lists the keys of an object in the order to write them. */
  readonly keysOf: (value: object) => readonly string[];
  /** A value that is written at once. `undefined` is an item of a list. */
  readonly format: (value: unknown) => string;
}

const plainForm: JsonWritingRules = {
  keysOf: Object.keys,
  format: (value) => JSON.stringify(value === undefined ? null : value),
};

/**
 * Generates the JSON of a value in pieces: objects key by key, and each item of a list at once, unless it has lazy lists of
 * its own. The items of a lazy list have none.
 */
export function* generateJsonChunks(value: unknown, form: JsonWritingRules): Generator<string> {
  if (Array.isArray(value) || value instanceof LazyList) {
    let mark = '[';
    for (const item of value as Iterable<unknown>) {
      if (holdsList(item)) {
        yield mark;
        yield* generateJsonChunks(item, form);
      } else yield mark + form.format(item);
      mark = ',';
    }
    yield mark === '[' ? '[]' : ']';
  } else if (isJsonObject(value)) {
    let mark = '{';
    for (const key of form.keysOf(value)) {
      const one = value[key];
      if (one === undefined) continue;
      yield `${mark}${form.format(key)}:`;
      yield* generateJsonChunks(one, form);
      mark = ',';
    }
    yield mark === '{' ? '{}' : '}';
  } else {
    yield form.format(value);
  }
}

/** Length of a piece of text that is worth writing to a file or a stream at once, in UTF-16 units. */
export const minTextChunkLength = 65_536;

/** Joins parts of a text to pieces that are worth writing: each as long as `minTextChunkLength`, and its last part longer. */
export function* joinTextChunks(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < minTextChunkLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** A value as one JSON document on one line, with a line end, in pieces that are worth writing. */
export function generateJsonLine(value: unknown): Generator<string> {
  return joinTextChunks(listLineParts(value));
}

function* listLineParts(value: unknown): Generator<string> {
  yield* generateJsonChunks(value, plainForm);
  yield '\n';
}
