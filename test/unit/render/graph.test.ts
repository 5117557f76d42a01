import { fc, test } from '@fast-check/vitest';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { describe, expect, it } from 'vitest';
import type { DependencyGraph, GraphNode } from '../../../src/model/plan/graph.ts';
import { actions } from '../../../src/model/plan/plan.ts';
import { fitGraph } from '../../../src/render/graph/fold-graph.ts';
import { renderGraphDot } from '../../../src/render/graph/graph-dot.ts';
import { fitMermaidGraph, renderGraphMermaid } from '../../../src/render/graph/graph-mermaid.ts';
import { makeChange } from './sample-plan.ts';

const graphviz = await Graphviz.load();

interface DotJson {
  readonly objects?: readonly { name: string; label?: string; class?: string; nodes?: number[] }[];
  readonly edges?: readonly { tail: number; head: number }[];
}

/** A graph as Graphviz itself reads it. */
const parseDot = (dot: string) => JSON.parse(graphviz.layout(dot, 'dot_json', 'dot')) as DotJson;

const node = (address: string, given: Partial<GraphNode> = {}): GraphNode => ({
  address,
  kind: 'vm',
  project: 'projects.shop',
  ...given,
});
const planned = (address: string, action: (typeof actions)[number]) =>
  node(address, { change: makeChange({ address, action }) });

const key = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '"',
    '\\',
    'a\\"b',
    '&lt;',
    '#quot;',
    '<b>',
    '];x',
    '日本',
    '\u202egpj',
    '-- -->',
  ),
);
const graph: fc.Arbitrary<DependencyGraph> = fc
  .record({
    keys: fc.uniqueArray(key, { minLength: 1, maxLength: 8 }),
    action: fc.option(fc.constantFrom(...actions)),
    links: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 8 }),
  })
  .map(({ keys, action, links }) => {
    const addresses = keys.map((one) => `projects.shop.vms.web[${JSON.stringify(one)}]`);
    const at = (index: number) => addresses[index % addresses.length]!;
    return {
      nodes: addresses.map((one) => (action === null ? node(one) : planned(one, action))),
      edges: links.map(([from, to]) => ({ from: at(from), to: at(to) })),
    };
  });

describe('as Graphviz reads it', () => {
  it('has a box for each project, a node for each resource and an arrow to what it needs', () => {
    const parsed = parseDot(
      renderGraphDot({
        nodes: [
          node('projects.shop', { kind: 'project' }),
          node('projects.shop.vms.web[0]'),
          node('projects.b', { kind: 'project', project: 'projects.b' }),
        ],
        edges: [{ from: 'projects.shop.vms.web[0]', to: 'projects.shop' }],
      }),
    );
    expect(parsed.objects?.map(({ name, label }) => `${name}: ${label ?? ''}`)).toEqual([
      'cluster_0: projects.b',
      'cluster_1: projects.shop',
      'projects.b: projects.b',
      'projects.shop: projects.shop',
      'projects.shop.vms.web[0]: vms.web[0]',
    ]);
    expect(parsed.edges).toMatchObject([{ tail: 4, head: 3 }]);
  });

  it('says the action by sign and by colour', () => {
    const dot = renderGraphDot({
      nodes: [planned('projects.shop.vms.a', 'replace'), planned('projects.shop.vms.b', 'no-op')],
      edges: [],
    });
    expect(parseDot(dot).objects?.slice(1)).toMatchObject([
      { label: '-/+ vms.a', class: 'vm replace', fillcolor: '#ffe2cc' },
      { label: 'vms.b', class: 'vm no-op' },
    ]);
    expect(graphviz.dot(dot)).toContain('class="node vm replace"');
  });

  it('is a graph without nodes', () =>
    expect(parseDot(renderGraphDot({ nodes: [], edges: [] })).objects).toBeUndefined());

  test.prop([graph])('loses and invents nothing, whatever the keys', (given) => {
    const parsed = parseDot(renderGraphDot(given));
    const nodes = parsed.objects?.filter((one) => one.nodes === undefined);
    expect(nodes).toHaveLength(given.nodes.length);
    expect(parsed.edges ?? []).toHaveLength(given.edges.length);
  });

  it('is drawn with its names in order, from top to bottom', () => {
    const addresses = Array.from({ length: 12 }, (_, index) => `projects.shop.vms.web[${index}]`);
    const keys = ['projects.shop.sshKeys.a', 'projects.shop.sshKeys.b'];
    const edges = addresses.flatMap((from) => keys.map((to) => ({ from, to })));
    const nodes = [...keys, ...addresses].map((address) => node(address));
    const svg = graphviz.dot(renderGraphDot({ nodes, edges }, true));
    const found = svg.matchAll(/<text[^>]* y="(-[\d.]+)"[^>]*>vms\.web\[(\d+)\]</g);
    const sorted = [...found].sort(([, a], [, b]) => Number(a) - Number(b));
    expect(sorted.map(([, , index]) => Number(index))).toEqual(addresses.map((_, index) => index));
  });

  test.prop([graph])('makes a picture that is well-formed XML', (given) => {
    const svg = graphviz.dot(renderGraphDot(given));
    expect(svg.match(/<text/g)).toHaveLength(given.nodes.length + 1);
    expect(svg).not.toMatch(/<script|<b>|(?![\t\n])\p{Cc}|[\u202a-\u202e]/u);
  });
});

