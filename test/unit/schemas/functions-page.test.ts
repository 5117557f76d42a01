import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { renderFunctionsPage } from '../../../schemas/docs/functions-page.ts';
import { functionsByName } from '../../../src/expressions/functions/catalogue.ts';

const page = join(import.meta.dirname, '../../../docs/functions.md');

const renderPage = async (): Promise<string> =>
  format(renderFunctionsPage(), { ...(await resolveConfig(page)), filepath: page });

// `npm run generate` renews it.
test('the page is as the functions are', async () =>
  await expect(await renderPage()).toMatchFileSnapshot(page));

test('every link leads to a heading, and every function has one', async () => {
  const text = await renderPage();
  const headings = [...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(links.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  expect([...functionsByName.keys()].filter((name) => !text.includes(`\n### ${name}\n`))).toEqual(
    [],
  );
});

test('no line is too wide, and no cell holds more than twenty words', async () => {
  const lines = (await renderPage()).split('\n');
  const isRow = (line: string) => line.startsWith('|');
  expect(lines.filter((line) => !isRow(line) && line.length > 100)).toEqual([]);
  const cells = lines.filter(isRow).flatMap((line) => line.split('|'));
  expect(cells.filter((cell) => cell.trim().split(/\s+/).length > 20)).toEqual([]);
});
