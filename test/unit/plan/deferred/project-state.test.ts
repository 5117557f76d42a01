import { expect, it } from 'vitest';
import type { ResourceAddress } from '../../../../src/model/address.ts';
import { projectResourcesFromState } from '../../../../src/plan/deferred/project-state.ts';
import { afterApply, forget } from '../../../support/world.ts';

const lan = 'projects.shop.networks.lan';
const web = 'projects.shop.vms.web';
const applied = afterApply({ shop: { networks: { lan: {} }, vms: { web: {} } } });

it.each<[string, typeof applied, readonly ResourceAddress[], readonly ResourceAddress[]]>([
  ['all that the state has', applied, [], []],
  ['nothing that the state has not', forget(applied, lan), [], [lan]],
  ['nothing whose change went wrong', applied, [web], [web]],
])('by the state there is %s', (_what, { desired, state }, undone, missing) => {
  const projected = projectResourcesFromState(desired.resources, state, new Set(undone));
  const found = projected.filter(({ isMissing }) => isMissing).map(({ address }) => address);
  expect(found).toEqual(missing);
});
