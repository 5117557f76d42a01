import { describe, expect, it } from 'vitest';
import type { ConfigurationLoadResult } from '../../../src/config/load-configuration.ts';
import { inShop, listFaults, loadFiles, loadGraph, loadText, vmFields } from './load.ts';
import { readRows } from '../../support/read-rows.ts';

function namesOf({ configuration, diagnostics }: ConfigurationLoadResult): unknown[] {
  expect(diagnostics).toEqual([]);
  return configuration!.graph.resources.map(({ attributes }) => attributes.name);
}

const withVars = (variables: string, name: string) =>
  `variables: ${variables}\n${inShop(`name: ${name}`)}`;

describe('variables', () => {
  const text = withVars('{ env: { default: dev } }', 'x-${var.env}');
  const files = { 'a.yaml': text, 'v.txt': 'env: two\n', 'w.json': '{"env": "three"}' };

  it.each(
    readRows(`
    { b: { type: boolean } } | b=true | '\${var.b ? "yes" : "no"}' | yes
    { l: { type: list } } | l=[a, b] | '\${var.l.join("-")}' | a-b
    { m: { type: map } } | m={"a-b": x} | '\${var.m["a-b"]}' | x
    { s: } | s=007 | \${var.s} | 007
  `),
  )('of %s are read from %s', async (declared, flag, name, made) => {
    const variables = { given: [{ flag: flag }] };
    expect(namesOf(await loadText(withVars(declared, name), { variables }))).toEqual([made]);
  });

  it.each(
    readRows(`
    missing | { n: } |  | a.yaml:1:14 missing-variable | --var n=VALUE
    undeclared where none is | {} | m=1 | undeclared-variable | No variable is declared.
    no flag | {} | m | invalid-variable-flag | NAME=VALUE
    with a default of a wrong type | { n: { type: list, default: a } } |  | a.yaml:1:40 wrong-type | This is its default.
    with an expression | { n: { default: "\${var.n}" } } |  | a.yaml:1:28 expression-not-allowed | in \`locals\`
  `),
  )('that are %s', async (_name, declared, flag, fault, words) => {
    const variables = { given: flag === '' ? [] : [{ flag: flag }] };
    const result = await loadText(withVars(declared, 'x'), { variables });
    expect(listFaults(result)).toEqual([fault]);
    const [{ summary, detail, hint }] = result.diagnostics as [(typeof result.diagnostics)[0]];
    expect([summary, detail, hint].join('\n')).toContain(words);
  });

  it('in a file that is not there', async () => {
    const variables = { given: [{ file: 'no.yaml' }] };
    const { diagnostics } = await loadText(withVars('{}', 'x'), { variables });
    expect(diagnostics).toMatchObject([{ code: 'file-unreadable' }]);
  });

  it('in files are told at their own places', async () => {
    const variables = { given: [{ file: 'v.txt' }, { file: 'l.txt' }] };
    const all = { ...files, 'v.txt': 'env: [a]\nenw: b\n', 'l.txt': '- a\n' };
    expect(listFaults(await loadFiles(all, { variables }))).toEqual([
      'l.txt:1:1 wrong-type',
      'v.txt:1:6 wrong-type',
      'v.txt:2:1 undeclared-variable',
    ]);
  });

  it('that are sensitive are in no message and in no frame', async () => {
    const result = await loadFiles(
      {
        'a.yaml': `variables:\n  key: { default: hunter2, sensitive: true, allowed: [hunter2] }\n  pin: { type: number, sensitive: true }\n  more: { type: list, sensitive: true }\n${inShop(
          `name: x-\${var.key}\nnetworks: { a: { name: "\${var.key}" }, b: { name: "\${var.key}" } }\nvms:\n  web: { ${vmFields}, power: "\${var.key}", count: "\${var.pin}", sshKeys: "\${[int(var.key)]}" }\n  app: { ${vmFields}, forEach: "\${var.more}" }`,
        )}`,
        'v.yml.txt': 'more: [s3cr3t]\n',
      },
      { variables: { given: [{ flag: 'pin=-4711' }, { file: 'v.yml.txt' }] } },
    );
    expect(listFaults(result).length).toBeGreaterThan(4);
    const all = JSON.stringify(result);
    for (const secret of ['hunter2', '4711', 's3cr3t']) expect(all).not.toContain(secret);
  });

  it('mark the attributes that depend on them', async () => {
    const graph = await loadGraph(
      `variables: { key: { default: hunter2, sensitive: true } }\nlocals: { a: "\${var.key}-x" }\n${inShop('name: x-${local.a}\nnetworks: { n: { name: "${projects.shop.name}" }, m: }')}`,
    );
    expect(graph.resources.map(({ sensitive }) => sensitive)).toEqual([
      ['name'],
      ['name'],
      undefined,
    ]);
  });
});

