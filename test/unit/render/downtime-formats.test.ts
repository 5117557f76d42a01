// The downtime of a plan in every form that it has.
import { describe, expect, it, test } from 'vitest';
import type { BlockDowntime, Downtime } from '../../../src/model/plan/downtime.ts';
import { sumUpDowntimes } from '../../../src/plan/forecast/sum-up-downtimes.ts';
import { formatTimeSinceRunStart } from '../../../src/render/format/elapsed.ts';
import { renderPlanHtml } from '../../../src/render/html/report.ts';
import { describeDowntime, describeDowntimeEvent } from '../../../src/render/json/downtime-json.ts';
import { renderPlanMarkdown } from '../../../src/render/markdown/markdown.ts';
import { renderPlanOneline } from '../../../src/render/text/oneline-text.ts';
import { renderPlanText } from '../../../src/render/text/text.ts';
import { viewDowntime } from '../../../src/render/view/downtime-view.ts';
import { makeChange, makePlan, plain } from './sample-plan.ts';

const web = 'projects.shop.vms.web';
const sum = (startMs: number, forMs: number | null) => ({ startMs, forMs });
/** Two of three that run, of which so much goes out. */
function block(forMs: number | null, given: Partial<BlockDowntime> = {}): BlockDowntime {
  const [out, endMs] = [sum(0, forMs), forMs];
  return {
    ...{ address: web, running: 3, minRunning: 2, isAssumed: false, out },
    stops: { least: out, any: out },
    outages: [{ address: `${web}[0]`, loses: 'power', startMs: 0, endMs }],
    ...given,
  };
}
const of = (...blocks: BlockDowntime[]): Downtime => ({ blocks, forwards: [] });
const forward = {
  ...{ address: 'projects.shop.publicIps.edge.forwards.https', isAssumed: false },
  ...{ out: sum(0, 34_000), outages: [{ startMs: 0, endMs: 34_000 }] },
};
const linesOf = (downtime: Downtime) => {
  const { title, rows } = viewDowntime(downtime);
  return [title, ...rows.map(({ label, text }) => `${label}: ${text}`)];
};
const withDowntime = (downtime: Downtime) => ({
  ...makePlan([makeChange({ action: 'update', before: { name: 'a' }, after: { name: 'b' } })]),
  downtime,
});
const textOf = (downtime: Downtime, columns: number, isVerbose = false) =>
  renderPlanText(withDowntime(downtime), { ...plain, columns, isVerbose });

test.each<[string, Downtime, string[]]>([
  ['an end', of(block(34_000)), [': 2 of 3 running for 34s, from 0:00']],
  ['no end', of(block(null)), [': 2 of 3 running from 0:00 on']],
  [
    'one after the other',
    of(
      block(94_000, { minRunning: 1, stops: { least: sum(24_000, 10_000), any: sum(0, 94_000) } }),
    ),
    [': 1 of 3 running for 10s, from 0:24; fewer than 3 for 1m34s'],
  ],
  [
    'a network beside it',
    of(block(34_000, { cut: { ...sum(5_000, null), members: 2 } })),
    [': 2 of 3 running for 34s, from 0:00; 2 of 3 without a network from 0:05 on'],
  ],
  [
    'an assumed length beside a known one',
    { ...of(block(34_000, { isAssumed: true })), forwards: [forward] },
    [': 2 of 3 running for 34s, from 0:00 (assumed)', ': nobody answers for 34s'],
  ],
  [
    'several rehearsals',
    { ...of(block(34_000, { p95Ms: 41_000 })), rehearsals: 20 },
    [': 2 of 3 running for 34s (41s), from 0:00'],
  ],
  [
    'several rehearsals of which some have no end',
    { ...of(block(34_000, { p95Ms: null })), rehearsals: 20 },
    [': 2 of 3 running for 34s (no end), from 0:00'],
  ],
])('is worded with %s', (_, downtime, ends) => {
  const [title, ...lines] = linesOf(downtime);
  expect(lines.map((line) => line.replace(/^[^:]*/, ''))).toEqual(ends);
  expect(title).toBe(
    downtime.rehearsals === undefined
      ? 'Downtime (expected)'
      : 'Downtime (median of 20 rehearsals, 95th percentile in brackets)',
  );
});

test.each([
  ['expected, from assumed durations', of(block(1_000, { isAssumed: true }), block(null))],
  ['expected', of(block(null))],
  ['rehearsed', { ...of(block(1_000)), rehearsals: 1 }],
])('is called %s', (words, downtime) => expect(linesOf(downtime)[0]).toBe(`Downtime (${words})`));

test.each([
  [0, '0:00'],
  [67_400, '1:07'],
  [3_605_000, '1:00:05'],
])('a moment of %s ms is %s', (ms, text) => expect(formatTimeSinceRunStart(ms)).toBe(text));

