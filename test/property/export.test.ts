// What is exported plans to imports alone, whatever the account holds and however it is called.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { renderWholeExport } from '../../src/commands/lifecycle/write-export.ts';
import { formatYaml } from '../../src/config/format/format-yaml.ts';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import type { LiveResource, LiveSnapshot } from '../../src/model/account/live.ts';
import { exportAccount } from '../../src/plan/export/export-account.ts';
import { escapeUntrustedLines } from '../../src/render/format/escape.ts';
import { makeLive, type LiveProjectInput, type LiveVmInput } from '../support/account.ts';
import { publicKeyOf } from '../support/desired.ts';
import { makeState } from '../support/memory.ts';
import { changeLines, checkedPlanOf } from '../support/plan-lines.ts';
import { countRuns } from '../support/budget/budget.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-export-'));
});
afterAll(() => rm(directory, { recursive: true }));

const nasty = [
  ...['web', 'web-2', 'web-3', 'Web', 'yes', 'null', 'true', '~', '1e3', '0x1F', 'new', 'none'],
  ...[
    '',
    ' ',
    ' a',
    'a ',
    '\t',
    'a\nb',
    'a: b',
    '# a',
    'a #b',
    '- a',
    '"a"',
    "'",
    '*a',
    '&a',
    '<<',
  ],
  ...['${var.x}', '$${x}', '${', 'a$', '$', '{a}', '[a]', '@', '%', '---', '...', '!tag', '|', '>'],
  ...['__proto__', 'constructor', 'toString', 'id:x', 'Zürich', '東京', '🚀', 'e\u0301', '\u202e'],
  ...[
    '\u007f',
    '\u0000',
    '\u001b[31m',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\ud800',
    '\ue000',
    '2026-01-01',
  ],
  ...['x'.repeat(63), 'x'.repeat(64), 'é'.repeat(400), 'a'.repeat(2_000), '-', '_', '-a', '0'],
];
const anyName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...nasty) },
  fc.constantFrom('web', 'db'),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);

const some = <T>(arbitrary: fc.Arbitrary<T>, most = 4) => fc.array(arbitrary, { maxLength: most });
const status = fc.constantFrom(
  ...['active', 'active', 'active', 'failed', 'deleting', 'updating', 'creating', 'suspended'],
);

const anyVm = fc.record({
  name: anyName,
  image: fc.constantFrom('ubuntu-24.04', 'debian-12', 'img-that-is-gone'),
  configuration: fc.constantFrom('c1-r1-d20', 'c2-r4-d40'),
  tariff: fc.constantFrom('monthly', 'hourly'),
  status,
  bootStatus: fc.constantFrom('Running', 'Stopped', 'Starting', 'Hibernating'),
  plugins: fc.constantFrom<string[][]>([], ['monitoring'], ['${x}', 'yes'], ['a', 'a'], ['']),
  renewal: fc.constantFrom(undefined, 'active', 'cancelled', 'unheard-of'),
  sshKeys: fc.subarray([0, 1, 2, 3]),
  networks: fc.subarray([0, 1, 2, 3]),
});

const anyProject = fc.record({
  name: anyName,
  sshKeys: some(fc.tuple(anyName, fc.constantFrom('good', 'good', 'bad'))),
  networks: some(fc.record({ name: anyName, status })),
  publicIps: some(fc.record({ status, holder: fc.integer({ min: -1, max: 5 }) })),
  vms: some(anyVm, 6),
  forwards: some(
    fc.record({
      ip: fc.nat(3),
      vm: fc.nat(5),
      protocol: fc.constantFrom('tcp', 'udp', 'sctp'),
      publicPort: fc.constantFrom(80, 443, 0),
      status,
    }),
    6,
  ),
});

type Drawn = typeof anyProject extends fc.Arbitrary<infer T> ? T : never;

