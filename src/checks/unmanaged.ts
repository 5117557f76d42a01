import { kinds } from '../kinds/registry.ts';
import { compareAddresses } from '../model/address.ts';
import { isProject, kindNames } from '../model/kind-places.ts';
import type { Check } from './check.ts';
import { countNoun } from '../model/text/count-noun.ts';

/** Live resources inside the planned projects that nobody configured: counted, and left alone. */
export const noteUnmanaged: Check = ({ live, state, plan, ignored }) => {
  // What a selection leaves out is no matter of the plan.
  const planned = plan.isPartial && new Set(plan.changes.map(({ project }) => project));
  const ours = new Set<string>();
  const projects = new Map<string, string>();
  for (const { kind, id, address, allocatedPublicIpId } of state.resources.values()) {
    ours.add(id);
    if (allocatedPublicIpId !== undefined) ours.add(allocatedPublicIpId);
    if (isProject(kind) && (!planned || planned.has(address))) projects.set(id, address);
  }
  const counts = new Map<string, Map<string, number>>();
  for (const { kind, id, projectId } of live.resources) {
    const address = projects.get(projectId);
    if (address === undefined || ours.has(id) || ignored?.has(id)) continue;
    const ofProject = counts.get(address) ?? new Map<string, number>();
    ofProject.set(kind, (ofProject.get(kind) ?? 0) + 1);
    counts.set(address, ofProject);
  }
  const inOrder = [...counts].sort(([a], [b]) => compareAddresses(a, b));
  return inOrder.map(([address, ofProject]) => {
    const list = kindNames.flatMap((kind) => {
      const count = ofProject.get(kind);
      return count === undefined ? [] : [countNoun(kinds[kind].label, count)];
    });
    return {
      severity: 'note' as const,
      code: 'unmanaged-resources',
      summary: `${address} also holds ${list.join(', ')} that this configuration does not name`,
      detail: 'They are left alone.',
      address,
    };
  });
};
