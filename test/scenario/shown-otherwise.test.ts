// A service that shows what it was given in its own way: a spelling is left in peace, another value is told, and what
// somebody changes is seen under both.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { ResolvedCommand } from '../../src/model/account/command.ts';
import { countRuns } from '../support/budget/budget.ts';
import { changeLines } from '../support/plan-lines.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';
import { configure, describeFailures, World } from './world.ts';

type Json = Readonly<Record<string, unknown>>;
/** The record of a resource as the service tells it; `kind`: the collection that it is in. */
type Dialect = (record: Json, collection: string) => Json;

const collections = ['projects', 'ssh-keys', 'networks', 'vms', 'port-forwards', 'public-ips'];

/** A world whose service speaks so, in each of its answers. */
async function openWorld(dialect: Dialect): Promise<World> {
  const world = await World.open();
  const { sandbox } = world;
  const edit = (body: unknown, collection: string): unknown => {
    if (Array.isArray(body)) return body.map((one) => edit(one, collection));
    const record = body as Json;
    if (Array.isArray(record.items)) return { ...record, items: edit(record.items, collection) };
    return 'id' in record ? dialect(record, collection) : record;
  };
  const speak = async (request: Request) => {
    const answer = await sandbox.fetch(request);
    const last = new URL(request.url).pathname
      .split('/')
      .findLast((part) => collections.includes(part));
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    if (!answer.ok || !isJson || last === undefined) return answer;
    const { status, headers } = answer;
    return Response.json(edit(await answer.json(), last), { status, headers });
  };
  Object.assign(world, {
    sandbox: { ...sandbox, fetch: speak, openExchange: (it: unknown) => it },
  });
  return world;
}

const mapName = (change: (name: string) => string) => (record: Json) =>
  typeof record.name === 'string' ? { ...record, name: change(record.name) } : record;

/** The closed list, each as a service may have it. */
const spellings: Readonly<Record<string, Dialect>> = {
  lowers: mapName((name) => name.toLowerCase()),
  uppers: mapName((name) => name.toUpperCase()),
  composes: mapName((name) => name.normalize('NFC')),
  decomposes: mapName((name) => name.normalize('NFD')),
  reorders: (record) =>
    Array.isArray(record.plugins) ? { ...record, plugins: record.plugins.toReversed() } : record,
  shouts: (record) =>
    Array.isArray(record.plugins)
      ? { ...record, plugins: record.plugins.map((one) => String(one).toUpperCase()) }
      : record,
  comments: (record) =>
    typeof record.publicKey === 'string'
      ? { ...record, publicKey: record.publicKey.split(' ').slice(0, 2).join(' ') }
      : record,
};

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFxzGVLPbXK7rO8ICHrIfoSHu4CFi5HGCuyPBEJmLfYw alice';
const shop = (web = 'Caf\u00E9 Web', more = '') => `projects:
  shop:
    name: Shop
    sshKeys: { alice: { name: Alice, publicKey: "${key}" } }
    networks: { lan: { name: LAN } }
    publicIps: { edge: { forwards: { web: { protocol: tcp, publicPort: 443, vm: web, vmPort: 80 } } } }
    vms:
      web: { name: "${web}", image: debian-12, configuration: c1-r1-d20, tariff: monthly,
        networks: [lan], sshKeys: [alice], plugins: [monitoring, backup]${more} }
`;
const address = 'projects.shop.vms.web';
const anyDialect = fc.subarray(Object.keys(spellings)).map(
  (chosen): Dialect =>
    (record, of) =>
      chosen.reduce((told, one) => spellings[one]?.(told, of) ?? told, record),
);
/** What somebody does in the console, and the field that it changes. */
const anyDrift = fc.constantFrom('name', 'power', 'image', 'networks');

async function drift(world: World, field: string): Promise<void> {
  const { id: vm = '', projectId: project = '' } =
    (await world.store.reopen()).state.resources.get(address) ?? {};
  const of = { vm, project };
  const network = world.store.state.resources.get('projects.shop.networks.lan')?.id ?? '';
  const commands: Readonly<Record<string, ResolvedCommand>> = {
    name: { kind: 'renameVm', ...of, name: 'by-hand' },
    power: { kind: 'stopVm', ...of },
    image: { kind: 'rebuildVm', ...of, imageId: 'img-ubuntu-24-04', deleteBackups: false },
    networks: { kind: 'detachVm', ...of, network },
  };
  const command = commands[field];
  if (command) await world.time.run(world.connect().send(command));
  await world.settle();
}

const planned = async (world: World, yaml: string) =>
  changeLines((await world.plan(await configure(yaml))).plan);
const codes = async (world: World, yaml: string) =>
  (await world.plan(await configure(yaml))).plan.findings.map(({ code }) => code);
const powered = ', power: running';

