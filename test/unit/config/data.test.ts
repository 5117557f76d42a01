import { describe, expect, it } from 'vitest';
import {
  loadConfiguration,
  type ConfigurationLoadResult,
} from '../../../src/config/load-configuration.ts';
import { listDataKinds } from '../../../src/kinds/data-sources.ts';
import type { DataQueryOutcome } from '../../../src/model/data.ts';
import type { Attributes } from '../../../src/model/value.ts';
import { inShop, listFaults, loadFiles, loadGraph, loadText, vmFields } from './load.ts';
import { readRows } from '../../support/read-rows.ts';

const core = 'core: { kind: network, project: shared, name: core }';
const withData = (body: string, entries = core) => `${inShop(body)}data:\n  ${entries}\n`;

const found = (
  values: Attributes & { readonly id: string },
  projectName = 'shared',
): DataQueryOutcome => ({ ...{ kind: 'found', id: values.id, values }, projectName });
const network = found({ id: 'n1', name: 'core', cidr: '10.0.0.0/24' });

/** The configuration once everything was read; by default `data.core` is. */
async function complete(
  result: ConfigurationLoadResult,
  outcomes: Readonly<Record<string, DataQueryOutcome>> = { 'data.core': network },
): Promise<ConfigurationLoadResult> {
  const pending = result.configuration?.pending;
  if (!pending) throw new Error(`asks for nothing: ${listFaults(result).join(', ')}`);
  return pending.resolve(new Map(Object.entries(outcomes)));
}

const dataOf = ({ configuration }: ConfigurationLoadResult, address: string) =>
  configuration?.graph.resources.find((one) => one.address === address)?.ofData;
const attributesOf = ({ configuration }: ConfigurationLoadResult, address: string) =>
  configuration?.graph.resources.find((one) => one.address === address)?.attributes;

describe('a data entry', () => {
  it('is what the account is asked for', async () => {
    const { configuration } = await loadText(`version: 1
variables: { name: { type: string, default: core } }
data:
  net: { kind: network, project: shared, name: "\${var.name}" }
  lts: { kind: image, match: "^ubuntu", newest: true }
  ip: { kind: publicIp, project: shared, address: 203.0.113.7 }
  byId: { kind: vm, project: p-1, id: vm-1 }
`);
    expect(configuration?.pending?.queries).toMatchObject([
      { name: 'data.net', project: 'shared', selector: { attribute: 'name', value: 'core' } },
      { name: 'data.lts', kind: 'image', selector: { pattern: '^ubuntu' }, isNewest: true },
      { name: 'data.ip', selector: { attribute: 'address', value: '203.0.113.7' } },
      { name: 'data.byId', selector: { attribute: 'id', value: 'vm-1' }, isNewest: false },
    ]);
  });

  it.each([
    ...readRows(`
    of no kind | x: { name: a } | missing-key
    of a kind that there is not | x: { kind: netwrk, project: p, name: a } | invalid-value
    of a kind that has no name | x: { kind: portForward, project: p, id: a } | invalid-value
    of a kind that expressions cannot read | x: { kind: accessToken, name: a } | invalid-value
    without a project | x: { kind: network, name: a } | missing-key
    with a project that it lies in none of | x: { kind: image, project: p, name: a } | unknown-key
    with nothing that it is found by | x: { kind: image } | missing-key
    with two things that it is found by | x: { kind: image, name: a, match: b } | exclusive-keys
    with an address that it does not have | x: { kind: vm, project: p, address: a } | unknown-key
    with a name that it does not have | x: { kind: publicIp, project: p, name: a } | unknown-key
    with the newest of one id | x: { kind: image, id: a, newest: true } | conflicting-fields
    with no pattern of RE2 | x: { kind: image, match: "(?=a)" } | unsafe-pattern
    with a misspelt key alone | x: { kind: image, nmae: a } | unknown-key
    with a key of a secret | token: { kind: image, name: a, token: b } | token-in-configuration
    that reads what is known after apply | x: { kind: image, name: "\${projects.shop.id}" } | known-too-late
    that gives a list | x: { kind: image, name: "\${[1]}" } | wrong-type
  `),
    [
      'that reads another',
      `${core}\n  x: { kind: image, name: "\${data.core.name}" }`,
      'data-too-late',
    ],
  ])('%s is a fault', async (_what, entry, code) => {
    const result = await loadText(withData('name: x', entry));
    expect(result.diagnostics.map((one) => one.code)).toEqual([code]);
  });

  it('that depends on a sensitive value is a fault', async () => {
    const text = `version: 1
variables: { s: { type: string, sensitive: true, default: hunter22 } }
data: { x: { kind: image, name: "\${var.s}" } }
`;
    expect(listFaults(await loadText(text))).toEqual(['a.yaml:3:33 sensitive-data']);
  });

  it('is left alone while a variable of it has no value', async () => {
    const text =
      'version: 1\nvariables: { v: {} }\ndata: { x: { kind: image, name: "${var.v}" } }\n';
    const { configuration } = await loadText(text, { variables: { areOptional: true } });
    expect(configuration?.pending).toBeUndefined();
  });

  it('may be of every kind that has a name or an address, and of what the service offers', () => {
    expect(listDataKinds()).toEqual([
      ...['project', 'sshKey', 'network', 'publicIp', 'vm'],
      ...['image', 'configuration', 'tariff'],
    ]);
  });
});

