import { kindRegistry } from '../../kinds/registry.ts';
import { trimName } from '../../model/text/fold-name.ts';
import { makePrintable } from '../source/frame.ts';
import type { ConfiguredBlock } from './space.ts';

/** Normalizes the name of a resource to Unicode form C, in which it is sent. Reports white space at its ends. */
export function readResourceName(block: ConfiguredBlock, given: string): string {
  const { kind, address, fields, entry, space } = block;
  const name = given.normalize('NFC');
  const trimmed = trimName(name);
  const { faults } = space.session;
  const isSecret = faults.secrets.has(given);
  if (isSecret) faults.secrets.add([name, trimmed]);
  // A name of nothing but white space is reported by the schema.
  if (trimmed === name || !/\S/.test(name)) return name;
  // The warning is given once for all instances, so it shows the name only where all share it.
  const isShown = trimmed !== '' && !isSecret && !block.varies('name');
  faults.add({
    code: 'name-outer-blanks',
    summary: `The name of this ${kindRegistry[kind].label} begins or ends with white space`,
    detail: 'A service that trims names would keep another one than the configuration has.',
    hint: isShown
      ? `Write it as \`${makePrintable(trimmed)}\`.`
      : 'Remove the white space at its ends.',
    address,
    place: fields.get('name')?.value ?? entry.key,
  });
  return trimmed === '' ? name : trimmed;
}
