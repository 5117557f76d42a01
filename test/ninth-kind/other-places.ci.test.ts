// What the firewall does not have: a kind that holds another one, and a kind that lies in no project. The configuration
// finds both by their places and by what they say of themselves.
import { describe, expect, it, vi } from 'vitest';
import type { DescribedResource } from '../../src/kinds/kind.ts';
import { inShop, listFaults, loadFiles, loadText, vmFields } from '../unit/config/load.ts';

vi.mock(import('../../src/model/kind-table.ts'), async (load) => {
  const original = await load();
  const places = {
    pool: { collection: 'pools', within: 'project', commands: {} },
    member: { collection: 'members', within: 'pool', commands: {} },
    zone: { collection: 'zones', commands: {} },
  };
  return { ...original, kindTable: { ...original.kindTable, ...places } };
});

vi.mock(import('../../src/kinds/registry.ts'), async (load) => {
  const { kindRegistry: kinds } = await load();
  const { makeChildAddress: childAddress } = await import('../../src/model/address.ts');
  const text = { type: 'string' } as const;
  const make = (name: string, properties: Readonly<Record<string, object>>) => ({
    ...kinds.network,
    ...{ name, label: name, computed: ['id'], claims: () => [] },
    fields: {
      name: { effect: 'update' },
      vm: { effect: 'update' },
      port: { effect: 'update', ...(name === 'member' && { isRequired: true }) },
    } as const,
    configuration: {
      collection: { type: ['object', 'null'], additionalProperties: { $ref: `#/$defs/${name}` } },
      definition: {
        type: ['object', 'null'],
        additionalProperties: false,
        properties: { name: text, ...properties },
      },
      defaults: { $ref: `#/$defs/${name}` },
    },
  });
  const more = {
    pool: make('pool', { count: { $ref: '#/$defs/count' } }),
    member: {
      ...make('member', { vm: text, port: text }),
      references: ({ project, attributes: { vm } }: DescribedResource) =>
        typeof vm === 'string'
          ? [{ attribute: 'vm', address: childAddress(project, 'vm', vm) }]
          : [],
    },
    zone: make('zone', { vm: text, forEach: { $ref: '#/$defs/forEach' } }),
  };
  return { kindRegistry: { ...kinds, ...more } };
});

const members = (vm: string) =>
  inShop(
    `vms: { web: { ${vmFields} } }\npools:\n  edge:\n    members:\n      https: { vm: ${vm}, port: p }`,
  );

async function load(text: string) {
  const result = await loadText(text);
  const resources = result.configuration?.graph.resources ?? [];
  const byAddress = new Map(resources.map((one) => [one.address, one]));
  return { faults: listFaults(result), hint: result.diagnostics[0]?.hint, result, byAddress };
}

describe('a kind of a project that holds others', () => {
  it('is read with what lies in it', async () => {
    const { faults, byAddress } = await load(members('web'));
    expect(faults).toEqual([]);
    expect([...byAddress.keys()]).toContain('projects.shop.pools.edge.members.https');
  });

  it('names what it needs, and is told what was meant', async () => {
    const { faults, result } = await load(members('wbe'));
    expect(faults).toEqual(['a.yaml:8:24 dangling-reference']);
    expect(result.diagnostics[0]).toMatchObject({
      summary: 'There is no VM `wbe` in projects.shop',
      hint: 'Did you mean `web`?',
    });
  });

  it('is read by expressions, which are checked', async () => {
    const output = (path: string) => `outputs: { o: { value: "\${projects.shop.${path}}" } }\n`;
    expect((await load(members('web') + output('pools.edge.members.https.port'))).faults).toEqual(
      [],
    );
    const unknown = [
      ['pols.edge', 'Did you mean `pools`?'],
      ['pools.egde', 'Did you mean `edge`?'],
      ['pools.edge.members.http', 'Did you mean `https`?'],
      ['pools.edge.members.https.prot', 'Did you mean `port`?'],
    ] as const;
    for (const [path, hint] of unknown) {
      const found = await load(members('web') + output(path));
      expect(found.faults, path).toEqual([expect.stringContaining('unknown-name')]);
      expect(found.hint, path).toBe(hint);
    }
  });

  it('has defaults, of all and of its project, also for what lies in it', async () => {
    const text = `${inShop('defaults: { members: { port: near } }\npools: { a: { members: { m: } } }')}defaults: { pools: { name: all }, members: { port: far } }\n`;
    const { faults, byAddress } = await load(text);
    expect(faults).toEqual([]);
    expect(byAddress.get('projects.shop.pools.a')?.attributes.name).toBe('all');
    expect(byAddress.get('projects.shop.pools.a.members.m')?.attributes.port).toBe('near');
  });

  it('may lack nothing that it requires', async () => {
    const { faults } = await load(inShop('pools: { a: { members: { m: } } }'));
    expect(faults).toEqual([expect.stringContaining('missing-key')]);
  });

  it('is told to be repeated by what it is called', async () => {
    const { hint } = await load(inShop('pools: { a: { name: "${each.index}" } }'));
    expect(hint).toContain('Give the pool a `count`');
  });
});

describe('a kind that lies in no project', () => {
  it('is read, repeated, given defaults and read by expressions', async () => {
    const { faults, byAddress } = await load(
      'version: 1\nzones: { a: { name: "${projects.shop.name}-${zones.b[\'y\'].name}" }, b: { forEach: [x, y], name: "b-${each.key}" } }\ndefaults: { zones: { vm: near } }\nprojects: { shop: }\n',
    );
    expect(faults).toEqual([]);
    expect([...byAddress.keys()].sort()).toEqual([
      'projects.shop',
      'zones.a',
      'zones.b["x"]',
      'zones.b["y"]',
    ]);
    expect(byAddress.get('zones.a')?.attributes).toMatchObject({ name: 'shop-b-y', vm: 'near' });
  });

  it('is told from others by its name in the account, and by its key', async () => {
    const twice = await load('version: 1\nzones: { a: { name: z }, b: { name: z } }\n');
    expect(twice.result.diagnostics[0]?.summary).toBe('Two zones of the account have the name `z`');
    const unknown = await load('version: 1\nzones: { a: { name: "${zones.bb.id}" }, b: }\n');
    expect(unknown.hint).toBe('Did you mean `b`?');
  });

  it('stands in modules and in several files', async () => {
    const result = await loadFiles({
      'a.yaml': 'version: 1\nzones: { a: }\nmodules: { eu: { source: ./m } }\n',
      'b.yaml': 'zones: { b: }\n',
      'm/m.yaml': 'version: 1\nzones: { a: { name: inner } }\n',
    });
    expect(listFaults(result)).toEqual([]);
    expect(result.configuration?.graph.resources.map(({ address }) => address)).toEqual([
      'zones.a',
      'zones.b',
      'modules.eu.zones.a',
    ]);
  });
});
