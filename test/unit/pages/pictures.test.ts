import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const directory = 'docs/pictures';
const page = ['docs/plan.md', 'docs/rollout.md', 'docs/server.md']
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const files = readdirSync(directory);

/** The pictures of the pages, by their paths: in Markdown, or as HTML where they have a width. */
const shown = new Map([
  ...[...page.matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)].map(([, alt = '', path = '']) => [path, alt]),
  ...[...page.matchAll(/<img alt="([^"]*)" src="([^"]*)"/g)].map(([, alt = '', path = '']) => [
    path,
    alt,
  ]),
] as [string, string][]);

test('the pages have every picture, and every picture of them is there', () => {
  const inside = [...shown.keys()]
    .map((path) => path.replace(/^\.\//, ''))
    .filter((path) => path.startsWith('pictures/'));
  expect(inside.sort()).toEqual(files.map((file) => `pictures/${file}`).sort());
  expect(files.length).toBeGreaterThan(3);
});

test('each says what it shows to those who do not see it', () => {
  for (const [path, alt] of shown) expect(alt.split(' ').length, path).toBeGreaterThan(4);
});

test.each(files)('%s is a picture, and a small one', (file) => {
  const content = readFileSync(join(directory, file));
  const start = file.endsWith('.svg') ? '<svg xmlns="http://www.w3.org/2000/svg"' : '\u0089PNG';
  expect(content.toString('latin1').startsWith(start)).toBe(true);
  expect(statSync(join(directory, file)).size).toBeLessThan(150_000);
});
