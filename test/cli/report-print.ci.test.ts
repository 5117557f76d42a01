import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadGraphDrawer } from '../../src/commands/lifecycle/draw-graph.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { DependencyGraph } from '../../src/model/plan/graph.ts';
import { renderGraphDot } from '../../src/render/graph/graph-dot.ts';
import type { GraphPicture } from '../../src/render/html/picture.ts';
import { renderPlanHtml } from '../../src/render/html/report.ts';
import { busyPlan, busyTimeline } from '../support/busy-plan.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/open-browser.ts';
import { hasColor, readPdf, type PaperPage } from '../support/read-pdf.ts';
import { makeChange, makePlan } from '../unit/render/sample-plan.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
const lightAdded = '#e6ffec';
const lightGone = '#ffebe9';
const dark = '#0d1117';

const makeVms = (count: number, addressOf: (index: number) => string): Plan =>
  makePlan(
    Array.from({ length: count }, (_, index) =>
      makeChange({
        ...{ action: 'update', address: addressOf(index) },
        before: { alpha: `from-${index}`, beta: 1, zulu: 'a' },
        after: { alpha: `to-${index}`, beta: 2, zulu: 'b' },
      }),
    ),
  );

/** As tall as a graph gets: one project, and what lies in it. */
function makeGraph(count: number): DependencyGraph {
  const project = 'projects.shop';
  const names = Array.from({ length: count }, (_, index) => `${project}.vms.web-${index}`);
  return {
    nodes: [
      { address: project, kind: 'project', project },
      ...names.map((address) => ({ address, kind: 'vm' as const, project })),
    ],
    edges: names.map((from) => ({ from, to: project })),
  };
}

describe.runIf(hasBrowser)('a report on paper', () => {
  let directory: string;
  let browser: Browser;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hostwright-print-'));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(directory, { recursive: true });
  });

  async function print(plan: Plan, picture?: GraphPicture): Promise<PaperPage[]> {
    const path = join(directory, 'plan.html');
    const parts = { version: '0', plannedAt: 0, hashOf, timeline: busyTimeline };
    writeFileSync(path, renderPlanHtml(plan, { ...parts, ...(picture && { picture }) }));
    const page = await browser.context.newPage();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(pathToFileURL(path).href);
    // As a browser does of itself: without grounds.
    const file = await page.pdf({ format: 'A4', printBackground: false });
    // And what is on the screen afterwards is what was on it before.
    const closed = await page.locator('.tree .group:not([open])').count();
    await page.close();
    expect(closed > 0).toBe(plan.changes.length > 60);
    return await readPdf(file);
  }

  test('has no blank page, its grounds, and light colours where the system is dark', async () => {
    const pages = await print(busyPlan);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.length).toBeLessThan(6);
    for (const page of pages) {
      expect(page.text.trim()).not.toBe('');
      expect([...page.dots.slice(0, 3)]).toEqual([255, 255, 255]);
      expect(hasColor(page, dark)).toBe(false);
    }
    expect(pages.some((page) => hasColor(page, lightAdded))).toBe(true);
    expect(pages.some((page) => hasColor(page, lightGone))).toBe(true);
  });

  test.each([
    ['few', 12],
    ['many', 150],
  ])('has %s changes open, each on one page', async (_, count) => {
    const pages = await print(makeVms(count, (index) => `projects.shop.vms.web-${index}-x`));
    const all = pages.map(({ text }) => text).join('\n');
    for (let index = 0; index < count; index += 1) expect(all).toContain(`"to-${index}"`);
    const starts = (text: string) => text.match(/web-\d+-x will be updated/g)?.length ?? 0;
    const ends = (text: string) => text.match(/^zulu/gm)?.length ?? 0;
    expect(starts(all)).toBe(count);
    for (const { text } of pages) expect(ends(text)).toBe(starts(text));
    for (const { text } of pages) expect(text.trim()).not.toBe('');
  });

  test('has a graph that is taller than the paper on one page', async () => {
    const draw = await loadGraphDrawer();
    const graph = makeGraph(120);
    const svg = draw(renderGraphDot(graph, true));
    const without = await print(busyPlan);
    const pages = await print(busyPlan, { graph, extent: 'everything', svg });
    expect(pages.length).toBeLessThanOrEqual(without.length + 1);
    const [page] = pages.filter(({ text }) => text.includes('vms.web-119'));
    expect(page?.text).toContain('vms.web-0');
    expect(page?.text).toContain('Dependencies');
  });
});
