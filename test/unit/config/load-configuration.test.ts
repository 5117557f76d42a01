import { describe, expect, it } from 'vitest';
import type { DesiredResource } from '../../../src/model/resource.ts';
import { inShop, listFaults, loadFiles, loadGraph, loadText, publicKey, vmFields } from './load.ts';

async function loadResources(text: string): Promise<DesiredResource[]> {
  const graph = await loadGraph(text);
  return [...graph.resources];
}

it('writes spaces between the parts of a public key: the service takes no tabs', async () => {
  const given = publicKey.replaceAll(' ', '\\t');
  const { configuration } = await loadText(inShop(`sshKeys: { a: { publicKey: "${given}" } }`));
  const [, key] = configuration!.graph.resources;
  expect(key?.attributes.publicKey).toBe(publicKey);
});

describe('a whole configuration', () => {
  const text = `# yaml-language-server: $schema=config.schema.json
version: 1
service: { sandbox: { data: .box, speed: 20, seed: 7 }, requestsPerSecond: 5 }
projects:
  shop:
    name: shop-production
    exclusive: false
    sshKeys:
      alice: { publicKeyFile: keys/alice.pub }
      bob: { name: Bob, publicKey: "${publicKey} " }
    networks:
      backend:
    publicIps:
      edge:
        forwards:
          https: { protocol: tcp, publicPort: 443, vm: 'web[1]', vmPort: 8443 }
      spare:
    vms:
      web:
        count: 2
        image: ubuntu-24.04
        configuration: c2-r4-d40
        tariff: monthly
        sshKeys: [alice, bob]
        networks: [backend]
        plugins: []
        rebuild: { deleteBackups: true }
        timeouts: { create: 1h30m, delete: 90s }
      db:
        name: database
        image: u
        configuration: c
        tariff: t
        publicIp: new
        power: stopped
        lifecycle:
state: { lease: 1m30s }
`;

  it('becomes a graph', async () => {
    const result = await loadFiles({ 'a.yaml': text, 'keys/alice.pub': `${publicKey}\n` });
    expect(result.diagnostics).toEqual([]);
    const { graph, service, requestsPerSecond, state, files } = result.configuration!;
    expect(service).toMatchObject({ kind: 'sandbox', data: '.box', speed: 20, seed: 7 });
    expect(requestsPerSecond).toBe(5);
    expect(state.leaseMs).toBe(90_000);
    expect(files).toEqual(['a.yaml']);
    const shared = {
      image: 'ubuntu-24.04',
      configuration: 'c2-r4-d40',
      tariff: 'monthly',
      sshKeys: ['alice', 'bob'],
      networks: ['backend'],
      plugins: [],
      power: 'running',
    };
    expect(graph.resources.map(({ address, attributes }) => [address, attributes])).toEqual(
      // prettier-ignore
      [
        ['projects.shop', { name: 'shop-production' }],
        ['projects.shop.sshKeys.alice', { name: 'alice', publicKey }],
        ['projects.shop.sshKeys.bob', { name: 'Bob', publicKey }],
        ['projects.shop.networks.backend', { name: 'backend' }],
        ['projects.shop.publicIps.edge', {}],
        ['projects.shop.publicIps.spare', {}],
        ['projects.shop.vms.web[0]', { ...shared, name: 'web-0' }],
        ['projects.shop.vms.web[1]', { ...shared, name: 'web-1' }],
        ['projects.shop.vms.db', { ...{ name: 'database', image: 'u', configuration: 'c', tariff: 't' }, publicIp: 'new', power: 'stopped' }],
        ['projects.shop.publicIps.edge.forwards.https', { protocol: 'tcp', publicPort: 443, vm: 'web[1]', vmPort: 8443 }],
      ],
    );
    const web = graph.resources.find(({ address }) => address.endsWith('web[0]'))!;
    expect(web.timeouts).toEqual({ createMs: 5_400_000, updateMs: 1_200_000, deleteMs: 90_000 });
    expect(web.deleteBackupsOnRebuild).toBe(true);
    expect(web.project).toBe('projects.shop');
    const db = graph.resources.find(({ address }) => address.endsWith('db'))!;
    expect(db.timeouts).toEqual({ createMs: 1_200_000, updateMs: 1_200_000, deleteMs: 600_000 });
    expect('deleteBackupsOnRebuild' in db).toBe(false);
  });

  it('says where each attribute stands, defaults at the key', async () => {
    const result = await loadFiles({ 'a.yaml': text, 'keys/alice.pub': publicKey });
    const resources = result.configuration!.graph.resources;
    const [, alice] = resources;
    expect(alice!.source).toMatchObject({ file: 'a.yaml', line: 9, column: 7, endColumn: 12 });
    expect(alice!.attributeSources.name).toMatchObject({ line: 9, column: 7 });
    expect(alice!.attributeSources.publicKey).toMatchObject({ line: 9, column: 31 });
    const web = resources.find(({ address }) => address.endsWith('web[1]'))!;
    expect(Object.keys(web.attributeSources).sort()).toEqual(Object.keys(web.attributes).sort());
    expect(web.attributeSources.image).toMatchObject({ line: 21, column: 16 });
    expect(web.attributeSources.image!.frame).toContain('> 21 |         image: ubuntu-24.04');
  });
});

