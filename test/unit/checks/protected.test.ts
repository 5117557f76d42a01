import { describe, expect, it } from 'vitest';
import type { ProjectConfig } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { findingLine } from '../../support/plan-lines.ts';
import { afterApply, destroyAll, lose, reconfigure, type World } from '../../support/world.ts';

const web = 'projects.shop.vms.web';
const shop = (vms: ProjectConfig['vms']) => ({ shop: { vms: vms ?? {} } });
const applied = afterApply(shop({ web: {} }));

/** The block asks for protection. */
function protect(world: World): World {
  const lifecycle = {
    ...{ preventDestroy: true, createBeforeDestroy: false },
    ...{ ignoreChanges: [], replaceTriggeredBy: [] },
    protectedAt: { file: 'main.yaml', line: 12, column: 27, endLine: 12, endColumn: 31 },
  };
  const resources = world.desired.resources.map((one) =>
    one.address === web ? { ...one, lifecycle } : one,
  );
  return { ...world, desired: { ...world.desired, resources } };
}

/** The block asked for it when it was last applied. */
function remember(world: World): World {
  const managed = world.state.resources.get(web)!;
  const resources = new Map(world.state.resources).set(web, { ...managed, isProtected: true });
  return { ...world, state: { ...world.state, resources } };
}

describe('what is protected', () => {
  const replaced =
    'error prevent-destroy at 12:27 shop.vms.web: projects.shop.vms.web is protected, and this plan would replace it';
  const destroyed =
    'error prevent-destroy shop.vms.web: projects.shop.vms.web is protected, and this plan would destroy it';

  it.each<[string, World, string[]]>([
    ['may stay', protect(applied), []],
    ['may be changed', protect(reconfigure(applied, shop({ web: { name: 'w' } }))), []],
    ['may be rebuilt', protect(reconfigure(applied, shop({ web: { image: 'debian-12' } }))), []],
    ['may be made again', protect(lose(applied, web)), []],
    [
      'may not be replaced',
      protect(reconfigure(applied, shop({ web: { tariff: 'yearly' } }))),
      [replaced],
    ],
    [
      'may not be destroyed, though its block is gone',
      remember(reconfigure(applied, shop({}))),
      [destroyed],
    ],
    ['may not be destroyed with everything', destroyAll(remember(applied)), [destroyed]],
    [
      'may not be destroyed with everything, though it was never applied so',
      destroyAll(protect(applied)),
      [destroyed.replace('destroy shop', 'destroy at 12:27 shop')],
    ],
    [
      'may go once its block took it back',
      remember(reconfigure(applied, shop({ web: { tariff: 'yearly' } }))),
      [],
    ],
    ['was never protected', destroyAll(applied), []],
  ])('%s', (_what, world, lines) => {
    expect(findingsOf(world, 'prevent-destroy').map(findingLine)).toEqual(lines);
  });

  it('says why, and what to do', () => {
    const [field] = findingsOf(
      protect(reconfigure(applied, shop({ web: { tariff: 'yearly' } }))),
      'prevent',
    );
    expect(field).toMatchObject({
      detail: 'Replaced because of: tariff.',
      hint: 'Take the change back, or apply once with preventDestroy: false before it.',
    });
    const [block] = findingsOf(remember(reconfigure(applied, shop({}))), 'prevent');
    expect(block).toMatchObject({
      detail: 'Its lifecycle has preventDestroy: true, or had it when it was last applied.',
      hint: 'Put its block back; apply once with preventDestroy: false, then remove the block.',
    });
  });

  it.each<[string, World, string]>([
    ['that its block may go back', remember(reconfigure(applied, shop({}))), 'Put its block back'],
    ['what to do about a destroy', destroyAll(remember(applied)), `--exclude '${web}'`],
    [
      'that the change may be taken back',
      protect(reconfigure(applied, shop({ web: { tariff: 'yearly' } }))),
      'Take the change back',
    ],
  ])('hints %s', (_what, world, hint) => {
    expect(findingsOf(world, 'prevent-destroy')[0]?.hint).toContain(hint);
  });
});
