import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../../src/model/value.ts';
import type { VmConfig } from '../../../support/desired.ts';
import { changeLines, planOf } from '../../../support/plan-lines.ts';
import {
  afterApply,
  forget,
  patchManaged,
  reconfigure,
  touch,
  type World,
} from '../../../support/world.ts';
import { readRows } from '../../../support/read-rows.ts';

const web = 'projects.shop.vms.web';
const vm = (given: VmConfig) => ({ shop: { networks: { lan: {}, wan: {} }, vms: { web: given } } });
const attached = afterApply(vm({ networks: ['lan', 'wan'] }));

const driftOf = (world: World): Attributes | undefined =>
  planOf(world).changes.find(({ address }) => address === web)?.drift;

describe('what was changed outside since the last apply', () => {
  const swapped =
    '{ networks: [{ networkId: n-shop-wan, internalIp: }, { networkId: n-shop-lan, internalIp: }] }';
  it.each(
    readRows(`
    nothing | {} | {} | {} |  |
    its power | {} | { bootStatus: Stopped } | {} | update shop.vms.web: power | { power: running }
    its name, and the configuration wants a third | {} | { name: www } | { name: site } | update shop.vms.web: name | { name: web }
    its attachments | { networks: [lan, wan] } | { networks: [] } | { networks: [lan, wan] } | update shop.vms.web: networks | { networks: [lan, wan] }
    one field, and the configuration changes another | {} | { bootStatus: Stopped } | { name: site, power: running } | update shop.vms.web: name, power | { power: running }
    a field that the configuration now wants just so | {} | { bootStatus: Stopped } | { power: stopped } |  |
    nothing: the configuration says something new | {} | {} | { name: site } | update shop.vms.web: name |
    nothing: the service lists in another order, and the configuration wants less | { networks: [lan, wan] } | ${swapped} | { networks: [lan] } | update shop.vms.web: networks |
    nothing: an image was written by its id, and now another by its name | { image: img-debian-12 } | {} | { image: debian-13 } | rebuild shop.vms.web: image! |
    an image by hand, that was written by its id | { image: img-debian-12 } | { imageId: img-rocky-9 } | { image: debian-13 } | rebuild shop.vms.web: image! | { image: img-debian-12 }
  `),
  )('%s', (_what, before, live, wanted, lines, drift) => {
    const standing = touch(afterApply(vm(parse(before) as VmConfig)), web, parse(live) as object);
    const world = reconfigure(standing, vm(parse(wanted) as VmConfig));
    expect(changeLines(planOf(world)).join('; ')).toBe(lines);
    expect(driftOf(world)).toEqual(parse(drift) ?? undefined);
  });

  it('nothing that is not ours yet', () => {
    const world = forget(touch(afterApply(vm({})), web, { bootStatus: 'Stopped' }), web);
    expect(changeLines(planOf(world))).toEqual(['create shop.vms.web']);
    expect(driftOf(world)).toBeUndefined();
  });

  it('is none where what was read as data has a key of its own by now', () => {
    const { attributes } = attached.state.resources.get(web)!;
    const world = patchManaged(attached, web, {
      attributes: { ...attributes, networks: ['id:n-shop-lan', 'id:n-shop-wan'] },
    });
    expect(changeLines(planOf(world))).toEqual([]);
    expect(planOf(world).drift ?? []).toEqual([]);
    const loose = touch(world, web, { networks: [] });
    expect(driftOf(loose)).toEqual({ networks: ['id:n-shop-lan', 'id:n-shop-wan'] });
  });

  it('is null where the field was applied as nothing', () => {
    const bare = vm({ publicIp: 'edge' });
    const edge = { shop: { ...bare.shop, publicIps: { edge: {} } } };
    const held = afterApply(edge);
    const { attributes } = held.state.resources.get(web)!;
    const world = patchManaged(held, web, { attributes: { ...attributes, publicIp: null } });
    const after = reconfigure(world, { shop: { ...edge.shop, vms: { web: {} } } });
    expect(changeLines(planOf(after))).toEqual(['replace shop.vms.web: publicIp!']);
    expect(driftOf(after)).toEqual({ publicIp: null });
  });
});