describe('texts', () => {
  it('interpolates the index wherever instances may differ', async () => {
    const resources = await loadResources(
      inShop(`
networks: { n-0: , n-1: }
vms:
  web:
    count: 2
    name: \${each.index}-\${ each.index }-$\${x}
    image: img\${each.index}
    configuration: c
    tariff: t
    networks: ['n-\${each.index}']
`),
    );
    const shared = { configuration: 'c', tariff: 't', networks: ['n-0'], power: 'running' };
    expect(resources.slice(3).map(({ attributes }) => attributes)).toEqual([
      { ...shared, name: '0-0-${x}', image: 'img0' },
      { ...shared, name: '1-1-${x}', image: 'img1', networks: ['n-1'] },
    ]);
  });

  it('takes $${ for the characters themselves', async () => {
    const [project] = await loadResources(inShop('name: a$${b}$c$$'));
    expect(project!.attributes.name).toBe('a${b}$c$$');
  });

  it('expands count: 0 to nothing', async () => {
    const resources = await loadResources(inShop(`vms: { web: { ${vmFields}, count: 0 } }`));
    expect(resources.map(({ address }) => address)).toEqual(['projects.shop']);
  });

  it('lets a reference name an instance', async () => {
    await loadResources(
      inShop(
        `vms: { web: { ${vmFields}, count: 11 } }\npublicIps: { e: { forwards: { f: { protocol: udp, publicPort: 1, vm: 'web[10]', vmPort: 2 } } } }`,
      ),
    );
  });
});

it.each([
  ['sections', 'version: 1\nprojects:\nservice:\n'],
  ['a project', 'version: 1\nprojects:\n  shop:\n'],
  ['collections', inShop('sshKeys:\nnetworks:\npublicIps:\nvms:')],
  ['bodies', inShop('networks:\n  a:\npublicIps:\n  b:\n  c:\n    forwards:')],
  ['fields that are maps', inShop(`vms: { web: { ${vmFields}, timeouts: , rebuild: } }`)],
])('what may be left empty: %s', async (_name, text) => {
  await loadResources(text);
});

describe('service', () => {
  it.each([
    ['https://api.example.com/v1', 'https://api.example.com/v1'],
    ['http://127.0.0.1:8080/api/v1//', 'http://127.0.0.1:8080/api/v1'],
  ])('takes %s', async (written, baseUrl) => {
    const { configuration } = await loadText(`version: 1\nservice: { baseUrl: "${written}" }\n`);
    expect(configuration!.service).toMatchObject({ kind: 'remote', baseUrl });
    expect(configuration!.service!.source).toMatchObject({ line: 2, column: 21 });
  });

  it('takes the sandbox without options', async () => {
    const { configuration } = await loadText('version: 1\nservice: { sandbox: true }\n');
    expect(configuration!.service).toMatchObject({ kind: 'sandbox', speed: 1, seed: 1 });
    expect('data' in configuration!.service!).toBe(false);
  });

  it('may be absent', async () => {
    const { configuration } = await loadText('version: 1\n');
    expect(configuration!.service).toBeUndefined();
    expect(configuration!.requestsPerSecond).toBeUndefined();
    expect(configuration!.state.leaseMs).toBeUndefined();
  });
});