function furnish(drawn: Drawn, at: number): LiveProjectInput {
  const byId = <A, B>(items: readonly A[], prefix: string, make: (item: A, index: number) => B) =>
    Object.fromEntries(items.map((item, i) => [`${prefix}-${at}-${i}`, make(item, i)]));
  const idsOf = (picked: readonly number[], all: readonly unknown[], prefix: string) =>
    picked.filter((index) => index < all.length).map((index) => `${prefix}-${at}-${index}`);
  const held = new Set<number>();
  const holders = new Map<number, string>();
  for (const [index, { holder }] of drawn.publicIps.entries()) {
    if (holder < 0 || holder >= drawn.vms.length || held.has(holder)) continue;
    held.add(holder);
    holders.set(holder, `i-${at}-${index}`);
  }
  const used = new Set<string>();
  const forwards = drawn.forwards.filter(({ ip, vm, protocol, publicPort }) => {
    const port = `${ip} ${protocol} ${publicPort}`;
    const fits = ip < drawn.publicIps.length && vm < drawn.vms.length && !used.has(port);
    used.add(port);
    return fits;
  });
  return {
    name: drawn.name,
    sshKeys: byId(drawn.sshKeys, 'k', ([name, kind], index) => ({
      name,
      publicKey: kind === 'good' ? `${publicKeyOf(String(index))} \${x} # y` : 'ssh-new AAAA',
    })),
    networks: byId(drawn.networks, 'n', (one) => one),
    publicIps: byId(drawn.publicIps, 'i', (one, index) => ({
      status: one.status,
      forwards: Object.fromEntries(
        forwards
          .map((forward, i) => ({ ...forward, i }))
          .filter(({ ip }) => ip === index)
          .map(({ i, vm, protocol, publicPort, status: of }) => [
            `f-${at}-${i}`,
            { protocol, publicPort, vm: `v-${at}-${vm}`, vmPort: 8080, status: of },
          ]),
      ),
    })),
    vms: byId(drawn.vms, 'v', ({ renewal, ...vm }, index): LiveVmInput => {
      const publicIp = holders.get(index);
      return {
        ...vm,
        sshKeys: idsOf(vm.sshKeys, drawn.sshKeys, 'k'),
        networks: idsOf(vm.networks, drawn.networks, 'n'),
        ...(publicIp !== undefined && { publicIp }),
        ...(renewal !== undefined && { renewal }),
      };
    }),
  };
}

const anyAccount = some(anyProject, 3).map((projects) =>
  makeLive({
    projects: Object.fromEntries(projects.map((one, at) => [`p-${at}`, furnish(one, at)])),
  }),
);

const service = { kind: 'remote', baseUrl: 'https://api.example.com/v1' } as const;

async function planExport(live: LiveSnapshot) {
  const ids = live.projects.map(({ id }) => id);
  const exported = exportAccount(live, ids);
  const yaml = renderWholeExport({}, exported, service);
  await writeFile(join(directory, 'main.yaml'), yaml);
  const { configuration, diagnostics } = await loadConfiguration({
    directory,
    workingDirectory: directory,
  });
  return { exported, yaml, configuration, diagnostics };
}

describe('an exported account', () => {
  test.prop([anyAccount], { numRuns: countRuns(60) })(
    'is written as fmt would write it',
    (live) => {
      const ids = live.projects.map(({ id }) => id);
      const yaml = renderWholeExport({}, exportAccount(live, ids), service);
      const formatted = formatYaml('main.yaml', yaml, { isOrdered: true });
      expect(formatted).toEqual({ text: yaml, diagnostics: [] });
      // Nothing is in it that nobody sees.
      expect(escapeUntrustedLines(yaml)).toBe(yaml);
    },
  );

  test.prop([anyAccount], { numRuns: countRuns(150) })('plans to imports alone', async (live) => {
    const { exported, configuration, diagnostics, yaml } = await planExport(live);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    // The service decides what an empty account is worth: there is nothing to import.
    const { graph } = configuration!;
    const plan = checkedPlanOf({ mode: 'apply', desired: graph, live, state: makeState({}, live) });
    expect(changeLines(plan), yaml).toEqual([]);
    expect(plan.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const imported = plan.changes.filter(({ isImported }) => isImported);
    expect(imported.length).toBe(exported.resources.length);
    const all: readonly LiveResource[] = [...live.projects, ...live.resources];
    const told = [...exported.resources, ...exported.leftOut].map(({ id }) => id);
    const outside = new Set(
      exported.leftOut.filter(({ kind }) => kind === 'project').map((p) => p.id),
    );
    const publicIpsOut = new Set(
      exported.leftOut.filter(({ kind }) => kind === 'publicIp').map(({ id }) => id),
    );
    const expected = all.filter(
      (one) =>
        one.kind === 'project' ||
        (!outside.has(one.projectId) &&
          !(one.kind === 'portForward' && publicIpsOut.has(one.publicIpId))),
    );
    expect([...told].sort()).toEqual(expected.map(({ id }) => id).sort());
  });

  test.prop([anyAccount, fc.infiniteStream(fc.nat(10_000))])(
    'is the same text, whatever the order of the lists',
    (live, stream) => {
      const order = new Map<unknown, number>();
      const shuffle = <T>(items: readonly T[]) => {
        for (const item of items) order.set(item, stream.next().value as number);
        return [...items].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      };
      const draw = (snapshot: LiveSnapshot) =>
        exportAccount(
          snapshot,
          live.projects.map(({ id }) => id),
        );
      const shuffled = {
        ...live,
        projects: shuffle(live.projects),
        resources: shuffle(live.resources),
      };
      expect(draw(shuffled)).toEqual(draw(live));
    },
  );
});