describe('the text', () => {
  const both: Downtime = { ...of(block(34_000, { minRunning: 0 })), forwards: [forward] };

  it('has columns at 80, and lines of their own below that', () => {
    expect(textOf(both, 80)).toContain(`
Downtime (expected):
  projects.shop.vms.web                        0 of 3 running for 34s, from 0:00
  projects.shop.publicIps.edge forward https   nobody answers for 34s

Plan:`);
    expect(textOf(both, 60)).toContain(`
  projects.shop.vms.web
    0 of 3 running for 34s, from 0:00
`);
    expect(renderPlanOneline(withDowntime(both), { ...plain, room: Infinity })).toContain(
      '\n  projects.shop.publicIps.edge forward https   nobody answers for 34s\n\nPlan:',
    );
  });

  it('counts what is too much, but for --verbose', () => {
    const many = of(...Array.from({ length: 25 }, (_, at) => block(1, { address: `${web}${at}` })));
    expect(textOf(many, 80)).toContain('\n  and 5 more\n');
    expect(textOf(many, 80, true)).not.toContain(' more\n');
    expect(renderPlanMarkdown(withDowntime(many))).toContain('| and 5 more | |\n');
  });
});

it('escapes what strangers have written', () => {
  const address = 'projects.shop.vms.web["<b>\u001b[31m|\u202e"]';
  const outages = [{ ...sum(0, 1), address, loses: 'power', endMs: 1 }] as const;
  const plan = withDowntime(of(block(1, { address, outages })));
  const forms = [
    renderPlanText(plan, plain),
    renderPlanMarkdown(plan),
    renderPlanHtml(plan, { version: '0', plannedAt: 0, hashOf: () => '' }),
    describeDowntimeEvent(plan.downtime, 0)['@message'],
  ];
  for (const text of forms) {
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
    expect(text.replaceAll('<b>3</b>', '')).toContain('Downtime');
  }
  expect(forms[1]).not.toContain('<b>');
  expect(forms[2]).not.toContain('web[&quot;<b>');
});

test('the page has a row for each VM, however often it is out', () => {
  const [first, second] = [`${web}[0]`, `${web}[1]`];
  const outages = [
    { address: first, loses: 'power', startMs: 0, endMs: 10_000 },
    { address: first, loses: 'attachment', startMs: 20_000, endMs: 30_000 },
    { address: second, loses: 'power', startMs: 5_000, endMs: null },
  ] as const;
  const plan = withDowntime(of(block(30_000, { outages })));
  const page = renderPlanHtml(plan, { version: '0', plannedAt: 0, hashOf: () => '' });
  const rows = [...page.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) =>
    row
      .replace(/<svg.*?<\/svg>/, '')
      .replace(/<[^>]+>/g, '|')
      .replace(/\|+/g, '|'),
  );
  // In a narrow window, the cells have their heads beside them.
  const [, mark] = /<table class="times (\w+)">/.exec(page) ?? [];
  const heads = page.matchAll(/\.(\w+) td:nth-child\([34]\)::before\{content:"(\w+) "\}/g);
  expect([...heads].filter(([, of]) => of === mark).map(([, , head]) => head)).toEqual([
    'from',
    'for',
  ]);
  expect(rows.filter((row) => row.includes(web))).toEqual([
    `|${first}|does not run, no network|0:00, 0:20|10s, 10s|`,
    `|${second}|does not run|0:05|no end|`,
  ]);
  expect(page.match(/<rect class="run failed"/g)).toHaveLength(3);
});

test('the JSON has it by address, without an end as null', () => {
  const downtime = { ...of(block(null), block(1_400, { address: `${web}2`, p95Ms: 2_000 })) };
  expect(describeDowntime(downtime)).toMatchObject({
    [web]: { seconds: null, fromSeconds: 0, running: 3, minRunning: 2, least: { seconds: null } },
    [`${web}2`]: { seconds: 1, p95Seconds: 2 },
  });
});

test.each<[string, (number | null | undefined)[], number | null | undefined, number | null]>([
  ['the middle', [10, 30, 20], 20, 30],
  ['no end', [10, null, 20], 20, null],
  ['that it stayed in service as no time', [undefined, undefined, 10, 20, 30], 10, 30],
  ['of which few were out', [undefined, undefined, undefined, 10], 10, 10],
])('several rehearsals come to %s', (_, lengths, median, p95) => {
  const each = lengths.map((ms) => (ms === undefined ? undefined : of(block(ms))));
  const summed = sumUpDowntimes(each);
  expect(summed?.rehearsals).toBe(lengths.length);
  expect(summed?.blocks).toMatchObject([{ out: { forMs: median }, p95Ms: p95 }]);
});
