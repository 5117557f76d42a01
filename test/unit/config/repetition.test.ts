import { describe, expect, it } from 'vitest';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import { kindPlaces, kindNames } from '../../../src/model/kind-places.ts';
import { inShop, listFaults, loadFiles, loadGraph, loadText, publicKey, vmFields } from './load.ts';
import { readRows } from '../../support/read-rows.ts';

const addressesOf = async (text: string, files: Readonly<Record<string, string>> = {}) => {
  const graph = await loadGraph({ 'a.yaml': text, ...files });
  return graph.resources.map(({ address }) => address);
};

const forward = 'protocol: tcp, publicPort: 80, vm: "web[0]", vmPort: 80';
const vms = `vms: { web: { ${vmFields}, count: 2 } }`;
const keyFile = { 'k.pub': publicKey };

/** Of several forwards, each has a port of its own. */
const portOf = (rest: string) =>
  rest.includes('count:')
    ? '"${80 + each.index}"'
    : rest.includes('forEach:')
      ? '"${each.value}"'
      : '80';

/** One block of each kind, the way to it, and the configuration in which it has the fields REST. */
const blocks = readRows(`
  network | projects.shop.networks.a | projects: { shop: { networks: { a: { REST } } } }
  sshKey | projects.shop.sshKeys.a | projects: { shop: { sshKeys: { a: { publicKeyFile: k.pub, REST } } } }
  publicIp | projects.shop.publicIps.a | projects: { shop: { publicIps: { a: { REST } } } }
  vm | projects.shop.vms.a | projects: { shop: { vms: { a: { ${vmFields}, REST } } } }
  portForward | projects.shop.publicIps.ip.forwards.a | projects: { shop: { ${vms}, publicIps: { ip: { forwards: { a: { ${forward.replace('80', 'PORT')}, REST } } } } } }
  project | projects.a | projects: { a: { REST } }
  accessToken | tokens.a | tokens: { a: { scopes: [read], writeTo: { file: "t-\${each.key}" }, REST } }
`).map(([kind = '', address = '', text = '']) => {
  const write = (rest: string) =>
    `version: 1\n${text.replace('PORT', () => portOf(rest)).replace('REST', () => rest)}\n`;
  return [kind, write, address] as const;
});

describe('every kind that an account has several of', () => {
  it('is in the tables of this file', () => {
    const repeatable = kindNames.filter((kind) => !kindPlaces[kind].isSingle);
    expect(blocks.map(([kind]) => kind).sort()).toEqual(repeatable.sort());
    expect(Object.keys(kindRegistry)).toEqual(expect.arrayContaining(repeatable));
  });

  it.each(blocks)('%s has forEach', async (_kind, write, address) => {
    const all = await addressesOf(write('forEach: { x: 1, y: 2 }'), keyFile);
    expect(all.filter((one) => one.startsWith(address))).toEqual([
      `${address}["x"]`,
      `${address}["y"]`,
    ]);
  });

  it.each(blocks.filter(([kind]) => kind !== 'accessToken'))(
    '%s has count, and enabled',
    async (_kind, write, address) => {
      const listed = async (rest: string) =>
        (await addressesOf(write(rest), keyFile)).filter((one) => one.startsWith(address));
      expect(await listed('count: 2')).toEqual([`${address}[0]`, `${address}[1]`]);
      expect(await listed('count: 2, enabled: false')).toEqual([]);
      expect(await listed('forEach: [a], enabled: false')).toEqual([]);
      expect(await listed('enabled: "${1 == 2}"')).toEqual([]);
      expect(await listed('enabled: "${1 == 1}"')).toEqual([address]);
      expect(await listed('enabled: true, count: 1')).toEqual([`${address}[0]`]);
    },
  );

  it.each(blocks)('%s refuses count beside forEach', async (_kind, write) => {
    const { diagnostics } = await loadFiles({
      'a.yaml': write('count: 1, forEach: [a]'),
      ...keyFile,
    });
    expect(diagnostics.filter(({ code }) => code === 'exclusive-keys')).toHaveLength(1);
  });

  it('the account has none of them', async () => {
    const { diagnostics } = await loadText('version: 1\naccount: { enabled: false, locale: de }\n');
    expect(listFaults({ diagnostics, configuration: undefined } as never)).toEqual([
      'a.yaml:2:12 unknown-key',
    ]);
  });
});

