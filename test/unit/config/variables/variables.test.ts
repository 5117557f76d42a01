// Where the values of variables come from, what they are checked for, and what is said of those that do not fit.
import { describe, expect, it } from 'vitest';
import type {
  ConfigurationLoadOptions,
  ConfigurationLoadResult,
} from '../../../../src/config/load-configuration.ts';
import type { DeferredValue } from '../../../../src/model/deferred.ts';
import type { GivenVariable } from '../../../../src/model/runtime.ts';
import { inShop, listFaults, loadFiles, loadGraph, loadText } from '../load.ts';
import { readRows } from '../../../support/read-rows.ts';

type Inputs = NonNullable<ConfigurationLoadOptions['variables']>;

/** The value of the output `o`. */
function outputOf({ configuration, diagnostics }: ConfigurationLoadResult): unknown {
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const value = configuration!.graph.outputs![0]!.value;
  return value.kind === 'value' ? value.value : value.kind;
}

const showAll = ({ diagnostics }: ConfigurationLoadResult): string[] =>
  diagnostics.map(({ summary, detail = '', hint }) => [summary, detail, hint].join(' | '));

const out = (expression: string) =>
  `outputs: { o: { value: ${JSON.stringify(`\${${expression}}`)} } }\n`;

describe('values come', () => {
  const files = {
    'main.yaml': `version: 1\nvariables: { v: { default: default } }\n${out('var.v')}`,
    'x.yaml.txt': 'v: file x\n',
    'y.vars.yaml': 'v: file y\n',
  };
  const automatic = {
    'hostwright.vars.yaml': 'v: hostwright\n',
    'b.auto.vars.yaml': 'v: auto b\n',
    'a.auto.vars.yml': 'v: auto a\n',
  };
  const env = { HOSTWRIGHT_VAR_v: 'environment' };

  const [x, y, flag] = [{ file: 'x.yaml.txt' }, { file: 'y.vars.yaml' }, { flag: 'v=flag' }];
  it.each<[string, Readonly<Record<string, string>>, Inputs, string]>([
    ['the default', {}, {}, 'default'],
    ['the environment', {}, { env }, 'environment'],
    ['hostwright.vars.yaml', { 'hostwright.vars.yaml': 'v: hostwright\n' }, { env }, 'hostwright'],
    ['*.auto.vars.yaml, the last by name', automatic, { env }, 'auto b'],
    ['a file', automatic, { env, given: [x] }, 'file x'],
    ['the later of two files', automatic, { given: [y, x] }, 'file x'],
    ['a flag after a file', automatic, { given: [x, flag] }, 'flag'],
    ['a file after a flag', automatic, { given: [flag, x] }, 'file x'],
    ['the saved plan', automatic, { saved: { v: 'saved' }, env }, 'saved'],
    ['the saved plan, given again', {}, { saved: { v: 'a' }, given: [{ flag: 'v=a' }] }, 'a'],
  ])('later over earlier: %s', async (_what, others, variables, value) => {
    expect(outputOf(await loadFiles({ ...files, ...others }, { variables }))).toBe(value);
  });

  it.each<[string, GivenVariable]>([
    ['--var v', { flag: 'v=flag' }],
    ['x.yaml.txt', { file: 'x.yaml.txt' }],
  ])('never from %s beside a saved plan that has another value', async (origin, given) => {
    const variables = { saved: { v: 'saved' }, given: [given] };
    const loaded = await loadFiles({ ...files, 'x.yaml.txt': 'v: file\n' }, { variables });
    expect(loaded.diagnostics).toMatchObject([
      {
        code: 'plan-with-other-options',
        summary: `${origin}: the saved plan was made with another value of the variable \`v\``,
      },
    ]);
  });

  it('from no file whose name says that it is something else', async () => {
    const others = Object.fromEntries(
      [
        'prod.vars.yaml',
        'prod.vars.yml',
        'a.test.yaml',
        'a.test.yml',
        'hostwright.lock.yaml',
        'A.LOCK.YML',
      ].map((name) => [name, 'v: other\n']),
    );
    expect(outputOf(await loadFiles({ ...files, ...others }))).toBe('default');
    const module = {
      ...files,
      'main.yaml': `version: 1\nmodules: { m: { source: ./m } }\n${out('1')}`,
    };
    expect(
      outputOf(
        await loadFiles({ ...module, 'm/m.yaml': 'projects: { p: }\n', 'm/m.vars.yaml': 'x: 1\n' }),
      ),
    ).toBe(1);
    expect(listFaults(await loadFiles({ ...module, 'm/m.vars.yaml': 'x: 1\n' }))).toEqual([
      'main.yaml:2:25 invalid-module-source',
    ]);
    // Nor from files of modules.
    const own = {
      'm/m.yaml': 'variables: { v: { default: own } }\noutputs: { v: { value: "${var.v}" } }\n',
    };
    const result = await loadFiles({
      'main.yaml': `version: 1\nmodules: { m: { source: ./m } }\n${out('modules.m.outputs.v')}`,
      ...own,
      'm/a.auto.vars.yaml': 'v: other\n',
    });
    expect(outputOf(result)).toBe('own');
  });

  it('for variables that nobody declares with a warning from files, an error from flags', async () => {
    const result = await loadFiles(
      { ...files, 'a.auto.vars.yaml': 'w: 1\n', 'z.vars.yaml': 'vv: 1\n' },
      {
        variables: {
          env: { HOSTWRIGHT_VAR_w: 'x' },
          given: [{ file: 'z.vars.yaml' }, { flag: 'vx=1' }],
        },
      },
    );
    expect(
      result.diagnostics.map(({ severity, summary, hint }) => [severity, summary, hint]),
    ).toEqual([
      ['error', '--var vx: there is no variable `vx`', 'Did you mean `v`?'],
      [
        'warning',
        'a.auto.vars.yaml: there is no variable `w`',
        'Declare it under `variables`, or leave the value out.',
      ],
      ['warning', 'z.vars.yaml: there is no variable `vv`', 'Did you mean `v`?'],
    ]);
  });
});

