// The units of numbers that the contract has in gigabytes.
import type { SizeUnit } from '../../model/account/binding.ts';
import { type MemberShape, recordShapes } from '../../api/contract/shapes.ts';
import type { SchemaLeaf } from '../match/leaves.ts';

/** Fields that the contract counts in gigabytes, with the least number that can hardly be one of gigabytes. */
const counted: Readonly<Record<string, number>> = { ram: 512, disk: 5000, size: 5000 };
/** Fields that services count in other units more often than not where they are whole numbers. */
const seldomInGigabytes: readonly string[] = ['ram', 'size'];

/** True for a member of a record that the contract counts in gigabytes. */
export function isSizeMember(record: string, name: string, shape: MemberShape): boolean {
  return (
    shape.type === 'number' && Object.hasOwn(counted, name) && recordShapes[record] !== undefined
  );
}

/**
 * Tells whether nothing says the unit of a number, and its examples, or that it is whole, speak against gigabytes. A disk is in
 * the unit of the memory beside it where nothing says either.
 */
export function isSizeUnitUnknown(name: string, leaf: SchemaLeaf, ram?: SchemaLeaf): boolean {
  if (readSizeUnit(leaf) !== undefined) return false;
  if (name === 'disk' && ram && ram !== leaf && isSizeUnitUnknown('ram', ram)) return true;
  const { samples, type } = leaf.schema;
  const isLarge = samples.some((one) => one >= (counted[name] ?? 0));
  return isLarge || (type === 'integer' && seldomInGigabytes.includes(name));
}

const unitWords: readonly (readonly [RegExp, SizeUnit])[] = [
  [/\b(?:gib|gibibytes?)\b/, 'GiB'],
  [/\b(?:mib|mebibytes?)\b/, 'MiB'],
  [/\b(?:kib|kibibytes?)\b/, 'KiB'],
  [/\b(?:tib|tebibytes?)\b/, 'TiB'],
  [/\b(?:gb|gigabytes?|gigs?)\b/, 'GB'],
  [/\b(?:mb|megabytes?|megs?)\b/, 'MB'],
  [/\b(?:kb|kilobytes?)\b/, 'KB'],
  [/\b(?:tb|terabytes?)\b/, 'TB'],
  [/\bbytes?\b/, 'B'],
];

/** The unit of a number, as its name or else its description says. */
export function readSizeUnit({ words, schema: { description } }: SchemaLeaf): SizeUnit | undefined {
  for (const text of [words.join(' '), description.toLowerCase()]) {
    const found = unitWords.filter(([pattern]) => pattern.test(text));
    if (found.length === 1) return found[0]?.[1];
  }
  return undefined;
}
