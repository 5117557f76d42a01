// What people write by habit of Terraform and other tools, and the hint that each gets.
import { describe, expect, it } from 'vitest';
import { foreignVmFieldHints } from '../../../src/kinds/vm/foreign-keys.ts';
import { inShop, loadFiles, loadText, vmFields } from './load.ts';

const hintsOf = async (text: string) =>
  (await loadText(text)).diagnostics.map(({ hint }) => hint ?? '');

const inOutput = (expression: string) =>
  [
    'version: 1',
    'variables: { servers: { type: list(string), default: [a] } }',
    'data: { lts: { kind: image, name: u } }',
    `projects: { shop: { networks: { n: {} }, vms: { web: { ${vmFields}, count: 2, name: "w\${each.index}" } } } }`,
    `outputs: { o: { value: ${JSON.stringify(`\${${expression}}`)} } }`,
    '',
  ].join('\n');

it.each([
  ['[for x in var.servers : x if x != ""]', 'Write `var.servers.filter(x, …)`.'],
  ['[for x in var.servers : upper(x) if x != ""]', 'Write `var.servers.filter(x, …).map(x, …)`.'],
  ['[for x in f("a:b") : x]', 'Write `list`.'],
  ['[for k, v in var.m : v.ip]', 'Write `values(var.m).map(v, …)`, or `keys(var.m)`'],
  ['projects.shop.vms.web.*.id', 'Write `projects.shop.vms.web.map(one, one.id)`.'],
  ['projects.shop.vms.web[*]', 'Leave out the `*`'],
  ['%{ if true }a%{ endif }', 'Write `condition ? a : b`, or'],
  ['<<EOT', 'Write a text of several lines in YAML'],
  // What is in quotes is no form of a language.
  ['"[for x in y : x]" +', 'Write it in CEL'],
  ['x + '.repeat(600), 'Write it in CEL'],
  ['transformMap(var.servers)', 'Write `zipMap(keys(map), values(map).map(v, …))`'],
  ['len(var.servers)', 'Write `size(x)`.'],
  ['local.nope', 'Declare it in `locals`.'],
  ['var.nope', 'Use one of `servers`.'],
  ['data.host_image.lts.id', 'Write `data.lts`: the kind is not part of it.'],
  ['host_vm.none.id', 'Write the address of the resource: its path in the YAML.'],
  ['resource.host_network.n.id', 'Did you mean `projects.shop.networks.n`?'],
  ['networks.web.id', 'Write the address of the resource: its path in the YAML.'],
])('an expression of another language: %s', async (expression, hint) => {
  const hints = await hintsOf(inOutput(expression));
  expect(hints).toHaveLength(1);
  expect(hints[0]?.startsWith(hint), hints[0]).toBe(true);
});

const inVm = (fields: string) => inShop(`vms: { web: { ${vmFields}, ${fields} } }`);

describe('a key of another tool', () => {
  it.each(
    // prettier-ignore
    [
      ['version: 1\nconstructor: {}\n', 'Remove the key, or'],
      ['version: 1\nmodules: { a: { source: ./a, providers: {} } }\n', 'Remove it: a module uses'],
      ['version: 1\nvariables: { a: { default: 1, validation: [{ condition: "true", message: x, assert: "true" }] } }\n', 'Use `assert`.'],
      ['version: 1\nchecks: { a: { assert: "true", error_message: x } }\n', 'Use `message`.'],
      [inVm('constructor: x'), 'Remove the key, or'],
      [inVm('lifecycle: { ignoreChanges: [all] }'), 'List the fields, for example `ignoreChanges: [name, '],
      [inVm("forEach: \"${[1].map(x, {'name': 'a'})}\""), 'Give a map by key, for example `zipMap('],
      [inShop('defaults: { vms: { size: 2 } }'), 'Use `configuration`'],
    ],
  )('%s', async (text, hint) => {
    const hints = (await hintsOf(text)).filter((one) => one.startsWith(hint));
    expect(hints, JSON.stringify(await hintsOf(text))).toHaveLength(1);
  });

  it.each(Object.entries(foreignVmFieldHints))('%s of a VM begins with a verb', (key, hint) => {
    expect(key).toBe(key.toLowerCase());
    expect(hint).toMatch(/^(?:Use|Remove|Declare) .*\.$/);
  });
});

it('for_each is the only fault: `each` keeps its meaning', async () => {
  const text = inShop(
    `vms: { web: { ${vmFields}, for_each: { a: 1 }, name: "w-\${each.key}-\${each.value}" } }`,
  );
  const { diagnostics } = await loadText(text);
  expect(diagnostics.map(({ hint }) => hint)).toEqual(['Did you mean `forEach`?']);
});

it('a module has its outputs below `outputs`', async () => {
  const files = {
    'main.yaml':
      'version: 1\nmodules: { shop: { source: ./shop } }\nlocals: { a: "${modules.shop.ip}" }\n',
    'shop/main.yaml': 'outputs: { ip: { value: 1 } }\n',
  };
  const { diagnostics } = await loadFiles(files);
  expect(diagnostics.map(({ hint }) => hint)).toEqual(['Write `modules.shop.outputs.ip`.']);
});

it.each(
  // prettier-ignore
  [
    ['forEach: [x, y]', 'modules.a.outputs.id', "Write `modules.a['x'].outputs.id`, with the key of the instance."],
    ['forEach: { x-1: 1 }', 'modules.a.outputs.id', "Write `modules.a['x-1'].outputs.id`, with the key of the instance."],
    ['forEach: \'${["x"]}\'', 'modules.a.outputs.id', "Write `modules.a['KEY'].outputs.id`, with the key of the instance."],
    ['count: 2', 'modules.a.outputs.id', 'Write `modules.a[0].outputs.id`, with the index of the instance.'],
    ['forEach: [outputs]', 'modules.a.outputs.outputs.id', undefined],
    ['forEach: [x]', "modules.a['x'].outputs.id", undefined],
  ],
)('a module of several instances: %s: %s', async (repeated, expression, hint) => {
  const files = {
    'main.yaml': `version: 1\nmodules: { a: { source: ./a, ${repeated} } }\nlocals: { a: "\${${expression}}" }\n`,
    'a/main.yaml': 'outputs: { id: { value: 1 } }\n',
  };
  const { diagnostics } = await loadFiles(files);
  expect(diagnostics.map((one) => one.hint)).toEqual(hint === undefined ? [] : [hint]);
});
