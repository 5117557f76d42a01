import { describe, expect, it } from 'vitest';
import { listFaults, loadFiles, vmFields } from './load.ts';

const part = (section: string) =>
  `projects: { p: { name: 'p\${var.n}', vms: { web: { ${vmFields} } } } }\nmodules: { inner: { source: ../inner } }\n${section}\n`;

const load = (section: string, uses: string, own = '') =>
  loadFiles({
    'a.yaml': `version: 1\nmodules: { a: { source: ./part, ${uses} } }\n${own}\n`,
    'part/part.yaml': part(section),
    'part/vars.yaml': "variables: { n: { default: '' }, was: { default: '' } }\n",
    'inner/inner.yaml': 'moved: [{ from: projects.old, to: projects.q }]\n',
  });

const moved = 'moved: [{ from: projects.p.vms.old, to: projects.p.vms.web }]';
const removed = 'removed: [{ from: projects.p.vms.gone, destroy: false }, { from: modules.gone }]';

describe('moved and removed in a module', () => {
  it.each(
    // prettier-ignore
    [
      ['one use', '', ['modules.a']],
      ['every index', 'count: 2, variables: { n: "i${each.index}" }', ['modules.a[0]', 'modules.a[1]']],
      ['every key', 'forEach: [eu, us], variables: { n: "${each.key}" }', ['modules.a["eu"]', 'modules.a["us"]']],
      ['none', 'count: 0', []],
    ],
  )('are relative to it, and hold for %s', async (_what, uses, modules) => {
    const { configuration, diagnostics } = await load(`${moved}\n${removed}`, uses);
    expect(diagnostics).toEqual([]);
    const { moved: moves = [], removed: removals = [] } = configuration!.graph;
    const inner = modules.map((one) => `${one}.modules.inner`);
    expect(moves.map(({ from, to }) => `${from} -> ${to}`).sort()).toEqual(
      [
        ...modules.map((one) => `${one}.projects.p.vms.old -> ${one}.projects.p.vms.web`),
        ...inner.map((one) => `${one}.projects.old -> ${one}.projects.q`),
      ].sort(),
    );
    expect(removals).toMatchObject(
      modules.flatMap((one) => [
        { from: `${one}.projects.p.vms.gone`, destroy: false },
        { from: `${one}.modules.gone`, destroy: true },
      ]),
    );
    for (const { source } of [...moves, ...removals]) {
      expect(source.file).toMatch(/^(?:part\/part|inner\/inner)\.yaml$/);
    }
  });

  it('read what the module is given', async () => {
    const section = `moved: [{ from: 'projects.p.vms.\${var.was}', to: projects.p.vms.web }]`;
    const { configuration } = await load(
      section,
      'forEach: [x, y], variables: { n: "${each.key}", was: "${each.key}" }',
    );
    expect(configuration!.graph.moved!.map(({ from }) => from)).toEqual(
      expect.arrayContaining([
        'modules.a["x"].projects.p.vms.x',
        'modules.a["y"].projects.p.vms.y',
      ]),
    );
  });

  it.each(
    // prettier-ignore
    [
      ['moved: [{ from: projects.p.vms.web, to: projects.p.vms.w }]', 'part/part.yaml:3:17 still-configured'],
      ['moved: [{ from: here, to: projects.p.vms.web }]', 'part/part.yaml:3:17 invalid-address'],
      ['removed: [{ from: projects.p }]', 'part/part.yaml:3:19 still-configured'],
      ['removed: [{ from: modules.inner }]', 'part/part.yaml:3:19 still-configured'],
      ['moved: [{ from: projects.p.vms.x, to: projects.p.networks.y }]', 'part/part.yaml:3:39 invalid-move'],
      ['imports: [{ to: projects.p.vms.we, id: vm-1 }]', 'part/part.yaml:3:17 unknown-address'],
      ['guards: { maxDeletes: 1 }', 'part/part.yaml:3:1 not-in-module'],
    ],
  )('are checked, once for all instances: %s', async (section, fault) => {
    for (const uses of ['', 'count: 3, variables: { n: "i${each.index}" }']) {
      expect(listFaults(await load(section, uses))).toEqual([fault]);
    }
  });

  it('are called as they are written where they are no addresses', async () => {
    const { diagnostics } = await load('removed: [{ from: here }]', 'count: 1');
    expect(diagnostics).toMatchObject([
      {
        summary: '`here` is not the address of a resource or a module',
        hint: expect.stringContaining('within the module: projects.shop.vms.web') as string,
      },
    ]);
  });

  it('make a chain with those around the module', async () => {
    const own = 'moved: [{ from: projects.shop, to: modules.a.projects.p }]';
    const { configuration, diagnostics } = await load(moved, '', own);
    expect(diagnostics).toEqual([]);
    expect(configuration!.graph.moved!.map(({ from }) => from)).toEqual([
      'projects.shop',
      'modules.a.projects.p.vms.old',
      'modules.a.modules.inner.projects.old',
    ]);
  });

  it('meet those around the module at one address', async () => {
    const own = 'removed: [{ from: modules.a.projects.p.vms.gone }]';
    expect(listFaults(await load(removed, '', own))).toEqual(['part/part.yaml:3:19 named-twice']);
  });
});

describe('a path in a module', () => {
  it.each([
    ['sshKeys: { k: { publicKeyFile: keys/a.pub } }', 'key-file-unreadable'],
    ['networks: { n: { name: "${file(\'names/a.txt\')}" } }', 'file-unreadable'],
  ])('is relative to the configuration, and the hint says so: %s', async (body, code) => {
    const result = await loadFiles({
      'a.yaml': 'version: 1\nmodules: { a: { source: ./part } }\n',
      'part/part.yaml': `projects: { p: { ${body} } }\n`,
    });
    expect(result.diagnostics).toMatchObject([
      {
        code,
        hint: 'The path is relative to the directory of the configuration, not of the module: a file of the module is `${path.module}/NAME`.',
      },
    ]);
    const own = await loadFiles({ 'a.yaml': `version: 1\nprojects: { p: { ${body} } }\n` });
    expect(own.diagnostics).toMatchObject([
      { code, hint: 'The path is relative to the directory of the configuration.' },
    ]);
  });
});

it('a lock file beside the configuration is no part of it', async () => {
  const { configuration, diagnostics } = await loadFiles({
    'a.yaml': 'version: 1\n',
    'hostwright.lock.yaml': 'nothing: { of: the language }\n',
  });
  expect(diagnostics).toEqual([]);
  expect(configuration!.files).toEqual(['a.yaml']);
});

it('what a module that is not fetched would hold is not missed', async () => {
  const result = await loadFiles({
    'a.yaml': `version: 1
modules: { net: { source: 'git::https://example.com/net?ref=v1' } }
projects:
  p:
    networks: { n: { lifecycle: { replaceTriggeredBy: [modules.net.projects.p.networks.n] } } }
imports: [{ to: modules.net.projects.p, id: p-1 }]
outputs: { x: { value: '\${modules.net.outputs.x}' } }
`,
  });
  expect(listFaults(result)).toEqual(['a.yaml:2:27 module-not-fetched']);
});
