import { describe, expect, it } from 'vitest';
import {
  findCatalogEntryId,
  findVmConfiguration,
  findCatalogEntry,
  spellCatalogEntry,
} from '../../../src/kinds/catalog.ts';
import { defaultCatalog } from '../../support/account.ts';

/** `b` is the name of one entry and the id of another. */
const entries = [
  { id: 'img-1', name: 'a' },
  { id: 'img-2', name: 'b' },
  { id: 'b', name: 'c' },
  { id: 'img-4', name: 'twice' },
  { id: 'img-5', name: 'twice' },
];

it.each([
  ['a name', 'a', 'img-1'],
  ['an id', 'img-2', 'img-2'],
  ['an id that is also a name', 'b', 'b'],
  ['an id in another case', 'IMG-2', 'img-2'],
  ['no name in another case', 'A', undefined],
  ['the first of a name', 'twice', 'img-4'],
  ['what nobody offers', 'z', undefined],
  ['nothing', undefined, undefined],
])('what a person wrote for an entry: %s: %s means %s', (_what, written, id) => {
  expect(findCatalogEntry(entries, written)?.id).toBe(id);
  if (written !== undefined) expect(findCatalogEntryId(entries, written)).toBe(id ?? written);
});

it.each([
  ['as the configuration wrote it', 'img-1', 'img-1', 'img-1'],
  ['by the name that the configuration wrote', 'img-1', 'a', 'a'],
  ['by name where the configuration means another', 'img-1', 'b', 'a'],
  ['by name where nothing is configured', 'img-1', undefined, 'a'],
  ['by id where its name is the id of another', 'img-2', undefined, 'img-2'],
  ['by id where its name means that other', 'img-2', 'b', 'img-2'],
  ['by id where another has its name', 'img-5', undefined, 'img-5'],
  ['by id where the configuration means the other of its name', 'img-5', 'img-4', 'img-5'],
  ['by the name of two, which can mean it', 'img-5', 'twice', 'twice'],
  ['by its id in another case', 'img-2', 'IMG-2', 'IMG-2'],
  ['by id when it has left the catalog', 'img-9', 'a', 'img-9'],
  ['by id when it has left the catalog, as written', 'img-9', 'img-9', 'img-9'],
])('how a live id is spelled: %s', (_what, id, written, spelled) =>
  expect(spellCatalogEntry(entries, id, written)).toBe(spelled),
);

describe('findConfiguration', () => {
  it.each([
    ['c2-r4-d40', { cpu: 2, ram: 4, disk: 40 }],
    ['cfg-c2r4d40', { cpu: 2, ram: 4, disk: 40 }],
  ])('%s', (written, size) => {
    expect(findVmConfiguration(defaultCatalog, written)).toMatchObject(size);
  });
  it('does not know a size that is not offered', () =>
    expect(findVmConfiguration(defaultCatalog, 'c9-r9-d9')).toBeUndefined());
});
