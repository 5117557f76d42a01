import { isUsableId } from './usable-id.ts';

// Fields of an answer as a record of the model has them. A missing one becomes null, '', 0 or []; an unknown one is left
// behind; an unknown value of an enumeration stays as it came.

/** An answer that is not what the contract says, beyond what is tolerated. The message says what came instead. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/** A wire type as it may really arrive: every field missing, or of any type. */
export type Loose<Wire extends object> = Readonly<Partial<Record<keyof Wire, unknown>>>;

/**
 * Takes an answer for a record of one wire type.
 * @throws UnreadableAnswer when it is not a JSON object.
 */
export function readRecord<Wire extends object>(wire: unknown, what: string): Loose<Wire> {
  if (!isRecord(wire)) throw new UnreadableAnswer(`${describeJson(wire)} instead of ${what}`);
  return wire as Loose<Wire>;
}

/**
 * The id of a record. A record without one is not skipped: a resource that is overlooked would be created a second time.
 * @throws UnreadableAnswer when there is none, or when it would change the path of a request
 */
export function readId(value: unknown, what: string): string {
  const id = typeof value === 'number' ? String(value) : readText(value);
  if (id === null || id === '') throw new UnreadableAnswer(`${what} without an id`);
  if (!isUsableId(id)) throw new UnreadableAnswer(`${what} with the id ${JSON.stringify(id)}`);
  return id;
}

/** Text; null when missing or something else. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A lifecycle status; where the service promises one and gives none, one that is never taken for settled. */
export function readStatus(value: unknown): string {
  return readText(value) ?? 'unknown';
}

/** The id of another resource; null when missing or empty. */
export function readReference(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A finite number; null when missing or something else. */
export function readNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The texts of a list; empty when it is missing. */
export function readTexts(value: unknown): string[] {
  return readItems(value).filter((item): item is string => typeof item === 'string');
}

/** A list of anything; empty when it is missing. */
export function readItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** A time in milliseconds since the Unix epoch; null when missing or not a time. */
export function readTime(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** When a resource was created, in milliseconds since the Unix epoch; absent where the service does not say. */
export function readCreation(wire: unknown): { readonly createdAt?: number } {
  const createdAt = isRecord(wire) ? readTime(wire.createdAt) : null;
  return createdAt === null ? {} : { createdAt };
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON type of an answer, in words. */
export function describeJson(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
