import { fc, test as property } from '@fast-check/vitest';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { TestResult } from '../../../../src/model/test-result.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { renderTestsJson } from '../../../../src/render/tests/tests-json.ts';
import { renderTestsJunit } from '../../../../src/render/tests/tests-junit.ts';
import {
  renderTapPlan,
  renderTapTest,
  tapReportStart,
} from '../../../../src/render/tests/tests-tap.ts';
import {
  formatTestTime,
  renderFailedTests,
  renderTestTally,
  renderTestResult,
} from '../../../../src/render/tests/tests-text.ts';
import { failed, failure, makeResult, makeStep } from './sample-results.ts';

const layout = { columns: 80, style: createAnsiStyle(false) };
const results = [makeResult(), failed, makeResult({ file: 'other.test.yaml', name: 'b' })];

/** Anything that a stranger may call a test, and what may be said of one. */
const anyResult = fc
  .record({
    name: fc.string({ unit: 'grapheme', minLength: 1 }),
    file: fc.string({ unit: 'grapheme', minLength: 1 }),
    summary: fc.string({ unit: 'grapheme' }),
    detail: fc.string({ unit: 'grapheme' }),
    isFailed: fc.boolean(),
  })
  .map(({ name, file, summary, detail, isFailed }): TestResult => {
    const diagnostics = isFailed ? [{ ...failure, summary, detail }] : [];
    const status = isFailed ? 'fail' : 'pass';
    return makeResult({ name, file, status, steps: [makeStep({ status, diagnostics })] });
  });

describe('TAP', () => {
  /** The report as version 14 of the protocol reads it. @throws for what is none */
  function parseTap(text: string) {
    const [version, ...lines] = text.split('\n');
    expect(version).toBe('TAP version 14');
    expect(lines.pop()).toBe('');
    const plan = /^1\.\.(\d+)$/.exec(lines.pop() ?? '');
    const points: { ok: boolean; number: number; description: string; yaml: unknown }[] = [];
    for (let at = 0; at < lines.length; at += 1) {
      const [, not, number, description = ''] =
        /^(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*)$/u.exec(lines[at] ?? '') ?? [];
      expect(number, lines[at]).toBeDefined();
      expect(lines[(at += 1)]).toBe('  ---');
      const end = lines.indexOf('  ...', at);
      const yaml: unknown = parse(lines.slice(at + 1, end).join('\n'));
      points.push({ ok: not === undefined, number: Number(number), description, yaml });
      at = end;
    }
    expect(points.map(({ number }) => number)).toEqual(points.map((_, index) => index + 1));
    expect(points).toHaveLength(Number(plan?.[1]));
    return points;
  }
  const render = (all: readonly TestResult[]) =>
    tapReportStart +
    all.map((one, index) => renderTapTest(one, index + 1)).join('') +
    renderTapPlan(all.length);

  test('says of each test whether it passed, and what failed', () =>
    expect(parseTap(render(results))).toEqual([
      {
        ...{ ok: true, number: 1, description: 'shop.test.yaml: creates a VM' },
        yaml: { duration_ms: 120 },
      },
      {
        ...{ ok: false, number: 2, description: 'shop.test.yaml: grows & <shrinks>' },
        yaml: {
          duration_ms: 2340,
          severity: 'fail',
          failures: [
            {
              message: failure.summary,
              code: 'assertion-failed',
              detail: failure.detail,
              at: 'shop.test.yaml:7:9',
            },
          ],
        },
      },
      { ok: true, number: 3, description: 'other.test.yaml: b', yaml: { duration_ms: 120 } },
    ]));

  property.prop([fc.array(anyResult, { maxLength: 4 })])('holds any text', (all) => {
    const points = parseTap(render(all));
    expect(points.map(({ ok }) => ok)).toEqual(all.map(({ status }) => status === 'pass'));
  });
});

