import { fc, test } from '@fast-check/vitest';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { renderFindingsJunit } from '../../../src/render/json/junit.ts';
import { renderSarif } from '../../../src/render/json/sarif.ts';
import { makeChange, makeFinding } from './sample-plan.ts';

const source = { file: 'infra/ä b.yaml', line: 3, column: 5, endLine: 3, endColumn: 9 };
const sample: readonly Diagnostic[] = [
  makeFinding({ address: 'projects.a.vms.w["<x>"]', source, detail: 'One.\n\nTwo.', hint: 'Do.' }),
  makeFinding({ severity: 'warning', code: 'capacity', summary: 'Little & "less"' }),
  makeFinding({ severity: 'note', address: 'projects.a' }),
];

/** The document, or an error where it is none. */
function parse(xml: string) {
  return new DOMParser({
    onError: (level, message) => {
      // The parser guesses at a wrong encoding; U+FFFD is a character that XML may hold.
      if (level === 'warning' && message.startsWith('Unicode replacement character')) return;
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(xml, 'text/xml');
}

const attributesOf = (xml: string, tag: string) =>
  [...parse(xml).getElementsByTagName(tag)].map((element) =>
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  );

const anything = fc.array(
  fc.record({
    severity: fc.constantFrom('error', 'warning', 'note'),
    code: fc.constantFrom('a', 'b', 'c'),
    summary: fc.string({ unit: 'grapheme' }),
    detail: fc.string({ unit: 'grapheme' }),
  }),
  { maxLength: 6 },
);

describe('findings as JUnit XML', () => {
  it('are failures, skipped tests and tests that pass', () => {
    const xml = renderFindingsJunit(sample);
    const counts = { tests: '3', failures: '1', errors: '0', skipped: '1' };
    expect(attributesOf(xml, 'testsuites')).toEqual([{ name: 'hostwright', ...counts }]);
    expect(attributesOf(xml, 'testsuite')).toEqual([{ name: 'findings', ...counts }]);
    expect(attributesOf(xml, 'testcase')).toEqual([
      {
        ...{ classname: 'projects.a.vms.w["<x>"]', name: 'quota-exceeded: Too many cores' },
        ...{ file: 'infra/ä b.yaml', line: '3' },
      },
      { classname: 'hostwright', name: 'capacity: Little & "less"' },
      { classname: 'projects.a', name: 'quota-exceeded: Too many cores' },
    ]);
    expect(attributesOf(xml, 'failure')).toEqual([
      { type: 'quota-exceeded', message: 'Too many cores' },
    ]);
    expect(parse(xml).getElementsByTagName('failure')[0]?.textContent).toBe(
      'Too many cores\nwith projects.a.vms.w["<x>"]\nat infra/ä b.yaml:3:5\nOne.\nTwo.\nHint: Do.\nSee docs/errors.md#quota-exceeded',
    );
    expect(attributesOf(xml, 'skipped')).toEqual([{ message: 'Little & "less"' }]);
  });

  it('are failures where they are errors, however many are skipped', () => {
    const counts = { tests: '4', failures: '2', errors: '0', skipped: '1' };
    const xml = renderFindingsJunit([...sample, makeFinding({})]);
    expect(attributesOf(xml, 'testsuite')).toEqual([{ name: 'findings', ...counts }]);
  });

  it('are one test that passes where there are none', () => {
    expect(attributesOf(renderFindingsJunit([]), 'testcase')).toEqual([
      { classname: 'hostwright', name: 'no findings' },
    ]);
    expect(attributesOf(renderFindingsJunit([]), 'testsuite')[0]?.tests).toBe('1');
  });

  it('may hold any character of XML', () => {
    const xml = renderFindingsJunit([makeFinding({ severity: 'warning', summary: 'a\ufffdb' })]);
    expect(attributesOf(xml, 'skipped')).toMatchObject([{ message: 'a\ufffdb' }]);
  });

  it('stand with their file where no resource is meant', () => {
    const xml = renderFindingsJunit([makeFinding({ source })]);
    expect(attributesOf(xml, 'testcase')[0]?.classname).toBe('infra/ä b.yaml');
  });

  test.prop([anything])('are well-formed whatever they say', (diagnostics) => {
    const cases = attributesOf(renderFindingsJunit(diagnostics), 'testcase');
    expect(cases).toHaveLength(Math.max(1, diagnostics.length));
  });
});

describe('findings as SARIF', () => {
  it('have rules, levels and places', () => {
    const log = renderSarif(sample, '1.2.3');
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    expect(run?.tool.driver).toEqual({
      ...{ name: 'Hostwright', version: '1.2.3' },
      rules: ['capacity', 'quota-exceeded'].map((id) => ({ id, helpUri: `docs/errors.md#${id}` })),
    });
    const [error, warning, note] = run?.results ?? [];
    expect(error).toEqual({
      ...{ ruleId: 'quota-exceeded', ruleIndex: 1, level: 'error' },
      message: { text: 'Too many cores\n\nOne.\n\nTwo.\n\nDo.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'infra/%C3%A4%20b.yaml' },
            region: { startLine: 3, startColumn: 5, endLine: 3, endColumn: 9 },
          },
          logicalLocations: [{ fullyQualifiedName: 'projects.a.vms.w["<x>"]', kind: 'resource' }],
        },
      ],
    });
    expect(warning).toMatchObject({ ruleIndex: 0, level: 'warning' });
    expect(note).toMatchObject({ level: 'note' });
  });

  it('have a place each: without one, code hosts refuse all of them', () => {
    const placesOf = (...given: Parameters<typeof renderSarif>) =>
      renderSarif(...given).runs[0]?.results?.map(({ locations }) => {
        const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
        return `${artifactLocation?.uri ?? ''}:${String(region?.startLine)}`;
      });
    // At the top of the file that another is about, or where a configuration begins.
    expect(placesOf(sample, '1')).toEqual([3, 1, 1].map((line) => `infra/%C3%A4%20b.yaml:${line}`));
    expect(placesOf(sample.slice(1), '1')).toEqual(['main.yaml:1', 'main.yaml:1']);
    // Where the resource stands.
    const place = { ...source, file: 'shop.yaml', line: 7 };
    const changes = [makeChange({ address: 'projects.a', action: 'no-op', source: place })];
    expect(placesOf(sample.slice(1), '1', { changes })).toEqual(['shop.yaml:1', 'shop.yaml:7']);
  });

  it('are a run without results where there are none', () =>
    expect(renderSarif([], '1').runs[0]).toMatchObject({
      results: [],
      tool: { driver: { rules: [] } },
    }));

  test.prop([anything])('have the rule of each', (diagnostics) => {
    const [run] = renderSarif(diagnostics, '1').runs;
    const named = run?.results?.map(({ ruleIndex = -1 }) => run.tool.driver.rules?.[ruleIndex]?.id);
    expect(named).toEqual(diagnostics.map(({ code }) => code));
  });
});

it('of SARIF read no link into what a name holds', () => {
  const [result] = renderSarif([makeFinding({ summary: 'See [here](x)' })], '1').runs[0]!.results!;
  expect(result?.message.text).toContain(String.raw`See [here]\u0028x)`);
});
