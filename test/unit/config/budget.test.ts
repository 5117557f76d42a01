import { describe, expect, it } from 'vitest';
import { listFaults, loadFiles, loadText } from './load.ts';

const budgetOf = async (written: string) => {
  const variables = 'variables: { most: { type: number, default: 20 }, word: { default: EUR } }';
  const text = `version: 1\nbudget: ${written}\n${variables}\n`;
  const { configuration } = await loadText(text);
  const { monthly, currency, severity, source } = configuration?.graph.budget ?? {};
  return source && `${monthly} ${currency}, ${severity}, at ${source.line}:${source.column}`;
};

describe('a budget of the configuration', () => {
  it.each([
    ['{ monthly: 500, currency: EUR }', '500.00 EUR, deny, at 2:20'],
    ['{ currency: eur, severity: warn, monthly: 0.125 }', '0.125 EUR, warn, at 2:51'],
    [
      '{ monthly: "${var.most * 2}", currency: "${var.word}", severity: "${\'warn\'}" }',
      '40.00 EUR, warn, at 2:20',
    ],
    ['{ monthly: 0, currency: EUR }', '0.00 EUR, deny, at 2:20'],
    ['', undefined],
  ])('%s', async (written, expected) => expect(await budgetOf(written)).toEqual(expected));

  it.each<[string, string[]]>([
    ['500', ['a.yaml:2:9 wrong-type']],
    ['{}', ['a.yaml:2:1 missing-key', 'a.yaml:2:1 missing-key']],
    ['{ monthly: 500 }', ['a.yaml:2:1 missing-key']],
    ['{ monthly: -1, currency: EUR }', ['a.yaml:2:20 out-of-range']],
    ['{ monthly: .nan, currency: EUR }', ['a.yaml:2:20 wrong-type']],
    ['{ monthly: 1.0e13, currency: EUR }', ['a.yaml:2:20 out-of-range']],
    ['{ monthly: "500", currency: EUR }', ['a.yaml:2:20 wrong-type']],
    ['{ monthly: 500, currency: € }', ['a.yaml:2:35 wrong-type']],
    ['{ monthly: 500, currency: EUR, severity: error }', ['a.yaml:2:50 invalid-value']],
    ['{ monthly: 500, currency: EUR, weekly: 1 }', ['a.yaml:2:40 unknown-key']],
    ['{ monthly: "${true}", currency: EUR }', ['a.yaml:2:20 wrong-type']],
    ['{ monthly: "${-5}", currency: EUR }', ['a.yaml:2:20 out-of-range']],
  ])('%s is refused', async (written, faults) => {
    expect(listFaults(await loadText(`version: 1\nbudget: ${written}\n`))).toEqual(faults);
  });

  it('is of the configuration alone, and given once', async () => {
    const module = await loadFiles({
      'a.yaml': 'version: 1\nmodules: { m: { source: ./m } }\n',
      'm/m.yaml': 'version: 1\nbudget: { monthly: 1, currency: EUR }\n',
    });
    expect(listFaults(module)).toEqual(['m/m.yaml:2:1 not-in-module']);
    const twice = await loadFiles({
      'a.yaml': 'version: 1\nbudget: { monthly: 1, currency: EUR }\n',
      'b.yaml': 'version: 1\nbudget: { monthly: 2 }\n',
    });
    expect(twice.diagnostics.length).toBeGreaterThan(0);
  });
});
