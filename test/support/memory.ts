import { readAttributes } from '../../src/kinds/read-attributes.ts';
import { kindRegistry } from '../../src/kinds/registry.ts';
import { parseResourceAddress, type ResourceAddress } from '../../src/model/address.ts';
import {
  accountPlaceholderId,
  type LiveResource,
  type LiveSnapshot,
} from '../../src/model/account/live.ts';
import { isKindOutsideProjects, kindNames } from '../../src/model/kind-places.ts';
import type { Safeguards } from '../../src/model/state/safeguards.ts';
import type {
  ManagedResource,
  PendingCreate,
  RememberedOutput,
  SentCommand,
  State,
} from '../../src/model/state/state.ts';
import type { Attributes, Value } from '../../src/model/value.ts';
import { claim, expectSense, refuseUnknownKeys } from './nonsense.ts';

/** What the state knows of one address: its id, and what else the test cares about. */
export interface MemoryEntry {
  readonly id: string;
  /** As last applied; as it is live unless given. */
  readonly attributes?: Attributes;
  /** Unless given, the fields that have a value. */
  readonly configured?: readonly string[];
  readonly allocatedPublicIpId?: string;
  /** Those that the service did not tell when it was recorded. */
  readonly untold?: readonly string[];
  /** The ids of the entries of lists of the service that it was recorded with. */
  readonly entryIds?: Readonly<Record<string, string>>;
  /** What the account showed of fields, and what of that a person has accepted. */
  readonly shown?: Attributes;
  readonly accepted?: readonly string[];
  /** What stood there before and is still to be destroyed. */
  readonly deposed?: readonly string[];
  readonly retired?: ManagedResource['retired'];
  readonly gaveWayTo?: string;
  readonly retireMs?: number;
  readonly isNotReady?: true;
  readonly wayBack?: ManagedResource['wayBack'];
  readonly failedTarget?: ManagedResource['failedTarget'];
}

/** A state as a person writes it down: addresses and ids. */
export interface MemoryInput {
  readonly resources?: Readonly<Record<ResourceAddress, string | MemoryEntry>>;
  readonly pending?: readonly (Omit<PendingCreate, 'configured' | 'at'> &
    Partial<Pick<PendingCreate, 'configured' | 'at'>>)[];
  /** What was sent and is not known to have ended, by live id. */
  readonly sent?: Readonly<Record<string, SentCommand>>;
  readonly serial?: number;
  readonly service?: string | null;
  /** Values of outputs by name; null for a sensitive one. */
  readonly outputs?: Readonly<Record<string, Value>>;
  readonly safeguards?: Safeguards;
}

/** The state that remembers this of that account. @throws NonsenseError when the two do not fit */
export function makeState(input: MemoryInput, live: LiveSnapshot): State {
  const known = ['resources', 'pending', 'sent', 'serial', 'service', 'outputs', 'safeguards'];
  refuseUnknownKeys(input, known, 'the state');
  const given = new Map(
    Object.entries(input.resources ?? {}).map(([address, entry]) => [
      address,
      typeof entry === 'string' ? { id: entry } : entry,
    ]),
  );
  const byId = new Map([...live.projects, ...live.resources].map((one) => [one.id, one]));
  const addresses = new Map([...given].map(([address, { id }]) => [id, address]));
  const resources = new Map<ResourceAddress, ManagedResource>();
  // Projects first, since the others stand in them.
  for (const kind of kindNames) {
    for (const [address, entry] of given) {
      if (parseResourceAddress(address)?.kind !== kind) continue;
      const parsed = parseResourceAddress(address);
      const found = byId.get(entry.id);
      expectSense(
        found === undefined || found.kind === kind,
        `${address} is remembered as ${entry.id}, which is a ${found?.kind ?? ''}`,
      );
      const lies = isKindOutsideProjects(kind)
        ? accountPlaceholderId
        : resources.get(parsed?.project ?? '')?.id;
      const projectId = kind === 'project' ? entry.id : lies;
      expectSense(projectId !== undefined, `${address} is remembered, its project is not`);
      const publicIpId = kind === 'portForward' ? given.get(parsed?.parent ?? '')?.id : undefined;
      const read = found ? asRead(found, entry.attributes, addresses, live) : {};
      const brought = entry.allocatedPublicIpId === undefined ? {} : { publicIp: 'new' };
      const attributes = { ...read, ...brought, ...entry.attributes };
      resources.set(address, {
        address,
        kind,
        id: entry.id,
        projectId: projectId ?? '',
        ...(publicIpId !== undefined && { publicIpId }),
        ...(entry.allocatedPublicIpId !== undefined && {
          allocatedPublicIpId: entry.allocatedPublicIpId,
        }),
        ...(entry.shown && { shown: entry.shown }),
        ...(entry.accepted && { accepted: entry.accepted }),
        ...(entry.deposed && { deposed: entry.deposed }),
        ...(entry.retired && { retired: entry.retired }),
        ...(entry.gaveWayTo !== undefined && { gaveWayTo: entry.gaveWayTo }),
        ...(entry.retireMs !== undefined && { retireMs: entry.retireMs }),
        ...(entry.isNotReady && { isNotReady: true }),
        ...(entry.wayBack && { wayBack: entry.wayBack }),
        ...(entry.failedTarget && { failedTarget: entry.failedTarget }),
        ...(entry.untold && { untold: entry.untold }),
        ...(entry.entryIds && { entryIds: entry.entryIds }),
        attributes,
        configured:
          entry.configured ?? Object.keys(kindRegistry[kind].fields).filter(hasValue(attributes)),
      });
    }
  }
  for (const address of given.keys()) {
    expectSense(resources.has(address), `${address} is no address`);
  }
  const state: State = {
    lineage: 'a-lineage',
    serial: input.serial ?? 1,
    service: input.service ?? null,
    resources,
    pending: new Map(
      (input.pending ?? []).map((one) => [one.address, { at: 0, configured: [], ...one }]),
    ),
    ...(input.sent && { sent: new Map(Object.entries(input.sent)) }),
    ...(input.outputs && { outputs: new Map(Object.entries(input.outputs).map(rememberOutput)) }),
    ...(input.safeguards && { safeguards: input.safeguards }),
  };
  refuseNonsense(state, byId);
  return state;
}

function rememberOutput([name, value]: [string, Value]): [string, RememberedOutput] {
  return [name, value === null ? { sensitive: true } : { sensitive: false, value }];
}

function asRead(
  found: LiveResource,
  written: Attributes | undefined,
  addresses: ReadonlyMap<string, ResourceAddress>,
  { catalog }: LiveSnapshot,
): Attributes {
  const localKey = (kind: string, id: string) => {
    const parsed = parseResourceAddress(addresses.get(id) ?? '');
    return parsed?.kind === kind ? parsed.local : undefined;
  };
  return readAttributes(found, { catalog, localKey }, written);
}

const hasValue = (attributes: Attributes) => (name: string) => {
  const value = attributes[name];
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
};

function refuseNonsense(state: State, byId: ReadonlyMap<string, LiveResource>): void {
  const taken = new Set<string>();
  for (const { address, id, projectId, publicIpId } of state.resources.values()) {
    claim(taken, `the id ${id} in the state`);
    const found = byId.get(id);
    if (!found) continue;
    expectSense(found.projectId === projectId, `${address} is live in ${found.projectId}`);
    if (found.kind !== 'portForward') continue;
    expectSense(found.publicIpId === publicIpId, `${address} is live at ${found.publicIpId}`);
  }
}
