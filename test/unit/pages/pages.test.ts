// The documentation as a reader meets it: every link leads somewhere, no line is too wide, no table too dense.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { readPage, readPages, resolveLink, root } from '../../support/pages/read-pages.ts';

const pages = readPages();
const byPath = new Map(pages.map((page) => [page.path, page]));
/** What is written by hand or made for readers; the examples' own pages and the change log have their own measure. */
const measured = pages.filter(({ path }) => path === 'README.md' || path.startsWith('docs/'));

test('every link leads to a file, and every anchor to a heading', () => {
  const dead = pages.flatMap((page) =>
    page.links.flatMap(({ line, target }) => {
      const found = resolveLink(page, target);
      if (!found) return [];
      const { path, anchor } = found;
      if (!existsSync(join(root, path))) return [`${page.path}:${line} ${target}: no such file`];
      if (anchor === undefined) return [];
      const isPage = path.endsWith('.md') && statSync(join(root, path)).isFile();
      const { anchors } = byPath.get(path) ?? (isPage ? readPage(path) : { anchors: new Set() });
      return anchors.has(anchor) ? [] : [`${page.path}:${line} ${target}: no such heading`];
    }),
  );
  expect(dead).toEqual([]);
  expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(300);
});

test.each(['docs/decisions', 'examples'])('the index of %s names all that is in it', (folder) => {
  const linked = byPath.get(`${folder}/README.md`)?.links.map(({ target }) => target.split('/')[0]);
  const all = readdirSync(join(root, folder)).filter((name) => name !== 'README.md');
  expect(all.filter((name) => linked?.includes(name) !== true)).toEqual([]);
});

test('README is at most 12 KB', () =>
  expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(12 * 1024));

test('no line is wider than 100 columns, but rows of tables and links', () => {
  const wide = measured.flatMap(({ path, lines, prose }) =>
    lines.flatMap((line, index) => {
      const isProse = prose[index] === line;
      const isFree = isProse && (line.startsWith('|') || /^\S*\]\(\S+\)\S*$/.test(line.trim()));
      const width = stringWidth(line);
      return isFree || width <= 100 ? [] : [`${path}:${index + 1} ${width}`];
    }),
  );
  expect(wide).toEqual([]);
});

test('no cell of a table holds more than 20 words', () => {
  const dense = measured.flatMap(({ path, prose }) =>
    prose.flatMap((line, index) =>
      !line.startsWith('|')
        ? []
        : line
            .split(/(?<!\\)\|/)
            .filter((cell) => cell.trim().split(/\s+/).length > 20)
            .map(() => `${path}:${index + 1}`),
    ),
  );
  expect(dense).toEqual([]);
});

test('every page of docs that is longer than a screen has a table of contents', () => {
  const without = measured.filter(({ path, lines, prose, links }) => {
    const headings = prose.filter((line) => line.startsWith('## ')).length;
    if (path === 'README.md' || lines.length < 60 || headings < 3) return false;
    return links.filter(({ target }) => target.startsWith('#')).length < 3;
  });
  expect(without.map(({ path }) => path)).toEqual([]);
});

/** Phrases that nobody in the field uses, and what they are called. */
const banned: readonly RegExp[] = [
  /\bis told\b/i,
  /\bin earnest\b/i,
  /\bwhat is ours\b/i,
  /\bis ours\b/i,
  /\bwhat needs what\b/i,
  /\blooks whether\b/i,
  /\blet the state say\b/i,
  /\bgoes? over the\b/i,
  /\bstands? (?:still|under|in the way)\b/i,
  /\bletting go\b/i,
  /\bKnown here\b/,
  /\b(?:Given is|Written are)\b/,
  /\bin its stride\b/i,
  /\b(?:errand|refuge|surroundings|sales desk|fresh look)\b/i,
  /\bthere (?:is|are) to be\b/i,
  /\bMend what\b/i,
];

test('no page uses a phrase of our own for what the field has a word for', () => {
  const found = measured
    // What is generated says what the program says.
    .filter(({ text }) => !text.includes('Do not edit. -->'))
    .flatMap(({ path, prose }) =>
      prose.flatMap((line, index) =>
        banned
          .filter((phrase) => phrase.test(line))
          .map((phrase) => `${path}:${index + 1} ${phrase.source}`),
      ),
    );
  expect(found).toEqual([]);
});