describe('locals', () => {
  it('refer to each other in any order, and keep their types', async () => {
    const text = `locals: { a: "\${local.b + 1}", b: "\${size(local.c)}", c: [1, "\${2}"] }\n${inShop('name: "n${local.a}-${local.c[1]}"')}`;
    expect(namesOf(await loadText(text))).toEqual(['n3-2']);
  });

  it('that refer to each other in a circle are told whole, once', async () => {
    const text = `locals:\n  b: "\${local.c}"\n  c: "\${local.a}"\n  a: "\${local.b}"\n${inShop('name: "${local.a}"')}`;
    const result = await loadText(text);
    expect(listFaults(result)).toEqual(['a.yaml:2:3 reference-cycle']);
    expect(result.diagnostics[0]!.detail).toContain(
      '`local.b` → `local.c` → `local.a` → `local.b`',
    );
  });

  it('that refer to themselves, and in a very long row', async () => {
    expect(listFaults(await loadText('version: 1\nlocals: { a: "${local.a}" }\n'))).toEqual([
      'a.yaml:2:11 reference-cycle',
    ]);
  });

  /** `a0` reads `a1` reads `a2` and so on, up to the end. */
  const row = (length: number, end: string) => {
    const lines = Array.from({ length }, (_, n) => `  a${n}: "\${local.a${n + 1}}"\n`);
    return `version: 1\nlocals:\n${lines.join('')}  a${length}: ${end}\n`;
  };

  it.each([99, 100, 101, 250, 10_000])('in a row of %i, are worked out', async (length) => {
    const text = `${row(length, 'end')}projects: { shop: { name: "\${local.a0}" } }\n`;
    expect(namesOf(await loadText(text))).toEqual(['end']);
  });

  it('in a long row, tell a fault at its end once', async () => {
    const result = await loadText(row(350, '"${1/0}"'));
    expect(listFaults(result)).toEqual(['a.yaml:353:12 expression-failed']);
  });

  it.each([
    [
      'on one line',
      'variables: { dbPassword: { type: string, sensitive: true }, token: { default: hunter2, type: nope } }',
      [
        '…bles: { dbPassword: { type: string, sensitive: true }* token: { default: *******, type: nope } *',
      ],
    ],
    [
      'line by line',
      'variables:\n  secret:\n    sensitive: true\n    type: nope\n    default: >\n      hunter2\n    defalt: hunter2\n    description: at https://me:hunter2@db',
      [
        'variables:',
        '  secret:',
        '    sensitive: true',
        '    type: nope',
        '    default: *',
        '      *******',
        '    defalt: *******',
      ],
    ],
  ])('that hold a secret are declared in the open: %s', async (_what, declared, lines) => {
    const { diagnostics } = await loadText(`${declared}\n${inShop('networks: { n: }')}`);
    const frame = diagnostics.find(({ summary }) => summary.includes('type'))?.source?.frame ?? '';
    expect(frame.match(/(?<=^[> ] +\d+ \| ).*/gm)?.slice(0, lines.length)).toEqual(lines);
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
  });

  it('in a long row, tell of what is sensitive', async () => {
    const text = `${row(250, '"${var.key}"')}variables: { key: { default: hunter2, sensitive: true } }
outputs: { o: { value: "\${local.a0}" }, p: { value: 1 } }\n`;
    expect(listFaults(await loadText(text))).toEqual(['a.yaml:255:24 sensitive-output']);
  });

  it.each([
    ['a circle of %i', '"${local.a0}"'],
    ['a row of %i that ends in a cycle', '"${local.a240}"'],
    ['a row of %i that ends in itself', '"${local.a250}"'],
  ])('in %s are told once', async (_, end) => {
    const result = await loadText(row(250, end));
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['reference-cycle']);
  });

  it('that are only known after apply are kept within each other up to a bound', async () => {
    const rest =
      'projects: { shop: { networks: { n: } } }\noutputs: { o: { value: "${local.a0}" } }\n';
    const id = '"${projects.shop.networks.n.id}"';
    expect(listFaults(await loadText(`${row(50, id)}${rest}`))).toEqual([]);
    const long = await loadText(`${row(5000, id)}${rest}`);
    expect(long.diagnostics.map(({ code }) => code)).toEqual(['reference-chain-too-long']);
  });
});

