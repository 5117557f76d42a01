import { describe, expect, it, vi } from 'vitest';
import type { Kind } from '../../../src/kinds/kind.ts';
import { inShop, listFaults, loadFiles, loadText, vmFields } from './load.ts';

/** Kinds that the program does not have: the configuration reads them by their places and what they say of themselves. */
vi.mock('../../../src/model/kind-table.ts', async (importOriginal) => {
  const original = await importOriginal<Record<'kindTable', Record<string, object>>>();
  Object.assign(original.kindTable, {
    firewall: { collection: 'firewalls', within: 'project', commands: {} },
    rule: { collection: 'rules', within: 'firewall', commands: {} },
    zone: { collection: 'zones', commands: {} },
  });
  return original;
});

vi.mock('../../../src/kinds/registry.ts', async (importOriginal) => {
  const original = await importOriginal<Record<'kinds', Record<string, Kind>>>();
  const { childAddress } = await import('../../../src/model/address.ts');
  const text = { type: 'string' } as const;
  const collectionOf = (definition: string) => ({
    type: ['object', 'null'],
    additionalProperties: { $ref: `#/$defs/${definition}` },
  });
  const make = (name: string, label: string, properties: Record<string, object>, more: object) => ({
    ...original.kinds.network!,
    ...{ name, label, computed: ['id'], claims: () => [], references: () => [] },
    fields: Object.fromEntries(
      ['name', 'vm', 'port'].map((field) => [field, { effect: 'update' }] as const),
    ),
    configuration: {
      collection: collectionOf(name),
      definition: {
        type: ['object', 'null'],
        additionalProperties: false,
        properties: { name: text, ...properties },
      },
      defaults: { $ref: `#/$defs/${name}` },
    },
    ...more,
  });
  Object.assign(original.kinds, {
    firewall: make('firewall', 'firewall', { count: { $ref: '#/$defs/count' } }, {}),
    rule: make(
      'rule',
      'rule',
      { vm: text, port: text },
      {
        required: ['port'],
        references: ({ project, attributes }: { project: string; attributes: { vm?: string } }) =>
          attributes.vm === undefined
            ? []
            : [{ attribute: 'vm', address: childAddress(project, 'vm', attributes.vm) }],
      },
    ),
    zone: make('zone', 'zone', { vm: text, forEach: { $ref: '#/$defs/forEach' } }, {}),
  });
  return original;
});

const rules = (vm: string, more = '') =>
  inShop(
    `vms: { web: { ${vmFields} } }\nfirewalls:\n  edge:\n    rules:\n      https: { vm: ${vm}, port: p${more} }`,
  );

async function load(text: string) {
  const result = await loadText(text);
  const resources = result.configuration?.graph.resources ?? [];
  const byAddress = new Map(resources.map((one) => [one.address, one]));
  return { faults: listFaults(result), hint: result.diagnostics[0]?.hint, result, byAddress };
}

describe('a kind of a project that holds others', () => {
  it('is read with what lies in it', async () => {
    const { faults, byAddress } = await load(rules('web'));
    expect(faults).toEqual([]);
    expect([...byAddress.keys()]).toContain('projects.shop.firewalls.edge.rules.https');
  });

  it('names what it needs, and is told what was meant', async () => {
    const { faults, result } = await load(rules('wbe'));
    expect(faults).toEqual(['a.yaml:8:24 dangling-reference']);
    expect(result.diagnostics[0]).toMatchObject({
      summary: 'There is no VM `wbe` in projects.shop',
      hint: 'Did you mean `web`?',
    });
  });

  it('is read by expressions, which are checked', async () => {
    const output = (path: string) => `outputs: { o: { value: "\${projects.shop.${path}}" } }\n`;
    expect((await load(rules('web') + output('firewalls.edge.rules.https.port'))).faults).toEqual(
      [],
    );
    const unknown = [
      ['firewals.edge', 'Did you mean `firewalls`?'],
      ['firewalls.egde', 'Did you mean `edge`?'],
      ['firewalls.edge.rules.http', 'Did you mean `https`?'],
      ['firewalls.edge.rules.https.prot', 'Did you mean `port`?'],
    ] as const;
    for (const [path, hint] of unknown) {
      const found = await load(rules('web') + output(path));
      expect(found.faults, path).toEqual([expect.stringContaining('unknown-name')]);
      expect(found.hint, path).toBe(hint);
    }
  });

  it('has defaults, of all and of its project, also for what lies in it', async () => {
    const text = `${inShop('defaults: { rules: { port: near } }\nfirewalls: { a: { rules: { r: } } }')}defaults: { firewalls: { name: all }, rules: { port: far } }\n`;
    const { faults, byAddress } = await load(text);
    expect(faults).toEqual([]);
    expect(byAddress.get('projects.shop.firewalls.a')?.attributes.name).toBe('all');
    expect(byAddress.get('projects.shop.firewalls.a.rules.r')?.attributes.port).toBe('near');
  });

  it('may lack nothing that it requires', async () => {
    const { faults } = await load(inShop('firewalls: { a: { rules: { r: } } }'));
    expect(faults).toEqual([expect.stringContaining('missing-key')]);
  });

  it('is told to be repeated by what it is called', async () => {
    const { hint } = await load(inShop('firewalls: { a: { name: "${each.index}" } }'));
    expect(hint).toContain('Give the firewall a `count`');
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