describe('an expression over data, before anything is read', () => {
  it.each([
    ['name: "${data.cor.name}"', 'unknown-name'],
    ['name: "${data.core.cider}"', 'unknown-name'],
    ['name: "${data.core.renewal}"', 'unknown-name'],
    ['name: "${string(data.core.id + 1)}"', 'expression-type'],
    ['name: "${true ? \'a\' : data.core.cidr * 2}"', 'expression-type'],
    [`vms: { web: { count: "\${int(data.core.id)}", ${vmFields} } }`, 'data-too-late'],
    [`vms: { web: { forEach: ["\${data.core.id}"], ${vmFields} } }`, 'data-too-late'],
  ])('is checked: %s', async (body, code) => {
    expect((await loadText(withData(body))).diagnostics.map((one) => one.code)).toEqual([code]);
  });

  it('may decide neither the instances of a module nor the service, and is told where it stands', async () => {
    const result = await loadFiles({
      'a.yaml': `version: 1
data: { ${core} }
locals: { n: "\${data.core.cidr}" }
service: { baseUrl: "https://\${data.core.name}/v1" }
modules:
  some: { source: ./some, forEach: ["\${data.core.id}"] }
  many: { source: ./some, count: "\${size(local.n)}" }
`,
      'some/a.yaml': 'version: 1\n',
    });
    expect(listFaults(result)).toEqual([
      'a.yaml:4:32 data-too-late',
      'a.yaml:6:40 data-too-late',
      'a.yaml:7:34 data-too-late',
    ]);
    expect(result.diagnostics[0]).toMatchObject({ hint: expect.stringMatching(/^Use /) as string });
  });

  it('may be the value under a key of forEach', async () => {
    const body = `vms: { web: { forEach: { a: "\${data.core.name}" }, name: "\${each.value}", ${vmFields} } }`;
    const graph = await loadGraph(withData(body));
    expect(graph.resources[1]?.address).toBe('projects.shop.vms.web["a"]');
  });

  it.each([
    'name: "${data.core.cidr == null ? \'none\' : data.core.cidr}"',
    'name: "${cidrHost(data.core.cidr, 1)}"',
    'exclusive: "${data.core.name == \'core\'}"',
    `vms: { web: { ${vmFields}, networks: ["\${data.core.id}"], timeouts: { create: "\${data.core.name}" } } }`,
    'publicIps: { edge: { forwards: { f: { protocol: tcp, publicPort: 1, vmPort: 1, vm: "${data.core.id}" } } } }',
  ])('is no fault where its value may fit: %s', async (body) => {
    expect(listFaults(await loadText(withData(body)))).toEqual([]);
  });
});

