import { expect, it } from 'vitest';
import { checkedPlanOf } from '../../support/plan-lines.ts';
import { destroyAll, editProject, patchDesired, type World } from '../../support/world.ts';

const source = { file: 'a.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
const reading = (isNewest: boolean) => ({
  query: { name: 'data.lts', kind: 'image', selector: { pattern: '' }, isNewest, source } as const,
  ...{ id: 'img-debian-12', values: {} },
});

/** A VM whose field reads `data`, with what was configured before and after. */
function reads(field: string, before: object, after: object, isNewest = false): World {
  const edited = editProject({ vms: { web: before } }, { vms: { web: after } });
  const ofData = { [field]: ['data.lts', 'data.gone'] };
  const world = patchDesired(edited, 'vm', { ofData, attributeSources: {} });
  return { ...world, desired: { ...world.desired, data: [reading(isNewest)] } };
}
const debian = { image: 'debian-12' };

it.each<[string, World, string[]]>([
  ['where all goes', destroyAll(reads('image', {}, debian)), []],
  ['where it picks what is there, and no newest', reads('image', debian, debian), []],
  [
    'where it picks the newest, and what is there',
    reads('image', debian, debian, true),
    ['data-newest rebuilds'],
  ],
  ['where it picks another one', reads('image', {}, debian), ['data-changed rebuilt']],
  [
    'where another one replaces',
    reads('tariff', {}, { tariff: 'yearly' }),
    ['data-changed replaced'],
  ],
  ['where the newest would replace', reads('tariff', {}, {}, true), ['data-newest replaces']],
  ['where only a name is another one', reads('name', {}, { name: 'www' }, true), []],
  [
    'where nobody rebuilds for it',
    reads('image', debian, { ...debian, rebuildOn: ['sshKeys'] }, true),
    [],
  ],
  ['where a field of no kind reads it', reads('label', {}, {}, true), []],
])('a choice of data is told %s', (_what, world, expected) => {
  const { findings } = checkedPlanOf(world);
  const told = findings.filter(({ code }) => /^data-(?:changed|newest)/.test(code));
  expect(
    told.map(({ code, summary }) => `${code} ${/re(?:buil|plac)\w+/.exec(summary)?.[0]}`),
  ).toEqual(expected);
});
