// What people write from habit, as Terraform and other tools have it, and the hint that each gets.
import { describe, expect, it } from 'vitest';
import { inShop, loadFiles, loadText, publicKey, vmFields } from './load.ts';

const hintsOf = async (text: string): Promise<readonly (string | undefined)[]> =>
  (await loadText(text)).diagnostics.map(({ hint }) => hint);

describe('a key at the top', () => {
  it.each([
    ['provider', 'Use `service` to name the account: the one provider is built in.'],
    ['terraform', 'Write `version: 1` for the language and `state` for the backend'],
    ['required_version', 'Write `version: 1`'],
    ['backend', 'Did you mean `state`?'],
    ['resource', 'Write each resource at its place, such as `projects.shop.vms.web`'],
    ['module', 'Did you mean `modules`?'],
    ['output', 'Did you mean `outputs`?'],
    ['local', 'Did you mean `locals`?'],
    ['variable', 'Did you mean `variables`?'],
    ['import', 'Did you mean `imports`?'],
    ['check', 'Did you mean `checks`?'],
    ['workspace', 'there are no workspaces'],
    ['vms', 'Move it into a project: `projects.KEY.vms`.'],
    ['networks', 'Move it into a project: `projects.KEY.networks`.'],
    ['constructor', 'check the indentation'],
  ])('%s', async (key, hint) => {
    expect(await hintsOf(`version: 1\n${key}: {}\n`)).toEqual([expect.stringContaining(hint)]);
  });
});

describe('a key of a VM', () => {
  it.each([
    ['for_each: [a]', 'Did you mean `forEach`?'],
    ['image_id: u', 'Did you mean `image`?'],
    ['dependsOn: [a]', 'Remove it: references such as `networks: [backend]`'],
    ['depends_on: [a]', 'Remove it: references such as `networks: [backend]`'],
    ['labels: {}', 'Remove it: the service keeps no labels.'],
    ['tags: []', 'Remove it: the service keeps no labels.'],
    ['userData: x', 'Remove it: the service runs no script on a new VM.'],
    ['cidr: 10.0.0.0/24', 'Remove it: the service assigns addresses.'],
    ['disk_size: 40', 'Use `configuration`, which fixes cores, RAM and disk.'],
    ['provider: x', 'Remove it: a configuration has one account'],
    ['prevent_destroy: true', 'Move it into `lifecycle: { preventDestroy: true }`.'],
    ['status: on', 'Did you mean `power`?'],
    ['lifecycle: { precondition: [] }', 'Move it to `policies`'],
    ['lifecycle: { ignoreChanges: [all] }', 'List the fields: there is no `all`.'],
    ['lifecycle: { ignoreChanges: all }', 'Write a list'],
  ])('%s', async (line, hint) => {
    const text = inShop(`vms: { web: { ${vmFields}, ${line} } }`);
    expect(await hintsOf(text)).toEqual([expect.stringContaining(hint)]);
  });

  it('that stands for another one: that one is not missing', async () => {
    const text = inShop('vms: { web: { image: u, size: c, tariff: t } }');
    expect(await hintsOf(text)).toEqual(['Did you mean `configuration`?']);
  });

  it('has the same hint among the defaults', async () => {
    expect(await hintsOf('version: 1\ndefaults: { vms: { size: c } }\n')).toEqual([
      'Did you mean `configuration`?',
    ]);
  });
});

describe('a key elsewhere', () => {
  it.each([
    [
      'a network',
      inShop('networks: { a: { cidr: x } }'),
      'Remove it: the service assigns the range.',
    ],
    [
      'a removed entry',
      'version: 1\nremoved: [{ from: projects.a, lifecycle: {} }]\n',
      'Write `destroy: false` in the entry itself.',
    ],
    [
      'a validation',
      'version: 1\nvariables: { a: { default: 1, validation: [{ condition: x, message: m }] } }\n',
      'Did you mean `assert`?',
    ],
    [
      'an output',
      'version: 1\noutputs: { a: { value: 1, depends_on: [x] } }\n',
      'Remove it: the expression says what it depends on.',
    ],
  ])('%s', async (_what, text, hint) => {
    expect(await hintsOf(text)).toEqual([expect.stringContaining(hint)]);
  });
});

