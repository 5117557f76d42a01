import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../../src/config/load-configuration.ts';
import { evaluateDeferred } from '../../../src/expressions/deferred/evaluate-deferred.ts';
import { makeProjectNames } from '../../../src/expressions/deferred/name-trie.ts';
import { Unknown } from '../../../src/expressions/values/scope.ts';
import { inShop, listFaults, loadFiles, loadGraph, loadText, publicKey, vmFields } from './load.ts';
import { openFolder } from '../../support/open-folder.ts';
import { readList, readRows } from '../../support/read-rows.ts';

const base = (
  rest: string,
  body = `vms: { web: { ${vmFields}, count: 2 } }\nnetworks: { n: , m: }`,
) => `${rest}\n${inShop(body)}`;

describe('what is said about addresses and plans', () => {
  it('is delivered', async () => {
    const graph = await loadGraph(
      base(
        `variables: { old: { default: projects.shop.networks.x } }
moved: [{ from: "\${var.old}", to: projects.shop.networks.n }]
imports: [{ to: 'projects.shop.vms.web[0]', id: vm-1 }, { to: projects.shop.networks.m, name: mm }]
removed: [{ from: projects.shop.vms.legacy, destroy: false }, { from: projects.gone }]
guards: { maxDeletes: 30%, minResources: "\${5 + 5}" }`,
        `exclusive: true
networks: { n: , m: }
vms:
  web:
    <<: { ${vmFields} }
    count: 2
    renewal: cancelled
    rebuild: { backupFirst: true }
    lifecycle: { preventDestroy: true, createBeforeDestroy: true, ignoreChanges: [image], replaceTriggeredBy: [projects.shop.networks.n] }`,
      ),
    );
    const { resources, moved, imports, removed, exclusive, guards } = graph;
    expect(moved).toMatchObject([
      {
        from: 'projects.shop.networks.x',
        to: 'projects.shop.networks.n',
        source: { line: 2, column: 9 },
      },
    ]);
    expect(imports).toMatchObject([
      { to: 'projects.shop.vms.web[0]', id: 'vm-1' },
      { to: 'projects.shop.networks.m', name: 'mm' },
    ]);
    expect(removed).toMatchObject([
      { from: 'projects.shop.vms.legacy', destroy: false },
      { from: 'projects.gone', destroy: true },
    ]);
    expect(exclusive).toEqual(['projects.shop']);
    expect(guards).toMatchObject({
      maxDeletes: { percent: 30 },
      minResources: 10,
      source: { line: 5 },
    });
    expect(resources.find(({ kind }) => kind === 'vm')).toMatchObject({
      attributes: { renewal: 'cancelled' },
      backupBeforeRebuild: true,
      lifecycle: {
        preventDestroy: true,
        protectedAt: { line: 17, column: 38, endColumn: 42 },
        createBeforeDestroy: true,
        ignoreChanges: ['image'],
        replaceTriggeredBy: ['projects.shop.networks.n'],
      },
    });
    const aged = await loadGraph(
      `variables: { age: { default: 1d12h } }
defaults: { vms: { backups: { maxAge: "\${var.age}" } } }
${inShop(`vms:
  a: { ${vmFields} }
  b: { ${vmFields}, forEach: { x: 1h, y: 366d }, backups: { maxAge: "\${each.value}" } }`)}`,
    );
    expect(aged.resources.map((one) => one.maxBackupAgeMs ?? 0)).toEqual(
      [0, 36, 1, 366 * 24].map((hours) => hours * 3_600_000),
    );
    const rollouts = await loadGraph(
      base(
        'variables: { few: { default: 3 } }',
        `vms:
  a: { ${vmFields}, rollout: { atOnce: 30%, onFailure: continue } }
  b: { ${vmFields}, rollout: { atOnce: "\${var.few - 1}" } }
  c: { ${vmFields}, rollout: }`,
      ),
    );
    expect(rollouts.resources.map(({ rollout }) => rollout)).toEqual([
      undefined,
      { atOnce: { percent: 30 }, onFailure: 'continue' },
      { atOnce: { count: 2 }, onFailure: 'stop' },
      undefined,
    ]);
    const open = await loadGraph(
      inShop(`vms: { web: { ${vmFields}, lifecycle: { preventDestroy: false } } }`),
    );
    expect(open.resources.at(-1)?.lifecycle?.preventDestroy).toBe(false);
    const { guards: counting } = await loadGraph(base('guards: { maxDeletes: 3, dataLoss: deny }'));
    expect(counting).toMatchObject({ maxDeletes: { count: 3 }, dataLoss: 'deny' });
  });

  it.each(
    readRows(`
    moved: [{ from: projects.shop.networks.n, to: projects.shop.networks.m }] | 1:17 still-configured
    moved: [{ from: projects.shop.vms.x, to: projects.shop.networks.n }] | 1:42 invalid-move
    moved: [{ from: projects.shop.networks.x, to: projects.shop.networks.y }, { from: projects.shop.networks.y, to: projects.shop.networks.x }] | 1:47 moved-in-a-circle
    moved: [{ from: here, to: projects.shop.networks.n }] | 1:17 invalid-address
    imports: [{ to: modules.eu, id: a }] | 1:17 invalid-address
    removed: [{ from: projects.shop.vms.web }] | 1:19 still-configured
    moved: [{ from: projects.x, to: projects.x }] | 1:33 invalid-move
    moved: [{ from: projects.shop.networks.x, to: projects.shop.networks.n }, { from: projects.shop.networks.x, to: projects.shop.networks.m }] | 1:83 named-twice
    imports: [{ to: projects.shop.networks.x, id: a }] | 1:17 unknown-address
    imports: [{ to: 'projects.shop.vms.web[0]', id: a }, { to: 'projects.shop.vms.web[0]', id: b }] | 1:60 named-twice
    removed: [{ from: projects.shop }] | 1:19 still-configured
    guards: { minResources: "\${true}" } | 1:25 wrong-type
    guards: { maxDeletes: "\${'300%'}" } | 1:23 invalid-value
  `),
  )('is checked: %s', async (section, fault) => {
    expect(listFaults(await loadText(base(section)))[0]).toMatch(
      new RegExp(`^a.yaml:${fault.split(' ')[0] ?? ''} `),
    );
    expect(listFaults(await loadText(base(section)))).toHaveLength(1);
  });

  const modular = (section: string, repeated: string) =>
    loadFiles({
      'a.yaml': `version: 1\nmodules: { a: { source: ./part, ${repeated} } }\n${section}\n`,
      'part/part.yaml': `projects: { p: { vms: { web: { ${vmFields} } } } }\nmodules: { inner: { source: ../inner } }\n`,
      'inner/inner.yaml': 'projects: { q: }\n',
    });

  it.each(
    readRows(`
    moved: [{ from: modules.x, to: modules.a }] |
    moved: [{ from: modules.x, to: modules.y }, { from: modules.y, to: modules.a }] |
    moved: [{ from: modules.y, to: modules.a }, { from: modules.x, to: modules.y }] |
    moved: [{ from: 'modules.x[0]', to: modules.a.modules.inner }] |
    moved: [{ from: modules.a.projects.x, to: modules.a.projects.p }] |
    moved: [{ from: modules.x.projects.p.vms.old, to: modules.x.projects.p.vms.web }, { from: modules.x, to: modules.a }] |
    moved: [{ from: modules.a, to: 'modules.a["eu"]' }] | forEach: [eu]
    moved: [{ from: modules.x, to: modules.a }] | forEach: [eu]
    moved: [{ from: modules.x, to: modules.a }] | count: 0
    moved: [{ from: modules.x, to: 'modules.a[0]' }] | count: 0
    moved: [{ from: modules.x.projects.q, to: modules.a.projects.q }] | count: 0
    removed: [{ from: modules.x }, { from: modules.a.modules.old }] |
    removed: [{ from: modules.c }] | forEach: [eu]
    moved: [{ from: modules.x, to: modules.gone }] |
    moved: [{ from: modules.x.projects.p.vms.old, to: modules.a.projects.p.vms.gone }] |
  `),
  )('takes the address of a module: %s', async (section, repeated) => {
    expect((await modular(section, repeated)).diagnostics).toEqual([]);
  });

  it.each(
    readRows(`
    moved: [{ from: modules.a, to: modules.b }] | 3:17 still-configured |
    moved: [{ from: modules.x, to: modules.a.projects.p }] | 3:32 invalid-move |
    moved: [{ from: modules.x.projects.p, to: modules.a }] | 3:43 invalid-move |
    moved: [{ from: modules.x, to: modules.x }] | 3:32 invalid-move |
    moved: [{ from: modules, to: modules.a. }] | 3:17 invalid-address, 3:30 invalid-address |
    moved: [{ from: modules.x, to: modules.a }, { from: modules.y, to: modules.a }] | 3:68 named-twice |
    moved: [{ from: modules.x, to: modules.y }, { from: modules.y, to: modules.x }] | 3:32 moved-in-a-circle |
    moved: [{ from: modules.x, to: modules.y }, { from: modules.y.projects.p, to: modules.x.projects.p }] | 3:79 moved-in-a-circle |
    moved: [{ from: modules.a, to: modules.b }] | 3:17 still-configured | forEach: [eu]
    removed: [{ from: modules.a }] | 3:19 still-configured |
    removed: [{ from: modules.a }] | 3:19 still-configured | forEach: [eu]
    removed: [{ from: modules.a.modules.inner }] | 3:19 still-configured |
  `),
  )('refuses the address of a module with its place: %s', async (section, faults, repeated) => {
    const result = await modular(section, repeated);
    expect(listFaults(result)).toEqual(readList(faults).map((fault) => `a.yaml:${fault}`));
  });

  it('protects every kind that can be destroyed, in a module too', async () => {
    const lifecycle = 'lifecycle: { preventDestroy: true }';
    const body = `projects:
  p:
    ${lifecycle}
    sshKeys: { k: { publicKey: '${publicKey}', ${lifecycle} } }
    networks: { n: { ${lifecycle} } }
    publicIps: { i: { ${lifecycle}, forwards: { f: { protocol: tcp, publicPort: 1, vm: v, vmPort: 1, ${lifecycle} } } } }
    vms: { v: { ${vmFields}, ${lifecycle} } }
tokens: { t: { scopes: [read], writeTo: { file: t }, ${lifecycle} } }
`;
    const { resources } = await loadGraph({
      'a.yaml': 'version: 1\nmodules: { m: { source: ./m } }\n',
      'm/m.yaml': body,
    });
    expect(resources.map(({ kind }) => kind).sort()).toEqual(
      ['accessToken', 'network', 'portForward', 'project', 'publicIp', 'sshKey', 'vm'].sort(),
    );
    for (const { lifecycle: read } of resources) {
      expect(read).toMatchObject({ preventDestroy: true, protectedAt: { file: 'm/m.yaml' } });
    }
  });

  it.each(
    readRows(`
    once for all instances | count: 0 | projects.shop.vms.web
    and not where it does | count: 2, lifecycle: { preventDestroy: true } |
    and not where it differs between instances | forEach: [a], lifecycle: { preventDestroy: "\${each.key == 'b'}" } |
    and not where there is one: it says so itself | name: w |
  `),
  )('says which blocks do not protect, %s', async (_what, body, unprotected) => {
    const graph = await loadGraph(inShop(`vms: { web: { ${vmFields}, ${body} } }`));
    expect(graph.unprotected).toEqual(unprotected === '' ? undefined : [unprotected]);
  });

  it('is checked in lifecycles', async () => {
    const result = await loadText(
      inShop(
        `vms: { web: { ${vmFields}, lifecycle: { ignoreChanges: [imge], replaceTriggeredBy: [projects.shop.vms.weg] } } }`,
      ),
    );
    expect(listFaults(result)).toEqual([
      'a.yaml:4:87 unknown-attribute',
      'a.yaml:4:115 unknown-address',
    ]);
    expect(result.diagnostics.map(({ hint }) => hint)).toEqual([
      'Did you mean `image`?',
      'Did you mean projects.shop.vms.web?',
    ]);
  });

  it('joins the lists of several files', async () => {
    const move = (from: string, to: string) =>
      `moved: [{ from: projects.shop.networks.${from}, to: projects.shop.networks.${to} }]`;
    const { moved, removed } = await loadGraph({
      'a.yaml': base(
        `${move('a', 'n')}\nremoved: [{ from: projects.a }]\nvariables: { a: { default: x } }`,
      ),
      'b.yaml': `${move('b', 'm')}\nremoved: [{ from: projects.b }]\nvariables: { b: { default: "y" } }\nlocals: { l: "\${var.a}\${var.b}" }\n`,
    });
    expect([moved, removed].map((list) => list?.map(({ from }) => from))).toEqual([
      ['projects.shop.networks.a', 'projects.shop.networks.b'],
      ['projects.a', 'projects.b'],
    ]);
  });
});

