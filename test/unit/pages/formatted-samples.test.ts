// A sample of a page is written as `hostwright fmt` writes it: what somebody copies passes `fmt --check`.
import { expect, test } from 'vitest';
import { formatYaml } from '../../../src/config/format/format-yaml.ts';
import { readPages } from '../../support/pages/read-pages.ts';

/** The YAML blocks of a page that are no example of a fault, each with its line. */
function listSamples(lines: readonly string[]): { line: number; text: string }[] {
  const samples: { line: number; text: string }[] = [];
  lines.forEach((first, index) => {
    if (!/^```yaml(?!.*fails)/.test(first)) return;
    const end = lines.indexOf('```', index);
    samples.push({ line: index + 1, text: `${lines.slice(index + 1, end).join('\n')}\n` });
  });
  return samples;
}

test('every sample of YAML is what fmt writes', () => {
  const samples = readPages()
    .filter(({ path }) => path === 'README.md' || path.startsWith('docs/'))
    .flatMap(({ path, lines }) =>
      listSamples(lines).map(({ line, text }) => ({ place: `${path}:${line}`, text })),
    );
  expect(samples.length).toBeGreaterThan(50);
  for (const { place, text } of samples) {
    expect(formatYaml(place, text, { isOrdered: true }), place).toEqual({ text, diagnostics: [] });
  }
});
