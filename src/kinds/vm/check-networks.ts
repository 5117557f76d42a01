import { childAddress, type Address } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Change } from '../../model/plan/plan.ts';
import { placeOf } from '../../model/place-of.ts';
import type { KindCheck } from '../kind-check.ts';

/**
 * More VMs in a network than its range has addresses, those that are not ours counted too. The range of a network that
 * is yet to be created is the service's to choose: nothing can be said of that.
 */
export const checkNetworks: KindCheck = ({ plan, desired, live, state }) => {
  const joins = new Set(plan.changes.flatMap((change) => networksOf(change, joined(change))));
  if (joins.size === 0) return [];
  const members = new Map<Address, number>();
  for (const change of plan.changes) {
    for (const address of networksOf(change, change.after)) {
      members.set(address, (members.get(address) ?? 0) + 1);
    }
  }
  const managed = new Set([...state.resources.values()].map(({ id }) => id));
  const outside = new Map<string, number>();
  for (const one of live.resources) {
    if (one.kind !== 'vm' || managed.has(one.id)) continue;
    for (const { networkId } of one.networks) {
      outside.set(networkId, (outside.get(networkId) ?? 0) + 1);
    }
  }
  const ranges = new Map(
    live.resources.flatMap((one) => (one.kind === 'network' ? [[one.id, one.cidr] as const] : [])),
  );
  return [...joins].flatMap((address): Finding[] => {
    const id = state.resources.get(address)?.id ?? '';
    const cidr = ranges.get(id) ?? '';
    const room = countAddresses(cidr);
    const others = outside.get(id) ?? 0;
    const count = (members.get(address) ?? 0) + others;
    if (room === undefined || count <= room) return [];
    return [
      {
        severity: 'error',
        code: 'network-full',
        summary: `This network would have ${count} VMs, and its range ${cidr} has ${room} addresses`,
        ...(others > 0 && { detail: `${others} of them are not in this configuration.` }),
        hint: 'Spread the VMs over more networks.',
        ...placeOf(desired.get(address)),
      },
    ];
  });
};

/** What the VM has that it had not before. */
function joined({ action, before, after }: Change): Change['after'] {
  if (action === 'replace' || !before) return after;
  const had = new Set(listOf(before));
  return { networks: listOf(after).filter((key) => !had.has(key)) };
}

function listOf(attributes: Change['after']): readonly string[] {
  const { networks } = attributes ?? {};
  return Array.isArray(networks) ? (networks as readonly string[]) : [];
}

function networksOf({ kind, project }: Change, attributes: Change['after']): Address[] {
  if (kind !== 'vm') return [];
  return listOf(attributes).map((key) => childAddress(project, 'network', key));
}

/** How many hosts a range has at most: its first and its last address are none. */
function countAddresses(cidr: string): number | undefined {
  const bits = /^\d+\.\d+\.\d+\.\d+\/(\d+)$/.exec(cidr)?.[1];
  return bits === undefined ? undefined : Math.max(0, 2 ** (32 - Number(bits)) - 2);
}
