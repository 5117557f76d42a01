import { InvalidRequestFieldList, createNameTakenRefusal } from '../contract/problems.ts';
import type { SandboxTable } from '../store/rows.ts';
import type { SandboxRowMatch } from '../store/store.ts';
import type { NameNormalization, NameLengthCaps, SandboxContext } from '../store/world.ts';

const keepings: Readonly<Record<NameNormalization, (name: string) => string>> = {
  'as-given': (name) => name,
  trimmed: (name) => name.trim(),
  'lower-case': (name) => name.toLowerCase(),
  nfc: (name) => name.normalize('NFC'),
};

/** Replaces the name in the body of a create or rename by the form that the service stores; any other body stays as it is. */
export function normalizeNameInBody(names: NameNormalization, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('name' in body)) return body;
  return typeof body.name === 'string' ? { ...body, name: keepings[names](body.name) } : body;
}

/** A cap counts unicode code points: what a reader would call characters, not bytes. */
const lengthOf = (text: string): number => Array.from(text).length;

/** Checks a name or another text against its maximum length in GET /limits/name-lengths, and adds the faults that it finds. */
export function checkTextLength(
  { rules }: SandboxContext,
  faults: InvalidRequestFieldList,
  field: string,
  text: string,
  cap: keyof NameLengthCaps,
): void {
  const longest = rules.nameLengths[cap];
  if (text.trim() === '') faults.add(field, 'It must not be blank.');
  if (lengthOf(text) > longest) {
    faults.add(field, `It may have at most ${longest} characters; it has ${lengthOf(text)}.`);
  }
}

/** Refuses a name that is blank or too long. */
export function requireValidName(
  world: SandboxContext,
  name: string,
  cap: keyof NameLengthCaps,
): void {
  const faults = new InvalidRequestFieldList();
  checkTextLength(world, faults, 'name', name, cap);
  faults.refuse();
}

/**
 * Refuses a name that another thing of this kind has, within `scope`; `ownId` is the one being renamed. A variant
 * may allow it.
 */
export function requireFreeName<Row extends { readonly id: string }>(
  { store, rules }: SandboxContext,
  table: SandboxTable<Row>,
  what: string,
  name: string,
  scope: SandboxRowMatch,
  ownId?: string,
): void {
  if (rules.duplicateNames) return;
  const holder = store.first(table, { ...scope, name });
  if (holder !== undefined && holder.id !== ownId) throw createNameTakenRefusal(what, name);
}
