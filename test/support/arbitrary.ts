// Random configurations: few keys, names and ports, so that they meet, move and swap often.
import fc from 'fast-check';
import type { Config, ForwardConfig, ProjectConfig, VmConfig } from './desired.ts';

const vmKeys = ['web', 'db', 'app[0]', 'app[1]', 'app["x"]'];
const vmNames = [
  'web',
  'db',
  'app-0',
  'app-1',
  'app-x',
  'another-long-name-1',
  'another-long-name-2',
];

/** Some of the keys, each with another of the names. */
const named = (keys: readonly string[], names: readonly string[]) =>
  fc
    .tuple(
      fc.subarray([...keys]),
      fc.shuffledSubarray([...names], { minLength: keys.length, maxLength: keys.length }),
    )
    .map(([some, order]) => some.map((key, index) => [key, order[index] ?? key] as const));

const size = fc.constantFrom('c1-r1-d20', 'c2-r4-d40');
const image = fc.constantFrom('ubuntu-24.04', 'debian-12');

interface Rolls {
  readonly image: string;
  readonly configuration: string;
  readonly power: 'running' | 'stopped';
  readonly sshKeys: readonly boolean[] | undefined;
  readonly networks: readonly boolean[] | undefined;
  readonly publicIp: 'new' | 'shared' | 'none';
  readonly plugins: readonly string[] | undefined;
  readonly renewal: 'active' | 'cancelled' | undefined;
  readonly createBeforeDestroy: boolean;
}

const rolls: fc.Arbitrary<Rolls> = fc.record({
  image,
  configuration: size,
  power: fc.constantFrom('running', 'running', 'stopped'),
  sshKeys: fc.option(fc.tuple(fc.boolean(), fc.boolean()), { nil: undefined }),
  networks: fc.option(fc.tuple(fc.boolean(), fc.boolean()), { nil: undefined }),
  publicIp: fc.constantFrom('none', 'shared', 'new'),
  plugins: fc.constantFrom(undefined, undefined, ['monitoring']),
  renewal: fc.constantFrom(undefined, undefined, 'active', 'cancelled'),
  createBeforeDestroy: fc.boolean(),
});

const port = fc.record({
  protocol: fc.constantFrom('tcp' as const, 'tcp' as const, 'udp' as const),
  target: fc.nat({ max: 9 }),
  vmPort: fc.constantFrom(8080, 8443),
});

/** One project, without its name. */
export const anyProject: fc.Arbitrary<Omit<ProjectConfig, 'name'>> = fc
  .record({
    keys: named(['alice', 'bob'], ['alice', 'bob', 'carol']),
    publicKeys: fc.tuple(fc.constantFrom('A', 'B'), fc.constantFrom('A', 'B')),
    networks: named(['lan', 'wan'], ['lan', 'wan', 'dmz']),
    publicIps: fc.shuffledSubarray(['edge', 'side']),
    vms: named(vmKeys, vmNames),
    rolls: fc.array(rolls, { minLength: vmKeys.length, maxLength: vmKeys.length }),
    forwards: fc.array(fc.shuffledSubarray(['http', 'https', 'dns']), {
      minLength: 2,
      maxLength: 2,
    }),
    ports: fc.shuffledSubarray([80, 443, 53, 8080], { minLength: 3, maxLength: 3 }),
    targets: fc.array(port, { minLength: 6, maxLength: 6 }),
  })
  .map((drawn): Omit<ProjectConfig, 'name'> => {
    const free = [...drawn.publicIps];
    const pickFrom = (keys: readonly (readonly [string, string])[], flags: readonly boolean[]) =>
      keys.filter((_, index) => flags[index]).map(([key]) => key);
    const vms = drawn.vms.map(([key, name], index): [string, VmConfig] => {
      const roll = drawn.rolls[index] as Rolls;
      const shared = roll.publicIp === 'shared' ? free.pop() : undefined;
      const publicIp = roll.publicIp === 'new' ? 'new' : shared;
      return [
        key,
        {
          ...{ name, image: roll.image, configuration: roll.configuration, power: roll.power },
          ...(roll.sshKeys && { sshKeys: pickFrom(drawn.keys, roll.sshKeys) }),
          ...(roll.networks && { networks: pickFrom(drawn.networks, roll.networks) }),
          ...(publicIp !== undefined && { publicIp }),
          ...(roll.plugins && { plugins: roll.plugins }),
          ...(roll.renewal && { renewal: roll.renewal }),
          ...(roll.createBeforeDestroy && { createBeforeDestroy: true }),
        },
      ];
    });
    const forwardsOf = (at: number): Record<string, ForwardConfig> =>
      Object.fromEntries(
        (vms.length === 0 ? [] : (drawn.forwards[at] ?? [])).map((key, index) => {
          const { protocol, target, vmPort } = drawn.targets[at * 3 + index] ?? {
            protocol: 'tcp' as const,
            target: 0,
            vmPort: 80,
          };
          const vm = vms[target % vms.length]?.[0] ?? '';
          return [key, { protocol, publicPort: drawn.ports[index] ?? 1, vm, vmPort }];
        }),
      );
    return {
      sshKeys: Object.fromEntries(
        drawn.keys.map(([key, name], index) => [
          key,
          { name, publicKey: `ssh-ed25519 ${drawn.publicKeys[index] ?? 'A'}${key}` },
        ]),
      ),
      networks: Object.fromEntries(drawn.networks.map(([key, name]) => [key, { name }])),
      publicIps: Object.fromEntries(drawn.publicIps.map((key, index) => [key, forwardsOf(index)])),
      vms: Object.fromEntries(vms),
    };
  });

/** A configuration that its reader would take. */
export const anyConfig: fc.Arbitrary<Config> = fc
  .tuple(named(['shop', 'blog'], ['shop', 'blog', 'store']), anyProject, anyProject)
  .map(([keys, ...bodies]) =>
    Object.fromEntries(keys.map(([key, name], index) => [key, { name, ...bodies[index] }])),
  );
