import { describe, expect, it } from 'vitest';
import { makeDeferredScope } from '../../../src/expressions/deferred/deferred-scope.ts';
import { evaluateDeferred } from '../../../src/expressions/deferred/evaluate-deferred.ts';
import type { DeferredValue } from '../../../src/model/deferred.ts';
import { inShop, listFaults, loadText, loadFiles, publicKey, vmFields } from './load.ts';

const cidr = 'projects.shop.networks.n.cidr';

async function deferredOf(text: string, end: string) {
  const result = await loadText(text);
  expect(listFaults(result)).toEqual([]);
  const resource = result.configuration!.graph.resources.find(({ address }) =>
    address.endsWith(end),
  );
  return resource!;
}

describe('a field that reads what is only known after apply', () => {
  it('is put off, with what it reads and what its names stand for', async () => {
    const text = inShop(`
networks: { n: }
vms:
  web: { ${vmFields}, count: 2, name: "\${local.a}-\${each.index}-\${${cidr}}" }`);
    const web = await deferredOf(
      `${text}locals: { a: "x-\${projects.shop.networks.n.id}" }\n`,
      'web[1]',
    );
    expect(web.attributes).not.toHaveProperty('name');
    expect(web.deferred!.name).toMatchObject({
      kind: 'expression',
      isTemplate: true,
      references: ['local.a', 'each.index', cidr],
      names: [
        [['local', 'a'], { kind: 'expression', references: ['projects.shop.networks.n.id'] }],
        [['each', 'index'], { kind: 'value', value: 1 }],
      ],
      source: { line: 6 },
    });
    expect(web.attributeSources.name).toMatchObject({ line: 6 });
  });

  it('may be a list, a port, a public key, and read another such field', async () => {
    const text = inShop(`
networks: { n: }
sshKeys: { a: { publicKey: "${publicKey} \${${cidr}}" } }
publicIps: { e: { forwards: { f: { protocol: tcp, publicPort: 80, vm: web, vmPort: "\${size(${cidr})}" } } } }
vms:
  web: { ${vmFields}, plugins: [a, "\${${cidr}}"] }
  app: { ${vmFields}, name: "\${projects.shop.vms.web.plugins[1]}" }`);
    expect((await deferredOf(text, 'sshKeys.a')).deferred).toHaveProperty('publicKey');
    expect((await deferredOf(text, 'forwards.f')).deferred).toHaveProperty('vmPort');
    expect((await deferredOf(text, 'vms.web')).deferred!.plugins).toMatchObject({
      kind: 'list',
      items: [{ kind: 'value', value: 'a' }, { kind: 'expression' }],
    });
    expect((await deferredOf(text, 'vms.app')).deferred).toHaveProperty('name');
  });

  it('hides a sensitive variable: marked in the field and among its names', async () => {
    const text = inShop(`networks: { n: , m: { name: "\${var.s}-\${${cidr}}" } }`);
    const m = await deferredOf(
      `${text}variables: { s: { default: hunter2, sensitive: true } }\n`,
      'networks.m',
    );
    expect(m.sensitive).toEqual(['name']);
    expect(m.deferred!.name).toMatchObject({
      names: [[['var', 's'], { kind: 'value', isSensitive: true }]],
    });
  });

  it('goes through the variables and the outputs of modules, and their `forEach`', async () => {
    const main = inShop('networks: { n: }').concat(
      `modules: { m: { source: ../inner, forEach: { a: "\${${cidr}}" }, variables: { net: "v-\${each.value}" } } }\n`,
    );
    const inner =
      'variables: { net: { type: string } }\nprojects: { p: { name: "in-${var.net}" } }\noutputs: { net: { value: "${var.net}" } }\n';
    const outer = '  other: { name: "${modules.m[\'a\'].outputs.net}" }\n';
    const result = await loadFiles(
      { 'main/a.yaml': main.replace('modules:', `${outer}modules:`), 'inner/m.yaml': inner },
      { directory: 'main', allowsOutsideFiles: true },
    );
    expect(listFaults(result)).toEqual([]);
    const { resources } = result.configuration!.graph;
    const names = resources.flatMap(({ deferred }) => deferred?.name ?? []);
    expect(names).toHaveLength(2);
    const known = { names: ['cidr'], values: { cidr: '10.0.0.0/24' }, unknown: [] };
    const scope = makeDeferredScope(['projects.shop.networks.n'], () => known);
    expect(names.map((name) => evaluateDeferred(name, scope))).toEqual([
      { kind: 'value', value: 'v-10.0.0.0/24' },
      { kind: 'value', value: 'in-v-10.0.0.0/24' },
    ]);
  });

  const map = `"\${ {'a': ${cidr}, 'c': 'v'} }"`;
  const m = (forEach: string) =>
    `networks: { m: { forEach: ${forEach}, name: "x-\${each.value}" } }`;
  it.each([
    ['an expression', `b: { ${m(map)} }`, ''],
    ['a local', `b: { ${m('"${local.l // all\\n}"')} }`, ''],
    [
      'the value of a block around it',
      `b: { forEach: { o: ${map} }, ${m('"${each.value}"')} }`,
      '',
    ],
    ['a block', `b: { forEach: [o], ${m(`{ a: "\${each.key}\${${cidr}}", c: v }`)} }`, 'o'],
  ])('is no matter for the keys of a map in %s', async (_what, text, outer) => {
    const result = await loadText(
      `version: 1\nlocals: { l: ${map} }\nprojects: { shop: { networks: { n: } }, ${text} }\n`,
    );
    expect(listFaults(result)).toEqual([]);
    const known = { names: ['cidr'], values: { cidr: '10.0.0.0/24' }, unknown: [] };
    const scope = makeDeferredScope(['projects.shop.networks.n'], () => known);
    const all = result.configuration!.graph.resources.filter(({ address }) =>
      address.includes('.networks.m'),
    );
    expect(
      all.map(({ address, attributes, deferred }) => [
        address.slice(-5),
        deferred?.name ? evaluateDeferred(deferred.name, scope) : attributes.name,
      ]),
    ).toEqual([
      ['["a"]', { kind: 'value', value: `x-${outer}10.0.0.0/24` }],
      ['["c"]', 'x-v'],
    ]);
  });

  it.each<[string, string, boolean]>([
    ['whose changes are ignored', 'lifecycle: { ignoreChanges: [image] }', true],
    ['by an expression', 'lifecycle: { ignoreChanges: "${var.ignored}" }', true],
    ['of another field, or none', 'lifecycle: { ignoreChanges: [name] }', false],
    ['that waits for a rebuild', 'rebuild: { on: [] }', true],
    ['that rebuilds', 'rebuild: { on: [image] }', false],
  ])('reads what a resource has of a field %s', async (_what, more, isDeferred) => {
    const text = inShop(
      `networks: { n: { name: "\${projects.shop.vms.web.image}" } }\nvms: { web: { ${vmFields}, ${more} } }`,
    );
    const variables = 'variables: { ignored: { default: [image] } }\n';
    const { deferred = {} } = await deferredOf(`${text}${variables}`, 'networks.n');
    expect('name' in deferred).toBe(isDeferred);
  });

  it.each<[string, string, string]>([
    [
      'where it must be known before',
      `networks: { n: }\nvms: { web: { ${vmFields}, networks: [n], lifecycle: { ignoreChanges: [networks] } }, db: { ${vmFields}, networks: "\${projects.shop.vms.web.networks}" } }`,
      'known-too-late',
    ],
    [
      'that reads it in turn',
      `vms: { web: { ${vmFields}, name: "\${projects.shop.vms.db.name}", lifecycle: { ignoreChanges: [image] } }, db: { ${vmFields}, name: "\${projects.shop.vms.web.image}" } }`,
      'reference-cycle',
    ],
  ])('cannot read an ignored field %s', async (_what, text, code) => {
    expect(listFaults(await loadText(inShop(text))).join()).toContain(code);
  });

  it('is free for another resource where an ignored field gives the same name or port', async () => {
    const forward = '{ protocol: tcp, publicPort: 80, vm: web, vmPort: 80';
    const text = inShop(`
publicIps: { e: { forwards: { a: ${forward} }, b: ${forward}, lifecycle: { ignoreChanges: [publicPort] } } } } }
vms: { web: { ${vmFields}, name: a }, db: { ${vmFields}, name: a, lifecycle: { ignoreChanges: [name] } }, app: { ${vmFields}, name: A, lifecycle: { ignoreChanges: [name] } } }`);
    expect((await loadText(text)).diagnostics).toEqual([]);
  });

  const vm = (field: string) => `vms: { web: { ${vmFields}, ${field} } }`;
  it.each([
    ['count', vm(`count: "\${size(${cidr})}"`), 'says which instances there are'],
    ['forEach', vm(`forEach: ["\${${cidr}}"]`), 'says which instances there are'],
    ['networks', vm(`networks: ["\${${cidr}}"]`), 'names other resources'],
    ['publicIp', vm(`publicIp: "\${${cidr}}"`), 'names other resources'],
    ['timeouts', vm(`timeouts: { create: "\${${cidr}}" }`), 'says how the plan is made'],
    ['exclusive', `exclusive: "\${${cidr} != ''}"`, 'says how the plan is made'],
  ])('must not be %s', async (_, body, words) => {
    const result = await loadText(inShop(`${body}\nnetworks: { n: }`));
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['known-too-late']);
    expect(result.diagnostics[0]!.detail).toContain(words);
  });

  it('is checked where it stands, as any other', async () => {
    const faults = async (code: string) =>
      listFaults(await loadText(inShop(`networks: { n: , m: { name: "\${${code}}" } }`)));
    expect(await faults('projects.shop.networks.n.cidrr')).toEqual(['a.yaml:4:61 unknown-name']);
    expect(await faults(`file(${cidr})`)).toEqual(['a.yaml:4:36 function-too-late']);
    expect(await faults(`${cidr} + local.x`)).toEqual(['a.yaml:4:74 unknown-name']);
  });

  it('that is part of a circle is told with the whole of it', async () => {
    const result = await loadText(
      inShop(`
networks: { n: { name: "\${projects.shop.vms.web.internalIp}" } }
vms: { web: { ${vmFields}, networks: [n] } }`),
    );
    expect(listFaults(result)).toEqual(['a.yaml:4:28 reference-cycle']);
    expect(result.diagnostics[0]!.detail).toContain(
      '`projects.shop.networks.n` → `projects.shop.vms.web` → `projects.shop.networks.n`',
    );
  });

  it('may read what the configuration gives of what reads it', async () => {
    const text = inShop(`
networks: { n: }
vms:
  web: { ${vmFields}, name: "\${projects.shop.vms.app.image}-\${${cidr}}" }
  app: { ${vmFields}, name: "\${projects.shop.vms.web.image}-\${${cidr}}" }`);
    expect((await deferredOf(text, 'vms.app')).deferred).toHaveProperty('name');
  });

  it('reads a local that refers to itself once, and that is told', async () => {
    const text = inShop(`networks: { n: , m: { name: "\${${cidr}}-\${local.m.x}" } }`);
    const result = await loadText(`${text}locals: { m: { x: "\${local.m.y}", y: 1 } }\n`);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['reference-cycle']);
  });
});