describe('references to resources', () => {
  it('read any configured attribute, in the order in which they need each other', async () => {
    const text = inShop(`
name: "\${projects.other.networks.n.name}"
vms:
  web: { ${vmFields}, count: 2, name: "w\${each.index}" }
  app: { <<: { ${vmFields} }, forEach: { a: 1, b: 2 }, networks: "\${projects.shop.vms.web[1].networks}" }
  db: { ${vmFields}, name: '\${projects.shop.vms.app["b"].name}-\${projects.shop.vms.web.map(v, v.name).join("+")}', publicIp: "\${projects.shop.vms.web[0].publicIp}" }
publicIps: { e: { forwards: { f: { protocol: tcp, publicPort: 80, vm: 'app["a"]', vmPort: "\${projects.shop.publicIps.e.forwards.f.publicPort + 8000}" } } } }`);
    const result = await loadText(`${text}  other: { networks: { n: { name: y } } }\n`);
    expect(result.diagnostics).toEqual([]);
    const { resources } = result.configuration!.graph;
    const find = (end: string) =>
      resources.find(({ address }) => address.endsWith(end))!.attributes;
    expect(find('projects.shop').name).toBe('y');
    expect(find('db')).toMatchObject({ name: 'app-b-w0+w1' });
    expect(find('db')).not.toHaveProperty('publicIp');
    expect(find('app["a"]')).toMatchObject({ networks: [], name: 'app-a' });
    expect(find('forwards.f').vmPort).toBe(8080);
  });

  it.each([
    ['projects.shp.name', '4:19 unknown-name', 'Did you mean `shop`?'],
    ['projects.shop.vmz', '4:24 unknown-name', 'Did you mean `vms`?'],
    ['projects.shop.vms.wob[0].name', '4:28 unknown-name', 'Did you mean `web`?'],
    ['projects.shop.vms.web[0].nam', '4:35 unknown-name', 'Did you mean `name`?'],
    ['projects.shop.vms.web.name', '4:32 unknown-name', 'Write `projects.shop.vms.web[0].name`'],
    ['projects.shop.vms.web[7].name', '4:31 unknown-name', 'Use an index below 2'],
    ['projects.shop.networks.a-1', '4:33 unknown-name', '["a-b"]'],
    ['projects.shop.id', '4:9 reference-cycle', 'is known only after it is created itself'],
    ['projects.shop.networks["a-b"].cidr + "x"', '4:9 reference-cycle', 'in a cycle'],
    ['projects.shop.name', '4:11 reference-cycle', 'refers to itself'],
    ['modules.m.outputs.x', '4:18 unknown-name', '`modules` has no `m`'],
    ['path.modul', '4:15 unknown-name', 'Did you mean `module`?'],
    ['true || projects.shop.vms.nothing', '4:36 unknown-name', 'Use one of `web`.'],
  ])('to %s', async (code, fault, words) => {
    const result = await loadText(
      inShop(`name: \${${code}}\nnetworks: { a-b: }\nvms: { web: { ${vmFields}, count: 2 } }`),
    );
    const [first] = listFaults(result);
    expect(first!.replace('a.yaml:', '').split(' ')[1]).toBe(fault.split(' ')[1]);
    expect(listFaults(result)).toHaveLength(1);
    const { summary, detail, hint } = result.diagnostics[0]!;
    expect([summary, detail, hint].join('\n')).toContain(words);
  });

  it('in a circle of fields and counts are told whole', async () => {
    const result = await loadText(
      inShop(
        `vms:\n  a: { ${vmFields}, count: "\${size(projects.shop.vms.b)}" }\n  b: { ${vmFields}, count: "\${size(projects.shop.vms.a)}" }`,
      ),
    );
    expect(listFaults(result)).toEqual(['a.yaml:5:7 reference-cycle']);
    expect(result.diagnostics[0]!.detail).toContain('projects.shop.vms.b.count');
  });

  const triggered = (key: string, ...by: string[]) =>
    `${key}: { lifecycle: { replaceTriggeredBy: [${by.map((one) => `projects.shop.networks.${one}`).join(', ')}] } }`;
  it.each([
    [
      [triggered('self', 'self')],
      ['a.yaml:4:58 reference-cycle'],
      'would be replaced by every change of itself',
      '`projects.shop.networks.self` → `projects.shop.networks.self`',
    ],
    [
      [triggered('a', 'b'), triggered('b', 'c'), triggered('c', 'a')],
      ['a.yaml:4:55 reference-cycle'],
      'replace each other in a cycle',
      '`projects.shop.networks.a` → `projects.shop.networks.b` → `projects.shop.networks.c` → `projects.shop.networks.a`',
    ],
    [[triggered('a', 'b', 'c'), triggered('b', 'c'), 'c: {}'], [], '', ''],
  ])('of what replaces itself is told whole: %j', async (networks, faults, summary, way) => {
    const result = await loadText(inShop(`networks: { ${networks.join(', ')} }`));
    expect(listFaults(result)).toEqual(faults);
    expect(result.diagnostics.map((one) => one.summary).join()).toContain(summary);
    expect(result.diagnostics.map((one) => one.detail).join()).toContain(way);
  });
});

