import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { beforeAll, expect, test } from 'vitest';
import {
  collectDiagnostics,
  type CatalogueEntry,
} from '../../../schemas/docs/collect-diagnostics.ts';
import { notes } from '../../../schemas/docs/diagnostic-notes.ts';
import { renderErrorsPage } from '../../../schemas/docs/errors-page.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import { golden } from '../../support/read-golden-codes.ts';

const root = join(import.meta.dirname, '../../..');

let catalogue: readonly CatalogueEntry[];
beforeAll(() => {
  const offered = Object.values(kindRegistry).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, field]) => (field.offered ? [name] : [])),
  );
  catalogue = collectDiagnostics(join(root, 'src'), offered);
});

async function spell(path: string, text: string): Promise<string> {
  const filepath = join(root, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

// `npm run generate` renews all three.
test('the catalogue is as the source is, and the page as the catalogue', async () => {
  const [list, page] = ['schemas/diagnostics.json', 'docs/errors.md'];
  const codes = 'src/config/tests/error-codes.json';
  const errors = catalogue.filter(({ severities }) => severities.includes('error'));
  await expect(
    await spell(codes, JSON.stringify(errors.map(({ code }) => code))),
  ).toMatchFileSnapshot(join(root, codes));
  await expect(await spell(list, JSON.stringify(catalogue))).toMatchFileSnapshot(join(root, list));
  await expect(await spell(page, renderErrorsPage(catalogue))).toMatchFileSnapshot(
    join(root, page),
  );
});

test('every code says what it means, every error what helps', () => {
  const silent = catalogue.filter(
    ({ code, summaries }) => summaries.length === 0 && notes[code]?.means === undefined,
  );
  expect(silent.map(({ code }) => code)).toEqual([]);
  const helpless = catalogue.filter(
    ({ code, severities, hints }) =>
      severities.includes('error') && hints.length === 0 && notes[code]?.fix === undefined,
  );
  expect(helpless.map(({ code }) => code)).toEqual([]);
});

test('no note is about a code that is gone', () => {
  const codes = new Set(catalogue.map(({ code }) => code));
  expect(Object.keys(notes).filter((code) => !codes.has(code))).toEqual([]);
});

test('every code that a plan in the golden cases shows is in the catalogue', () => {
  const codes = new Set(catalogue.map(({ code }) => code));
  expect(golden.size).toBeGreaterThan(30);
  expect([...golden].filter((code) => !codes.has(code))).toEqual([]);
});

test('every code of the catalogue has its heading, which links point to', () => {
  const page = renderErrorsPage(catalogue);
  const headings = new Set([...page.matchAll(/^### (.+)$/gm)].map(([, title]) => title));
  expect(catalogue.map(({ code }) => code).filter((code) => !headings.has(code))).toEqual([]);
});