describe('anchors, aliases and merge keys', () => {
  it('share values, and a value of its own wins', async () => {
    const resources = await loadResources(
      inShop(`
vms:
  a: &base { ${vmFields}, name: &name one }
  b: { <<: *base, name: two, image: v }
  c: { <<: [{ image: w, name: three }, *base] }
networks:
  n: { name: *name }
`),
    );
    const names = resources.map(({ attributes }) => [attributes.name, attributes.image]);
    expect(names).toEqual([
      ['shop', undefined],
      ['one', undefined],
      ['one', 'u'],
      ['two', 'v'],
      ['three', 'w'],
    ]);
  });

  it('places a fault at the alias, and one inside the value at the value, once', async () => {
    const result = await loadText(
      inShop('vms:\n  a: &base { image: &x 5, configuration: c, tariff: t }\n  b: *base\nname: *x'),
    );
    expect(listFaults(result)).toEqual(['a.yaml:5:28 wrong-type', 'a.yaml:7:11 wrong-type']);
  });
});

describe('several files', () => {
  it('are one configuration', async () => {
    const { configuration, diagnostics } = await loadFiles({
      'b.yml': inShop('networks: { n: }'),
      'a.yaml': inShop(`name: x\nvms: { web: { ${vmFields}, networks: [n] } }`),
      'c.yaml': 'projects: { shop: , other: { networks: } }\nservice: { requestsPerSecond: 1 }\n',
      'd.yaml': 'service: { sandbox: true }\nprojects:\n',
      'e.yaml': '',
      'f.yaml': '# nothing\n---\n',
      '.hidden.yaml': 'a: [',
      'sub/g.yaml': 'a: [',
      'readme.md': '{',
    });
    expect(diagnostics).toEqual([]);
    expect(configuration!.files.join()).toBe('a.yaml,b.yml,c.yaml,d.yaml,e.yaml,f.yaml');
    expect(configuration!.graph.resources.map(({ address }) => address)).toEqual([
      'projects.shop',
      'projects.shop.networks.n',
      'projects.shop.vms.web',
      'projects.other',
    ]);
    expect(configuration!.service).toMatchObject({ kind: 'sandbox' });
    expect(configuration!.requestsPerSecond).toBe(1);
  });

  it('must not give the same thing twice', async () => {
    const result = await loadFiles({
      'a.yaml': `service: { sandbox: true }\n${inShop('name: x\nnetworks: { n: }')}`,
      'b.yaml': inShop('name: x\nnetworks: { n: { name: y } }\npublicIps: { e: }'),
      'c.yaml': 'service: { baseUrl: https://a.example/v1 }\n',
    });
    expect(listFaults(result)).toEqual([
      'a.yaml:1:12 exclusive-keys',
      'b.yaml:4:5 given-twice',
      'b.yaml:5:17 given-twice',
    ]);
    const [, name, network] = result.diagnostics;
    expect(name!.summary).toBe('projects.shop.name is given twice');
    expect(network!.summary).toBe('projects.shop.networks.n is given twice');
    expect(network!.detail).toBe('It is first given at a.yaml:6:17.');
  });

  it('are merged as far as they can be when one has a wrong shape', async () => {
    const result = await loadFiles({
      'a.yaml': 'version: 1\nprojects: [a]\n',
      'b.yaml': 'projects: { shop: { networks: 5 } }\n',
      'c.yaml': 'projects: { shop: { networks: { n: } } }\n',
    });
    expect(listFaults(result)).toEqual(['a.yaml:2:11 wrong-type', 'b.yaml:1:31 wrong-type']);
  });
});

it.each([
  ['is missed', { 'a.yaml': 'projects:\n' }, 'a.yaml:1:1 missing-key'],
  ['is missed in an empty configuration', { 'a.yaml': '' }, 'a.yaml:1:1 missing-key'],
  [
    'is missed in several files once',
    { 'a.yaml': '', 'b.yaml': '\nprojects:\n', 'c.yaml': 'projects:\n' },
    'b.yaml:2:1 missing-key',
  ],
])('version: %s', async (_name, files, fault) => {
  expect(listFaults(await loadFiles(files))).toEqual([fault]);
});

it('reports faults of every step at once, by file and position', async () => {
  const result = await loadFiles({
    'b.yaml': inShop(`vms: { web: { ${vmFields}, networks: [m], power: on } }`),
    'a.yaml':
      'version: 1\nservice: { baseUrl: x }\ndefaults: { vms: { lifecycle: { createBeforeDestroy: true } } }\nprojects: { shop: { name: "${a}" } }\n',
  });
  expect(listFaults(result)).toEqual([
    'a.yaml:2:21 invalid-base-url',
    'a.yaml:4:30 unknown-name',
    'b.yaml:4:69 dangling-reference',
    'b.yaml:4:80 invalid-value',
  ]);
});