describe('forEach', () => {
  it('makes an instance for each text of a list and each key of a map', async () => {
    const { configuration, diagnostics } = await loadText(
      inShop(
        `vms:\n  a: { ${vmFields}, forEach: [x, 'y "z"'] }\n  b: { forEach: { k: { size: c9 } }, image: "\${each.key}", configuration: "\${each.value.size}", tariff: t }`,
      ),
    );
    expect(diagnostics).toEqual([]);
    const found = configuration!.graph.resources.map(({ address, attributes }) => [
      address,
      attributes.name,
      attributes.configuration,
    ]);
    expect(found.slice(1)).toEqual([
      ['projects.shop.vms.a["x"]', 'a-x', 'c'],
      ['projects.shop.vms.a["y \\"z\\""]', 'a-y "z"', 'c'],
      ['projects.shop.vms.b["k"]', 'b-k', 'c9'],
    ]);
  });

  it.each([
    ['"${3}"', ['a.yaml:4:67 wrong-type']],
    ['"${[1]}"', ['a.yaml:4:67 wrong-type']],
    ["\"${['a', 'a']}\"", ['a.yaml:4:67 duplicate-item']],
    ['"${local.no}"', ['a.yaml:4:76 unknown-name']],
    ['5', ['a.yaml:4:67 wrong-type']],
  ])('%s is refused', async (written, faults) => {
    const result = await loadText(inShop(`vms: { web: { ${vmFields}, forEach: ${written} } }`));
    expect(listFaults(result)).toEqual(faults);
  });

  it('is named by its key in references', async () => {
    const forward = (vm: string) =>
      inShop(
        `vms: { web: { ${vmFields}, forEach: [a, b] } }\npublicIps: { e: { forwards: { f: { protocol: udp, publicPort: 1, vm: '${vm}', vmPort: 2 } } } }`,
      );
    expect(listFaults(await loadText(forward('web["a"]')))).toEqual([]);
    const result = await loadText(forward('web["c"]'));
    expect(listFaults(result)).toEqual(['a.yaml:5:74 dangling-reference']);
    expect(result.diagnostics[0]!.detail).toContain('there are `web["a"]`, `web["b"]`');
    expect(listFaults(await loadText(forward('web')))).toHaveLength(1);
  });
});

describe('defaults', () => {
  it('are merged under resources, the nearest first, and keep their places', async () => {
    const { resources } = await loadGraph(
      `defaults:\n  vms: { image: i1, tariff: t1, networks: [n], timeouts: { create: 1h, delete: 2h } }\n${inShop(
        'defaults: { vms: { image: i2, count: 2 } }\nnetworks: { n: , m: }\nvms:\n  a: { configuration: c, networks: [m], timeouts: { delete: 3h } }\n  b: { configuration: c, forEach: [x] }',
      )}`,
    );
    expect(resources.map(({ address }) => address).slice(3)).toEqual([
      'projects.shop.vms.a[0]',
      'projects.shop.vms.a[1]',
      'projects.shop.vms.b["x"]',
    ]);
    const [, , , a] = resources;
    expect(a!.attributes).toMatchObject({
      image: 'i2',
      tariff: 't1',
      networks: ['m'],
      name: 'a-0',
    });
    expect(a!.timeouts).toMatchObject({ createMs: 3_600_000, deleteMs: 3 * 3_600_000 });
    expect(a!.attributeSources.tariff).toMatchObject({ line: 2, column: 29 });
    expect(a!.attributeSources.image).toMatchObject({ line: 6, column: 31 });
  });

  it('give an empty VM everything, and are checked where they stand', async () => {
    const all = (image: string) =>
      `defaults: { vms: { image: ${image}, configuration: c, tariff: t } }\n${inShop('vms:\n  a:\n  b:')}`;
    expect(listFaults(await loadText(all('i')))).toEqual([]);
    expect(listFaults(await loadText(all('"${var.x}"')))).toEqual(['a.yaml:1:34 unknown-name']);
  });
});