describe('a value of a type', () => {
  const size =
    'size: { type: "object({ name = string, ram = optional(number, 3), tags = optional(list(string), []) })" }';
  const text = (declared: string, expression: string) =>
    `version: 1\nvariables:\n  ${declared}\n${out(expression)}`;

  it.each<[declared: string, flag: string, expression: string, value: unknown]>([
    [size, 'size={name: 5}', 'var.size', { name: '5', ram: 3, tags: [] }],
    [size, 'size={"name": "a", "ram": "8"}', 'var.size.ram * 1.5', 12],
    ['n: { type: number }', 'n=5', 'var.n + 1', 6],
    ['n: { type: number }', 'n=0.5', 'var.n + 1', 1.5],
    ['n: { type: number }', 'n=null', 'var.n == null', true],
    ['b: { type: bool }', 'b=true', '!var.b', false],
    ['s: { type: set(string) }', 's=[b, a, b]', 'var.s', ['a', 'b']],
    ['s: { type: string }', 's=[1]', 'var.s', '[1]'],
    ['s: { type: string }', 's=', 'var.s', ''],
    ['a: { type: any }', 'a={x: [1, "2"]}', 'var.a.x', [1, '2']],
    ['a: { type: any, allowed: [{x: 1}, 5] }', 'a=5', 'var.a', 5],
    ['n: { type: number, allowed: ["5", 6] }', 'n=5', 'var.n', 5],
    ['s: { default: null }', 's=x', 'var.s', 'x'],
    ['s: { default: a, nullable: false }', 's=b', 'var.s', 'b'],
    ['l: { type: list(string), default: [a], nullable: false }', 'l=null', 'var.l', ['a']],
    ['l: { type: list(string), default: [a] }', 'l=null', 'var.l == null', true],
  ])('%s, %s: %s is %j', async (declared, flag, expression, value) => {
    const variables = { given: [{ flag }] };
    expect(outputOf(await loadText(text(declared, expression), { variables }))).toEqual(value);
  });

  it.each<[flag: string, type: string, value: unknown, told: string[]]>([
    ['v=[80, 443]', '', '[80, 443]', ['taken-as-text']],
    ['v=1.10', '', '1.10', []],
    ['v=[80]', 'type: any', [80], []],
  ])('is text where a flag gives it and nothing says its type: %s, %s', async (...row) => {
    const [flag, type, value, told] = row;
    const loaded = await loadText(text(`v: { ${type} }`, 'var.v'), {
      variables: { given: [{ flag }] },
    });
    expect(outputOf(loaded)).toEqual(value);
    expect(loaded.diagnostics.map(({ code }) => code)).toEqual(told);
  });

  it('is what a file says where nothing says its type', async () => {
    const files = { 'a.yaml': text('v: {}', 'var.v'), 'hostwright.vars.yaml': 'v: [80, a]\n' };
    expect(outputOf(await loadFiles(files))).toEqual([80, 'a']);
  });

  it('may be null by default', async () => {
    const declared = 's: { type: list(string), default: null, allowed: [[a]] }';
    expect(outputOf(await loadText(text(declared, 'var.s == null')))).toBe(true);
  });

  it.each(
    readRows(`
    l: { type: lst(string) } | a.yaml:3:14 invalid-type | Did you mean \`list\`?
    o: { type: "object({ a = optional(nmber) })" } | a.yaml:3:37 invalid-type | There is no type \`nmber\`
    n: { type: number, allowed: [1, x] } | a.yaml:3:35 wrong-type | An allowed value does not fit: the variable \`n\` must be a number
    n: { default: null, nullable: false } | a.yaml:3:17 wrong-type | must not be null
    l: { type: "list(object({ a = number }))", default: [{ a: 1 }, { a: x }] } | a.yaml:3:71 wrong-type | \`var.l[1].a\` must be a number
    n: { type: number, default: 5, allowed: [6] } | a.yaml:3:31 invalid-value | Allowed are \`6\`.
    n: { default: 5, allowed: [] } | a.yaml:3:29 invalid-value | \`allowed\` of the variable \`n\` is empty: no value is allowed
  `),
  )('%s has a fault', async (declared, fault, words) => {
    const result = await loadText(text(declared, '1'), { variables: { areOptional: true } });
    expect(listFaults(result)).toEqual([fault]);
    expect(showAll(result)[0]).toContain(words);
  });

  it('is told of with its place and that of its declaration, every part of it', async () => {
    const result = await loadFiles(
      { 'a.yaml': text(size, '1'), 'v.vars.yaml': 'size:\n  ram: many\n  tags: [a, [b]]\n' },
      { variables: { given: [{ file: 'v.vars.yaml' }] } },
    );
    expect(listFaults(result)).toEqual([
      'v.vars.yaml:2:3 wrong-type',
      'v.vars.yaml:2:8 wrong-type',
      'v.vars.yaml:3:13 wrong-type',
    ]);
    expect(showAll(result)).toEqual([
      'v.vars.yaml: the variable `size` lacks the member `name` | Got a map. It is declared at a.yaml:3:3. | Give a value of its type.',
      'v.vars.yaml: `var.size.ram` must be a number | Got text. It is declared at a.yaml:3:3. | Give a value of its type.',
      'v.vars.yaml: `var.size.tags[1]` must be text | Got a list. It is declared at a.yaml:3:3. | Give a value of its type.',
    ]);
  });

  it.each(
    readRows(`
    size={name: [1]} | \`var.size.name\` must be text
    size=[ | the value of the variable \`size\` is not YAML
    size={name:a,ram:1} | the value of the variable \`size\` has a key without a value
    size= | the variable \`size\` is empty
  `),
  )('is told of with the flag that gave it: %s', async (flag, words) => {
    const result = await loadText(text(size, '1'), { variables: { given: [{ flag: flag }] } });
    expect(result.diagnostics.map(({ summary }) => summary)).toEqual([`--var size: ${words}`]);
  });

  it.each([
    ['5', 'must be a map'],
    [' ', 'is empty'],
  ])('is told of with the environment that gave it: %j', async (value, words) => {
    const variables = { env: { HOSTWRIGHT_VAR_size: value } };
    const { diagnostics } = await loadText(text(size, '1'), { variables });
    const told = `HOSTWRIGHT_VAR_size: the variable \`size\` ${words}`;
    expect(diagnostics.map(({ summary }) => summary)).toEqual([told]);
  });

  it('may have members, and be, of any name', async () => {
    const type =
      'object({ "a b" = object({ in = object({ a = string }) }), in = object({ a = bool }), true = object({}), e = object({}) })';
    const text = `version: 1\nvariables: { " ": { type: '${type}' }, x: { type: '${type}' } }\n${out('size(var.x["a b"])')}`;
    const result = await loadText(text, { variables: { areOptional: true } });
    expect(listFaults(result).slice(1)).toEqual([]);
  });

  it.each<[expression: string, faults: string[]]>([
    ['var.size.rom', ['a.yaml:4:36 unknown-name']],
    ['true ? 1 : var.size.rom', ['a.yaml:4:47 unknown-name']],
    ['var.size["rom"]', ['a.yaml:4:35 unknown-name']],
    ['var.size.name + 1', ['a.yaml:4:27 expression-type']],
    ['var.size.tags[0] + 1', ['a.yaml:4:27 expression-type']],
    ['keys(var.size)', []],
    ['size(var.size)', []],
    ['var.size == null', []],
    ['var.size.name == null', []],
    ['var.size.map(key, key)', []],
    ['merge(var.size, {"a": 1})', []],
    ['"name" in var.size', []],
    ['has(var.size.ram)', []],
    ['var.size.ram + 1.5', []],
    ['[var.size].map(one, one.name)', []],
  ])('is what expressions are checked against: %s', async (expression, faults) => {
    const result = await loadText(text(size, expression), { variables: { areOptional: true } });
    expect(listFaults(result)).toEqual(faults);
  });
});

