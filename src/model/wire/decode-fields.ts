import type { ReportedOrUntoldField } from '../account/told.ts';
import { isUsablePathId } from './usable-id.ts';
import { isJsonObject } from '../json-object.ts';

// Fields of an answer as a record of the model has them. Those of live resources, which plans compare, are untold where they
// are missing; of all others a missing one becomes null or []. An unknown field is left behind; an unknown value of an
// enumeration stays as it came.

/** An answer that violates the contract beyond what is tolerated. The message describes the answer. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
}

/** A wire type as it may really arrive: every field missing, or of any type. */
export type LooseWireRecord<Wire extends object> = Readonly<Partial<Record<keyof Wire, unknown>>>;

/**
 * Takes an answer for a record of one wire type.
 * @throws UnreadableAnswerError when it is not a JSON object.
 */
export function readWireRecord<Wire extends object>(
  wire: unknown,
  what: string,
): LooseWireRecord<Wire> {
  if (!isJsonObject(wire))
    throw new UnreadableAnswerError(`${describeJsonType(wire)} instead of ${what}`);
  return wire as LooseWireRecord<Wire>;
}

/**
 * The id of a record. A record without one is not skipped: a resource that is overlooked would be created a second time.
 * @throws UnreadableAnswerError when there is none, or when it would change the path of a request
 */
export function readWireId(value: unknown, what: string): string {
  const id = typeof value === 'number' ? String(value) : readWireText(value);
  if (id === null || id === '') throw new UnreadableAnswerError(`${what} without an id`);
  if (!isUsablePathId(id))
    throw new UnreadableAnswerError(`${what} with the id ${JSON.stringify(id)}`);
  return id;
}

/** Reads a text from an answer; null when it is missing or of another type. */
export function readWireText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Reads a text of a live resource. An empty one counts as not reported, since no name, key or address is empty. */
export function readLiveText(value: unknown): ReportedOrUntoldField<string> {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads a word of the contract, however the service spells it; another word as it came. */
export function readContractWord(
  value: unknown,
  words: readonly string[],
): ReportedOrUntoldField<string> {
  const text = readLiveText(value);
  return words.find((word) => word.toLowerCase() === text?.toLowerCase()) ?? text;
}

/** Statuses of resources that the contract defines. */
export const lifecycleStatusWords = [
  'creating',
  'active',
  'updating',
  'deleting',
  'failed',
] as const;

/** Reads the id of another resource, which the service must give. */
export function readLiveReference(value: unknown): ReportedOrUntoldField<string> {
  return readWireReference(value) ?? undefined;
}

/** The id of another resource, which a live one may have: null or empty where it has none. */
export function readOptionalLiveReference(value: unknown): ReportedOrUntoldField<string | null> {
  return value === null || value === '' ? null : readLiveReference(value);
}

/** Reads a text that a live resource may lack; null then. */
export function readOptionalLiveText(value: unknown): ReportedOrUntoldField<string | null> {
  return value === null ? null : readLiveText(value);
}

/** A time of a live resource that may have none, in milliseconds since the Unix epoch: null then. */
export function readOptionalLiveTime(value: unknown): ReportedOrUntoldField<number | null> {
  return value === null ? null : (readWireTime(value) ?? undefined);
}

/** Reads a finite number of a live resource. */
export function readLiveNumber(value: unknown): ReportedOrUntoldField<number> {
  return readWireNumber(value) ?? undefined;
}

/** The members of a list of a live resource: untold as a whole where one of them is. */
export function decodeLiveList<T>(
  value: unknown,
  tell: (item: unknown) => ReportedOrUntoldField<T>,
): ReportedOrUntoldField<T[]> {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(tell);
  return items.every((item): item is T & {} => item !== undefined) ? items : undefined;
}

/** Reads the id of another resource; null when it is missing or empty. */
export function readWireReference(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

const wholeNumber = /^(?:0|[1-9]\d*)$/;

/** Reads a finite number, a whole one also from its decimal text; null when it is missing or something else. */
export function readWireNumber(value: unknown): number | null {
  if (typeof value === 'string' && wholeNumber.test(value)) {
    const whole = Number(value);
    return Number.isSafeInteger(whole) ? whole : null;
  }
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Reads a number of things; null where there is none. Nothing can be kept below zero: such a number means that there is no limit. */
export function readWireCount(value: unknown): number | null {
  const count = readWireNumber(value);
  return count !== null && count >= 0 ? count : null;
}

/** Reads the texts of a list; empty when the list is missing. */
export function readWireTexts(value: unknown): string[] {
  return readWireItems(value).filter((item): item is string => typeof item === 'string');
}

/** Reads a list with items of any type; empty when the list is missing. */
export function readWireItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A time in milliseconds since the Unix epoch; null when missing or not a time. */
export function readWireTime(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** When a resource was created, in milliseconds since the Unix epoch; absent where the service does not say. */
export function readCreationTime(wire: unknown): { readonly createdAt?: number } {
  const createdAt = isJsonObject(wire) ? readWireTime(wire.createdAt) : null;
  return createdAt === null ? {} : { createdAt };
}

/** Describes the JSON type of an answer in words, for messages. */
export function describeJsonType(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
