// Checks of the shape of a state's files, which anybody who can write there may have changed.
import { parseResourceAddress } from '../model/address.ts';
import { isJsonObject } from '../model/json-object.ts';

/** Finds the fault of a value, e.g. `must be a text`; undefined where there is none. */
export type StateFieldCheck = (value: unknown) => string | undefined;
/** Checks for the fields of an object; other fields are allowed. */
export type StateFieldChecks = Readonly<
  Record<string, { readonly check: StateFieldCheck; readonly isOptional?: true }>
>;

/** Checks that a value is a text that is not empty. */
export const checkNonEmptyText: StateFieldCheck = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'must be a text';
/** Checks that a value is a list of texts, which may be empty. */
export const checkTextList: StateFieldCheck = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? undefined
    : 'must be a list of texts';
/** Checks that a value is an object, whatever its members are. */
export const checkObject: StateFieldCheck = (value) =>
  isJsonObject(value) ? undefined : 'must be an object';
/** Checks that a value is the address of a resource. */
export const checkResourceAddress: StateFieldCheck = (value) =>
  typeof value === 'string' && parseResourceAddress(value) ? undefined : 'must be an address';
/** Checks that a value is a whole number, negative ones included. */
export const checkWholeNumber: StateFieldCheck = (value) =>
  Number.isSafeInteger(value) ? undefined : 'must be a whole number';
/** Checks that a value is a whole number of at least zero. */
export const checkNaturalNumber: StateFieldCheck = (value) =>
  typeof value === 'number' && value < 0 ? 'must be a whole number' : checkWholeNumber(value);
/** Checks that a value is a boolean. */
export const checkBoolean: StateFieldCheck = (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false';
/** Checks that a value is a time in milliseconds since the Unix epoch that a `Date` can represent. */
export const checkTimestamp: StateFieldCheck = (value) =>
  checkNaturalNumber(value) ?? (Number(value) > lastMoment ? 'must be a moment' : undefined);
const lastMoment = 8.64e15;

/**
 * Finds the first fault of an object, as text to be put behind the object's path: `.name must be a text`. Undefined
 * when there is none.
 */
export function findStateObjectFault(value: unknown, fields: StateFieldChecks): string | undefined {
  if (!isJsonObject(value)) return ' must be an object';
  // A state has thousands of entries of one shape: no list of its fields is made for each.
  for (const name in fields) {
    const { check, isOptional } = fields[name] ?? {};
    const field = value[name];
    if (field === undefined && isOptional) continue;
    const fault = field === undefined ? 'is missing' : check?.(field);
    if (fault !== undefined) return `.${name}${/^[.[]/.test(fault) ? '' : ' '}${fault}`;
  }
  return undefined;
}

/** Finds the first fault of a list: an entry that does not pass its check, or two entries with one key. */
export function findStateListFault(
  value: unknown,
  fields: StateFieldChecks,
  keyedBy: 'address' | 'id' | 'serial' | null = 'address',
): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  const keys = new Set<unknown>();
  for (const [index, entry] of value.entries()) {
    const fault = findStateObjectFault(entry, fields);
    if (fault !== undefined) return `[${index}]${fault}`;
    if (keyedBy === null) continue;
    const { [keyedBy]: key } = entry as Record<typeof keyedBy, string>;
    if (keys.has(key)) return `[${index}].${keyedBy} is there twice: ${key}`;
    keys.add(key);
  }
  return undefined;
}
