import type { Finding } from '../../model/diagnostic.ts';
import type { Address } from '../../model/address.ts';
import { placeOf } from '../../model/place-of.ts';
import type { KindCheck } from '../kind-check.ts';

/** Finds projects with more SSH keys than the service allows, those that are not ours counted too. */
export const checkSshKeyCount: KindCheck = ({ plan, desired, live, state }) => {
  const limit = live.limits.maxSshKeysPerProject;
  if (limit === null) return [];
  const after = new Map<Address, number>();
  const grows = new Set<Address>();
  for (const { kind, project, action } of plan.changes) {
    if (kind !== 'sshKey') continue;
    if (action !== 'delete') after.set(project, (after.get(project) ?? 0) + 1);
    if (action === 'create') grows.add(project);
  }
  const managedIds = new Set([...state.resources.values()].map((resource) => resource.id));
  const findings: Finding[] = [];
  for (const address of grows) {
    const projectId = state.resources.get(address)?.id;
    const outside = live.resources.filter(
      (one) => one.kind === 'sshKey' && one.projectId === projectId && !managedIds.has(one.id),
    ).length;
    const count = (after.get(address) ?? 0) + outside;
    if (count <= limit) continue;
    findings.push({
      severity: 'error',
      code: 'too-many-ssh-keys',
      summary: `This project would hold ${count} SSH keys, the service takes ${limit} in one project`,
      ...(outside > 0 && { detail: `${outside} of them are not in this configuration.` }),
      hint: 'Remove keys that nobody uses, or spread the VMs over more projects.',
      ...placeOf(desired.get(address)),
    });
  }
  return findings;
};