describe('a service that spells otherwise', () => {
  const runs = { numRuns: countRuns(12) };

  property.prop([anyDialect], runs)('is left in peace after one apply', async (dialect) => {
    const world = await openWorld(dialect);
    await expectBuilt(world, await configure(shop()));
    expect(await codes(world, shop())).not.toContain('shown-otherwise');
    await expectBuilt(world, await configure(shop('Front')));
  });

  property.prop([anyDialect, anyDrift], runs)(
    'has drift shown against the configuration, also after it was accepted by --refresh-only',
    async (dialect, field) => {
      const world = await openWorld(dialect);
      const yaml = shop(undefined, powered);
      await expectApplied(world, await configure(yaml));
      await drift(world, field);
      const shown = await planned(world, yaml);
      expect(shown.join()).toContain(field);
      await world.apply(await configure(yaml), { mode: 'refresh' });
      expect(await planned(world, yaml)).toEqual(shown);
      expect((await world.plan(await configure(yaml))).plan.drift).toBeUndefined();
    },
  );

  property.prop([anyDialect, anyDrift], runs)(
    'has an ignored field compared again once it is ignored no more',
    async (dialect, field) => {
      const world = await openWorld(dialect);
      const yaml = shop(undefined, powered);
      const ignoring = shop(undefined, `${powered}, lifecycle: { ignoreChanges: [${field}] }`);
      await expectApplied(world, await configure(yaml));
      const before = (await world.store.reopen()).state.resources.get(address);
      await drift(world, field);
      await expectApplied(world, await configure(ignoring));
      const after = (await world.store.reopen()).state.resources.get(address);
      expect(after?.attributes[field]).toEqual(before?.attributes[field]);
      expect(after?.shown).toEqual(before?.shown);
      expect(await planned(world, ignoring)).toEqual([]);
      expect((await planned(world, yaml)).join()).toContain(field);
    },
  );
});

test('what is imported is renamed once by a service that spells otherwise', async () => {
  const world = await openWorld(mapName((name) => name.toLowerCase()));
  const yaml = 'projects: { p: { name: Shop, networks: { lan: { name: LAN } } } }\n';
  await expectApplied(world, await configure(yaml));
  const entries = [...world.store.state.resources.values()].map(
    ({ address: to, id }) => `{ to: ${to}, id: ${id} }`,
  );
  await world.loseState();
  await expectBuilt(world, await configure(`${yaml}imports: [${entries.join(', ')}]\n`));
});

describe('a service that shows another value than was set', () => {
  /** The service as it speaks once it has made what is asked of it: a create is found by all that it was given. */
  async function openMade(dialect: Dialect): Promise<World> {
    let isMade = false;
    const world = await openWorld((record, of) => (isMade ? dialect(record, of) : record));
    await expectApplied(world, await configure(shop('Web')));
    isMade = true;
    return world;
  }

  test('of a name: that is recorded, told in each plan, and no change until somebody makes one', async () => {
    const world = await openMade(mapName((name) => name.slice(0, 5)));
    await expectBuilt(world, await configure(shop('Frontend')));
    const isBoth = { attributes: { name: 'Frontend' }, shown: { name: 'Front' } };
    const read = async () => (await world.store.reopen()).state.resources.get(address);
    expect(await read()).toMatchObject(isBoth);
    expect(await codes(world, shop('Frontend'))).toContain('shown-otherwise');
    await expectBuilt(world, await configure(shop('Frontend')));
    const selection = { targets: ['projects.shop.networks.lan'], excludes: [] };
    await expectApplied(world, await configure(shop('Other')), { planOptions: { selection } });
    expect(await read()).toMatchObject(isBoth);
    expect(await planned(world, shop('Front'))).toEqual([]);
    await drift(world, 'name');
    expect(await planned(world, shop('Frontend'))).toEqual(['update shop.vms.web: name']);
  });

  test('of an image: the change fails, and the next plan has it', async () => {
    const world = await openMade((record) =>
      record.imageId === 'img-ubuntu-24-04' ? { ...record, imageId: 'img-rocky-9' } : record,
    );
    const yaml = shop('Web').replace('debian-12', 'ubuntu-24.04');
    const [failure] = describeFailures(await world.apply(await configure(yaml)));
    expect(failure).toContain('shown-otherwise');
    expect(await planned(world, yaml)).toEqual(['rebuild shop.vms.web: image!']);
  });

  test('which is what it showed before: the change fails', async () => {
    const world = await openMade((record, of) =>
      of === 'vms' && 'name' in record ? { ...record, name: 'Web' } : record,
    );
    const [failure] = describeFailures(await world.apply(await configure(shop('Front'))));
    expect(failure).toContain('change-not-shown');
    expect(await planned(world, shop('Front'))).toEqual(['update shop.vms.web: name']);
  });
});