describe('as Mermaid reads it', () => {
  it('has a box for each project, an arrow to what is needed, and a class for each action', () => {
    const rendered = renderGraphMermaid({
      nodes: [
        node('projects.shop', { kind: 'project', change: makeChange({ action: 'no-op' }) }),
        planned('projects.shop.vms.web["a\\"b"]', 'create'),
      ],
      edges: [{ from: 'projects.shop.vms.web["a\\"b"]', to: 'projects.shop' }],
    });
    expect(rendered).toBe(
      [
        'flowchart RL',
        '  subgraph p0["projects.shop"]',
        '    direction RL',
        '    n0["projects.shop"]:::action_no_op',
        '    n1["vms.web[#34;a#92;#34;b#34;] (create)"]:::action_create',
        '  end',
        '  n1 --> n0',
        '  classDef action_create fill:#dafbe1,stroke:#1a7f37,color:#1f2328',
        '  classDef action_no_op fill:#ffffff,stroke:#818b98,color:#1f2328',
        '',
      ].join('\n'),
    );
  });

  test.prop([graph])('has lines of seven forms, whatever the keys', (given) => {
    const label = String.raw`\["[^"&<>*_~\\]*"\]`;
    const line = new RegExp(
      `^(flowchart RL|  subgraph p\\d+${label}|    n\\d+${label}(:::\\w+)?|    direction RL|  end|  n\\d+ --> n\\d+|  classDef .*|)$`,
      'u',
    );
    const lines = renderGraphMermaid(given).split('\n');
    expect(lines.filter((one) => !line.test(one))).toEqual([]);
    expect(lines.filter((one) => one.startsWith('    n'))).toHaveLength(given.nodes.length);
  });

  it.each([
    ['of one resource', 2_000, (index: number) => `web[${index}]`, 'instances'],
    ['of their own names', 2_000, (index: number) => `web-${index}`, 'kinds'],
    ['of few arrows and long names', 400, (index: number) => `web-${'x'.repeat(80)}-${index}`],
    ['that fit', 200, (index: number) => `web-${index}`, 'everything'],
  ] as const)('never has more than Mermaid draws: VMs %s', (_, count, name, extent = 'kinds') => {
    const addresses = Array.from(
      { length: count },
      (__, index) => `projects.shop.vms.${name(index)}`,
    );
    const fitted = fitMermaidGraph({
      nodes: [
        node('projects.shop', { kind: 'project' }),
        ...addresses.map((address) => planned(address, 'create')),
      ],
      edges: addresses.map((from) => ({ from, to: 'projects.shop' })),
    });
    const text = renderGraphMermaid(fitted.graph);
    expect(fitted.extent).toBe(extent);
    expect(text.length).toBeLessThanOrEqual(50_000);
    expect(text.match(/-->/g)?.length).toBeLessThanOrEqual(500);
    if (extent !== 'everything') expect(text).toContain(` ×${count}`.replace('×', '#215;'));
  });
});

describe('a graph that is too large for a picture', () => {
  const project = node('projects.shop', {
    kind: 'project',
    change: makeChange({ address: 'projects.shop', action: 'no-op' }),
  });
  const web = (index: number) => `projects.shop.vms.web[${index}]`;
  const db = 'projects.shop.vms.db';
  const shop: DependencyGraph = {
    nodes: [
      project,
      planned(db, 'update'),
      ...[0, 1, 2, 3].map((index) => planned(web(index), index === 3 ? 'delete' : 'create')),
    ],
    edges: [db, web(0), web(1), web(2), web(3)].map((from) => ({ from, to: 'projects.shop' })),
  };
  const many = (count: number) => ({
    nodes: Array.from({ length: count }, (_, index) => planned(`projects.p${index}`, 'create')).map(
      (one) => ({ ...one, kind: 'project' as const, project: one.address }),
    ),
    edges: [],
  });

  it.each([
    ['everything', 6, shop, ['', '', '', '', '', '']],
    ['changes', 5, shop, ['', '', '', '', '']],
    ['instances', 3, shop, ['', '3', '']],
    ['nothing', 2, many(3), []],
  ] as const)('shows %s with room for %i', (extent, nodes, given, members) => {
    const fitted = fitGraph(given, { nodes, edges: 100 });
    expect(fitted.extent).toBe(extent);
    expect(fitted.graph.nodes.map((one) => String(one.members ?? ''))).toEqual(members);
    const known = new Set(fitted.graph.nodes.map(({ address }) => address));
    const loose = fitted.graph.edges.filter(({ from, to }) => !known.has(from) || !known.has(to));
    expect(loose).toEqual([]);
  });

  it('puts kinds together where instances are not enough', () => {
    const nodes = ['a', 'b', 'c'].map((one) => node(`projects.shop.vms.${one}`));
    const above = node('projects.shop', { kind: 'project' });
    const edges = nodes.map(({ address }) => ({ from: address, to: 'projects.shop' }));
    const fitted = fitGraph({ nodes: [above, ...nodes], edges }, { nodes: 2, edges: 9 });
    expect(fitted.extent).toBe('kinds');
    expect(renderGraphDot(fitted.graph)).toContain('label = "vms ×3"');
    expect(fitted.graph.edges).toEqual([{ from: 'projects.shop.vms', to: 'projects.shop' }]);
  });
});
