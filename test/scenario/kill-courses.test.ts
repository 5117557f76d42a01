// Killed at any point and run again: every resource exists exactly once.
import { describe, expect, test } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { aroundVms, everyKind } from './every-kind.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, World } from './world.ts';

/** The same with everything that can change in place, be rebuilt, be replaced, come or go. */
const changed = `
projects:
  demo:
    name: renamed
    sshKeys:
      bob: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9nGQ0r4bW1Yw3cFJxvQkLh1nQ3oYc0m6rK1s5yD2aC bob }
    networks: { frontend: }
    publicIps:
      edge: { forwards: { https: { protocol: tcp, publicPort: 444, vm: bastion, vmPort: 8443 } } }
    vms:
      web: { name: www, image: debian-12, configuration: c2-r4-d40, tariff: monthly, sshKeys: [bob], networks: [frontend] }
      bastion: { image: debian-12, configuration: c1-r2-d20, tariff: monthly }
`;

/** Fields that read what is only known after apply, one through another. */
const late = `
projects:
  demo:
    networks: { backend: , named: { name: "net-\${projects.demo.networks.backend.cidr}" } }
    publicIps:
      edge: { forwards: { web: { protocol: tcp, publicPort: 80, vm: web, vmPort: "\${8000 + size(projects.demo.publicIps.edge.address)}" } } }
    vms:
      web: { name: "web-\${projects.demo.publicIps.edge.address}", image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [backend] }
  other: { name: "beside-\${projects.demo.vms.web.name}" }
`;

/** The same after a change that they follow. */
const lateChanged = late
  .replace('publicIps:\n      edge:', 'publicIps:\n      spare:\n      edge:')
  .replace(
    'edge.address}", image',
    'spare.address}", plugins: ["at-${projects.demo.publicIps.spare.address}"], image',
  );

/** A VM whose replacement comes first, with everything that reads it, an address of its own and a key. */
const steady = `${aroundVms}\
      web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, sshKeys: [alice], networks: [backend], publicIp: new, lifecycle: { createBeforeDestroy: true } }
`;

/** The same with another size, and another key under the name of the old one. */
const steadyChanged = steady
  .replace('c1-r1-d20', 'c1-r2-d20')
  .replace('oYc0m6rK1s5yD2aB', 'oYc0m6rK1s5yD2aC');

interface Course {
  readonly first: string;
  readonly second: string;
}

const courses = {
  'everything created': { first: '', second: everyKind },
  'everything changed': { first: everyKind, second: changed },
  'values that are known late': { first: '', second: late },
  'values that change late': { first: late, second: lateChanged },
  'replacements that come first': { first: steady, second: steadyChanged },
  'everything destroyed but the project': { first: everyKind, second: 'projects: { demo: }' },
} satisfies Record<string, Course>;

const variants = ['strict', 'loose'] as const;
const runs = Object.entries(courses).flatMap(([name, course]) =>
  variants.map((variant) => ({ name, variant, ...course })),
);

describe('killed at any point and run again: every resource exists exactly once', () => {
  test.each(drawSome(runs, { short: 1, ci: 4 }, 'kill courses'))(
    '$name ($variant)',
    { timeout: 600_000 },
    async ({ variant, first, second }) => {
      const before = first === '' ? undefined : await configure(first);
      const open = async () => {
        const world = await World.open({ variant });
        if (before) await world.apply(before);
        return world;
      };
      const desired = await configure(second);
      expect(await killEverywhere({ open, desired, every: 15 })).toBeGreaterThan(50);
    },
  );
});
