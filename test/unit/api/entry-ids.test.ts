import { expect, it } from 'vitest';
import { CatalogEntryIdResolver } from '../../../src/api/entry-ids.ts';
import type { Catalog, CatalogImage, LiveRecordOfKind } from '../../../src/model/account/live.ts';

const catalogOf = (images: readonly CatalogImage[]): Catalog => ({
  ...{ images, configurations: [], tariffs: [] },
});
const vm = (imageId: string | undefined) =>
  ({ kind: 'vm', id: 'v1', projectId: 'p', imageId }) as LiveRecordOfKind<'vm'>;
const images = [
  { id: 'img-1', name: 'Debian' },
  { id: 'img-2', name: 'ubuntu' },
  { id: 'img-3', name: 'UBUNTU' },
  { id: 'img-4', name: 'twice' },
  { id: 'img-5', name: 'twice' },
  { id: 'Img-6', name: 'six' },
  { id: 'iMG-6', name: 'seven' },
  { id: 'img-7', name: 'old' },
  { id: 'img-8', name: 'IMG-7' },
];

it.each<[string, string | undefined, string | undefined]>([
  ['an id as it is', 'img-1', 'img-1'],
  ['an id in another case', ' IMG-1', 'img-1'],
  ['an exact name before an id in another case', 'IMG-7', 'img-8'],
  ['an exact id before another case', 'iMG-6', 'iMG-6'],
  ['not an id that several differ from by case', 'IMG-6', 'IMG-6'],
  ['a name', 'Debian', 'img-1'],
  ['an exact name before another case', 'UBUNTU', 'img-3'],
  ['a name in another case', 'dEBIAN', 'img-1'],
  ['not a name that several have in another case', 'Ubuntu', 'Ubuntu'],
  ['not a name that several have', 'twice', 'twice'],
  ['not what no entry has', 'img-9', 'img-9'],
  ['nothing where it is untold', undefined, undefined],
])('%s', async (_what, shown, expected) => {
  const ids = new CatalogEntryIdResolver();
  await ids.note(Promise.resolve(catalogOf(images)));
  expect(await ids.unify(vm(shown), { imageId: 'images' })).toEqual({
    ...vm(expected),
    ...(shown !== expected && { shownEntries: { imageId: shown } }),
  });
});

it('leaves all as it came without a catalog, and without members', async () => {
  const ids = new CatalogEntryIdResolver();
  expect(await ids.unify(vm('IMG-1'), { imageId: 'images' })).toEqual(vm('IMG-1'));
  await ids.note(Promise.resolve(catalogOf(images)));
  expect(await ids.unify(vm('IMG-1'), undefined)).toEqual(vm('IMG-1'));
});

it('keeps the catalog before one that cannot be read', async () => {
  const ids = new CatalogEntryIdResolver();
  await ids.note(Promise.resolve(catalogOf(images)));
  await expect(ids.note(Promise.reject(new Error('503')))).rejects.toThrow('503');
  expect(await ids.unify(vm('IMG-1'), { imageId: 'images' })).toEqual({
    ...vm('img-1'),
    shownEntries: { imageId: 'IMG-1' },
  });
});

it('keeps the catalog before one that is still being read', async () => {
  const ids = new CatalogEntryIdResolver();
  const first = ids.note(Promise.resolve(catalogOf(images)));
  // Waits for the very first.
  expect(await ids.unify(vm('dEBIAN'), { imageId: 'images' })).toMatchObject({ imageId: 'img-1' });
  await first;
  let resolve: (catalog: Catalog) => void = () => undefined;
  const second = ids.note(new Promise<Catalog>((done) => (resolve = done)));
  expect(await ids.unify(vm('Debian'), { imageId: 'images' })).toMatchObject({ imageId: 'img-1' });
  resolve(catalogOf([{ id: 'img-9', name: 'Debian' }]));
  await second;
  expect(await ids.unify(vm('Debian'), { imageId: 'images' })).toMatchObject({ imageId: 'img-9' });
});
