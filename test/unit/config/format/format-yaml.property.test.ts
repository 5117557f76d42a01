import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatYaml } from '../../../../src/config/format/format-yaml.ts';
import { arbitraryYaml } from '../../../support/arbitrary-yaml.ts';
import { countRuns, drawNumber, drawSome } from '../../../support/budget/budget.ts';

const root = join(import.meta.dirname, '../../../..');

function apply(text: string, isOrdered = true): string {
  const { text: formatted, diagnostics } = formatYaml('f.yaml', text, { isOrdered });
  expect(diagnostics, text).toEqual([]);
  return formatted ?? '';
}

const read = (text: string): unknown => parse(text, { logLevel: 'silent', uniqueKeys: false });

describe('a file that is formatted', () => {
  it('is the same value with every comment, and formatted again it is the same text', () => {
    let comments = 0;
    fc.assert(
      fc.property(arbitraryYaml, (text) => {
        const made = formatYaml('f.yaml', text, { isOrdered: true });
        fc.pre(!made.diagnostics.some(({ severity }) => severity === 'error'));
        const formatted = apply(text);
        expect(read(formatted)).toEqual(read(text));
        for (const one of ['# one', '#two', '# it is: "quoted"', '# - a']) {
          const count = (where: string) => where.split(one).length - 1;
          comments += count(text);
          expect(count(formatted), formatted).toBe(count(text));
        }
        expect(apply(formatted)).toBe(formatted);
        expect(formatted).not.toMatch(/\r|^\n/);
        // Empty lines of a text are what it says.
        if (!/[|>][-+2]?$/m.test(formatted)) expect(formatted).not.toMatch(/[ \t]$|\n\n\n/m);
      }),
      { numRuns: countRuns(500, 40) },
    );
    expect(comments).toBeGreaterThan(40);
  });

  it('is what prettier makes of it, too', async () => {
    for (const text of fc.sample(arbitraryYaml, {
      numRuns: countRuns(100),
      seed: drawNumber(2 ** 31, 'texts'),
    })) {
      const formatted = formatYaml('f.yaml', text, { isOrdered: true }).text;
      // It adds an empty line between such a text and a comment behind it, and takes one before a list in a list away.
      if (formatted === undefined || /[|>][-+2]?$|\n\n *- - /m.test(formatted)) continue;
      expect(await format(formatted, { parser: 'yaml', printWidth: 100 })).toBe(formatted);
    }
  });
});

/** Every file of YAML below a folder. */
const list = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !name.includes('.hostwright'))
    .map((name) => join(folder, name));

describe('the files of this repository', () => {
  const files = [...list('examples'), ...list('test/golden'), ...list('schemas')];
  it.each(drawSome(files, { short: files.length / 4, ci: files.length }, 'files'))(
    '%s',
    async (path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const formatted = apply(text);
      expect(read(formatted)).toEqual(read(text));
      expect(apply(formatted)).toBe(formatted);
      expect(await format(formatted, { parser: 'yaml', printWidth: 100 })).toBe(formatted);
    },
  );
});
