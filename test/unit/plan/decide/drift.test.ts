import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../../src/model/value.ts';
import type { VmConfig } from '../../../support/desired.ts';
import { changeLines, planOf } from '../../../support/plan-lines.ts';
import { afterApply, forget, reconfigure, touch, type World } from '../../../support/world.ts';

const web = 'projects.shop.vms.web';
const applied = afterApply({ shop: { networks: { lan: {}, wan: {} }, vms: { web: {} } } });
const vm = (given: VmConfig) => ({ shop: { networks: { lan: {}, wan: {} }, vms: { web: given } } });
const attached = afterApply(vm({ networks: ['lan', 'wan'] }));
const off = touch(applied, web, { bootStatus: 'Stopped' });
const detached = touch(attached, web, { networks: [] });

const driftOf = (world: World): Attributes | undefined =>
  planOf(world).changes.find(({ address }) => address === web)?.drift;

describe('what was changed outside since the last apply', () => {
  it.each<[string, World, string[], Attributes | undefined]>([
    ['nothing', applied, [], undefined],
    ['its power', off, ['update shop.vms.web: power'], { power: 'running' }],
    [
      'its name, and the configuration wants a third',
      reconfigure(touch(applied, web, { name: 'www' }), vm({ name: 'site' })),
      ['update shop.vms.web: name'],
      { name: 'web' },
    ],
    ['its attachments', detached, ['update shop.vms.web: networks'], { networks: ['lan', 'wan'] }],
    [
      'one field, and the configuration changes another',
      reconfigure(off, vm({ name: 'site', power: 'running' })),
      ['update shop.vms.web: name, power'],
      { power: 'running' },
    ],
    [
      'a field that the configuration now wants just so',
      reconfigure(off, vm({ power: 'stopped' })),
      [],
      undefined,
    ],
    [
      'nothing: the configuration says something new',
      reconfigure(applied, vm({ name: 'site' })),
      ['update shop.vms.web: name'],
      undefined,
    ],
    [
      'nothing: the service lists in another order, and the configuration wants less',
      reconfigure(
        touch(attached, web, {
          networks: ['n-shop-wan', 'n-shop-lan'].map((networkId) => ({
            networkId,
            internalIp: null,
          })),
        }),
        vm({ networks: ['lan'] }),
      ),
      ['update shop.vms.web: networks'],
      undefined,
    ],
    [
      'nothing: an image was written by its id, and now another by its name',
      reconfigure(afterApply(vm({ image: 'img-debian-12' })), vm({ image: 'debian-13' })),
      ['rebuild shop.vms.web: image!'],
      undefined,
    ],
    [
      'an image by hand, that was written by its id',
      reconfigure(
        touch(afterApply(vm({ image: 'img-debian-12' })), web, { imageId: 'img-rocky-9' }),
        vm({ image: 'debian-13' }),
      ),
      ['rebuild shop.vms.web: image!'],
      { image: 'img-debian-12' },
    ],
    ['nothing that is not ours yet', forget(off, web), ['create shop.vms.web'], undefined],
  ])('%s', (_what, world, lines, drift) => {
    expect(changeLines(planOf(world))).toEqual(lines);
    expect(driftOf(world)).toEqual(drift);
  });

  it('is none where what was read as data has a key of its own by now', () => {
    const managed = attached.state.resources.get(web)!;
    const asData = { ...managed.attributes, networks: ['id:n-shop-lan', 'id:n-shop-wan'] };
    const resources = new Map(attached.state.resources).set(web, {
      ...managed,
      attributes: asData,
    });
    const world = { ...attached, state: { ...attached.state, resources } };
    expect(changeLines(planOf(world))).toEqual([]);
    expect(planOf(world).drift ?? []).toEqual([]);
    const loose = touch(world, web, { networks: [] });
    expect(driftOf(loose)).toEqual({ networks: ['id:n-shop-lan', 'id:n-shop-wan'] });
  });

  it('is null where the field was applied as nothing', () => {
    const bare = vm({ publicIp: 'edge' });
    const edge = { shop: { ...bare.shop, publicIps: { edge: {} } } };
    const held = afterApply(edge);
    const remembered = held.state.resources.get(web)!;
    const without = { ...remembered, attributes: { ...remembered.attributes, publicIp: null } };
    const resources = new Map(held.state.resources).set(web, without);
    const world = { ...held, state: { ...held.state, resources } };
    const after = reconfigure(world, { shop: { ...edge.shop, vms: { web: {} } } });
    expect(changeLines(planOf(after))).toEqual(['replace shop.vms.web: publicIp!']);
    expect(driftOf(after)).toEqual({ publicIp: null });
  });
});