describe('an expression over data, once the account was read', () => {
  it('has its value everywhere', async () => {
    const result = await complete(
      await loadFiles({
        'a.yaml': withData(`
name: of-\${data.core.name}
networks: { lan: { name: "\${local.n}" } }
vms: { web: { ${vmFields}, name: "\${data.core.cidr}-\${projects.shop.networks.lan.cidr}" } }
`)
          .concat('locals: { n: "${data.core.name}-lan" }\n')
          .concat('outputs: { o: { value: { at: "${data.core.cidr}" } } }\n')
          .concat(
            'checks: { c: { assert: "size(data.core.cidr) > 0 && data.core.id != \'\'" } }\n',
          ),
      }),
    );
    expect(result.diagnostics).toEqual([]);
    expect(attributesOf(result, 'projects.shop')).toEqual({ name: 'of-core' });
    expect(attributesOf(result, 'projects.shop.networks.lan')).toEqual({ name: 'core-lan' });
    // Through a local, and only where it is read.
    expect(dataOf(result, 'projects.shop.networks.lan')).toEqual({ name: ['data.core'] });
    expect(dataOf(result, 'projects.shop.vms.web')).toBeUndefined();
    const { graph, pending } = result.configuration ?? {};
    expect(pending).toBeUndefined();
    expect(graph?.outputs?.[0]?.value).toEqual({ kind: 'value', value: { at: '10.0.0.0/24' } });
    expect(graph?.checks?.[0]?.assert).toMatchObject({
      names: [
        [['data', 'core', 'cidr'], { value: '10.0.0.0/24' }],
        [['data', 'core', 'id'], { value: 'n1' }],
      ],
    });
    // What was made use of, and nothing else.
    expect(graph?.data).toMatchObject([
      { id: 'n1', values: { cidr: '10.0.0.0/24', id: 'n1', name: 'core' } },
    ]);
  });

  it('knows what it has made use of', async () => {
    const result = await complete(await loadText(withData('name: "${data.core.name}"')));
    expect(result.configuration?.graph.data?.[0]?.values).toEqual({ name: 'core' });
  });

  it('is checked by its value', async () => {
    const body = `name: "\${data.core.name}"\nvms: { web: { ${vmFields}, timeouts: { create: "\${data.core.name}" } } }`;
    const result = await complete(await loadText(withData(body)), {
      'data.core': found({ id: 'n1', name: ' core', cidr: null }),
    });
    expect(result.diagnostics.map(({ code }) => code)).toEqual([
      'name-outer-blanks',
      'invalid-duration',
    ]);
  });

  it('tells again no warning of the first reading', async () => {
    const first = await loadText(
      withData(
        'networks: { a: { name: lan }, b: { name: LAN }, c: { name: "${data.core.name}" }, d: { name: Core } }',
      ),
    );
    expect(first.diagnostics).toHaveLength(1);
    const { diagnostics } = await complete(first);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.summary).not.toEqual(first.diagnostics[0]?.summary);
  });

  it('has what was not found reported at its place, and no fault besides', async () => {
    const fault = { code: 'data-not-found', summary: 'There is none' };
    const result = await complete(await loadText(withData('name: "${data.core.name}"')), {
      'data.core': { kind: 'fault', fault: { ...fault, field: 'name' } },
    });
    expect(listFaults(result)).toEqual(['a.yaml:6:49 data-not-found']);
    const whole = await complete(await loadText(withData('name: "${data.core.name}"')), {
      'data.core': { kind: 'fault', fault },
    });
    expect(listFaults(whole)).toEqual(['a.yaml:6:3 data-not-found']);
  });
});