describe('a policy', () => {
  it('may show what changes, and says whether it reads a secret', async () => {
    const { policies, checks } = await loadGraph(
      base(
        `variables: { s: { default: hush-hush, sensitive: true } }
policies:
  a: { for: projects, assert: "action != 'delete'", message: "\${before.name} \${kind}" }
  b: { for: forwards, assert: "var.s != address" }
checks:
  c: { assert: "true", message: "is \${var.s}" }`,
      ),
    );
    expect(policies).toMatchObject([
      { for: 'project', prefix: '', severity: 'deny', message: { isTemplate: true } },
      { for: 'portForward', isSensitive: true },
    ]);
    expect(policies![0]).not.toHaveProperty('isSensitive');
    expect(checks).toMatchObject([{ isSensitive: true }]);
  });

  it('sees what is repeated no times', async () => {
    const { configuration } = await loadText(
      inShop(
        `networks: { n: {} }\nvms: { a: { ${vmFields}, count: 0 }, b: { ${vmFields}, forEach: [] }, c: { ${vmFields}, count: 1 } }`,
      ),
    );
    expect(configuration!.graph.emptyGroups).toEqual([
      { address: 'projects.shop.vms.a', reads: 'list' as const },
      { address: 'projects.shop.vms.b', reads: 'map' as const },
    ]);
    const tokens = await loadText(
      base('tokens: { t: { scopes: [read], writeTo: { file: t.txt }, count: 0 } }'),
    );
    expect(tokens.configuration!.graph.emptyGroups).toEqual([
      { address: 'tokens.t', reads: 'list' as const },
    ]);
  });
});

