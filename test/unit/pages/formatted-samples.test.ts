// Samples are what `hostwright fmt` writes, so that whoever copies one has nothing to reformat.
import { expect, test } from 'vitest';
import { formatYaml } from '../../../src/config/format/format-yaml.ts';
import { readPages } from '../../support/pages/read-pages.ts';

const samples = readPages().flatMap(({ path, blocks }) =>
  blocks
    .filter(({ language, marks, text }) => {
      const isWhole = language === 'yaml' && /^version:/m.test(text);
      return isWhole && !marks.some((mark) => mark === 'other' || mark.startsWith('fails='));
    })
    .map(({ line, text }) => ({ place: `${path}:${line}`, text })),
);

test('there are samples to check', () => {
  expect(samples.length).toBeGreaterThan(5);
});

test.each(samples)('$place is as fmt writes it', ({ place, text }) => {
  const formatted = formatYaml(place, text, { isOrdered: true });
  expect(formatted.diagnostics).toEqual([]);
  expect(text).toBe(formatted.text);
});