describe('the account', () => {
  const given = 'version: 1\naccount: { locale: en-GB, notifications: { quotaLow: true } }\n';

  it('is read as far as the configuration gives it', async () => {
    const text = `${given}projects: { shop: { name: "\${account.locale}-\${account.notifications.quotaLow}" } }\n`;
    const graph = await loadGraph(text);
    const names = graph.resources.map(({ attributes }) => attributes.name);
    expect(names).toContain('en-GB-true');
  });

  it.each([
    [
      'of what it does not give',
      'version: 1\naccount: { locale: en-GB }\n',
      'Use one of `locale`.',
    ],
    ['where it gives nothing', 'version: 1\n', 'Remove the reference: nothing is defined there.'],
  ])('has nothing %s', async (_, start, hint) => {
    const result = await loadText(`${start}locals: { a: "\${account.notifications}" }\n`);
    expect(result.diagnostics).toMatchObject([{ code: 'unknown-name', hint }]);
  });

  it('is read by a check, too', async () => {
    const text = `${given}checks: { c: { assert: "account.locale == 'en-GB'" } }\n`;
    expect(listFaults(await loadText(text))).toEqual([]);
  });
});

describe('what stands beside the configuration', () => {
  it('a file of variables in its directory is no part of it', async () => {
    const files = {
      'main.yaml': withVars('{ env: { default: dev } }', 'x-${var.env}'),
      'prod.yaml': 'env: prod\n',
    };
    // Relative to the working directory, as the flag is.
    const room = await loadFiles(files);
    expect(listFaults(room)).toEqual(['prod.yaml:1:1 foreign-file']);
    expect(
      namesOf(await loadFiles(files, { variables: { given: [{ file: 'prod.yaml' }] } })),
    ).toEqual(['x-prod']);
  });

  it('a module without a file is none', async () => {
    const files = {
      'main.yaml': 'version: 1\nmodules: { m: { source: ./m } }\n',
      'm/note.txt': '',
    };
    const result = await loadFiles(files);
    expect(listFaults(result)).toEqual(['main.yaml:2:25 invalid-module-source']);
    expect(result.diagnostics[0]?.detail).toBe('m holds no *.yaml or *.yml file.');
  });

  it('what a module is given is checked whether it reads it or not', async () => {
    const files = {
      'main.yaml': 'version: 1\nmodules: { m: { source: ./m, variables: { n: five, s: x } } }\n',
      'm/a.yaml':
        'version: 1\nvariables: { n: { type: number }, s: { allowed: [a] }, t: { type: map } }\n',
    };
    expect(listFaults(await loadFiles(files))).toEqual([
      'main.yaml:2:12 missing-variable',
      'main.yaml:2:46 wrong-type',
      'main.yaml:2:55 invalid-value',
    ]);
  });
});

describe('what cannot be right', () => {
  it('allowed values of another type', async () => {
    const result = await loadText(
      'version: 1\nvariables: { n: { type: number, default: 1, allowed: [1, a, [2]] } }\n',
    );
    expect(listFaults(result)).toEqual(['a.yaml:2:58 wrong-type', 'a.yaml:2:61 wrong-type']);
  });

  it.each([
    ['name: "${1}"', 'Let the expression give text, for example with `string()`.'],
    ['count: "${1.5}"', 'Let the expression give a whole number, for example with `int()`.'],
    ['plugins: "${1}"', 'Let the expression give a list.'],
    ['plugins: x', 'Write a list: [x].'],
  ])('%s', async (field, hint) => {
    const result = await loadText(inShop(`vms: { web: { ${vmFields}, ${field} } }`));
    expect(result.diagnostics).toMatchObject([{ code: 'wrong-type', hint }]);
  });

  it('lists of lists that stand for billions of values', async () => {
    const locals = Array.from(
      { length: 40 },
      (_, n) => `  a${n + 1}: "\${[local.a${n}, local.a${n}, {'x': local.a${n}}]}"\n`,
    );
    const result = await loadText(`version: 1\nlocals:\n  a0: [1, 2]\n${locals.join('')}`);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['expression-too-costly']);
  });
});

it.each(['130%', 'abc', '1.5', '30 %', '[1]'])(
  'guards.maxDeletes cannot be %s',
  async (written) => {
    const result = await loadText(`version: 1\nguards: { maxDeletes: ${written} }\n`);
    expect(result.diagnostics).toMatchObject([
      { code: 'wrong-type', hint: 'Write for example 5 or 30%.' },
    ]);
  },
);
