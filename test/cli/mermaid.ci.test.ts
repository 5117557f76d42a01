import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DependencyGraph } from '../../src/model/plan/graph.ts';
import { actions } from '../../src/model/plan/plan.ts';
import { fitMermaidGraph, renderGraphMermaid } from '../../src/render/graph/graph-mermaid.ts';
import { drawMermaid, openMermaid } from '../support/draw-mermaid.mjs';
import { hostileTexts } from '../support/hostile-text.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/open-browser.ts';
import { makeChange } from '../unit/render/sample-plan.ts';

const project = 'projects.shop';

/** A project, and VMs with these keys that need it; each has the action of its turn. */
function makeGraph(keys: readonly string[], within = project): DependencyGraph {
  const addresses = keys.map((key) => `${within}.vms.web[${JSON.stringify(key)}]`);
  return {
    nodes: [
      { address: within, kind: 'project', project: within },
      ...addresses.map((address, index) => ({
        ...{ address, kind: 'vm' as const, project: within },
        change: makeChange({ address, action: actions[index % actions.length]! }),
      })),
    ],
    edges: addresses.map((from) => ({ from, to: within })),
  };
}

interface SeenPicture {
  readonly labels: readonly string[];
  readonly boxes: number;
  readonly arrows: number;
  readonly foreign: number;
}

/** What a reader of the picture sees. */
const readPicture = (page: Page) =>
  page.evaluate<SeenPicture>(`({
    labels: [...document.querySelectorAll('.node .nodeLabel')].map((one) => one.textContent),
    boxes: document.querySelectorAll('.cluster').length,
    arrows: document.querySelectorAll('path.flowchart-link').length,
    foreign: document.body.querySelectorAll('script, img, a, b').length,
  })`);

describe.runIf(hasBrowser)('Mermaid itself', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    page = await openMermaid(browser.context);
  });
  afterAll(() => browser.close());

  test('draws every resource, every arrow and a box for the project', async () => {
    const given = makeGraph(actions);
    await drawMermaid(page, renderGraphMermaid(given));
    const { labels, boxes, arrows } = await readPicture(page);
    expect(labels).toHaveLength(given.nodes.length);
    expect(labels).toContain('vms.web["create"] (create)');
    expect({ boxes, arrows }).toEqual({ boxes: 1, arrows: given.edges.length });
  });

  test.each(Object.entries(hostileTexts))('shows %s as text', async (_, text) => {
    await drawMermaid(page, renderGraphMermaid(makeGraph([text, 'plain'])));
    const { labels, foreign } = await readPicture(page);
    expect(labels).toHaveLength(3);
    expect(labels).toContain('vms.web["plain"] (update)');
    expect(foreign).toBe(0);
  });

  test('draws 2,000 VMs of 20 projects', async () => {
    const parts = Array.from({ length: 20 }, (_, team) =>
      makeGraph(
        Array.from({ length: 100 }, (__, index) => String(index)),
        `projects.team${team}`,
      ),
    );
    const whole = {
      nodes: parts.flatMap(({ nodes }) => nodes),
      edges: parts.flatMap(({ edges }) => edges),
    };
    // Whole it would be refused: then the test would show nothing.
    await drawMermaid(page, renderGraphMermaid(whole));
    expect((await readPicture(page)).labels).toEqual(['Maximum text size in diagram exceeded']);
    const fitted = fitMermaidGraph(whole);
    await drawMermaid(page, renderGraphMermaid(fitted.graph));
    const { labels, boxes, arrows } = await readPicture(page);
    expect(boxes).toBe(20);
    expect(labels).toHaveLength(fitted.graph.nodes.length);
    expect(arrows).toBe(fitted.graph.edges.length);
  });
});
