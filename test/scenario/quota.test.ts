import { describe, expect, test } from 'vitest';
import type { SandboxQuotas } from '../../src/sandbox/store/world.ts';
import { createSeededRandom } from '../../src/sandbox/clock/seeded-random.ts';
import { drawVariants } from '../support/budget/budget.ts';
import { configure, describeFailures, World } from './world.ts';
import { expectBuilt } from './expect-built.ts';

const vm = (configuration: string) =>
  `{ image: debian-12, configuration: ${configuration}, tariff: monthly }`;

describe.each(drawVariants('quotas'))('%s', (variant) => {
  describe('quotas over time', () => {
    test.each([
      [
        'networks that come wait for those that go',
        { networks: 2 },
        'networks: { a: , b: }',
        'networks: { c: , d: }',
      ],
      [
        'a larger VM waits for two smaller ones',
        { cpu: 4 },
        `vms: { a: ${vm('c2-r4-d40')}, b: ${vm('c2-r4-d40')} }`,
        `vms: { c: ${vm('c4-r8-d80')} }`,
      ],
      [
        'a public IP that came with a VM is given back first',
        { publicIps: 1 },
        `vms: { a: ${vm('c1-r1-d20').replace(' }', ', publicIp: new }')} }`,
        `publicIps: { edge: }`,
      ],
    ] satisfies [string, Partial<SandboxQuotas>, string, string][])(
      '%s',
      async (_, quotas, first, second) => {
        const world = await World.open({ variant, quotas });
        await world.apply(await configure(`projects:\n  demo:\n    ${first}\n`));
        await expectBuilt(world, await configure(`projects:\n  demo:\n    ${second}\n`));
      },
    );

    test('where no order fits, the plan says so with figures', async () => {
      const world = await World.open({ variant, quotas: { networks: 1 } });
      const attached = (name: string) =>
        configure(
          `projects:\n  demo:\n    networks: { ${name}: }\n    vms: { w: ${vm('c1-r1-d20').replace(' }', `, networks: [${name}] }`)} }\n`,
        );
      await world.apply(await attached('a'));
      const end = await world.apply(await attached('b'));
      expect(describeFailures(end)).toContain(
        'quota-exceeded: The plan exceeds the quota "networks": 2 at its peak, limit 1, used 1',
      );
    });

    test('whatever passes the checks is never refused for a quota', async () => {
      const random = createSeededRandom(42);
      const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
      const sizes = ['c1-r1-d20', 'c1-r2-d20', 'c2-r4-d40', 'c4-r8-d80'];
      const project = () => {
        const lines = ['a', 'b', 'c', 'd', 'e'].flatMap((key) =>
          random() < 0.5
            ? [
                `${key}: ${vm(pick(sizes)).replace(' }', random() < 0.3 ? ', publicIp: new }' : ' }')}`,
              ]
            : [],
        );
        const networks = ['n', 'm', 'o'].filter(() => random() < 0.5).map((key) => `${key}: `);
        return configure(
          `projects:\n  demo:\n    networks: { ${networks.join(', ')} }\n    vms: { ${lines.join(', ')} }\n`,
        );
      };
      let applied = 0;
      for (let round = 0; round < 12; round += 1) {
        const world = await World.open({
          variant,
          quotas: { cpu: 10, ram: 20, disk: 200, networks: 2, publicIps: 2 },
        });
        for (let step = 0; step < 3; step += 1) {
          const end = await world.apply(await project(), {
            parallelism: 1 + Math.floor(random() * 20),
          });
          if (end.kind === 'refused') {
            expect(end.planned.plan.findings.map(({ code }) => code)).toContain('quota-exceeded');
            continue;
          }
          expect(describeFailures(end)).toEqual([]);
          applied += 1;
        }
      }
      expect(applied).toBeGreaterThan(8);
    });
  });
});