describe('what is worked out later', () => {
  const text = base(
    `variables: { max: { default: 8 } }
locals: { net: "\${projects.shop.networks.n.cidr}", prefix: p }
outputs:
  plain: { value: "\${local.prefix}-x", description: words }
  later: { value: { of: "net \${local.net}", all: ["\${projects.shop.vms.web[1].name}", 1] } }
policies:
  small: { for: vms, assert: "after.ram <= var.max && before == null", message: "over \${var.max} GB", severity: warn }
checks:
  hasNet: { assert: projects.shop.networks.n.cidr.startsWith("10.") }`,
  );

  it('is kept with everything it needs beside the resources', async () => {
    const { outputs, policies, checks } = await loadGraph(text);
    const [plain, later] = outputs!;
    expect(plain).toMatchObject({
      name: 'plain',
      description: 'words',
      sensitive: false,
      value: { kind: 'value', value: 'p-x' },
    });
    const unknown = (cidr: unknown) => ({
      projectsOf: (prefix: string) =>
        makeProjectNames(
          [
            { address: 'projects.shop.networks.n', values: { cidr: cidr as string } },
            { address: 'projects.shop.vms.web[1]', values: { name: 'web-1' } },
          ],
          prefix,
        ),
    });
    expect(evaluateDeferred(later!.value, unknown(new Unknown('n.cidr')))).toMatchObject({
      kind: 'unknown',
    });
    expect(evaluateDeferred(later!.value, unknown('10.0.0.0/8'))).toEqual({
      kind: 'value',
      value: { of: 'net 10.0.0.0/8', all: ['web-1', 1] },
    });
    const [policy] = policies!;
    expect(policy).toMatchObject({
      name: 'small',
      for: 'vm',
      severity: 'warn',
      message: { value: 'over 8 GB' },
    });
    expect(policy!.assert).toMatchObject({
      references: ['after.ram', 'var.max', 'before'],
      source: { line: 7 },
    });
    const scope = { ...unknown(''), names: { after: { ram: 8 }, before: null } };
    expect(evaluateDeferred(policy!.assert, scope)).toEqual({ kind: 'value', value: true });
    expect(checks).toMatchObject([
      {
        name: 'hasNet',
        severity: 'warn',
        assert: { references: ['projects.shop.networks.n.cidr'] },
      },
    ]);
    expect(evaluateDeferred(checks![0]!.assert, unknown('10.1.0.0/16'))).toEqual({
      kind: 'value',
      value: true,
    });
  });

  it.each(
    readRows(`
    policies: { p: { for: vms, assert: "afer.ram > 1" } } | 1:37 unknown-name
    policies: { p: { for: vms, assert: "after.rma > 1" } } | 1:43 unknown-name
    policies: { p: { for: networks, assert: "before.ram > 1" } } | 1:49 unknown-name
    policies: { p: { for: vms, assert: "true", message: "\${after.nme} of \${address}" } } | 1:62 unknown-name
    policies: { p: { for: vms, assert: "true", message: "\${after.name" } } | 1:54 broken-expression
    policies: { p: { for: vms, assert: "true", message: "\${file(after.name)}" } } | 1:56 function-too-late
    checks: { c: { assert: "true", message: "\${after.name}" } } | 1:44 unknown-name
    policies: { p: { for: vms, assert: "\${after.ram}" } } | 1:37 broken-expression
    policies: { p: { for: vms, assert: "after.ram >" } } | 1:48 broken-expression
    checks: { c: { assert: "after == null" } } | 1:25 unknown-name
    checks: { c: { assert: "1 + 2" } } | 1:25 expression-type
    policies: { p: { for: vms, assert: "null" } } | 1:37 expression-type
    checks: { c: { assert: "file(projects.shop.id) == null" } } | 1:25 function-too-late
    checks: { c: { assert: "file(projects.shop.id) == 'a'" } } | 1:25 function-too-late
    outputs: { o: { value: "\${projects.shop.nme}" } } | 1:41 unknown-name
    outputs: { o: { value: "\${file(projects.shop.id)}" } } | 1:27 function-too-late
    variables: { s: { default: x, sensitive: true } }\\noutputs: { o: { value: "\${var.s}" } } | 2:24 sensitive-output
    locals: { a: "\${local.a}" }\\noutputs: { o: { value: "\${local.a}" } } | 1:11 reference-cycle
    outputs: { o: { value: "\${modules.m.outputs.o}" } } | 1:35 unknown-name
  `),
  )('is checked: %s', async (section, fault) => {
    const text = base(section.replace('\\n', '\n'));
    expect(listFaults(await loadText(text))).toEqual([`a.yaml:${fault}`]);
  });
});

