/** A value as JSON has it: what attributes are made of. */
export type Value =
  null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** Attributes of one resource by name, in the configuration's own terms. */
export type Attributes = Readonly<Record<string, Value>>;

/** The same of a live resource: undefined where the service leaves an attribute untold. */
export type ToldAttributes = Readonly<Record<string, Value | undefined>>;

/** Equal in depth. Lists are compared in order, objects by key. */
export function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    const left = a as readonly Value[];
    const right = b as readonly Value[];
    if (!Array.isArray(a) || !Array.isArray(b) || left.length !== right.length) return false;
    return left.every((item, index) => isEqual(item, right[index]));
  }
  const left = a as Attributes;
  const right = b as Attributes;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => key in right && isEqual(left[key], right[key]));
}

/** An attribute as text; empty when it is absent or not a scalar. */
export function textOf(attributes: Attributes, name: string): string {
  const value = attributes[name];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** An attribute as a list of texts; empty when it is absent or no list. */
export function textsOf(attributes: Attributes, name: string): readonly string[] {
  const value = attributes[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
