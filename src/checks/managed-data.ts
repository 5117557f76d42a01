import { labelDataKind } from '../kinds/data-sources.ts';
import { isUnmanagedAddress, type ResourceAddress } from '../model/address.ts';
import type { UsedDataResult } from '../model/data.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { ManagedResource } from '../model/state/state.ts';
import type { PlanCheck } from './check.ts';

/** Hint at the reference to write in place of `data`; a resource of another module must be given out as an output. */
function suggestReference(name: string, address: ResourceAddress): string {
  const prefix = name.slice(0, name.lastIndexOf('data.'));
  const own = address.startsWith(prefix) ? address.slice(prefix.length) : address;
  return own.startsWith('modules.') || !address.startsWith(prefix)
    ? 'Read it by an output of its module, and remove the entry of `data`.'
    : `Write \`\${${own}.…}\` in its place, and remove the entry of \`data\`.`;
}

/** Refuses `data` about a managed resource: it would be read as it is before the plan, and its reader would not wait. */
function refuseManaged({ query }: UsedDataResult, { address }: ManagedResource): Finding {
  const label = labelDataKind(query.kind);
  return {
    severity: 'error',
    code: 'data-managed',
    summary: `\`${query.name}\` reads ${address}, which this configuration manages`,
    detail: `\`data\` is read before anything changes. A reference to the ${label} follows its changes.`,
    hint: suggestReference(query.name, address),
    address,
    source: query.source,
  };
}

/** Reports a query that reads what the plan destroys because an exclusive project does not configure it. */
function refuseIntruder({ query }: UsedDataResult, { address }: ManagedResource): Finding {
  return {
    severity: 'error',
    code: 'data-managed',
    summary: `\`${query.name}\` reads what this plan destroys`,
    detail: `Nobody configured ${address}, and its project is exclusive.`,
    hint: 'Add it to `ignoreUnmanaged` of the project, or configure it.',
    address,
    source: query.source,
  };
}

/**
 * Refuses `data` queries about resources that this state manages, since `data` is for what others manage. A resource that this
 * plan forgets may be queried.
 */
export const refuseDataOfManagedResources: PlanCheck = ({ data = [], state, plan }) => {
  if (data.length === 0 || plan.mode === 'destroy') return [];
  const byId = new Map<string, ManagedResource>(
    [...state.resources.values()].map((one) => [`${one.kind} ${one.id}`, one]),
  );
  return data.flatMap((reading) => {
    const managed = byId.get(`${reading.query.kind} ${reading.id}`);
    if (!managed) return [];
    const isIntruder = isUnmanagedAddress(managed.address, managed.id);
    return [isIntruder ? refuseIntruder(reading, managed) : refuseManaged(reading, managed)];
  });
};