it('is empty where nothing is put off', async () => {
  const shop = await deferredOf(inShop('name: a'), 'projects.shop');
  expect(
    shop.deferred satisfies Readonly<Record<string, DeferredValue>> | undefined,
  ).toBeUndefined();
});

describe('what is known beside a value that is not', () => {
  const withEnvironments = (main: string) =>
    loadFiles({
      'main.yaml': `version: 1
modules: { env: { source: ./env, forEach: [a, b], variables: { k: '\${each.key}' } } }
locals:
  all: "\${values(modules.env).map(e, e.outputs)}"
  ips: "\${modules.env.transformMap(k, e, {'id': e.outputs.id, 'size': e.outputs.size})}"
projects: { shop: { networks: { n: }, vms: { web: { ${vmFields}, ${main} } } } }
`,
      'env/main.yaml': `variables: { k: { type: string } }
projects: { p: { name: "x-\${var.k}", networks: { n: } } }
outputs: { id: { value: "\${projects.p.networks.n.id}" }, size: { value: 3 } }
`,
    });

  it.each<[string, number]>([
    ['size(values(modules.env))', 2],
    ['size(keys(modules.env))', 2],
    ['size(local.all)', 2],
    ['sum(local.all.map(e, e.size))', 6],
    ['"a" in local.ips ? local.ips.b.size : 0', 3],
    ['size(merge(local.ips, {"c": {"id": "x"}}))', 3],
    ['lookup(local.ips, "a").size', 3],
    ['size(local.all.filter(e, e.size > 2))', 2],
  ])('count: ${%s}', async (expression, count) => {
    const result = await withEnvironments(`count: '\${${expression}}'`);
    expect(listFaults(result)).toEqual([]);
    const vms = result.configuration!.graph.resources.filter(({ kind }) => kind === 'vm');
    expect(vms).toHaveLength(count);
  });

  it.each<[string, string]>([
    ['the id itself', 'local.ips.a.id == "x" ? 1 : 0'],
    ['a filter by it', 'size(local.all.filter(e, e.id != ""))'],
  ])('decides no count by %s', async (_what, expression) => {
    const result = await withEnvironments(`count: '\${${expression}}'`);
    expect(listFaults(result).join()).toContain('known-too-late');
  });
});