describe('what lies in a block that is repeated', () => {
  const repeated = inShop(`${vms}
publicIps:
  ip:
    forEach: { a: 0, b: 1 }
    forwards:
      web: { protocol: tcp, publicPort: "\${8000 + each.value}", vm: "web[\${each.value}]", vmPort: 80 }
      all: { forEach: { http: 80, tls: 443 }, protocol: tcp, publicPort: "\${each.value}", vm: "web[0]", vmPort: "\${each.value}" }`);

  it('is there for each instance, and reads the nearest `each`', async () => {
    const graph = await loadGraph(repeated);
    const forwards = graph.resources.filter(({ kind }) => kind === 'portForward');
    expect(
      forwards.map(({ address, attributes: { publicPort, vm } }) => [address, publicPort, vm]),
    ).toEqual(
      ['a', 'b'].flatMap((key, index) => {
        const ip = `projects.shop.publicIps.ip["${key}"].forwards`;
        return [
          [`${ip}.web`, 8000 + index, `web[${index}]`],
          [`${ip}.all["http"]`, 80, 'web[0]'],
          [`${ip}.all["tls"]`, 443, 'web[0]'],
        ];
      }),
    );
  });

  it('is repeated by what the block around it is given', async () => {
    const all = await addressesOf(
      inShop('networks: {}').replace(
        '  shop:',
        '  shop:\n    forEach: { x: [a], y: [] }\n    name: "${each.key}"',
      ) + '\n',
    );
    expect(all).toEqual(['projects.shop["x"]', 'projects.shop["y"]']);
    const inner = await addressesOf(`version: 1
projects:
  shop:
    forEach: { x: [a, b], y: [] }
    networks: { n: { forEach: "\${each.value}", enabled: "\${each.key != 'z'}" } }
`);
    expect(inner).toEqual(expect.arrayContaining(['projects.shop["x"].networks.n["b"]']));
    expect(inner.filter((one) => one.includes('["y"].'))).toEqual([]);
  });

  it('belongs to the project that it lies in', async () => {
    const { configuration } = await loadText(`version: 1
projects:
  p:
    count: 2
    exclusive: true
    ignoreUnmanaged: ["x-\${each.index}"]
    networks: { n: {} }
`);
    const { resources, exclusive, ignored } = configuration!.graph;
    expect(resources.map(({ address, project }) => [address, project])).toEqual([
      ['projects.p[0]', 'projects.p[0]'],
      ['projects.p[1]', 'projects.p[1]'],
      ['projects.p[0].networks.n', 'projects.p[0]'],
      ['projects.p[1].networks.n', 'projects.p[1]'],
    ]);
    expect(exclusive).toEqual(['projects.p[0]', 'projects.p[1]']);
    expect(ignored).toEqual([
      { project: 'projects.p[0]', patterns: ['x-0'] },
      { project: 'projects.p[1]', patterns: ['x-1'] },
    ]);
  });

  it('a key file may be another one for each instance', async () => {
    const graph = await loadGraph({
      'a.yaml': inShop('sshKeys: { t: { forEach: [a, b], publicKeyFile: "${each.key}.pub" } }'),
      'a.pub': publicKey,
      'b.pub': publicKey.replace('alice', 'bob'),
    });
    const keys = graph.resources.filter(({ kind }) => kind === 'sshKey');
    expect(keys.map(({ attributes }) => attributes.name)).toEqual(['t-a', 't-b']);
  });
});

describe('what is not enabled', () => {
  const withNames = (output: string) =>
    `${inShop('networks: { n: { enabled: false }, m: {} }')}modules: { x: { source: ./x, enabled: false } }\noutputs: { o: { value: "${output}" } }\n`;
  const module = {
    'x/x.yaml': 'projects: { q: {} }\noutputs: { id: { value: "${projects.q.id}" } }\n',
  };

  it.each([
    '${projects.shop.networks.n == null}',
    '${modules.x == null}',
    "${try(projects.shop.networks.n.id, 'none') == 'none'}",
  ])('reads as null: %s', async (output) => {
    const graph = await loadGraph({
      'a.yaml': withNames(output),
      ...module,
    });
    expect(graph.emptyGroups).toEqual([
      { address: 'projects.shop.networks.n', reads: 'null' },
      { address: 'modules.x', reads: 'null' },
    ]);
  });

  it('cannot be referred to', async () => {
    const result = await loadText(
      inShop(`networks: { n: { enabled: false } }\nvms: { w: { ${vmFields}, networks: [n] } }`),
    );
    expect(listFaults(result)).toEqual(['a.yaml:5:67 dangling-reference']);
    expect(result.diagnostics[0]).toMatchObject({
      detail: '`n` is not enabled, so there is none.',
      hint: 'Enable it, or remove what refers to it.',
    });
  });

  it('is checked as far as no value is needed, with what lies in it', async () => {
    const result = await loadText(
      inShop(
        `publicIps: { ip: { enabled: false, forwards: { f: { ${forward.replace('80', '"${var.nope}"')} } } } }\nvms: { v: { enabled: false, name: "\${each.key}" } }`,
      ),
    );
    expect(result.diagnostics.map(({ code }) => code).sort()).toEqual([
      'each-outside-count',
      ...['missing-key', 'missing-key', 'missing-key'],
      'unknown-name',
    ]);
  });

  it('reads no value: what it would read may not be there either', async () => {
    const all = await addressesOf(
      `variables: { site: { type: map(string), default: null, nullable: true } }\n${inShop(
        'networks: { n: { enabled: "${var.site != null}", name: "${var.site.name}" } }',
      )}`,
    );
    expect(all).toEqual(['projects.shop']);
  });

  it('must be known, and a boolean', async () => {
    const enabled = async (value: string) =>
      listFaults(await loadText(inShop(`networks: { m: {}, n: { enabled: "${value}" } }`)));
    expect(await enabled('${projects.shop.networks.m.cidr == null}')).toEqual([
      'a.yaml:4:41 known-too-late',
    ]);
    expect(await enabled('${each.index == 0}')).toEqual(['a.yaml:4:41 each-outside-count']);
    expect(await enabled("${'yes'}")).toEqual(['a.yaml:4:38 wrong-type']);
  });

  it('protects nothing unless it says so', async () => {
    const { configuration } = await loadText(
      inShop(
        'networks: { n: { enabled: false }, m: { enabled: false, lifecycle: { preventDestroy: true } } }',
      ),
    );
    expect(configuration!.graph.unprotected).toEqual(['projects.shop.networks.n']);
  });
});