describe('a resource by another name than its key', () => {
  it.each(['projects.shop.networks.front', 'projects.shop.networks.front.id'])(
    '%s: the key alone',
    async (written) => {
      const text = inShop(
        `networks: { front: {} }\nvms: { web: { ${vmFields}, networks: [${written}] } }`,
      );
      expect(await hintsOf(text)).toEqual(['Write the key alone: `front`.']);
    },
  );
});

describe('a module', () => {
  const module = 'variables: { a: { default: 1 } }\noutputs: { ip: { value: 1 } }\n';
  const useModule = async (text: string) => {
    const files = { 'main.yaml': `version: 1\n${text}\n`, 'shop/main.yaml': module };
    return (await loadFiles(files)).diagnostics.map(({ hint }) => hint);
  };

  it('takes its variables in a block of their own', async () => {
    expect(await useModule('modules: { shop: { source: ./shop, a: 1 } }')).toEqual([
      'Move it into `variables`, if it is a variable of the module.',
    ]);
  });

  it('has its outputs below `outputs`', async () => {
    const use = 'modules: { shop: { source: ./shop } }\nlocals: ';
    expect(await useModule(`${use}{ a: "\${modules.shop.ip}" }`)).toEqual([
      'Write `modules.shop.outputs.ip`.',
    ]);
    expect(await useModule(`${use}{ a: "\${modules.shop.other}" }`)).toEqual([
      'Use one of `outputs`.',
    ]);
  });
});

describe('a repetition', () => {
  it('in the spelling of Terraform is the only fault', async () => {
    const text = inShop(
      `vms: { web: { ${vmFields}, for_each: { a: 1 }, name: "w-\${each.key}-\${each.value}" } }`,
    );
    expect(await hintsOf(text)).toEqual(['Did you mean `forEach`?']);
  });

  it('of a whole collection', async () => {
    expect(await hintsOf(inShop('networks: { for_each: [a] }'))).toEqual([
      'Move it into the block of one resource: `networks` holds resources by key.',
    ]);
  });

  const others = 'only VMs, access tokens and modules repeat.';
  it.each([
    ['networks: { a: { count: 2 } }', `Write one entry for each network: ${others}`],
    ['publicIps: { a: { forEach: [x] } }', `Write one entry for each public IP: ${others}`],
    [
      `sshKeys: { a: { publicKey: ${publicKey}, for_each: [x] } }`,
      `Write one entry for each SSH key: ${others}`,
    ],
    ['count: 2', 'Put the project into a module, and give the module a `forEach`.'],
  ])('of what there is once: %s', async (body, hint) => {
    expect(await hintsOf(inShop(body))).toEqual([hint]);
  });

  const list = '[{"name": "a"}, {"name": "b"}]';
  it.each([
    [`forEach: '\${${list}.map(x, x)}'`, 'Make a map of them by key'],
    ["forEach: '${range(2)}'", 'Use `count`, or make texts of the numbers'],
    ['forEach: 3', 'Use `count` for a number'],
    ['count: [a]', 'Use `forEach` for a list or a map.'],
    ['forEach: \'${toset(["a"])}\'', '`forEach` takes a list without it.'],
  ])('by what is not taken: %s', async (line, hint) => {
    const [first] = await hintsOf(inShop(`vms: { web: { ${vmFields}, ${line} } }`));
    expect(first).toContain(hint);
  });

  it('by a map that is made of a list, as the hint says', async () => {
    const made = `\${zipMap(${list}.map(x, x.name), ${list})}`;
    const text = inShop(`vms: { web: { ${vmFields}, forEach: '${made}' } }`);
    const { configuration, diagnostics } = await loadText(text);
    expect(diagnostics).toEqual([]);
    expect(configuration?.graph.resources).toHaveLength(3);
  });
});