describe('modules', () => {
  const module = `variables: { region: { type: string }, sizes: { default: [s] } }
locals: { name: "p-\${var.region}" }
projects:
  p:
    name: \${local.name}
    sshKeys: { a: { publicKeyFile: "\${path.module}/a.pub" } }
    vms: { v: { ${vmFields}, sshKeys: [a], lifecycle: { replaceTriggeredBy: [projects.p.sshKeys.a] } } }
outputs:
  name: { value: "\${projects.p.name}" }
  id: { value: "\${projects.p.vms.v.id}" }
checks: { up: { assert: projects.p.vms.v.id != "" } }
`;
  const files = (main: string, inner = module) => ({
    'main/a.yaml': `version: 1\n${main}`,
    'shop/m.yaml': inner,
    'shop/a.pub': publicKey,
  });
  const loadMain = (main: string, inner?: string) =>
    loadFiles(files(main, inner), { directory: 'main', allowsOutsideFiles: true });

  it('are resources under an address, one for each instance, and outputs', async () => {
    const { configuration, diagnostics } = await loadMain(
      'modules:\n  shopEu: { source: ../shop, forEach: [eu, us], variables: { region: "${each.key}" } }\n  one: { source: ../shop, count: 1, variables: { region: z } }\nprojects: { q: { name: "${modules.shopEu[\'us\'].outputs.name}-${modules.one[0].outputs.name}" } }\noutputs: { id: { value: "${modules.shopEu[\'eu\'].outputs.id}" } }\n',
    );
    expect(diagnostics).toEqual([]);
    const { resources, outputs, checks } = configuration!.graph;
    expect(resources.map(({ address, attributes }) => [address, attributes.name])).toEqual([
      ['projects.q', 'p-us-p-z'],
      ['modules.shopEu["eu"].projects.p', 'p-eu'],
      ['modules.shopEu["eu"].projects.p.sshKeys.a', 'a'],
      ['modules.shopEu["eu"].projects.p.vms.v', 'v'],
      ['modules.shopEu["us"].projects.p', 'p-us'],
      ['modules.shopEu["us"].projects.p.sshKeys.a', 'a'],
      ['modules.shopEu["us"].projects.p.vms.v', 'v'],
      ['modules.one[0].projects.p', 'p-z'],
      ['modules.one[0].projects.p.sshKeys.a', 'a'],
      ['modules.one[0].projects.p.vms.v', 'v'],
    ]);
    expect(resources[3]).toMatchObject({
      project: 'modules.shopEu["eu"].projects.p',
      source: { file: 'shop/m.yaml' },
      lifecycle: { replaceTriggeredBy: ['modules.shopEu["eu"].projects.p.sshKeys.a'] },
    });
    expect(checks!.map(({ name }) => name)).toEqual([
      'modules.shopEu["eu"].up',
      'modules.shopEu["us"].up',
      'modules.one[0].up',
    ]);
    const projectsOf = (prefix: string) =>
      makeProjectNames(
        [{ address: 'modules.shopEu["eu"].projects.p.vms.v', values: { id: 'vm-7' } }],
        prefix,
      );
    expect(evaluateDeferred(outputs![0]!.value, { projectsOf })).toEqual({
      kind: 'value',
      value: 'vm-7',
    });
    expect(evaluateDeferred(checks![0]!.assert, { projectsOf })).toEqual({
      kind: 'value',
      value: true,
    });
  });

  it.each(
    readRows(`
    source: ../shop |  | main/a.yaml:2:12 missing-variable |
    source: ../shop, variables: { region: [5] } |  | main/a.yaml:2:55 wrong-type |
    source: ../shop, variables: { region: a, regin: b } |  | main/a.yaml:2:58 undeclared-variable |
    source: ../shop, variables: { region: "\${modules.m.outputs.id}" } |  | shop/m.yaml:5:11 reference-cycle |
    source: /shop |  | main/a.yaml:2:25 invalid-module-source |
    source: "git::https://a" |  | main/a.yaml:2:25 invalid-module-source |
    source: ../nowhere |  | main/a.yaml:2:25 invalid-module-source |
    source: . |  | main/a.yaml:2:25 module-cycle |
    source: ../shop, variables: { region: a } | projects: { q: { name: "\${modules.m.outputs.nam}" } } | main/a.yaml:3:45 unknown-name |
    source: ../shop, variables: { region: a } | projects: { q: { name: "\${modules.m.projects.p.name}" } } | main/a.yaml:3:37 unknown-name |
    source: ../shop |  | shop/m.yaml:1:1 not-in-module | guards: {}
    source: ../shop |  | shop/m.yaml:1:25 module-cycle | modules: { n: { source: ../shop } }
  `),
  )('are checked: %s %s', async (use, rest, fault, inner) => {
    const main = `modules: { m: { ${use} } }\n${rest}\n`;
    expect(listFaults(await loadMain(main, inner === '' ? undefined : inner))).toEqual([fault]);
  });
});