describe('imports', () => {
  const importsOf = async (text: string) => {
    const graph = await loadGraph(text);
    return graph.imports?.map(({ to, id, name }) => [to, id ?? name]);
  };
  const networks = inShop('networks: { n: { forEach: [a, b] }, m: { count: 2 } }');

  it('are repeated and switched off as resources are', async () => {
    expect(
      await importsOf(`${networks}imports:
  - { forEach: { a: net-1, b: net-2 }, to: 'projects.shop.networks.n["\${each.key}"]', id: "\${each.value}" }
  - { count: 2, to: 'projects.shop.networks.m[\${each.index}]', name: "m\${each.index}" }
  - { enabled: "\${1 == 2}", to: projects.shop.networks.gone, id: net-9 }
`),
    ).toEqual([
      ['projects.shop.networks.n["a"]', 'net-1'],
      ['projects.shop.networks.n["b"]', 'net-2'],
      ['projects.shop.networks.m[0]', 'm0'],
      ['projects.shop.networks.m[1]', 'm1'],
    ]);
  });

  it('report each address that there is not', async () => {
    const faults = listFaults(
      await loadText(
        `${networks}imports: [{ forEach: [a, c], to: 'projects.shop.networks.n["\${each.key}"]', id: "x\${each.key}" }]\n`,
      ),
    );
    expect(faults).toEqual(['a.yaml:5:34 unknown-address']);
  });

  it('stand in a module too, relative to it', async () => {
    const graph = await loadGraph({
      'a.yaml':
        'version: 1\nmodules: { a: { source: ./x, forEach: { eu: net-1, us: net-2 }, variables: { id: "${each.value}" } } }\n',
      'x/x.yaml':
        'variables: { id: { type: string } }\nprojects: { p: { name: "${var.id}", networks: { n: {} } } }\nimports: [{ to: projects.p.networks.n, id: "${var.id}" }]\n',
    });
    expect(graph.imports).toMatchObject([
      { to: 'modules.a["eu"].projects.p.networks.n', id: 'net-1' },
      { to: 'modules.a["us"].projects.p.networks.n', id: 'net-2' },
    ]);
  });
});

describe('a whole map as an expression', () => {
  const locals =
    'locals: { guard: { preventDestroy: true }, slow: { create: 1h }, on: { on: [image] } }\n';

  it('gives the fields of a resource', async () => {
    const graph = await loadGraph(
      `${locals}${inShop(
        `vms: { w: { ${vmFields}, lifecycle: "\${local.guard}", timeouts: "\${local.slow}", rebuild: "\${local.on}" } }`,
      )}`,
    );
    expect(graph.resources.at(-1)).toMatchObject({
      lifecycle: { preventDestroy: true },
      timeouts: { createMs: 3_600_000 },
      rebuildOn: ['image'],
    });
  });

  const use = (variables: string) =>
    loadFiles({
      'a.yaml': `version: 1\nprojects: { z: {} }\nlocals: { site: { n: a, size: 2 }, bad: { m: 1 } }\nmodules: { x: { source: ./x, variables: "${variables}" } }\n`,
      'x/x.yaml':
        'variables: { n: { type: string, default: d }, size: { type: number, default: 1 } }\nprojects: { p: { name: "${var.n}", networks: { n: { count: "${var.size}" } } } }\n',
    });

  it('gives the variables of a module', async () => {
    const { configuration, diagnostics } = await use('${local.site}');
    expect(diagnostics).toEqual([]);
    expect(configuration!.graph.resources.map(({ address }) => address)).toEqual([
      'projects.z',
      'modules.x.projects.p',
      'modules.x.projects.p.networks.n[0]',
      'modules.x.projects.p.networks.n[1]',
    ]);
    expect((await use('${null}')).diagnostics).toEqual([]);
  });

  it.each([
    ['${local.bad}', 'a.yaml:4:41 undeclared-variable'],
    ['${local.site.size}', 'a.yaml:4:41 wrong-type'],
    ["${{'size': 'x'}}", 'a.yaml:4:41 wrong-type'],
    ['${projects.z.id}', 'a.yaml:4:44 known-too-late'],
    ['text', 'a.yaml:4:41 wrong-type'],
  ])('must be one that fits: %s', async (variables, fault) => {
    expect(listFaults(await use(variables))).toEqual([fault]);
  });
});