describe('JUnit', () => {
  test('has of a failure what there is, as TAP does', () => {
    const { code, severity, summary } = failure;
    const bare = { code, severity, summary, hint: 'Do.' };
    const result = makeResult({ status: 'fail', diagnostics: [bare] });
    expect(renderTapTest(result, 1)).toMatch(
      /code: assertion-failed\n {6}hint: "Do\."\n {2}\.\.\.\n$/,
    );
    expect(renderTestsJunit([result])).toContain(
      'message="The assertion is false: plan.counts.add == 2">Hint: Do.</failure>',
    );
  });

  const read = (xml: string) =>
    new DOMParser({
      onError: (level, message) => {
        // The parser guesses at a wrong encoding; U+FFFD is a character that XML may hold.
        if (level === 'warning' && message.startsWith('Unicode replacement character')) return;
        throw new Error(`${level}: ${message}`);
      },
    }).parseFromString(xml, 'text/xml');
  const list = (xml: string, tag: string) =>
    [...read(xml).getElementsByTagName(tag)].map((element) => ({
      text: element.textContent ?? '',
      ...Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    }));

  test('has a suite for each file, and a case for each test', () => {
    const xml = renderTestsJunit(results);
    expect(list(xml, 'testsuites')).toMatchObject([{ tests: '3', failures: '1', errors: '0' }]);
    expect(list(xml, 'testsuite')).toMatchObject([
      { name: 'shop.test.yaml', tests: '2', failures: '1', time: '2.460' },
      { name: 'other.test.yaml', tests: '1', failures: '0' },
    ]);
    expect(list(xml, 'testcase')).toMatchObject([
      { classname: 'shop.test.yaml', name: 'creates a VM', line: '7', time: '0.120' },
      { name: 'grows & <shrinks>' },
      { name: 'b' },
    ]);
    const [one] = list(xml, 'failure');
    expect(one).toMatchObject({ type: 'assertion-failed', message: failure.summary });
    expect(one?.text).toContain('at shop.test.yaml:7:9\n> 7 | x == 1\n');
    expect(one?.text).toContain('plan.counts.add = 3');
  });

  property.prop([fc.array(anyResult, { maxLength: 4 })])('is well-formed for any text', (all) => {
    expect(list(renderTestsJunit(all), 'testcase')).toHaveLength(all.length);
  });
});

test('JSON has each step with what failed', () => {
  const tally = { passed: 2, failed: 1, filtered: 4, elapsedMs: 2_500.4 };
  expect(renderTestsJson(results, tally)).toMatchObject({
    format_version: '1.0',
    success: false,
    summary: { passed: 2, failed: 1, filtered: 4, duration_ms: 2500 },
    tests: [
      { name: 'creates a VM', status: 'pass', virtual_ms: 90_000 },
      {
        status: 'fail',
        steps: [
          { step: 'apply', status: 'pass', diagnostics: [] },
          {
            ...{ step: 'plan', status: 'fail', assertions: 1 },
            place: { filename: 'shop.test.yaml', line: 7, column: 9 },
            diagnostics: [{ code: 'assertion-failed', range: { start: { line: 7, column: 9 } } }],
          },
          { step: 'destroy', status: 'skip' },
        ],
      },
      { file: 'other.test.yaml' },
    ],
  });
});

describe('text', () => {
  test('is one line for a test that passed', () =>
    expect(renderTestResult(makeResult(), layout)).toBe('  pass  creates a VM  120ms\n'));

  test('shows what failed below the step, and what did not run', () => {
    const text = renderTestResult(failed, layout);
    expect(text).toMatch(/^ {2}FAIL {2}grows & <shrinks> {2}2\.3s\n {8}step 2 of 3, plan\n╷\n/);
    expect(text).toContain('│   plan.counts.add = 3\n');
    expect(text).toMatch(/╵\n {8}1 step did not run\n$/);
  });

  test('shows what is wrong with the account of a test', () => {
    const broken = makeResult({ status: 'fail', steps: [], diagnostics: [failure] });
    expect(renderTestResult(broken, layout)).toContain('The assertion is false');
  });

  test('keeps to the width, whatever a test is called', () => {
    const name =
      'a very long name that says all that there is to say about one single test of many';
    const lines = renderTestResult(makeResult({ name }), { ...layout, columns: 50 }).split('\n');
    expect(lines.filter((line) => line.length > 50)).toEqual([]);
    expect(lines[1]).toMatch(/^ {8}\S/);
  });

  test('of what failed alone, each with its file', () => {
    const text = renderFailedTests(results, layout);
    expect(text).toMatch(/^shop\.test\.yaml\n {2}FAIL/);
    expect(text).not.toContain('creates a VM');
  });

  test.each([
    [{ passed: 2, failed: 0, filtered: 0, elapsedMs: 900 }, 'Tests: 2 passed (900ms)\n'],
    [
      { passed: 2, failed: 1, filtered: 3, elapsedMs: 61_240 },
      'Tests: 2 passed, 1 failed, 3 left out by --filter (61.2s)\n',
    ],
  ])('closes with how many there were: %j', (tally, expected) => {
    expect(renderTestTally(tally, layout.style)).toBe(expected);
  });

  test('a time below a second is told in milliseconds', () =>
    expect([formatTestTime(0), formatTestTime(999.4), formatTestTime(1_000)]).toEqual([
      '0ms',
      '999ms',
      '1.0s',
    ]));
});