it('data of a module is that of each instance, by its variables', async () => {
  const files = {
    'a.yaml': `version: 1
data: { ${core} }
modules:
  m: { source: ./m, forEach: [eu, us], variables: { region: "\${each.key}", net: "\${data.core.id}" } }
outputs: { own: { value: "\${modules.m['eu'].outputs.own}" } }
`,
    'm/a.yaml': `version: 1
variables: { region: {}, net: {} }
data: { own: { kind: network, project: "\${var.region}", name: own } }
projects: { shop: { name: "\${var.region}-\${data.own.name}-\${var.net}" } }
outputs: { own: { value: "\${data.own.cidr}" } }
`,
  };
  const first = await loadFiles(files);
  expect(first.configuration?.pending?.queries.map(({ name, project }) => [name, project])).toEqual(
    [
      ['data.core', 'shared'],
      ['modules.m["eu"].data.own', 'eu'],
      ['modules.m["us"].data.own', 'us'],
    ],
  );
  const own = (name: string) => found({ id: name, name, cidr: `of ${name}` });
  const result = await complete(first, {
    ...{ 'data.core': network, 'modules.m["eu"].data.own': own('a') },
    'modules.m["us"].data.own': own('b'),
  });
  expect(result.diagnostics).toEqual([]);
  expect(attributesOf(result, 'modules.m["eu"].projects.shop')).toEqual({ name: 'eu-a-n1' });
  expect(attributesOf(result, 'modules.m["us"].projects.shop')).toEqual({ name: 'us-b-n1' });
  expect(dataOf(result, 'modules.m["us"].projects.shop')?.name?.toSorted()).toEqual([
    'data.core',
    'modules.m["us"].data.own',
  ]);
  expect(result.configuration?.graph.outputs?.[0]?.value).toMatchObject({ value: 'of a' });
});

describe('a reference to what data has found', () => {
  const lan = 'lan: { kind: network, project: live, id: 3f-1 }';
  const body = (more = '') => `
name: live
networks: { own: {} }
vms: { web: { ${vmFields}, networks: ["\${data.lan.id}", own]${more} } }
`;
  const lanOf = (projectName: string) => ({
    'data.lan': found({ id: '3f-1', name: 'lan', cidr: null }, projectName),
  });

  it('is one by its id, in the same project', async () => {
    const result = await complete(await loadText(withData(body(), lan)), lanOf('live'));
    expect(result.diagnostics).toEqual([]);
    expect(attributesOf(result, 'projects.shop.vms.web')?.networks).toEqual(['id:3f-1', 'own']);
  });

  it('may be the only one of a field', async () => {
    const result = await complete(
      await loadText(
        withData(
          `name: live\nvms: { web: { ${vmFields}, publicIp: "\${data.ip.id}" } }`,
          'ip: { kind: publicIp, project: live, match: ^203 }',
        ),
      ),
      { 'data.ip': found({ id: 'ip1', address: '203.0.113.7' }, 'live') },
    );
    expect(attributesOf(result, 'projects.shop.vms.web')?.publicIp).toBe('id:ip1');
  });

  it('is a fault in another project', async () => {
    const result = await complete(await loadText(withData(body(), lan)), lanOf('other'));
    expect(listFaults(result)).toEqual(['a.yaml:6:69 data-elsewhere']);
  });

  it('is a fault where nothing has that id, also one that begins like no key', async () => {
    const text = withData(body(', publicIp: "${data.lan.id}"'), lan);
    const result = await complete(await loadText(text), lanOf('live'));
    expect(result.diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
      ['dangling-reference', 'There is no public IP `3f-1` in projects.shop'],
    ]);
  });
});

describe('ignoreUnmanaged', () => {
  it('is kept with its project', async () => {
    const { configuration } = await loadText(inShop("ignoreUnmanaged: [a, 'b-*', ^c]"));
    expect(configuration?.graph.ignored).toEqual([
      { project: 'projects.shop', patterns: ['a', 'b-*', '^c'] },
    ]);
  });

  it('may be a default, and nothing', async () => {
    const text = `${inShop('ignoreUnmanaged: []')}defaults: { projects: { ignoreUnmanaged: [a] } }\n`;
    expect((await loadText(text)).configuration?.graph.ignored).toBeUndefined();
  });

  it.each([
    ['ignoreUnmanaged: [ok, "^("]', 'a.yaml:4:27 unsafe-pattern'],
    ['ignoreUnmanaged: a', 'a.yaml:4:22 wrong-type'],
    ['ignoreUnmanaged: [1]', 'a.yaml:4:23 wrong-type'],
  ])('is checked: %s', async (line, fault) => {
    expect(listFaults(await loadText(inShop(line)))).toEqual([fault]);
  });
});

it('a configuration without data asks for nothing', async () => {
  const { configuration } = await loadConfiguration({
    ...{ directory: 'examples/quickstart', workingDirectory: process.cwd() },
  });
  expect(configuration?.pending).toBeUndefined();
  expect(configuration?.graph.data).toBeUndefined();
});