describe('a validation', () => {
  const declared = `version: 1
variables:
  size:
    type: number
    default: 4
    validation:
      - { assert: "var.size <= var.most", message: "At most \${var.most}, not \${var.size}" }
      - assert: var.size % 2 == 0
        message: The size is even.
  most: { type: number, default: 64 }
  key:
    type: string
    default: ""
    sensitive: true
    validation: [{ assert: "size(var.key) < 5", message: "Not \${var.key} of \${upper(var.key)}, \${var.most}" }]
`;

  it('lets pass what meets it', async () => {
    expect(listFaults(await loadText(`${declared}projects: { p: }\n`))).toEqual([]);
    const variables = { areOptional: true };
    const unset = declared.replace('    default: 4\n', '');
    expect(listFaults(await loadText(`${unset}projects: { p: }\n`, { variables }))).toEqual([]);
  });

  it('tells of all that do not hold, with the place of the value', async () => {
    const result = await loadFiles(
      { 'a.yaml': `${declared}projects: { p: }\n`, 'x.vars.yaml': 'size: 77\n' },
      { variables: { given: [{ file: 'x.vars.yaml' }] } },
    );
    expect(listFaults(result)).toEqual(Array(2).fill('x.vars.yaml:1:7 failed-validation'));
    expect(showAll(result)).toEqual([
      'x.vars.yaml: the value of the variable `size` is not valid | At most 64, not 77. The validation is at a.yaml:7:19. | Give a value for which `var.size <= var.most` is true.',
      'x.vars.yaml: the value of the variable `size` is not valid | The size is even. The validation is at a.yaml:8:17. | Give a value for which `var.size % 2 == 0` is true.',
    ]);
  });

  it('tells of a flag at the validation, and of a default at the default', async () => {
    const byFlag = await loadText(`${declared}projects: { p: }\n`, {
      variables: { given: [{ flag: 'size=3' }] },
    });
    expect(listFaults(byFlag)).toEqual(['a.yaml:8:17 failed-validation']);
    expect(showAll(byFlag)[0]).toContain(
      '--var size: the value of the variable `size` is not valid',
    );
    const byDefault = await loadText(
      `${declared.replace('default: 4', 'default: 3')}projects: { p: }\n`,
    );
    expect(listFaults(byDefault)).toEqual(['a.yaml:5:14 failed-validation']);
  });

  it('shows nothing that is sensitive', async () => {
    const result = await loadText(`${declared}projects: { p: }\n`, {
      variables: { given: [{ flag: 'key=hunter2' }] },
    });
    expect(listFaults(result)).toEqual(['a.yaml:15:28 failed-validation']);
    expect(result.diagnostics[0]!.detail).toContain(
      'Not (sensitive value) of (sensitive value), 64.',
    );
    expect(JSON.stringify(result.diagnostics)).not.toMatch(/hunter2/i);
  });

  it.each<[validation: string, faults: string[]]>([
    ['{ assert: "local.x == 1", message: m }', ['a.yaml:2:55 not-in-validation']],
    ['{ assert: "true", message: "${projects.p.name}" }', ['a.yaml:2:74 not-in-validation']],
    ['{ assert: "var.y == 1", message: m }', ['a.yaml:2:59 unknown-name']],
    ['{ assert: "var.x", message: m }', ['a.yaml:2:55 expression-type']],
    ['{ assert: "${var.x == 1}", message: m }', ['a.yaml:2:55 broken-expression']],
    ['{ assert: "var.x ==", message: m }', ['a.yaml:2:63 broken-expression']],
    ['{ assert: "int(var.x) > 0", message: m }', ['a.yaml:2:55 expression-failed']],
    ['{ assert: "true", message: "${" }', ['a.yaml:2:72 broken-expression']],
    ['{ assert: "true" }', ['a.yaml:2:44 missing-key']],
    ['{ message: m }', ['a.yaml:2:44 missing-key']],
    ['{ assert: "var.x == \'a\'", message: "${[1].map(x, x + 1)}${var.x}" }', []],
  ])('is checked: %s', async (validation, faults) => {
    const text = `version: 1\nvariables: { x: { default: a, validation: [${validation}] } }\nprojects: { p: }\n`;
    expect(listFaults(await loadText(text))).toEqual(faults);
  });
});

