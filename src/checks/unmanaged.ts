import { kindRegistry } from '../kinds/registry.ts';
import type { LiveResource } from '../model/account/live.ts';
import { compareResourceAddresses } from '../model/address.ts';
import { isProject, kindNames } from '../model/kind-places.ts';
import type { PlanCheck } from './check.ts';
import { formatSomeLiveResources } from './name-live.ts';
import { addToGroup } from '../model/group-by.ts';
import { formatCountWithNoun } from '../model/text/count-noun.ts';

/** Live resources inside the planned projects that nobody configured: counted, the first few named, and left alone. */
export const noteUnmanagedResources: PlanCheck = ({ live, state, plan, ignored }) => {
  // Projects outside of a selection (--target, --exclude) are not reported.
  const planned = plan.isPartial && new Set(plan.changes.map(({ project }) => project));
  const ours = new Set<string>();
  const projects = new Map<string, string>();
  for (const { kind, id, address, allocatedPublicIpId } of state.resources.values()) {
    ours.add(id);
    if (allocatedPublicIpId !== undefined) ours.add(allocatedPublicIpId);
    if (isProject(kind) && (!planned || planned.has(address))) projects.set(id, address);
  }
  const found = new Map<string, LiveResource[]>();
  for (const one of live.resources) {
    const address = projects.get(one.projectId);
    if (address === undefined || ours.has(one.id) || ignored?.has(one.id)) continue;
    addToGroup(found, address, one);
  }
  const inOrder = [...found].sort(([a], [b]) => compareResourceAddresses(a, b));
  return inOrder.map(([address, all]) => {
    const list = kindNames.flatMap((kind) => {
      const count = all.filter((one) => one.kind === kind).length;
      return count === 0 ? [] : [formatCountWithNoun(kindRegistry[kind].label, count)];
    });
    return {
      severity: 'note' as const,
      code: 'unmanaged-resources',
      summary: `${address} also holds ${list.join(', ')} that this configuration does not name`,
      detail: `They are left alone: ${formatSomeLiveResources(all)}.`,
      address,
    };
  });
};
