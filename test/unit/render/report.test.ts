import { countEffects } from '../../../src/model/effects.ts';
import { createHash } from 'node:crypto';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { actions, type Change, type Drift, type Plan } from '../../../src/model/plan/plan.ts';
import type { ManagedResource, State } from '../../../src/model/state/state.ts';
import { renderPlanHtml, type PlanReportParts } from '../../../src/render/html/report.ts';
import { renderStateHtml } from '../../../src/render/html/state.ts';
import { reportStyle } from '../../../src/render/html/style.ts';
import { layOutDiffSideBySide } from '../../../src/render/html/value-rows.ts';
import { renderPlanJson } from '../../../src/render/json/json.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';
import { renderPlanText } from '../../../src/render/text/text.ts';
import { compareValues } from '../../../src/render/view/value-diff.ts';
import type { Value } from '../../../src/model/value.ts';
import { outlineReport, readText } from '../../support/read-report.ts';
import { makeChange, makeFinding, makePlan } from './sample-plan.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
const render = (plan: Plan, parts: Partial<PlanReportParts> = {}) =>
  renderPlanHtml(plan, { version: '0.0.0', plannedAt: 0, hashOf, ...parts });

const nasty = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"onload="x',
    "'",
    '&lt;',
    '\u202egpj',
    '🚀',
    'a\nb',
  ),
);
const change: fc.Arbitrary<Change> = fc
  .record({
    action: fc.constantFrom(...actions),
    project: fc.constantFrom('projects.a', 'projects.b'),
    key: nasty,
    before: fc.record({ name: nasty, image: nasty }),
    after: fc.record({ name: nasty, image: nasty }),
    losses: fc.array(nasty, { maxLength: 2 }),
    sensitive: fc.subarray(['image']),
    isImported: fc.boolean(),
  })
  .map(({ key, project, ...given }) =>
    makeChange({
      ...given,
      address: `${project}.vms.web[${JSON.stringify(key)}]`,
      project,
      before: given.action === 'create' ? null : given.before,
      after: given.action === 'delete' ? null : given.after,
    }),
  );
const plan = fc
  .record({
    changes: fc.uniqueArray(change, { maxLength: 8, selector: ({ address }) => address }),
    findings: fc.array(
      fc.record({ severity: fc.constantFrom('error', 'warning', 'note'), summary: nasty }),
      { maxLength: 3 },
    ),
  })
  .map(({ changes, findings }) => makePlan(changes, { findings: findings.map(makeFinding) }));