describe('variables of a module', () => {
  const module = {
    'm/m.yaml': `variables:
  size:
    type: object({ name = string, ram = optional(number, 3) })
    validation: [{ assert: "var.size.ram < 10", message: "\${var.size.name} is too large" }]
  plain: { type: string, default: d, nullable: false }
outputs:
  size: { value: "\${var.size}" }
  name: { value: "\${var.size.name}-\${var.size.ram}-\${var.plain}" }
`,
  };
  const use = (variables: string, expression: string) => ({
    ...module,
    'a.yaml': `${inShop('networks: { n: }')}modules: { m: { source: ./m, variables: ${variables} } }\n${out(expression)}`,
  });

  it('have the same types and defaults', async () => {
    const files = use('{ size: { name: 5, more: 1 }, plain: null }', 'modules.m.outputs');
    expect(outputOf(await loadFiles(files))).toEqual({
      size: { name: '5', ram: 3 },
      name: '5-3-d',
    });
  });

  it.each<[string, string[]]>([
    ['{ size: { ram: x } }', ['a.yaml:5:49 wrong-type', 'a.yaml:5:56 wrong-type']],
    ['{ size: "${[1]}" }', ['a.yaml:5:49 wrong-type']],
    ['{ size: { name: a, ram: 20 } }', ['a.yaml:5:49 failed-validation']],
    ['{ size: { name: a }, plain: [b] }', ['a.yaml:5:69 wrong-type']],
  ])('are checked: %s', async (variables, faults) => {
    expect(listFaults(await loadFiles(use(variables, '1')))).toEqual(faults);
  });

  it('have their defaults beside what is known only after apply', async () => {
    const files = use(
      '{ size: { name: "${projects.shop.networks.n.id}" } }',
      'modules.m.outputs.name',
    );
    const graph = await loadGraph(files);
    const namesOf = (value: DeferredValue | undefined) =>
      value?.kind === 'expression' ? value.names : [];
    const [output] = graph.outputs ?? [];
    const [inner] = namesOf(output?.value);
    const names = Object.fromEntries(
      namesOf(inner?.[1]).map(([way, value]) => [way.join('.'), value]),
    );
    expect(names['var.size']).toMatchObject({
      kind: 'map',
      entries: { name: { kind: 'expression' }, ram: { kind: 'value', value: 3 } },
    });
    expect(names['var.plain']).toMatchObject({ kind: 'value', value: 'd' });
  });
});

