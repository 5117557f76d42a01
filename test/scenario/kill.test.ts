import { describe, expect, test } from 'vitest';
import { configure, findViolations, World } from './world.ts';

const small = `
projects:
  demo:
    sshKeys:
      alice: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9nGQ0r4bW1Yw3cFJxvQkLh1nQ3oYc0m6rK1s5yD2aB alice }
    networks: { backend: }
    publicIps:
      edge: { forwards: { https: { protocol: tcp, publicPort: 443, vm: 'web[0]', vmPort: 8443 } } }
    vms:
      web: { count: 2, image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, sshKeys: [alice], networks: [backend] }
      bastion: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, publicIp: new, power: stopped }
`;

/** Kills a run at one step, runs again until it ends, and says what is wrong then. */
async function killAndResume(variant: 'strict' | 'loose', killAt: number) {
  const desired = await configure(small);
  const world = await World.open({ variant });
  const first = await world.apply(desired, { killAt });
  const second = first.kind === 'killed' ? await world.apply(desired) : first;
  await world.settle();
  return { first, second, violations: await findViolations(world, desired) };
}

describe.each(['strict', 'loose'] as const)('killed at any point and run again (%s)', (variant) => {
  test('every resource exists exactly once', { timeout: 300_000 }, async () => {
    const failures: string[] = [];
    let killAt = 1;
    for (; ; killAt += 1) {
      const { first, second, violations } = await killAndResume(variant, killAt);
      if (second.kind !== 'ended') failures.push(`killed at ${killAt}: ${second.kind}`);
      else {
        for (const { address, result } of second.summary.changes) {
          if (result.kind !== 'applied') {
            failures.push(`killed at ${killAt}: ${address} ${JSON.stringify(result)}`);
          }
        }
      }
      failures.push(...violations.map((violation) => `killed at ${killAt}: ${violation}`));
      if (first.kind !== 'killed') break;
    }
    expect(failures).toEqual([]);
    expect(killAt).toBeGreaterThan(50);
  });
});