describe('whatever the plan, text, JSON and HTML say the same', () => {
  test.prop([plan])('counts, addresses and findings', (given) => {
    const html = render(given);
    const text = renderPlanText(given, { columns: Infinity, style: createAnsiStyle(false) });
    const json = renderPlanJson(given, { version: '0', plannedAt: 0, fingerprints: {} });
    const shown = [...html.matchAll(/<summary><span class="sym [^]*?<code>([^]*?)<\/code>/g)];
    const addresses = shown.map(([, address = '']) => readText(address));
    const headlines = [...text.matchAll(/^ {2}# (projects.*?) (?:will|must|has moved)/gm)];
    // The page has them by project.
    expect(addresses.sort()).toEqual(headlines.map(([, address]) => address).sort());
    const { summary, findings } = json.hostwright;
    const tiles = new Map(
      [...html.matchAll(/<b>(\d+)<\/b> <span>([^<]+)<\/span>/g)].map(([, count, label]) => [
        label,
        Number(count),
      ]),
    );
    const labels = ['to import', 'to add', 'to change', 'to destroy'];
    expect(labels.map((label) => tiles.get(label) ?? 0)).toEqual([
      ...[summary.import, summary.add, summary.change, summary.destroy],
    ]);
    expect([...tiles.values()]).not.toContain(0);
    const titles = [...html.matchAll(/<h3><span class="severity">(\w+):/g)].map(([, title]) =>
      title?.toLowerCase(),
    );
    expect(titles).toEqual(findings.map(({ severity }) => severity));
    const line = /^Plan: .*$/m.exec(text)?.[0];
    if (line !== undefined) expect(html).toContain(`<p class="closing-counts`);
    if (line !== undefined) expect(html).toContain(`>${line}</p>`);
  });

  test.prop([plan])('nothing foreign becomes markup', (given) => {
    const html = render(given);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/\u202e|<[^>]*\son\w+=/);
    expect(html.match(/<details/g)?.length ?? 0).toBe(html.match(/<\/details>/g)?.length ?? 0);
  });
});

describe('the page', () => {
  it('lets nothing in but its own style and script, by their hashes', () => {
    const html = render(makePlan([]));
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? '';
    const script = /<script>([^]*)<\/script>/.exec(html)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hashOf(style)}'`);
    expect(policy).toContain(`script-src 'sha256-${hashOf(script)}'`);
    expect(html).not.toMatch(/(?:src|href)="(?!#|data:)|url\(|@import|\sstyle="/);
    expect(html).toContain('Your infrastructure matches the configuration.');
  });

  it('of a refresh-only plan is about what happened outside', () => {
    const drift: Drift = {
      ...{ address: 'projects.shop.vms.b', id: 'vm-2', kind: 'vm', project: 'projects.shop' },
      ...{ names: ['power'], sensitive: [], before: { power: 'on' }, after: null },
    };
    const html = render(makePlan([], { mode: 'refresh', drift: [drift], gone: [drift.address] }));
    expect(html).not.toContain('Deleted outside of Hostwright');
    expect(outlineReport(render(makePlan([], { mode: 'refresh' })))).toContain('No changes.');
    expect(render(makePlan([], { mode: 'destroy' }))).toContain(
      '<h1>Plan to destroy: <span class="verdict idle">no changes</span></h1>',
    );
  });

  it('says that a backup is made first', () => {
    const change = makeChange({ action: 'rebuild', isBackedUpFirst: true, before: {}, after: {} });
    expect(outlineReport(render(makePlan([change])))).toContain('(a backup is made first, and');
  });

  it('hides what is sensitive, and says what forces, what drifted and what is lost', () => {
    const html = render(
      makePlan([
        makeChange({
          action: 'rebuild',
          before: { image: 'debian', userData: 'SECRET-A', name: 'web', power: 'running' },
          after: { image: 'ubuntu', userData: 'SECRET-B', name: 'web', power: 'running' },
          fields: [{ name: 'image', effect: 'rebuild' }],
          sensitive: ['userData'],
          drift: { image: 'alpine' },
          losses: ['Everything on its disk (40 GB) is lost.'],
        }),
      ]),
    );
    expect(html).not.toContain('SECRET');
    expect(html).toContain('(sensitive value)');
    expect(html).toContain('forces rebuild');
    expect(html).toContain('changed outside: was &quot;alpine&quot;');
    expect(html).toContain('<h2 id="losses">Data that is lost</h2><ul class="losses">');
    expect(html).toContain('3 unchanged attributes hidden');
  });

  it('has quotas with their peak, what is gone, outputs, and a destroy of its own name', () => {
    const quota = { name: 'vmCpu', limit: 10, unordered: 0, ours: 0 } as const;
    const html = render(
      makePlan([makeChange({ action: 'delete', before: { name: 'a\nb' } })], {
        mode: 'destroy',
        gone: ['projects.old'],
        quotas: [
          { ...quota, used: 2, peak: 9, after: 4 },
          { ...quota, name: 'vmRam', used: 8, peak: 8, after: 12 },
          { ...quota, name: 'networks', limit: 0, used: 1, peak: 1, after: 0 },
        ],
      }),
    );
    expect(html).toContain('<title>Plan to destroy: loses nothing</title>');
    expect(html).toContain('VM cores: 2 now, 9 at the peak, 4 after, of 10');
    expect(html).toContain('over by 2');
    expect(html).toContain('<li><code>projects.old</code></li>');
  });

  it('folds away what is long, and lays thousands of changes out as they come into view', () => {
    const changes = Array.from({ length: 120 }, (_, index) =>
      makeChange({
        action: 'delete',
        address: `projects.p${index}.vms.web`,
        project: `projects.p${index}`,
        before: { name: 'web' },
        losses: ['Lost.'],
      }),
    );
    const html = render(makePlan(changes));
    expect(html).toContain('<div class="tree many" id="list">');
    expect(html).toContain('<summary>120 projects</summary>');
    expect(html).toContain(' changes lose data</summary>');
    expect(html).not.toContain('" open>');
    expect(html.match(/<noscript><div class="scroll"><table class="diff/g)).toHaveLength(120);
    expect(html.match(/<details class="group outer">/g)).toHaveLength(120);
  });

  it.each([
    ['everything', 1],
    ['changes', 1],
    ['nothing', 0],
  ] as const)('shows the picture of %s', (extent, count) => {
    const graph = {
      nodes: [{ address: 'projects.a', kind: 'project' as const, project: 'projects.a' }],
      edges: [{ from: 'projects.a', to: 'projects.a' }],
    };
    const svg = '<?xml version="1.0"?><!-- x --><svg width="8"><!-- y --></svg>';
    const html = render(makePlan([]), { picture: { graph, extent, svg } });
    expect(html.match(/<svg role="group"/g)?.length ?? 0).toBe(count);
    expect(html).not.toContain('<?xml');
  });
});

it('has a picture whose resources lead to their changes, also where one stands for several', () => {
  const graph = {
    nodes: [
      { address: 'projects.a', kind: 'project' as const, project: 'projects.a' },
      {
        ...{
          address: 'projects.a.vms.web',
          kind: 'vm' as const,
          project: 'projects.a',
          members: 2,
        },
        change: makeChange({ action: 'create', address: 'projects.a.vms.web[0]' }),
      },
    ],
    edges: [{ from: 'projects.a.vms.web', to: 'projects.a' }],
  };
  const draw = (title: string) =>
    `<g id="node1" class="node vm">\n<title>${title}</title>\n<g id="a_node1"><a xlink:title="x"></a></g></g>`;
  const arrow = (title: string) => `<g id="edge1" class="edge">\n<title>${title}</title></g>`;
  const svg = `<svg>${draw('projects.a.vms.web')}${draw('projects.a')}${draw('what&#45;ever')}${arrow('projects.a.vms.web&#45;&gt;projects.a')}${arrow('x')}</svg>`;
  const changes = [0, 1].map((index) =>
    makeChange({ action: 'create', address: `projects.a.vms.web[${index}]` }),
  );
  const drawn = { graph, svg };
  const html = render(makePlan(changes), {
    picture: { ...drawn, extent: 'instances', changed: drawn },
  });
  expect(html).toContain('data-n="1"><title>projects.a.vms.web</title><g><a href="#c0">');
  expect(html).toContain('data-n="0"><title>projects.a</title><g><a>');
  expect(html).toContain('data-n="-1"><title>what&#45;ever</title><g><a>');
  expect(html).toContain('<g class="edge" data-from="1" data-to="0">');
  expect(html).toContain('<g class="edge" data-from="-1" data-to="-1">');
  expect(html).toContain(
    '<li><a href="#c0"><code>projects.a.vms.web</code></a> needs <code>projects.a</code></li>',
  );
  expect(html.match(/class="picture (?:whole|part)"/g)).toHaveLength(2);
  expect(html).not.toContain('id="node1"');
});

describe('the page of a state', () => {
  const state: State = {
    lineage: 'l',
    serial: 3,
    service: 'the embedded sandbox',
    resources: new Map([
      [
        'projects.a',
        {
          ...{ address: 'projects.a', kind: 'project', id: 'p', projectId: 'p' },
          ...{ attributes: { name: '<a>', tags: ['x', 'y'] }, configured: [] },
        } as const,
      ],
    ]),
    pending: new Map([['projects.b', {} as never]]),
  };

  it('has its resources, what is pending, and how the last apply went', () => {
    const entry = { address: 'projects.a', step: 'create', startedAt: 0 } as const;
    const html = renderStateHtml(state, {
      version: '0',
      hashOf,
      timeline: {
        startedAt: 0,
        endedAt: 10_000,
        entries: [
          { ...entry, endedAt: 4_000, result: 'applied', isCritical: true },
          { ...entry, endedAt: 1_000, result: 'failed', isCritical: false },
        ],
      },
    });
    expect(html).toContain('&quot;&lt;a&gt;&quot;');
    expect(html).toContain('<li><code>projects.b</code></li>');
    expect(html).toContain('The last apply ran 10s');
    expect(html).toContain('<tr class="critical">');
    expect(html).toContain('<td>create, failed</td>');
  });

  it('is empty for an empty one', () => {
    const empty = { ...state, service: null, resources: new Map(), pending: new Map() };
    expect(renderStateHtml(empty, { version: '0', hashOf })).toContain('The state is empty.');
  });

  it('says whose it is', () => {
    const identity = { name: 'infra/<shop>', directory: 'infra/<shop>' };
    const html = renderStateHtml(state, { version: '0', hashOf, identity });
    expect(html).toContain('<h1>State of <code>infra/&lt;shop&gt;</code></h1>');
    expect(html).toContain('<title>State of infra/&lt;shop&gt;</title>');
  });
});

it.each<[string, Value, Value, string[]]>([
  ['a scalar', 1, 2, ['1 | 2']],
  ['a list', ['a', 'b'], ['a', 'c'], ['[ | [', '  "a", |   "a",', '  "b", |   "c",', '] | ]']],
  ['a text', 'a\nb', 'a\nc\nd', ['a | a', 'b | c', ' | d']],
  ['another shape', ['a'], 'x', ['["a"] | "x"']],
  ['a long list', ['a'.repeat(60)], 'x', ['[ | "x"', `  "${'a'.repeat(60)}", | `, '] | ']],
  [
    'maps',
    { a: 1, b: [] },
    { a: 2, b: {} },
    ['{ | {', '  a: 1 |   a: 2', '  b: [] |   b: {}', '} | }'],
  ],
  [
    'texts in a map',
    { a: 'x\ny' },
    { a: 'x\nz' },
    ['{ | {', '  a: | |   a: |', '    x |     x', '    y |     z', '} | }'],
  ],
  ['a text that comes', null, 'a\nb', [' | a', ' | b']],
])('lays %s out side by side', (_what, before, after, expected) => {
  const rows = layOutDiffSideBySide(compareValues(before, after));
  expect(rows.map((row) => `${row.before?.text ?? ''} | ${row.after?.text ?? ''}`)).toEqual(
    expected,
  );
});

describe('what a reader follows', () => {
  const frame = '  3 |     vms:\n> 4 |       web:\n    |       ^^^\n';

  it('links a finding to its change, and shows its place, its frame and what to do', () => {
    const html = render(
      makePlan([makeChange({ action: 'create', after: { name: 'web' } })], {
        findings: [
          makeFinding({
            address: 'projects.shop.vms.web',
            source: { file: 'shop.yaml', line: 4, column: 7, endLine: 4, endColumn: 10, frame },
            detail: 'One.\n\nTwo.',
            hint: 'Ask for <more>.',
          }),
          makeFinding({ severity: 'warning', address: 'projects.shop.vms.other' }),
          makeFinding({
            severity: 'note',
            source: { file: 'a.yaml', line: 1, column: 2, endLine: 1, endColumn: 3 },
          }),
        ],
      }),
    );
    expect(html).toContain('with <a href="#c0"><code>projects.shop.vms.web</code></a>, on ');
    expect(html).toContain('<code>shop.yaml</code> line 4, column 7');
    expect(html).toMatch(/<pre class="frame"[^>]* aria-label="shop\.yaml, line 4">[^]*<b>\^\^\^/);
    expect(html).toContain('<p>One.</p><p>Two.</p>');
    expect(html).toContain('<p><strong>Hint:</strong> Ask for &lt;more&gt;.</p>');
    expect(html).toContain('with <code>projects.shop.vms.other</code></p>');
    expect(html.match(/<pre class="frame"/g)).toHaveLength(1);
    expect(html).toContain('<span>error</span>');
    expect(html).toContain('<span>warning</span>');
  });

  it('keeps YAML that is offered as it has to stand in a file', () => {
    const detail =
      'To keep it, add to the configuration:\n\nmoved:\n  - from: projects.a\n    to: projects.b\nOr not.';
    const html = render(makePlan([], { findings: [makeFinding({ detail })] }));
    expect(html).toContain('<p>To keep it, add to the configuration:</p><pre class="frame"');
    expect(html).toContain('>moved:\n  - from: projects.a\n    to: projects.b</pre><p>Or not.</p>');
  });

  it('says of a change where it came from, why, and what was adopted', () => {
    const html = render(
      makePlan([
        makeChange({ action: 'update', isImported: true, movedFrom: 'projects.shop.vms.old' }),
        makeChange({ action: 'no-op', isImported: true, address: 'projects.shop.vms.a' }),
        makeChange({
          action: 'no-op',
          movedFrom: 'projects.shop.vms.c',
          address: 'projects.shop.vms.b',
        }),
        makeChange({ action: 'replace', reason: 'requested', address: 'projects.shop.vms.d' }),
        makeChange({ action: 'no-op', address: 'projects.shop.vms.e' }),
      ]),
    );
    expect(html).toContain('<p class="reason">(moved from projects.shop.vms.old)</p>');
    expect(html).toContain('<p class="reason">(imported: it was not managed until now)</p>');
    expect(html).toContain('<p class="reason">(as requested by --replace)</p>');
    expect(html.match(/<span class="tag">moved<\/span>/g)).toHaveLength(1);
    expect(html.match(/<span class="tag">imported<\/span>/g)).toHaveLength(1);
    expect(html.match(/<li data-action/g)).toHaveLength(4);
    expect(html).toContain('has moved');
  });

  it('shows outputs side by side, the lines of a long one under one name', () => {
    const output = { isUnknown: false, wasSensitive: false, isSensitive: false };
    const html = render(
      makePlan([], {
        outputs: [
          { ...output, name: 'hosts', action: 'update', before: ['a'], after: ['a', 'b'] },
          { ...output, name: 'same', action: 'no-op', before: 1, after: 1 },
        ],
      }),
    );
    expect(html).toContain('<th scope="row" rowspan="4">hosts</th>');
    expect(html).not.toContain('same</th>');
  });

  it('counts the kinds of one project without a total, and of several with one', () => {
    const shop = makeChange({ action: 'create', after: { name: 'web' } });
    const blog = makeChange({ action: 'create', address: 'projects.blog.vms.web' });
    expect(render(makePlan([shop]))).not.toContain('<th scope="row">total</th>');
    expect(render(makePlan([shop, blog]))).toContain('<th scope="row">total</th>');
  });

  it('names each number of a project where it has no head on a phone, and hides what is nothing', () => {
    const rows = [
      makeChange({ action: 'create', after: { name: 'web' } }),
      makeChange({ action: 'delete', address: 'projects.blog.vms.web', before: { name: 'web' } }),
    ];
    const html = render(makePlan(rows));
    expect(html).toContain('<td data-head="Add" class="none">0</td><td data-head="Destroy">1</td>');
    expect(html).not.toContain('data-head="Change"');
  });

  it('says once that it cannot be applied', () => {
    const html = render(makePlan([], { findings: [makeFinding({ severity: 'error' })] }));
    expect(html.match(/<p[^>]*>This plan cannot be applied/g)).toHaveLength(1);
  });

  it('has no colour of the dark on paper', () => {
    const [, dark = ''] = /prefers-color-scheme:dark\)\{:root\{([^}]*)\}/.exec(reportStyle) ?? [];
    const [, paper = ''] = /@media print\{\s*:root\{([^}]*)\}/.exec(reportStyle) ?? [];
    const names = [...dark.matchAll(/--[a-z-]+(?=:)/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) expect(paper).toContain(`${name}:`);
  });

  it('has no list beside a picture without arrows, and no picture of nothing', () => {
    const node = { address: 'projects.a', kind: 'project' as const, project: 'projects.a' };
    const svg = '<svg width="8"></svg>';
    const show = (nodes: readonly (typeof node)[]) =>
      render(makePlan([]), { picture: { graph: { nodes, edges: [] }, extent: 'everything', svg } });
    expect(show([node])).toContain('aria-label="1 resource and 0 arrows');
    expect(show([node])).not.toContain('The same as a list');
    expect(show([])).not.toContain('Dependency graph');
  });

  it('leaves attributes of the state out that have no value, and names those of several lines once', () => {
    const resource: ManagedResource = {
      ...{ address: 'projects.a', kind: 'project' as const, id: 'p', projectId: 'p' },
      ...{ attributes: { note: null, tags: [{ x: 1 }] }, configured: [] },
    };
    const state: State = {
      ...{ lineage: 'l', serial: 1, service: null, pending: new Map() },
      resources: new Map([['projects.a', resource]]),
    };
    const html = renderStateHtml(state, { version: '0', hashOf });
    expect(html).not.toContain('>note<');
    expect(html.match(/<th scope="row"[^>]*>tags<\/th>/g)).toHaveLength(1);
    expect(html).not.toContain('id="pending"');
  });
});

describe('a timeline', () => {
  it('is left out where nothing was run', () => {
    const timeline = { startedAt: 0, endedAt: 0, entries: [] };
    expect(render(makePlan([]), { timeline })).not.toContain('id="timeline"');
  });

  it('has bars for what took no time at all', () => {
    const entry = {
      ...({ address: 'projects.a', step: 'create', startedAt: 5, endedAt: 5 } as const),
      ...({ result: 'applied', isCritical: false } as const),
    };
    const counts = countEffects([['add'], ['destroy'], ['rebuild', 'disksLost']]);
    const timeline = { startedAt: 5, endedAt: 5, counts, entries: [entry] };
    const html = render(makePlan([]), { timeline });
    expect(html).toContain('on: 1 added, 0 changed, 1 rebuilt (1 disk lost), 1 destroyed.</p>');
    expect(html).toContain('x="0" y="1" width="2" height="12"');
    expect(html).not.toContain('<tr class="critical">');
  });
});
