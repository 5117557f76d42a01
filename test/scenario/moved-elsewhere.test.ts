import { expect, test } from 'vitest';
import { changeLines } from '../support/plan-lines.ts';
import { configure, describeFailures, World } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const vm = (more = '') => `{ image: debian-12, configuration: c1-r1-d20, tariff: monthly${more} }`;
const holding = ', networks: [lan], publicIp: side';
const held = 'networks: { lan: }\n    publicIps: { side: }';
const forward = 'forwards: { http: { protocol: tcp, publicPort: 80, vm: web, vmPort: 80 } }';
const moving = (from: string, to: string) =>
  `moved: [{ from: projects.${from}, to: projects.${to} }]`;

/** The projects `p` and `q` with what they hold. */
function write(p: string | undefined, q?: string): string {
  const one = (key: string, text?: string) =>
    text === undefined ? '' : `  ${key}:\n${text === '' ? '' : `    ${text}\n`}`;
  return `projects:\n${one('p', p)}${one('q', q)}`;
}

const vmOf = (more?: string, key = 'web') => `vms: { ${key}: ${vm(more)} }`;

test.each([
  [
    'a VM, and what it held is destroyed',
    write(`${held}\n    ${vmOf(holding)}`),
    `${write(undefined, `${held}\n    ${vmOf(holding)}`)}${moving('p.vms.web', 'q.vms.web')}`,
    ['replace q.vms.web (parent-changed)'],
  ],
  [
    'a VM, and another one takes what it held, with its name',
    write(`${held}\n    ${vmOf(holding)}`, ''),
    `${write(`${held}\n    ${vmOf(`${holding}, name: web`, 'next')}`, vmOf())}${moving('p.vms.web', 'q.vms.web')}`,
    ['replace q.vms.web: networks, publicIp! (parent-changed)'],
  ],
  [
    'a VM that is created first, under the name that it has',
    write(vmOf()),
    `${write('', vmOf(', lifecycle: { createBeforeDestroy: true }'))}${moving('p.vms.web', 'q.vms.web')}`,
    ['replace q.vms.web (parent-changed)'],
  ],
  [
    'a network, with the VMs on it',
    write(`networks: { lan: }\n    ${vmOf(', networks: [lan]')}`),
    `${write(vmOf(), `networks: { lan: }\n    ${vmOf(', networks: [lan]', 'db')}`)}${moving('p.networks.lan', 'q.networks.lan')}`,
    ['update p.vms.web: networks', 'replace q.networks.lan (parent-changed)'],
  ],
  [
    'a network, and its VMs are destroyed with their project',
    write(`networks: { lan: }\n    ${vmOf(', networks: [lan]')}`),
    `${write(undefined, 'networks: { lan: }')}${moving('p.networks.lan', 'q.networks.lan')}`,
    ['replace q.networks.lan (parent-changed)'],
  ],
  [
    'a forward to another public IP, and its port is taken where it was',
    write(`${vmOf()}\n    publicIps: { edge: { ${forward} } }`),
    `${write(`${vmOf()}\n    publicIps: { edge: { ${forward.replace('http', 'web')} }, side: { ${forward} } }`)}${moving('p.publicIps.edge.forwards.http', 'p.publicIps.side.forwards.http')}`,
    ['replace p.publicIps.side.forwards.http (parent-changed)'],
  ],
] as const)(
  'what moves to a place that the same plan makes is replaced: %s',
  async (_what, before, after, replaced) => {
    const world = await World.open();
    await expectApplied(world, await configure(before));
    const desired = await configure(after);
    const lines = changeLines((await world.plan(desired)).plan);
    expect(lines.filter((line) => /^(update|replace)/.test(line))).toEqual(replaced);
    await expectBuilt(world, desired);
  },
);

test('what would have to take along what it holds is refused', async () => {
  const world = await World.open();
  const before = await configure(write(`networks: { lan: }\n    ${vmOf(', networks: [lan]')}`));
  await expectApplied(world, before);
  const move = (q: string) => configure(`${write('', q)}${moving('p.vms.web', 'q.vms.web')}`);
  const ignoring = 'lifecycle: { ignoreChanges: [networks] }';
  expect(describeFailures(await world.apply(await move(vmOf(`, ${ignoring}`))))).toContain(
    'invalid-move: projects.q.vms.web cannot move to another project: what it holds there would have to come along',
  );
  expect((await world.readAccount()).map(({ kind }) => kind)).toEqual(['project', 'network', 'vm']);
  // Of what is made anew nothing stays: it holds what is configured, ignored or not.
  const desired = await move(`networks: { lan: }\n    ${vmOf(`, networks: [lan], ${ignoring}`)}`);
  await expectBuilt(world, desired);
});
