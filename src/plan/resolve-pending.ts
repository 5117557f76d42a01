import { allocatedPublicIpOf } from '../kinds/allocated-ip.ts';
import { findCreated } from '../kinds/outcome.ts';
import { kinds } from '../kinds/registry.ts';
import { parseAddress, type Address } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { LiveResource, LiveSnapshot } from '../model/live.ts';
import { groupBy } from '../model/multimap.ts';
import {
  deposeResource,
  isShownOnce,
  type ManagedResource,
  type PendingCreate,
  type State,
} from '../model/state.ts';

/** What became of creates that a run left behind when it ended in the middle. */
export interface ResolvedPending {
  /** Recognised in the account, ours from here on; with what stood under the address before and is still to go. */
  readonly found: readonly ManagedResource[];
  /** Nothing in the account can be it: as far as it can be seen, it did not happen. */
  readonly missing: readonly PendingCreate[];
  /** Several could be it: a person has to say. */
  readonly findings: readonly Finding[];
  /** The state with what was found. */
  readonly state: State;
}

/** Looks for every pending create in the account: something new of its kind, place and name. */
export function resolvePending(state: State, live: LiveSnapshot): ResolvedPending {
  if (state.pending.size === 0) return { found: [], missing: [], findings: [], state };
  const byKind = groupBy([...live.projects, ...live.resources], ({ kind }) => kind);
  const resources = new Map(state.resources);
  const addresses = new Map(
    [...resources.values()].flatMap(({ id, address, deposed = [] }) =>
      [id, ...deposed].map((one) => [one, address] as const),
    ),
  );
  const found: ManagedResource[] = [];
  const missing: PendingCreate[] = [];
  const findings: Finding[] = [];
  const keep = (resource: ManagedResource, id: string) => {
    found.push(resource);
    resources.set(resource.address, resource);
    addresses.set(id, resource.address);
  };
  for (const pending of state.pending.values()) {
    const kind = parseAddress(pending.address)?.kind ?? 'project';
    const known = new Set(pending.knownIds);
    const isKnown = (id: string) => known.has(id) || addresses.has(id);
    const candidates = findCreated(pending.command, byKind.get(kind) ?? [], isKnown);
    const [only, ...others] = candidates;
    if (!only) missing.push(pending);
    else if (others.length > 0) {
      const describe = isShownOnce(pending) ? describeStrays : describeAmbiguity;
      findings.push(describe(pending, candidates));
    } else {
      const before = resources.get(pending.address);
      const resource = isShownOnce(pending)
        ? depose(pending, only, before)
        : adopt(pending, only, live, addresses);
      const isSucceeding = resource.id === only.id && before?.id !== only.id;
      // The old one was to go once the new one stood.
      if (isSucceeding && before && isStanding(before, byKind)) {
        keep(deposeResource(before), before.id);
      }
      keep(resource, only.id);
    }
  }
  const pending = leavePending(state.pending, found);
  return { found, missing, findings, state: { ...state, resources, pending } };
}

/** What is still to be looked for: several requests may have gone out for one, and what they made may show one by one. */
function leavePending(
  all: State['pending'],
  found: readonly ManagedResource[],
): ReadonlyMap<Address, PendingCreate> {
  const pending = new Map(all);
  for (const { address } of found) {
    const one = pending.get(address);
    if (one && !isShownOnce(one)) pending.delete(address);
  }
  return pending;
}

function isStanding(
  { kind, id }: ManagedResource,
  byKind: ReadonlyMap<string, readonly LiveResource[]>,
): boolean {
  return byKind.get(kind)?.some((one) => one.id === id) === true;
}

/** What nobody can use is ours to destroy; until there is another one, it holds the address. */
function depose(
  { address, configured }: PendingCreate,
  { kind, id, projectId }: LiveResource,
  current: ManagedResource | undefined,
): ManagedResource {
  if (current) return { ...current, deposed: [...(current.deposed ?? []), id] };
  return { address, kind, id, projectId, deposed: [id], attributes: {}, configured };
}

function adopt(
  { address, command, configured }: PendingCreate,
  live: LiveResource,
  { catalog }: LiveSnapshot,
  addresses: ReadonlyMap<string, Address>,
): ManagedResource {
  const names = {
    catalog,
    localKey: (_kind: string, id: string) => parseAddress(addresses.get(id) ?? '')?.local,
  };
  const bringsAddress = command.kind === 'createVm' && command.publicIp === 'new';
  const wanted = bringsAddress ? { publicIp: 'new' } : {};
  const allocated = allocatedPublicIpOf({ attributes: wanted }, live);
  return {
    address,
    kind: live.kind,
    id: live.id,
    projectId: live.projectId,
    ...(live.kind === 'portForward' && { publicIpId: live.publicIpId }),
    ...(allocated !== undefined && { allocatedPublicIpId: allocated }),
    attributes: { ...kinds[live.kind].read(live, names, wanted), ...wanted },
    configured,
  };
}

function describeAmbiguity(
  { address, command, at }: PendingCreate,
  candidates: readonly LiveResource[],
): Finding {
  const ids = candidates.map((one) => one.id).join(', ');
  return {
    severity: 'error',
    code: 'ambiguous-create',
    summary: `An earlier run was ended while it created ${address}, and ${candidates.length} live resources could be it`,
    detail: `Their ids: ${ids}. All of them look like what ${command.kind} asked for at ${new Date(at).toISOString()}.`,
    hint: 'Delete the ones that are not wanted in the account, then plan again.',
    address,
  };
}

/** Their values were lost with the answers, so none of them is of use; whose they are, a person has to say. */
function describeStrays(
  { address, command, at }: PendingCreate,
  candidates: readonly LiveResource[],
): Finding {
  const ids = candidates.map((one) => one.id);
  const name = 'name' in command ? command.name : '';
  return {
    severity: 'error',
    code: 'ambiguous-create',
    summary: `An earlier run got no answer while it created ${address}, and ${ids.length} access tokens named "${name}" are new since`,
    detail: `Their ids: ${ids.join(', ')}. None was there at ${new Date(at).toISOString()}. Those that this run made are of no use, since their values were lost, but they work.`,
    hint: `Revoke those that nobody else made, then plan again: ${ids.map((id) => `hostwright tokens revoke ${id}`).join('; ')}. What is to stay can be renamed: hostwright tokens rename.`,
    address,
  };
}
