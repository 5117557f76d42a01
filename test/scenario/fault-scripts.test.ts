import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFaultScript } from '../../src/sandbox/faults/read-script.ts';
import { drawVariants } from '../support/budget/budget.ts';
import { configure, findViolations, World } from './world.ts';
import { expectApplied } from './expect-built.ts';

const folder = join(import.meta.dirname, '../../examples/faults');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

/** What a script makes of the first apply: the codes of what it may end with; everything else has to come about. */
const endings: Readonly<Record<string, readonly string[]>> = {
  // A network fails while a VM that is to be attached to it is made.
  'failing-operations.yaml': ['operation-failed', 'needed-failed'],
  'no-capacity.yaml': ['insufficient-capacity'],
};

/** What stands in the account beside what is wanted: a person made it, and it is left alone. */
const leftAlone: Readonly<Record<string, readonly string[]>> = {
  'person-in-the-console.yaml': ['2 network wanted, the account holds 3'],
};

const desiredText = `
projects:
  shop-production:
    sshKeys:
      alice: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9nGQ0r4bW1Yw3cFJxvQkLh1nQ3oYc0m6rK1s5yD2aB alice }
    networks: { back: , front: }
    publicIps:
      edge: { forwards: { https: { protocol: tcp, publicPort: 443, vm: web, vmPort: 8443 } } }
    vms:
      web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, sshKeys: [alice], networks: [back, front] }
      bastion: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, publicIp: new }
      batch: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [back], power: stopped }
`;

describe.each(drawVariants('fault scripts'))('an apply under a fault script (%s)', (variant) => {
  test.each(files)('%s: ends as it has to, and the next one mends the rest', async (file) => {
    const faults = await readFaultScript(readFileSync(join(folder, file), 'utf8'), file);
    const struck: string[] = [];
    const world = await World.open({
      variant,
      faults,
      onFault: (event) => struck.push(...(event.kind === 'struck' ? event.rules : [event.edit])),
    });
    const desired = await configure(desiredText);
    const first = await world.apply(desired);
    const codes =
      first.kind === 'ended'
        ? first.summary.changes.flatMap(({ result }) =>
            'diagnostic' in result ? [result.diagnostic.code] : [],
          )
        : [first.kind];
    const allowed = endings[file] ?? [];
    expect(codes.filter((code) => !allowed.includes(code))).toEqual([]);
    expect(codes.length > 0).toBe(allowed.length > 0);
    expect(struck.length).toBeGreaterThan(0);
    world.sandbox.faults.restart({ rules: [], edits: [] });
    await world.settle();
    await expectApplied(world, desired);
    expect(await findViolations(world, desired)).toEqual(leftAlone[file] ?? []);
  });
});
