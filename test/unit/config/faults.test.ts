// What the tables of `mistakes/` cannot hold: files without end, what is kept back, and what is no fault.
import { describe, expect, it } from 'vitest';
import { inShop, listFaults, loadFiles, loadText, vmFields } from './load.ts';

describe('broken YAML', () => {
  it.each([
    ['a control character', 'a\u0007b', '2:11', 'a control character', 'U+0007'],
    ['nesting', '['.repeat(20_000), '2:74', 'nested deeper than 64 levels', ''],
  ])('of %s is refused', async (_what, value, place, summary, detail) => {
    const result = await loadText(`version: 1\nservice: ${value}\n`);
    expect(listFaults(result)).toEqual([`a.yaml:${place} broken-yaml`]);
    const [first] = result.diagnostics;
    expect(first).toMatchObject({ hint: expect.any(String) as string });
    expect(first?.summary).toContain(summary);
    expect(first?.detail ?? '').toContain(detail);
  });

  it('does not repeat what the parser says of a secret', async () => {
    const result = await loadText('version: 1\nservice:\n  token: "hunter2\\q"\n');
    expect(result.diagnostics).toMatchObject([{ code: 'broken-yaml' }]);
    expect(result.diagnostics[0]!.detail).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('cuts what the parser says', async () => {
    const result = await loadText(`version: ! ${'x'.repeat(300)}\n  y: [}${'z'.repeat(400)}\n`);
    for (const { detail } of result.diagnostics) expect(detail!.length).toBeLessThan(200);
  });

  it.each(['---\n', '---\n# the end\n', '...\n'])('takes %j at the end of a file', async (end) => {
    const result = await loadText(`version: 1\nprojects: { shop: }\n${end}`);
    expect(listFaults(result)).toEqual([]);
  });

  it('reads the values of YAML 1.2, whatever a file says of its version', async () => {
    const text = '%YAML 1.1\n---\nversion: 1\nprojects: { on: { name: yes }, null: }\n';
    const { resources } = (await loadText(text)).configuration!.graph;
    expect(resources.map(({ attributes }) => attributes.name)).toEqual(['yes', 'null']);
  });
});

it('never shows the credentials of an address', async () => {
  const text = 'version: 1\nservice:\n  baseUrl: https://me:hunter2@a.example/v1\n';
  expect(JSON.stringify(await loadText(text))).not.toContain('hunter2');
});

it.each([
  ['timeouts: { create: x }', 'projects.shop.vms.web'],
  ['count: 2, networks: [a]', 'projects.shop.vms.web[0]'],
])('the resource or the instance with a fault has its address: %s', async (field, address) => {
  const { diagnostics } = await loadText(inShop(`vms: { web: { ${vmFields}, ${field} } }`));
  expect(diagnostics.map((one) => one.address)).toEqual([address]);
});

describe('every fault is told at once, beside a wrong name elsewhere', () => {
  const begin = 'version: 1\nprojects: { shop: { name: "${var.nonsuch}", networks: { a: } } }\n';

  it.each([
    [
      'an output of a sensitive value',
      'variables: { pw: { type: string, sensitive: true, default: x } }\noutputs: { x: { value: "${var.pw}" } }',
      ['a.yaml:4:24 sensitive-output'],
    ],
    [
      'an output of a sensitive value of a resource, with a value that is wrong elsewhere',
      'variables: { pw: { type: string, sensitive: true, default: x } }\nlocals: { a: "${local.a}${var.pw}" }\noutputs: { x: { value: "${projects.shop.id}${local.a}" } }',
      ['a.yaml:4:11 reference-cycle', 'a.yaml:5:24 sensitive-output'],
    ],
    [
      'the condition and the message of a policy',
      'policies: { p: { for: networks, assert: "after.nam == 1", message: "${after.nonsuch}" } }',
      ['a.yaml:3:48 unknown-name', 'a.yaml:3:77 unknown-name'],
    ],
    [
      'the message of a policy that reads nothing of the change',
      'policies: { p: { for: networks, assert: "true", message: "${vars.x} ${local.x}" } }',
      ['a.yaml:3:61 unknown-name', 'a.yaml:3:77 unknown-name'],
    ],
    [
      'a function that is called too late',
      'checks: { c: { assert: "file(\'x\') == projects.shop.id", message: m } }',
      ['a.yaml:3:25 function-too-late'],
    ],
  ])('%s', async (_what, text, faults) => {
    const found = listFaults(await loadText(`${begin}${text}\n`));
    expect(found).toEqual(['a.yaml:2:34 unknown-name', ...faults]);
  });

  it('an exemption of no policy, of no address, and until no day', async () => {
    const policies =
      'policies: { small: { for: vms, assert: "after.nonsuch == 1", message: m } }\nexemptions:\n' +
      '  a: { policy: small, addresses: [web], reason: r, until: 2027-02-30 }\n' +
      '  b: { policy: smal, addresses: [projects.shop], reason: r, until: 2027-03-31 }\n';
    const files = { 'a.yaml': begin, 'given/p.yaml': policies };
    const given = { policyDirectories: ['given'] };
    expect(listFaults(await loadFiles(files, given))).toEqual([
      'a.yaml:2:34 unknown-name',
      'given/p.yaml:1:47 unknown-name',
      'given/p.yaml:3:35 invalid-address',
      'given/p.yaml:3:59 out-of-range',
      'given/p.yaml:4:16 unknown-policy',
    ]);
    // What a file that cannot be read holds, is not said to be missing.
    const broken = { 'a.yaml': begin, 'given/p.yaml': policies, 'given/q.yaml': 'policies: [}' };
    expect(listFaults(await loadFiles(broken, given)).join()).not.toContain('unknown-policy');
  });

  it('the expressions of one text', async () => {
    const text = (value: string) =>
      `version: 1\nlocals: { p: { id: 1 } }\noutputs: { x: { value: "${value}" } }\n`;
    expect(listFaults(await loadText(text('${a b} ${vars.x} ${c d}')))).toEqual([
      'a.yaml:3:29 broken-expression',
      'a.yaml:3:34 unknown-name',
      'a.yaml:3:46 broken-expression',
    ]);
    expect(listFaults(await loadText(text('${local.p.a} ${local.p} ${local.p.b}')))).toEqual([
      'a.yaml:3:35 unknown-name',
      'a.yaml:3:40 expression-type',
      'a.yaml:3:59 unknown-name',
    ]);
  });

  it('the expressions of a template, up to twenty behind the first', async () => {
    const outputs =
      "version: 1\noutputs: { x: { value: \"${templateFile('x.tpl', {'a': 1})}\" } }\n";
    const load = async (template: string) => {
      const { diagnostics } = await loadFiles({ 'a.yaml': outputs, 'x.tpl': template });
      return diagnostics.map(({ summary, detail }) => [summary, detail]);
    };
    const first = 'templateFile() cannot evaluate `x.tpl`, line 1: There is no name `b`';
    expect(await load('${b}')).toEqual([[first, undefined]]);
    expect(await load('${b} ${a}\n${c}\n${[a]}')).toEqual([
      [
        first,
        'It also has:\n  line 2: There is no name `c`\n  line 3: A list cannot be part of a text',
      ],
    ]);
    const [many] = await load('${b}\n'.repeat(30));
    expect(many![1]).toMatch(
      /^It also has:\n {2}line 2: .*\n {2}line 21: \S[^\n]*\n {2}and 9 more$/s,
    );
  });
});

describe('a wrong name is told before anything is known', () => {
  const shop = `version: 1
projects: { shop: { vms: { web: { ${vmFields}, count: 2 }, db: { ${vmFields}, forEach: [a] } } } }
locals: { p: "\${projects.shop}", q: "\${local.p}", o: "\${var.o}" }
variables: { o: { type: "map(object({ a: string }))", default: {} }, l: { type: "list(object({ a: string }))", default: [] }, m: { type: "map(string)", default: {} } }
`;
  const web = 'projects.shop.vms.web';

  it.each([
    ['in a text', 'output', `\${${web}[0].id} \${local.p.nonsuch}`],
    ['in a sum', 'output', `\${${web}[0].id + local.p.nonsuch}`],
    ['in a comparison', 'output', `\${${web}[0].id == local.p.nonsuch}`],
    ['in another operation', 'output', `\${${web}[0].id < local.p.nonsuch}`],
    ['as an argument', 'output', `\${join(${web}[0].id, [local.p.nonsuch])}`],
    ['as an argument of CEL', 'output', `\${${web}[0].id.contains(local.p.nonsuch)}`],
    ['in a loop', 'output', `\${${web}.filter(v, v.id == "").map(v, v.nonsuch)}`],
    ['in a loop of a check', 'check', `${web}.all(v, v.nonsuch == "")`],
    ['in a loop of a policy', 'policy', `after.ram < 9 || ${web}.all(i, v, v.nonsuch == "")`],
    ['in a loop within one', 'check', `${web}.all(a, ${web}.exists(b, a.id == b.nonsuch))`],
    ['in a loop over a variable', 'check', 'var.l.all(one, one.nonsuch == "")'],
    ['in a branch not taken', 'output', `\${true ? "" : ${web}[0].nonsuch}`],
    ['in a branch not taken, below a local', 'output', '${true ? "" : local.p.nonsuch}'],
    ['in a branch not taken, through two', 'output', '${true ? "" : local.q.nonsuch}'],
    ['below an item of a typed map', 'item', '${each.value.nonsuch}'],
    ['below one, in a branch not taken', 'item', '${true ? each.key : each.value.nonsuch}'],
    ['below one, through a local', 'itemOfLocal', '${true ? each.key : each.value.nonsuch}'],
  ])('%s', async (_where, kind, text) => {
    const written = JSON.stringify(text);
    const made = {
      output: `outputs: { x: { value: ${written} } }\n`,
      check: `checks: { x: { assert: ${written}, message: m } }\n`,
      policy: `policies: { x: { for: vms, assert: ${written}, message: m } }\n`,
      item: `projects: { s: { networks: { n: { forEach: "\${var.o}", name: ${written} } } } }\n`,
      itemOfLocal: `projects: { s: { networks: { n: { forEach: "\${local.o}", name: ${written} } } } }\n`,
    };
    const line = made[kind as keyof typeof made];
    const result = await loadFiles({ 'a.yaml': shop, 'b.yaml': line });
    expect(listFaults(result)).toEqual([`b.yaml:1:${line.indexOf('nonsuch') + 1} unknown-name`]);
    expect(result.diagnostics[0]!.hint).toMatch(/^Use one of/);
  });

  it('and the nearest one is named', async () => {
    const check = `checks: { x: { assert: "${web}.all(v, v.internalIP == 'x')", message: m } }\n`;
    const [fault] = (await loadText(shop + check)).diagnostics;
    expect(fault).toMatchObject({ hint: 'Did you mean `internalIp`?' });
  });

  it.each([
    `${web}.all(v, v.name != "" && v.networks.all(n, n != ""))`,
    `${web}.filter(v, v.power == "running").all(v, v.id != "")`,
    'projects.shop.vms.db.all(key, key.startsWith("a") && projects.shop.vms.db[key].id != "")',
    'projects.shop.vms.db.all(key, v, v.id != key)',
    'projects.all(key, key != "shop" || projects[key].name != "")',
    'var.m.all(key, v, v.startsWith(key)) && var.l.all(one, one.a != "")',
    `${web}.map(v, {"a": v.id}).all(v, v.a != "")`,
  ])('but no right one: %s', async (assert) => {
    const text = `checks: { x: { assert: ${JSON.stringify(assert)}, message: m } }\n`;
    expect(listFaults(await loadText(shop + text))).toEqual([]);
  });
});

it.each([
  'after.ram / 2 == 3.5 || 7 / 2 == 3.5',
  'type(after.ram) == int && type(after.name) != double',
  'string(timestamp("2020-01-01T00:00:00Z")).startsWith("2020")',
])('a policy may be %s', async (assert) => {
  const policy = `policies: { x: { for: vms, assert: ${JSON.stringify(assert)}, message: m } }\n`;
  expect(listFaults(await loadText(`version: 1\n${policy}`))).toEqual([]);
});

it('a name of a type is none without type()', async () => {
  const result = await loadText('version: 1\noutputs: { x: { value: "${string}" } }\n');
  expect(listFaults(result)).toEqual(['a.yaml:2:27 unknown-name']);
});
