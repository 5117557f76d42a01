import { expect, test } from 'vitest';
import { parseCatalog } from '../../../src/config/read-catalog.ts';
import { DiagnosticError } from '../../../src/model/errors.ts';
import { renderCatalogJson } from '../../../src/render/account/catalog-text.ts';
import {
  defaultSandboxCatalog,
  readVmCapacity,
  makeSandboxCatalog,
} from '../../../src/sandbox/store/catalog.ts';
import { readRows } from '../../support/read-rows.ts';

function listFaults(text: string): readonly string[] {
  try {
    parseCatalog(text, 'catalog.json');
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(
      ({ code, summary, source }) => `${source?.line}:${source?.column} ${code} ${summary}`,
    );
  }
}

const rest = '"configurations":[],"tariffs":[]}';

test.each(
  readRows(`
  | 1:1 missing-key catalog.json is empty
  [] | 1:1 wrong-type The file must be a map
  { | 1:1 broken-yaml A bracket is not closed
  {"images":{},${rest} | 1:11 wrong-type images must be a list
  {"images":[7],${rest} | 1:12 wrong-type images[0] must be a map
  {"images":[{"id":"a","name":""}],${rest} | 1:29 blank-text images[0].name is blank
  {"images":[{"id":"ü","name":"Ü"},{"id":"ü","name":"x"}],${rest} | 1:40 invalid-value images[1].id is that of images[0], too
`),
)('%s is refused', (text, fault) => expect(listFaults(text)).toEqual([fault]));

test('every fault is said, each at its place', () => {
  expect(
    listFaults(`{ "images": [{ "id": 1 }],
  "configurations": [{ "id": "a", "name": "b", "cpu": "2", "ram": -1, "disk": 1e99, "maxCount": 1.5 }],
  "tariffs": [{ "id": "t", "name": "x", "price": "5 EUR", "currency": "EUR" }] }`),
  ).toEqual([
    '1:14 missing-key images[0] has no `name`',
    '1:22 wrong-type images[0].id must be text',
    '2:55 wrong-type configurations[0].cpu must be a number',
    '2:67 out-of-range configurations[0].ram is the number -1, which is out of range',
    '2:79 out-of-range configurations[0].disk is the number 1e+99, which is out of range',
    '2:97 wrong-type configurations[0].maxCount must be a whole number',
    '3:15 missing-key tariffs[0] has no `period`',
    expect.stringMatching(/^3:50 \S+ tariffs\[0\]\.price /),
  ]);
});

test('a catalog is read as it was written, and offered with the room that it tells', () => {
  const size = { id: 's', name: 'größe 1', cpu: 2, ram: 0.5, disk: 10 };
  const catalog = {
    images: [
      { id: 'i', name: '像', os: 'Debian' },
      { id: 'j', name: 'j' },
    ],
    configurations: [
      { ...size, availability: null, maxCount: null },
      { ...size, id: 't', availability: 'limited', maxCount: 3 },
      { ...size, id: 'u', availability: 'unavailable', maxCount: null },
    ],
    tariffs: [
      { id: 'm', name: 'monthly', price: { amount: '5.00', currency: 'EUR', period: 'month' } },
      { id: 'n', name: 'secret' },
    ],
  };
  const shown = { catalog, list: undefined, arePricesAssumed: false };
  const read = parseCatalog(JSON.stringify(renderCatalogJson(shown)), 'catalog.json');
  expect(read).toEqual(catalog);
  const taken = makeSandboxCatalog(read, readVmCapacity);
  const ample = defaultSandboxCatalog.configurations[0]?.capacity;
  expect(taken.configurations.map(({ capacity }) => capacity)).toEqual([ample, 3, 0]);
  expect(taken.tariffs.map(({ price, currency }) => [price, currency])).toEqual([
    [5, 'EUR'],
    [0, ''],
  ]);
  // A hand may leave out the advisory word.
  const written =
    '{"images":[],"configurations":[{"id":"s","name":"s","cpu":1,"ram":1,"disk":1,"maxCount":2}],"tariffs":[]}';
  expect(parseCatalog(written, 'x').configurations[0]?.availability).toBe(null);
});

test('thousands of entries of a stranger are read', () => {
  const images = Array.from({ length: 10_000 }, (_, index) => ({
    id: `i${index}`,
    name: `n${index}\u0000\u202e`,
  }));
  const text = JSON.stringify({ images, configurations: [], tariffs: [] });
  expect(parseCatalog(text, 'catalog.json').images).toEqual(images);
});
