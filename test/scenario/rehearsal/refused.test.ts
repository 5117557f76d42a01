// A plan that has errors is rehearsed as far as it can be: nothing of it is a bug of the program.
import { expect, test } from 'vitest';
import { hasErrors } from '../../../src/model/diagnostic.ts';
import {
  hasRehearsalSucceeded,
  haveAllRehearsalsSucceeded,
} from '../../../src/model/plan/rehearsal.ts';
import { configure, World } from '../world.ts';
import { rehearseIn } from './rehearse-in.ts';

const vm = (more = '', image = 'debian-12', configuration = 'c1-r1-d20', tariff = 'monthly') =>
  `{ image: ${image}, configuration: ${configuration}, tariff: ${tariff}${more} }`;
const inProject = (text: string, more = '') =>
  configure(`${more}projects:\n  demo:\n    ${text.replaceAll('\n', '\n    ')}\n`);

test.each([
  ['for an image', `vms: { web: ${vm('', 'no-such')} }`],
  ['for a configuration', `vms: { web: ${vm('', 'debian-12', 'c9-r9-d9')} }`],
  ['for a tariff', `vms: { web: ${vm('', 'debian-12', 'c1-r1-d20', 'weekly')} }`],
  ['for a name that is too long', `networks: { lan: { name: ${'x'.repeat(80)} } }`],
  ['for a quota', 'networks: { a: , b: , c: , d: }'],
  ['for what it would lose', `vms: { web: ${vm('', 'debian-13')} }`, 'guards: { dataLoss: deny }'],
  ['for what it deletes', 'networks: {}', 'guards: { maxDeletes: 0 }'],
  [
    'for what is protected',
    `vms: { web: ${vm(', lifecycle: { preventDestroy: true }', 'debian-13')} }`,
  ],
])('a plan that is refused: %s', async (_, text, more = '') => {
  const world = await World.open({ quotas: { networks: 3 } });
  await world.apply(await inProject(`vms: { web: ${vm()} }`));
  const desired = await inProject(text, more === '' ? '' : `${more}\n`);
  const planned = await world.plan(desired);
  expect(hasErrors(planned.plan.findings)).toBe(true);
  const rehearsal = await rehearseIn(world, planned);
  expect(rehearsal).toBeDefined();
  // Nothing but a guard is in the way of the last three.
  const isGuarded = /lose|deletes|protected/.test(_);
  expect(rehearsal && hasRehearsalSucceeded(rehearsal)).toBe(isGuarded);
  expect(rehearsal && haveAllRehearsalsSucceeded(rehearsal)).toBe(false);
});

test('a plan whose tasks lack what they need is a bug, unless it is refused', async () => {
  const world = await World.open();
  const planned = await world.plan(await inProject('networks: { lan: }'));
  const tasks = planned.plan.tasks
    .filter(({ address }) => address !== 'projects.demo')
    .map((task) => ({ ...task, dependsOn: [] }));
  const broken = { ...planned, plan: { ...planned.plan, tasks } };
  await expect(rehearseIn(world, broken)).rejects.toThrow('has no id yet');
  const findings = [{ severity: 'error', code: 'x', summary: 'x' }] as const;
  const refused = { ...broken, plan: { ...broken.plan, findings } };
  expect(await rehearseIn(world, refused)).toBeUndefined();
});
