// Types that the standard library calls `any`, unknown until they are checked; and a search in a list for what may not be in it.
declare global {
  interface JSON {
    parse(text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown): unknown;
  }
  interface ArrayConstructor {
    isArray(value: unknown): value is readonly unknown[];
  }
  interface ReadonlyArray<T> {
    includes(searched: T extends string ? string : T, from?: number): boolean;
  }
  interface ObjectConstructor {
    /** An object without a prototype, where `__proto__` and `constructor` are keys like all others. */
    create<T = unknown>(prototype: null): Record<string, T>;
  }
}

/** A JSON value, the type of all attributes of resources. */
export type Value =
  null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** Attributes of one resource by name, in the configuration's own terms. */
export type Attributes = Readonly<Record<string, Value>>;

/** Attributes of a live resource: undefined for one that the service does not return. */
export type ReportedAttributes = Readonly<Record<string, Value | undefined>>;

/** Equal in depth. Lists are compared in order, objects by key. */
export function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isEqual(item, b[index]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => key in b && isEqual(a[key], b[key]));
}

/** An attribute as text; empty when it is absent or not a scalar. */
export function readAttributeText(attributes: Attributes, name: string): string {
  const value = attributes[name];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** An attribute as a list of texts; empty when it is absent or no list. */
export function readAttributeTextList(attributes: Attributes, name: string): readonly string[] {
  return readTextList(attributes[name]);
}

/** A value that is a list of texts where it is a list; empty for any other. */
export function readTextList(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
