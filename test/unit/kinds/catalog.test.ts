import { describe, expect, it } from 'vitest';
import { entryId, findConfiguration, findEntry, spellEntry } from '../../../src/kinds/catalog.ts';
import { defaultCatalog } from '../../support/account.ts';

/** `b` is the name of one entry and the id of another. */
const entries = [
  { id: 'img-1', name: 'a' },
  { id: 'img-2', name: 'b' },
  { id: 'b', name: 'c' },
];

describe('what a person wrote for an entry', () => {
  it.each([
    ['a name', 'a', 'img-1'],
    ['an id', 'img-2', 'img-2'],
    ['an id that is also a name', 'b', 'b'],
    ['what nobody offers', 'z', undefined],
    ['nothing', undefined, undefined],
  ])('%s: %s means %s', (_what, written, id) => {
    expect(findEntry(entries, written)?.id).toBe(id);
    if (written !== undefined) expect(entryId(entries, written)).toBe(id ?? written);
  });
});

describe('how a live id is spelled', () => {
  it.each([
    ['as the configuration wrote it', 'img-1', 'img-1', 'img-1'],
    ['by the name that the configuration wrote', 'img-1', 'a', 'a'],
    ['by name where the configuration means another', 'img-1', 'b', 'a'],
    ['by name where nothing is configured', 'img-2', undefined, 'b'],
    ['by id when it has left the catalog', 'img-9', 'a', 'img-9'],
    ['by id when it has left the catalog, as written', 'img-9', 'img-9', 'img-9'],
  ])('%s', (_what, id, written, spelled) => {
    expect(spellEntry(entries, id, written)).toBe(spelled);
  });
});

describe('findConfiguration', () => {
  it.each([
    ['c2-r4-d40', { cpu: 2, ram: 4, disk: 40 }],
    ['cfg-c2r4d40', { cpu: 2, ram: 4, disk: 40 }],
  ])('%s', (written, size) => {
    expect(findConfiguration(defaultCatalog, written)).toMatchObject(size);
  });
  it('does not know a size that is not offered', () => {
    expect(findConfiguration(defaultCatalog, 'c9-r9-d9')).toBeUndefined();
  });
});