describe('an expression', () => {
  const hintsAt = (expression: string, rest = '') =>
    hintsOf(`version: 1\n${rest}locals:\n  a: '\${${expression.replaceAll("'", "''")}}'\n`);

  it.each([
    ['[for x in var.y : upper(x)]', '`list.map(x, upper(x))`'],
    ['[for k, v in var.y : v.ip]', '`keys(map).map(k, map[k].ip)`'],
    ['[for x in var.y : x if x != ""]', '`list.filter(x, x > 1).map(x, x * 2)`'],
    ['{for k, v in var.y : k => v}', '`zipMap(keys(map), values(map).map(v, v.ip))`'],
    ['{for x in var.y : x.name => x}', '`zipMap(list.map(x, x.name), list)`'],
    ['[upper(x) for x in var.y]', '`list.map(x, upper(x))`'],
    ['projects.shop.vms.web[*].id', '`list.map(x, x.id)`'],
    ['[for k, v in var.y : k if v.on]', '`keys(map).filter(k, map[k].on)`'],
    ['projects.shop.vms.web.0.id', '`list[0].id`'],
    ['projects.shop.vms.web.*.id', '`list.map(x, x.id)`'],
    ['{ a = 1 }', '`{"a": 1}`'],
    ['{ var.name }', 'Remove one pair of braces'],
    ['merge(var.list...)', 'Remove `...`'],
    ['var.a = 1', 'Write `==` to compare'],
    ['var.a ?? 1', '`coalesce(a, b)`'],
    ['var.a ? 1', '`condition ? a : b`'],
    ['if var.a { 1 }', '`condition ? a : b`'],
    ['not var.a', '`!x`'],
    ['var.a and var.b', '`&&` and `||`'],
    ['var.a | upper', 'there are no pipes'],
    // What is in quotes gives nothing away.
    ['"a ? b | c" "d"', 'Write it in CEL'],
  ])('in another syntax: %s', async (expression, hint) => {
    expect(await hintsAt(expression)).toEqual([expect.stringContaining(hint)]);
  });

  it.each([
    ['count.index', 'Write `each.index` in place of `count.index`.'],
    ['terraform.workspace', 'Declare a variable, and write `var.NAME`: there are no workspaces.'],
    ['self.id', 'In policies, `before` and `after` are the resource.'],
    ['path.root', 'functions read paths relative to the directory of the configuration'],
    ['path.cwd', 'functions read paths relative to the directory of the configuration'],
    ['path.other', 'Use one of `module`.'],
    ['locals.x', 'Write `local.x`.'],
    ['variables.x["b"]', 'Write `var.x.b`.'],
    ['vars.x', 'Write `var.x`.'],
    ['module.shop.ip', 'Write `modules.shop.outputs.ip`.'],
    ['module.shop.outputs.ip', 'Write `modules.shop.outputs.ip`.'],
    ['module', 'Write `modules.KEY.outputs`.'],
    ['output.ip', 'no expression reads an output'],
    ['resource.host_vm.web', 'without `resource`'],
    ['host_vm.web[0].id', 'resources have no type labels'],
    ['vms.web.id', 'Write `projects.KEY.vms.web.id`, with the key of the project.'],
    ['data.host_image.lts.id', 'Write `data.lts.id`'],
    ['env.HOME', 'the environment variable HOSTWRIGHT_VAR_NAME sets it'],
    ['toString', 'Use one of'],
  ])('with a name of another tool: %s', async (expression, hint) => {
    expect(await hintsAt(expression)).toEqual([expect.stringContaining(hint)]);
  });

  it.each([
    ['transformMap({})', '`zipMap(keys(map), keys(map).map(k, map[k].ip))`'],
    ['{}.transformMap(k, v, v + k)', '`zipMap(keys(map), keys(map).map(k, map[k].ip))`'],
    ['[1].transform_list(i, v, v)', 'a macro has one variable'],
    ['len("a")', 'Write `size(x)`.'],
    ['getenv("A")', 'HOSTWRIGHT_VAR_NAME sets `var.NAME`'],
    ['substring("a", 1)', '`substr(text, 0, 3)`'],
  ])('with a function of another tool: %s', async (expression, hint) => {
    expect(await hintsAt(expression)).toEqual([expect.stringContaining(hint)]);
  });

  it('keeps the faults of names that no loop declares', async () => {
    const hints = await hintsAt(
      '[1].transformList(v, var.a)',
      'variables: { b: { default: 1 } }\n',
    );
    expect(hints).toHaveLength(2);
  });
});
