// An account that was made and then meddled with by hand is exported, adopted, and matches.
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { listSales } from '../../src/api/sales.ts';
import { readLiveSnapshot } from '../../src/live/read-live.ts';
import { addSalesToSnapshot } from '../../src/live/add-sales.ts';
import { exportAccount } from '../../src/plan/export/export-account.ts';
import { renderConfigurationYaml } from '../../src/render/yaml/configuration-yaml.ts';
import { publicKeyOf } from '../support/desired.ts';
import { changeLines } from '../support/plan-lines.ts';
import { configure, World } from './world.ts';
import { countRuns } from '../support/budget/budget.ts';
import { expectApplied } from './expect-built.ts';

const service = { kind: 'remote', baseUrl: 'http://sandbox/v1' } as const;

/** The configuration that an export of the whole account would leave behind. */
async function exportAll(world: World) {
  const client = world.connect();
  const [projects, sales] = await world.time.run(
    Promise.all([client.listProjects(), listSales(client)]),
  );
  const projectIds = projects.map(({ id }) => id);
  const live = await world.time.run(readLiveSnapshot(client, { projectIds, projectNames: [] }));
  const exported = exportAccount(addSalesToSnapshot(live, sales), projectIds);
  const yaml = renderConfigurationYaml(exported, service);
  return { exported, yaml, desired: await configure(yaml.replace('version: 1\n', '')) };
}

const name = fc.oneof(
  fc.constantFrom('web', 'web-2', 'yes', 'null', '1e3', '${x}', 'a: b', '東京', '# x', '"'),
  // A configuration gives no name with white space at its ends.
  fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text !== '' && text.trim() === text),
);
const names = fc.uniqueArray(name, { minLength: 4, maxLength: 4 });

const anyAccount = fc.record({
  variant: fc.constantFrom('strict' as const, 'loose' as const),
  projects: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  sshKeys: names,
  networks: names,
  vms: names,
  rolls: fc.array(
    fc.record({
      power: fc.constantFrom('running', 'stopped'),
      renewal: fc.constantFrom('active', 'cancelled'),
      publicIp: fc.constantFrom('new', 'edge', undefined),
      plugins: fc.constantFrom([], ['monitoring']),
      networks: fc.subarray(['n0', 'n1', 'n2', 'n3']),
      sshKeys: fc.subarray(['k0', 'k1', 'k2', 'k3']),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  ports: fc.uniqueArray(fc.constantFrom(22, 80, 443), { maxLength: 3 }),
});

/** An expression in a name would be one. */
const escape = (text: string) => text.replaceAll('${', () => '$${');

function writeConfiguration(drawn: typeof anyAccount extends fc.Arbitrary<infer T> ? T : never) {
  const projects = drawn.projects.map((project, at) => {
    let isEdgeFree = true;
    const vms = drawn.rolls.map((roll, index) => {
      const publicIp = roll.publicIp === 'edge' && !isEdgeFree ? undefined : roll.publicIp;
      if (publicIp === 'edge') isEdgeFree = false;
      const size = { image: 'debian-12', configuration: 'c1-r1-d20', tariff: 'monthly' };
      return [`v${index}`, { name: escape(drawn.vms[index] ?? ''), ...size, ...roll, publicIp }];
    });
    const forwards = drawn.ports.map((port) => [
      `f${port}`,
      { protocol: 'tcp', publicPort: port, vm: 'v0', vmPort: port },
    ]);
    const named = (prefix: string, all: readonly string[], more: object) =>
      Object.fromEntries(all.map((one, i) => [`${prefix}${i}`, { name: escape(one), ...more }]));
    return [
      `p${at}`,
      {
        name: escape(project),
        sshKeys: named('k', drawn.sshKeys, { publicKey: publicKeyOf('x') }),
        networks: named('n', drawn.networks, {}),
        publicIps: { edge: { forwards: Object.fromEntries(forwards) as object } },
        vms: Object.fromEntries(vms) as object,
      },
    ];
  });
  return `projects: ${JSON.stringify(Object.fromEntries(projects))}\n`;
}

describe('an export', () => {
  test.prop([anyAccount], { numRuns: countRuns(25) })(
    'of an account is adopted as it is, and then matches',
    async (drawn) => {
      const world = await World.open({ variant: drawn.variant });
      await expectApplied(world, await configure(writeConfiguration(drawn)));
      await world.loseState();

      const { exported, desired, yaml } = await exportAll(world);
      expect(exported.leftOut).toEqual([]);
      expect(exported.resources.flatMap(({ remarks }) => remarks)).toEqual([]);
      const { plan } = await world.plan(desired);
      expect(plan.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(changeLines(plan), yaml).toEqual([]);
      expect(plan.changes.every(({ isImported }) => isImported)).toBe(true);
      await expectApplied(world, desired);
      const after = await world.plan(desired);
      expect(after.plan.changes.filter(({ isImported }) => isImported)).toEqual([]);
      expect(changeLines(after.plan)).toEqual([]);
    },
    120_000,
  );

  test('leaves alone what it cannot say', async () => {
    const world = await World.open({ variant: 'loose' });
    const size = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
    await world.apply(
      await configure(`projects:
  shop:
    networks: { a: {}, b: {} }
    publicIps: { edge: { forwards: { web: { protocol: tcp, publicPort: 80, vm: old, vmPort: 80 } } } }
    vms: { web: { ${size}, networks: [a, b] }, web2: { ${size} }, old: { ${size} } }
`),
    );
    const account = await world.readAccount();
    const idOf = (wanted: string) =>
      account.find((one) => 'name' in one && one.name === wanted)?.id ?? '';
    const project = idOf('shop');
    const client = world.connect();
    const rename = { project, name: 'web' };
    await world.time.run(client.send({ kind: 'renameVm', vm: idOf('web2'), ...rename }));
    await world.time.run(
      client.send({ kind: 'renameNetwork', network: idOf('b'), project, name: 'a' }),
    );
    await world.time.run(client.send({ kind: 'deleteVm', vm: idOf('old'), project }));
    await world.settle();
    await world.loseState();

    const { exported, desired } = await exportAll(world);
    expect(exported.leftOut.map(({ kind }) => kind)).toEqual(['network', 'portForward']);
    expect(changeLines((await world.plan(desired)).plan)).toEqual([]);
    await expectApplied(world, desired);
    expect(changeLines((await world.plan(desired)).plan)).toEqual([]);
  });
});