it('functions read files of the directory, and no others', async () => {
  const room = await openFolder('file');
  await mkdir(join(room, 'c/sub'), { recursive: true });
  await writeFile(join(room, 'out.txt'), 'outside');
  await writeFile(join(room, 'c/in.txt'), 'inside');
  await writeFile(join(room, 'c/bytes'), Uint8Array.of(0xff, 0x00));
  await symlink('../out.txt', join(room, 'c/link.txt'));
  await symlink('in.txt', join(room, 'c/good.txt'));
  const load = async (code: string, allowsOutsideFiles = false) => {
    await writeFile(
      join(room, 'c/a.yaml'),
      `variables: { HOME_DIR: { default: x } }\n${inShop(`name: '\${${code}}'`)}`,
    );
    const variables = {
      env: { HOME_DIR: '/home/a', PATH: 'secret' },
      readableEnv: ['HOME_DIR', 'PATH'],
    };
    const result = await loadConfiguration({
      directory: 'c',
      workingDirectory: room,
      allowsOutsideFiles,
      variables,
    });
    const [first] = result.diagnostics;
    return (
      result.configuration?.graph.resources[0]?.attributes.name ??
      `${first!.code}: ${first!.summary}`
    );
  };
  expect(await load('file("in.txt") + file("sub/../good.txt")')).toBe('insideinside');
  expect(await load('fileBase64("bytes")')).toBe('/wA=');
  expect(await load('env("HOME_DIR")')).toBe('/home/a');
  expect(await load('yamlDecode("a: [1, {b: c}]").a[1].b')).toBe('c');
  expect(await load('file("../out.txt")')).toContain('file-outside');
  expect(await load('file("link.txt")')).toContain('file-outside');
  expect(await load('file("../nowhere.txt")')).toContain('file-outside');
  expect(await load('file("link.txt")', true)).toBe('outside');
  expect(await load('file("no.txt")')).toContain('there is no such file');
  expect(await load('file("sub")')).toContain('it is a directory, not a file');
  expect(await load('file("a\\u0000b")')).toContain('file-unreadable');
  expect(await load('file("bytes")')).toContain('not UTF-8');
  expect(await load('env("PATH")')).toContain('`variables` does not declare it');
  expect(await load('yamlDecode("a: [")')).toContain('not YAML');
});

