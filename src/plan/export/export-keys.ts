import { kinds } from '../../kinds/registry.ts';
import { kindNames, type KindName } from '../../model/kind-places.ts';

/** Longest key: longer ones make addresses that nobody wants to type. */
const maxLength = 63;

const plainKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Keys with a special meaning in the names of some kind; none is given to any kind. */
const reserved = new Set(kindNames.flatMap((kind) => kinds[kind].traits.reservedKeys?.keys ?? []));

/** Tells whether a text can be a key as it stands. */
function isKey(text: string, kind: KindName): boolean {
  return (
    plainKey.test(text) &&
    text.length <= maxLength &&
    kinds[kind].traits.reservedKeys?.keys.includes(text) !== true &&
    // An object's prototype, and no member of its own.
    text !== '__proto__'
  );
}

/** `Café №1` becomes `Cafe-No1`; a text without any letter or digit becomes the word for its kind. */
function makeKey(text: string, kind: KindName): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  const word = kinds[kind].traits.export?.keyWord ?? kind;
  const key = plain === '' ? word : plainKey.test(plain) ? plain : `${word}-${plain}`;
  return cut(reserved.has(key) ? `${word}-${key}` : key, maxLength);
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[-_]+$/, '');
}

/** Something with its new key. */
export interface KeyedExport<T> {
  readonly one: T;
  readonly key: string;
}

/**
 * Gives things of one kind and place a key each. A name that can be a key is used as it is; the other keys are made from
 * names (`web`, `web-2`, `web-3`), and none equals the name of another thing.
 */
export function assignKeys<T>(
  kind: KindName,
  things: readonly T[],
  nameOf: (one: T) => string,
): readonly KeyedExport<T>[] {
  const taken = new Set<string>();
  const exact = new Set<T>();
  for (const one of things) {
    const name = nameOf(one);
    if (!isKey(name, kind) || taken.has(name)) continue;
    taken.add(name);
    exact.add(one);
  }
  const numbers = new Map<string, number>();
  /** Counting goes on from the last number: there may be thousands of one name. */
  const makeFree = (key: string): string => {
    for (let number = numbers.get(key) ?? 1; ; number += 1) {
      const suffix = number === 1 ? '' : `-${number}`;
      const free = `${cut(key, maxLength - suffix.length)}${suffix}`;
      if (taken.has(free)) continue;
      numbers.set(key, number + 1);
      taken.add(free);
      return free;
    }
  };
  return things.map((one) => {
    const name = nameOf(one);
    return { one, key: exact.has(one) ? name : makeFree(makeKey(name, kind)) };
  });
}
