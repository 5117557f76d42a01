import { describe, expect, it } from 'vitest';
import { buildPlan } from '../../../../src/plan/build-plan.ts';
import { rememberReportedDrift } from '../../../../src/plan/decide/outside-changes.ts';
import { makeDesired, type Config } from '../../../support/desired.ts';
import { changeLines, planOf } from '../../../support/plan-lines.ts';
import { afterApply, lose, patchManaged, touch, type World } from '../../../support/world.ts';

const at = (local: string) => `projects.shop.vms.${local}`;
const lan = { networks: { lan: {} } };
const shop = (count: number): Config => ({
  shop: {
    ...lan,
    vms: Object.fromEntries(Array.from({ length: count }, (_, index) => [`web[${index}]`, {}])),
  },
});
/** A world whose configuration says nothing of networks: what is attached by hand is left alone. */
const attach = (world: World, local: string) =>
  touch(world, at(local), { networks: [{ networkId: 'n-shop-lan', internalIp: null }] });
const attachAll = (count: number) =>
  Array.from({ length: count }, (_, index) => `web[${index}]`).reduce(
    attach,
    afterApply(shop(count)),
  );

/** A world that applied a network before the service had assigned its range. */
function assignLate(world: World): World {
  const address = 'projects.shop.networks.lan';
  const { attributes } = world.state.resources.get(address)!;
  const early = patchManaged(world, address, { attributes: { ...attributes, cidr: null } });
  return touch(early, address, { cidr: '10.0.0.0/24' });
}

const noteOf = (world: World) =>
  planOf(world).findings.find(({ code }) => code === 'changed-outside');

describe('what was changed outside and nobody configures', () => {
  const networks = (index: number) => `projects.shop.vms.web[${index}]: networks [] -> ["lan"]`;
  it.each<[string, World, string]>([
    ['one attribute of one', attach(afterApply(shop(2)), 'web[1]'), networks(1)],
    ['two of two', attachAll(2), `${networks(0)}\n${networks(1)}`],
  ])('%s', (_what, world, detail) => expect(noteOf(world)?.detail).toBe(detail));

  it('is counted', () => {
    const left = 'outside of Hostwright and';
    expect(noteOf(attachAll(1))?.summary).toBe(`1 attribute was changed ${left} is left as it is`);
    expect(noteOf(attachAll(2))?.summary).toBe(
      `2 attributes were changed ${left} are left as they are`,
    );
  });

  it.each<[string, World]>([
    ['at all', afterApply(shop(2))],
    [
      'that the plan puts right',
      touch(afterApply(shop(1)), at('web[0]'), { bootStatus: 'Stopped' }),
    ],
    ['that the service is still at', touch(attachAll(1), at('web[0]'), { status: 'updating' })],
    ['that the service assigned after the apply', assignLate(afterApply(shop(1)))],
    [
      'that is configured as it is by now',
      {
        ...attachAll(1),
        desired: makeDesired({ shop: { ...lan, vms: { 'web[0]': { networks: ['lan'] } } } }),
      },
    ],
    ['that goes', { ...attachAll(1), mode: 'destroy' }],
    ['that is gone', lose(attachAll(1), at('web[0]'))],
  ])('is nothing %s', (_what, world) => expect(noteOf(world)).toBeUndefined());

  it('has an address where it is one resource, and is cut where there are many', () => {
    expect(noteOf(attachAll(1))?.address).toBe(at('web[0]'));
    const many = noteOf(attachAll(13));
    expect(many?.address).toBeUndefined();
    expect(many?.detail?.split('\n')).toHaveLength(11);
    expect(many?.detail?.split('\n').at(-1)).toBe('and 3 more');
  });

  it('is told once: the state that apply writes down knows it', () => {
    const world = attachAll(2);
    const { known } = buildPlan(world);
    expect(noteOf({ ...world, state: known })).toBeUndefined();
  });
});

describe('a plan that only refreshes', () => {
  const world = lose(
    touch(attach(afterApply(shop(3)), 'web[0]'), at('web[0]'), { name: 'by-hand' }),
    at('web[2]'),
  );
  const refresh = { ...world, mode: 'refresh' as const };

  it('changes nothing, and says what changed and what is gone', () => {
    const plan = planOf(refresh);
    expect(plan.changes).toEqual([]);
    expect(plan.tasks).toEqual([]);
    expect(plan.gone).toEqual([at('web[2]')]);
    expect(plan.drift?.map(({ address, names }) => [address, names])).toEqual([
      [at('web[0]'), ['name', 'networks']],
      [at('web[2]'), []],
    ]);
  });

  it('lets the state say it: the next one has nothing to say', () => {
    const { known } = buildPlan(refresh);
    expect(known.resources.has(at('web[2]'))).toBe(false);
    expect(known.resources.get(at('web[0]'))?.attributes.name).toBe('by-hand');
    expect(planOf({ ...refresh, state: known }).drift).toEqual([]);
    expect(changeLines(planOf({ ...world, state: known }))).toEqual([
      'update shop.vms.web[0]: name',
      'create shop.vms.web[2]',
    ]);
  });

  it('says nothing of the address that a VM left behind: its entry says that it is ours', () => {
    const held = afterApply({ shop: { vms: { web: { publicIp: 'new' } } } });
    const left = { ...lose(held, at('web')), mode: 'refresh' as const };
    const { plan, known } = buildPlan(left);
    expect(plan.drift).toEqual([]);
    expect(known.resources.has(at('web'))).toBe(true);
  });
});

it('remembers nothing of what the state does not have', () => {
  const { state } = afterApply(shop(1));
  const [drift] = planOf({ ...lose(afterApply(shop(2)), at('web[1]')), mode: 'refresh' }).drift!;
  expect(rememberReportedDrift(state, [drift!])).toEqual(state);
});
