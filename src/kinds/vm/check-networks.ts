import { makeChildAddress, type ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Change } from '../../model/plan/plan.ts';
import { locateFinding } from '../../model/place-of.ts';
import { readTextList } from '../../model/value.ts';
import type { KindCheck, KindCheckInput } from '../kind-check.ts';

/**
 * Finds networks with more VMs than addresses, VMs that are not ours counted too. The service chooses the range of a network
 * when it creates it: until then the ranges of the other networks are the best guess.
 */
export const checkFreeNetworkAddresses: KindCheck = ({ plan, desired, live, state }) => {
  const joins = new Set(plan.changes.flatMap((change) => networksOf(change, joined(change))));
  if (joins.size === 0) return [];
  const members = new Map<ResourceAddress, number>();
  for (const change of plan.changes) {
    for (const address of networksOf(change, change.after)) {
      members.set(address, (members.get(address) ?? 0) + 1);
    }
  }
  const outside = countOutside(live, state);
  const ranges = new Map(
    live.resources.flatMap((one) =>
      one.kind === 'network' && typeof one.cidr === 'string' ? [[one.id, one.cidr] as const] : [],
    ),
  );
  const usual = findUsual([...ranges.values()]);
  return [...joins].flatMap((address): Finding[] => {
    const id = state.resources.get(address)?.id ?? '';
    const cidr = ranges.get(id);
    const others = outside.get(id) ?? 0;
    const count = (members.get(address) ?? 0) + others;
    const place = locateFinding(desired.get(address));
    if (cidr === undefined) return count <= usual.room ? [] : [warnOfRange(count, usual, place)];
    const room = countAddresses(cidr);
    if (room === undefined || count <= room) return [];
    return [
      {
        severity: 'error',
        code: 'network-full',
        summary: `This network would have ${count} VMs, and its range ${cidr} has ${room} addresses`,
        ...(others > 0 && { detail: `${others} of them are not in this configuration.` }),
        hint: 'Spread the VMs over more networks.',
        ...place,
      },
    ];
  });
};

/** Number of VMs that are not managed in each network, by the network's id. */
function countOutside(
  { resources }: KindCheckInput['live'],
  state: KindCheckInput['state'],
): ReadonlyMap<string, number> {
  const managed = new Set([...state.resources.values()].map(({ id }) => id));
  const outside = new Map<string, number>();
  for (const one of resources) {
    if (one.kind !== 'vm' || managed.has(one.id)) continue;
    for (const { networkId } of one.networks ?? []) {
      outside.set(networkId, (outside.get(networkId) ?? 0) + 1);
    }
  }
  return outside;
}

/** Expected size of a new network's range, and the number of existing networks with that size. */
interface UsualRange {
  readonly room: number;
  readonly seen: number;
}

/** A range of 254 addresses, where the account has no network to compare with (assumed). */
const assumedRoom = 254;

/** The most frequent size of the ranges; of several, the smallest. */
function findUsual(cidrs: readonly string[]): UsualRange {
  const seen = new Map<number, number>();
  for (const cidr of cidrs) {
    const room = countAddresses(cidr);
    if (room !== undefined) seen.set(room, (seen.get(room) ?? 0) + 1);
  }
  const [most] = [...seen].sort(([a, n], [b, m]) => m - n || a - b);
  return most ? { room: most[0], seen: most[1] } : { room: assumedRoom, seen: 0 };
}

function warnOfRange(
  count: number,
  { room, seen }: UsualRange,
  place: ReturnType<typeof locateFinding>,
): Finding {
  const likely =
    seen === 0
      ? `A range usually has ${room} addresses.`
      : seen === 1
        ? `The network of this account has ${room} addresses.`
        : `${seen} networks of this account have ${room} addresses each.`;
  return {
    severity: 'warning',
    code: 'network-may-be-full',
    summary: `This network would have ${count} VMs, and its range will probably have ${room} addresses`,
    detail: `The service chooses the range when it creates the network. ${likely}`,
    hint: 'Spread the VMs over more networks.',
    ...place,
  };
}

/** The attributes of the VM that are new: all of them for a new VM. */
function joined({ action, before, after }: Change): Change['after'] {
  if (action === 'replace' || !before) return after;
  const had = new Set(listOf(before));
  return { networks: listOf(after).filter((key) => !had.has(key)) };
}

function listOf(attributes: Change['after']): readonly string[] {
  return readTextList(attributes?.networks);
}

function networksOf({ kind, project }: Change, attributes: Change['after']): ResourceAddress[] {
  if (kind !== 'vm') return [];
  return listOf(attributes).map((key) => makeChildAddress(project, 'network', key));
}

/** Usable addresses of a range: all but its first and its last. */
function countAddresses(cidr: string): number | undefined {
  const bits = /^\d+\.\d+\.\d+\.\d+\/(\d+)$/.exec(cidr)?.[1];
  return bits === undefined ? undefined : Math.max(0, 2 ** (32 - Number(bits)) - 2);
}