describe('the resources that a resource reads', () => {
  const text = (main: string, many = 3) =>
    inShop(`
networks: { a: , b: { name: "\${projects.shop.networks.a.name}-b" } }
vms:
  web: { ${vmFields}, count: ${many}, name: "web-\${each.index}" }
  db: { ${vmFields}, ${main} }`);
  const network = (key: string) => `projects.shop.networks.${key}`;
  const web = (index: number) => `projects.shop.vms.web[${index}]`;

  it.each<[string, string, string[]]>([
    ['none', 'name: db', []],
    [
      'what is configured',
      'name: "${projects.shop.networks.a.name}"',
      ['projects.shop.networks.a'],
    ],
    ['what that is made of', 'name: "${projects.shop.networks.b.name}"', ['a', 'b'].map(network)],
    ['what is assigned', 'name: "x${projects.shop.networks.a.cidr}"', ['projects.shop.networks.a']],
    ['one instance', `name: "\${${web(1)}.name}-db"`, [web(1)]],
    ['all of them', 'name: "${projects.shop.vms.web.map(v, v.name).join()}"', [0, 1, 2].map(web)],
    ['through a local', 'name: "${local.n}"', [...['a', 'b'].map(network), web(2)]],
  ])('are %s', async (_what, main, mentions) => {
    const local = `locals: { n: "\${projects.shop.networks.b.name + ${web(2)}.name}" }\n`;
    const { configuration } = await loadText(`${text(main)}${local}`);
    const db = configuration!.graph.resources.find(({ address }) => address.endsWith('db'));
    expect(db!.mentions ?? []).toEqual(mentions);
  });

  it('are named by their group where they are many', async () => {
    const main = 'name: "${string(projects.shop.vms.web.map(v, v.name).size())}"';
    const { configuration } = await loadText(text(main, 200));
    const db = configuration!.graph.resources.find(({ address }) => address.endsWith('db'));
    expect(db!.mentions).toEqual(['projects.shop.vms.web']);
  });
});
