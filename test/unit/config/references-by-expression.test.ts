// An expression that is exactly a reference to a resource of the project names it, as its key does.
import { describe, expect, it } from 'vitest';
import type { ConfigurationLoadResult } from '../../../src/config/load-configuration.ts';
import { inShop, listFaults, loadFiles, loadText, publicKey, vmFields } from './load.ts';

const shop = (more: string): string =>
  inShop(`networks: { back: { name: shop-back }, id: {} }
sshKeys: { alice: { publicKey: ${publicKey} } }
publicIps: { edge: {} }
vms:
  many: { ${vmFields}, count: 2 }
  some: { ${vmFields}, forEach: [a.b] }
  web: { ${vmFields}, ${more} }`);

function attributesOf(result: ConfigurationLoadResult, end: string) {
  expect(listFaults(result)).toEqual([]);
  const { resources } = result.configuration!.graph;
  return resources.find(({ address }) => address.endsWith(end))!.attributes;
}

describe('a reference that is an expression', () => {
  it.each<[string, string, unknown]>([
    ['networks', '["${projects.shop.networks.back.id}"]', ['back']],
    ['networks', '["${projects.shop.networks.back}", id]', ['back', 'id']],
    ['networks', '["${ projects.shop.networks[\'back\'].id }"]', ['back']],
    ['networks', '["${projects.shop.networks.id}"]', ['id']],
    ['networks', "[\"${projects.shop.networks[1 > 2 ? 'id' : 'back'].id}\"]", ['back']],
    ['sshKeys', '["${projects.shop.sshKeys.alice.id}"]', ['alice']],
    ['publicIp', '"${projects.shop.publicIps.edge.id}"', 'edge'],
  ])('%s: %s', async (field, written, value) => {
    const result = await loadText(shop(`${field}: ${written}`));
    expect(attributesOf(result, '.web')[field]).toEqual(value);
  });

  it.each([
    ['projects.shop.vms.many[1]', 'many[1]'],
    ["projects.shop.vms.some['a.b'].id", 'some["a.b"]'],
  ])('vm: %s', async (written, value) => {
    const forward = `{ protocol: tcp, publicPort: 1, vmPort: 1, vm: "\${${written}}" }`;
    const text = shop('publicIp: new').replace('edge: {}', `edge: { forwards: { f: ${forward} } }`);
    expect(attributesOf(await loadText(text), '.f').vm).toBe(value);
  });

  it('differs between instances, and leads within its module', async () => {
    const module = `projects:
  shop:
    networks: { a: {}, b: {} }
    vms:
      web:
        ${vmFields.replaceAll(', ', '\n        ')}
        forEach: [a, b]
        networks: ["\${projects.shop.networks[each.key].id}"]
`;
    const result = await loadFiles({
      'a.yaml': 'version: 1\nmodules: { m: { source: ./m } }\n',
      'm/a.yaml': module,
    });
    expect(attributesOf(result, 'modules.m.projects.shop.vms.web["b"]').networks).toEqual(['b']);
  });

  it.each([
    ['of another project', 'networks: ["${projects.other.networks.back.id}"]'],
    ['of another kind', 'networks: ["${projects.shop.publicIps.edge.id}"]'],
    ['of another attribute', 'networks: ["${projects.shop.networks.back.cidr}"]'],
    ['within a text', 'networks: ["${projects.shop.networks.back.id}x"]'],
    ['within another expression', 'networks: ["${string(projects.shop.networks.back.id)}"]'],
  ])('%s is known too late', async (_what, more) => {
    const text = shop(more).replace('  shop:', '  other: { networks: { back: {} } }\n  shop:');
    const { diagnostics } = await loadText(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(['known-too-late']);
  });
});
