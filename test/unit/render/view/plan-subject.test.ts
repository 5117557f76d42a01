// What stands above every form of a plan: whose it is, what it comes to, and what it loses.
import { expect, test } from 'vitest';
import { renderPlanHtml } from '../../../../src/render/html/report.ts';
import { renderPlanMarkdown } from '../../../../src/render/markdown/markdown.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { renderPlanText } from '../../../../src/render/text/text.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { makeChange, makeFinding, makePlan } from '../sample-plan.ts';

const identity = {
  ...{ name: 'infra/<shop>', directory: 'infra/<shop>' },
  ...{ account: 'https://api.example.com/v1', commit: '1a2b3c4d'.repeat(5) },
};
const losses = ['Everything on its disk (40 GB) is lost.'];
const rebuilt = makeChange({ action: 'rebuild', before: { disk: 40 }, after: {}, losses });
const created = makeChange({ address: 'projects.shop.vms.new', action: 'create', after: {} });
const address = makeChange({
  ...{ address: 'projects.shop.publicIps.edge', kind: 'publicIp', action: 'delete' as const },
  ...{ before: {}, losses: ['Its address is lost.'] },
});

const verdicts: readonly (readonly [words: string, plan: Plan])[] = [
  ['no changes', makePlan([])],
  ['loses nothing', makePlan([created])],
  ['loses 40 GB', makePlan([created, rebuilt])],
  ['loses 1 public IP', makePlan([address])],
  ['loses 40 GB and 1 public IP', makePlan([rebuilt, address])],
  ['cannot be applied', makePlan([rebuilt], { findings: [makeFinding()] })],
];

const drawText = (plan: Plan, columns = 120) =>
  renderPlanText(plan, { columns, style: createAnsiStyle(false), identity });
const drawPage = (plan: Plan) =>
  renderPlanHtml(plan, { version: '0', plannedAt: 0, hashOf: () => '', identity });

test.each(verdicts)(
  'every form of a plan that %s says so first, and whose it is',
  (words, plan) => {
    expect(drawText(plan).split('\n')[0]).toBe(
      `Plan for infra/<shop> on api.example.com/v1 at 1a2b3c4: ${words}`,
    );
    const [marker, heading] = renderPlanMarkdown(plan, { identity }).split('\n');
    expect(marker).toBe('<!-- hostwright-plan:infra/%3Cshop%3E -->');
    expect(heading).toMatch(
      /^## Hostwright plan for <code>infra\/&#60;shop&#62;<\/code>: .*on <code>api\.example\.com\/v1<\/code> · at <code>1a2b3c4<\/code><\/sub>$/,
    );
    expect(heading).toContain(`: ${words}`);
    const page = drawPage(plan);
    expect(page).toContain(
      `<title>Plan for infra/&lt;shop&gt; on api.example.com/v1 at 1a2b3c4: ${words}</title>`,
    );
    expect(page).toMatch(
      new RegExp(
        `<h1>Plan for <code>infra/&lt;shop&gt;</code> .*: <span [^>]*>${words}</span></h1>`,
      ),
    );
  },
);

test('a narrow terminal breaks the first line, and colours nothing over its end', () => {
  const narrow = renderPlanText(makePlan([rebuilt, address]), {
    ...{ columns: 40, style: createAnsiStyle(true), identity },
  });
  const lines = narrow.slice(0, narrow.indexOf('\n\n')).split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.endsWith('\u001b[22m')).toBe(true);
});

test('what is lost stands above all in red, with the counts of a plan', () => {
  const plan = makePlan([created, rebuilt, address]);
  const loss = 'This plan loses the disk of 1 VM (40 GB) and 1 public IP. There is no undo.';
  const counts = '1 to rebuild (1 disk lost), 1 to destroy';
  expect(drawText(plan).split('\n').slice(1, 5)).toEqual(['', `! ${loss}`, `! ${counts}`, '']);
  expect(renderPlanMarkdown(plan)).toContain(
    [
      ...['> [!CAUTION]', `> **${loss}**`, '>', `> ${counts}`, '>'],
      '> <code>projects.shop.vms.web</code>, <code>projects.shop.publicIps.edge</code>',
    ].join('\n'),
  );
  expect(drawPage(plan)).toContain(`<div class="banner loss"><p>${loss}</p><p>${counts}</p></div>`);
});

test('a plan that loses nothing has no banner, and one with errors says how many', () => {
  expect(drawPage(makePlan([created]))).not.toContain('class="banner');
  const faulty = makePlan([created], { findings: [makeFinding(), makeFinding()] });
  const words = 'This plan cannot be applied: it has 2 errors.';
  expect(drawPage(faulty)).toContain(`<div class="banner error"><p>${words}</p></div>`);
  expect(renderPlanMarkdown(faulty)).toContain(`> [!CAUTION]\n> **${words}**\n\n`);
  const warned = makePlan([created], { findings: [makeFinding({ severity: 'warning' })] });
  expect(renderPlanMarkdown(warned)).toContain('> [!WARNING]\n> **This plan has 1 warning.**\n\n');
});

test('the dangerous changes stand first in every form, and what is created is folded', () => {
  const update = makeChange({ address: 'projects.shop.vms.old', action: 'update', after: {} });
  const plan = makePlan([created, update, address, rebuilt]);
  const order = ['rebuilt', 'destroyed', 'updated', 'created'];
  const find = (text: string) =>
    Array.from(text.matchAll(/will be (\w+)(?= |<|$)/gm), ([, word]) => word);
  expect(find(drawText(plan))).toEqual(order);
  expect(find(renderPlanMarkdown(plan))).toEqual(order);
  expect(find(drawPage(plan))).toEqual(order);
  expect(renderPlanMarkdown(plan)).toMatch(
    /<details><summary>[^\n]*1 to add<\/summary>\n\n```diff\n# projects\.shop\.vms\.new will be created/,
  );
  expect(drawPage(plan).match(/<details id="c\d"[^>]*>/g)).toEqual([
    ...[0, 1, 2].map((index) => `<details id="c${index}" open>`),
    '<details id="c3">',
  ]);
});

test('a comment links to the page where there is one', () => {
  const pageUrl = 'https://ci.example.com/plan.html';
  expect(renderPlanMarkdown(makePlan([created]), { pageUrl })).toContain(
    `\n[The whole plan as a page](${pageUrl})\n`,
  );
  expect(renderPlanMarkdown(makePlan([created]))).not.toContain('](');
});