describe('a number that is written', () => {
  const long = '12345678901234567890';
  const declare = (type: string, value = 'var.v') =>
    `version: 1\nvariables: { v: { type: "${type}" } }\n${out(value)}`;
  const given = (type: string, text: string, value?: string) =>
    loadFiles({ 'a.yaml': declare(type, value), 'hostwright.vars.yaml': `v: ${text}\n` });

  it.each([
    ['string', '007', '007'],
    ['string', '1.10', '1.10'],
    ['string', '0x1F', '0x1F'],
    ['string', '1e3', '1e3'],
    ['string', '-0', '-0'],
    ['string', long, long],
    ['string', `-${long}`, `-${long}`],
    ['string', '"007"', '007'],
    ['number', '007', 7],
    ['number', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['number', '1e300', 1e300],
    ['any', long, long],
    ['list(string)', `[1.10, ${long}, 5]`, ['1.10', long, '5']],
    ['map(string)', '{ a: 1.0 }', { a: '1.0' }],
    ['object({ a = string, b = number })', '{ a: 010, b: 010 }', { a: '010', b: 10 }],
    ['tuple([string, number])', '[010, 010]', ['010', 10]],
  ])('is kept as text where it is one: %s, %s', async (type, text, value) => {
    expect(outputOf(await given(type, text))).toEqual(value);
    // What a flag gives for a text is text as it stands, its quotes too.
    if (text.startsWith('"')) return;
    const variables = { given: [{ flag: `v=${text}` }] };
    expect(outputOf(await loadText(declare(type), { variables }))).toEqual(value);
  });

  it('is spelled as a number behind an alias', async () => {
    expect(outputOf(await given('list(string)', '[&a 1.10, *a]'))).toEqual(['1.10', '1.1']);
  });

  it.each([long, `-${long}`, `"${long}"`, '9007199254740993'])(
    'is refused where its last digits would be others: %s',
    async (text) => {
      expect(showAll(await given('number', text))).toEqual([
        `hostwright.vars.yaml: the variable \`v\` must be a number up to 9007199254740991 | Got text. It is declared at a.yaml:2:14. | Give a value of its type.`,
      ]);
    },
  );

  it('is kept as a default, in a module and in a local', async () => {
    const files = {
      'a.yaml': `version: 1\nvariables: { v: { type: string, default: 1.10 } }\nlocals: { l: ${long} }\nmodules: { m: { source: ./m, variables: { v: 007 } } }\n${out("[var.v, local.l, modules.m.outputs.o].map(x, x + '')")}`,
      'm/m.yaml': `variables: { v: { type: string }, d: { type: string, default: 0x1F } }\n${out("var.v + ' ' + var.d")}`,
    };
    expect(outputOf(await loadFiles(files))).toEqual(['1.10', long, '007 0x1F']);
  });
});
