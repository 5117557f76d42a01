// Small worlds: what is wanted, what is live and what is remembered, together, in a few lines a test.
import { whole } from './whole.ts';
import type { UnshownResource } from '../../src/kinds/unfound.ts';
import { parseResourceAddress, type ResourceAddress } from '../../src/model/address.ts';
import type { LiveResource, LiveSnapshot } from '../../src/model/account/live.ts';
import type { PlanMode, PlanOptions } from '../../src/model/plan/plan.ts';
import type { DesiredGraph, DesiredResource, Lifecycle } from '../../src/model/resource.ts';
import type { ManagedResource, State } from '../../src/model/state/state.ts';
import {
  countHeld,
  makeLive,
  refuseNonsense,
  type AccountInput,
  type LiveProjectInput,
} from './account.ts';
import { makeDesired, nameOfKey, publicKeyOf, type Config, type ProjectConfig } from './desired.ts';
import { makeState, type MemoryEntry, type MemoryInput } from './memory.ts';
import { expectSense } from './nonsense.ts';

/** Everything that a plan is made of. */
export interface World {
  readonly mode: PlanMode;
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  readonly state: State;
  /** What the flags ask for. */
  readonly planOptions?: PlanOptions;
  /** What the account may only hide. */
  readonly unshown?: readonly UnshownResource[];
}

export interface WorldInput {
  readonly mode?: PlanMode;
  readonly config?: Config;
  readonly account?: AccountInput;
  readonly memory?: MemoryInput;
}

/** A world from its three parts. @throws NonsenseError when it cannot exist */
export function makeWorld({ mode, config, account, memory }: WorldInput): World {
  const live = makeLive(account);
  return {
    mode: mode ?? 'apply',
    desired: makeDesired(config ?? {}),
    live,
    state: makeState(memory ?? {}, live),
  };
}

/** The id that `afterApply` gives to an address: `projects.shop.vms.web[0]` is `vm-shop-web-0`. */
export function idOf(address: ResourceAddress): string {
  const parsed = parseResourceAddress(address);
  expectSense(parsed !== undefined, `${address} is no address`);
  const prefixes = { project: 'p', sshKey: 'k', network: 'n', publicIp: 'ip', vm: 'vm' };
  const prefix = { ...prefixes, portForward: 'f', account: 'account', accessToken: 't' }[
    parsed?.kind ?? 'project'
  ];
  const path = address
    .split('.')
    .filter((_, index) => index % 2 === 1)
    .map(nameOfKey);
  return [prefix, ...path].join('-');
}

/** The world after a configuration was applied to an empty account, and nothing has happened since. */
export function afterApply(
  config: Config,
  account: Omit<AccountInput, 'projects'> & { besides?: AccountInput['projects'] } = {},
): World {
  const desired = makeDesired(config);
  const projects: Record<string, LiveProjectInput> = {};
  for (const [key, project] of Object.entries(config)) {
    projects[idOf(`projects.${key}`)] = applied(key, project);
  }
  const { besides, ...others } = account;
  const live = makeLive({ ...others, projects: { ...projects, ...besides } });
  const resources = Object.fromEntries(
    desired.resources.map((resource) => [resource.address, remember(resource)]),
  );
  return { mode: 'apply', desired, live, state: makeState({ resources }, live) };
}

function remember({ address, attributes }: DesiredResource): MemoryEntry {
  const id = idOf(address);
  return {
    id,
    attributes,
    configured: Object.keys(attributes),
    ...(attributes.publicIp === 'new' && { allocatedPublicIpId: `ip-of-${id}` }),
  };
}

function applied(key: string, project: ProjectConfig): LiveProjectInput {
  const at = `projects.${key}`;
  const byId = <A, B>(
    entries: Readonly<Record<string, A>> | undefined,
    collection: string,
    toLive: (given: A, local: string) => B,
  ): Record<string, B> =>
    Object.fromEntries(
      Object.entries(entries ?? {}).map(([local, given]) => [
        idOf(`${at}.${collection}.${local}`),
        toLive(given, local),
      ]),
    );
  const allocated = Object.entries(project.vms ?? {})
    .filter(([, vm]) => vm.publicIp === 'new')
    .map(([local]) => [`ip-of-${idOf(`${at}.vms.${local}`)}`, {}]);
  return {
    name: project.name ?? key,
    sshKeys: byId(project.sshKeys, 'sshKeys', ({ name, publicKey }, local) => ({
      name: name ?? local,
      publicKey: publicKey ?? publicKeyOf(local),
    })),
    networks: byId(project.networks, 'networks', ({ name }, local) => ({ name: name ?? local })),
    publicIps: {
      ...byId(project.publicIps, 'publicIps', (forwards, local) => ({
        forwards: byId(forwards, `publicIps.${local}.forwards`, (forward) => ({
          ...forward,
          vm: idOf(`${at}.vms.${forward.vm}`),
        })),
      })),
      ...(Object.fromEntries(allocated) as Record<string, object>),
    },
    vms: byId(project.vms, 'vms', (given, local) => {
      const { sshKeys, networks, publicIp } = given;
      const ip = publicIp === 'new' ? `ip-of-${idOf(`${at}.vms.${local}`)}` : undefined;
      const fields = ['image', 'configuration', 'tariff', 'plugins', 'power', 'renewal'] as const;
      return {
        name: given.name ?? nameOfKey(local),
        ...Object.fromEntries(
          fields.flatMap((field) => (field in given ? [[field, given[field]]] : [])),
        ),
        sshKeys: (sshKeys ?? []).map((one) => idOf(`${at}.sshKeys.${one}`)),
        networks: (networks ?? []).map((one) => idOf(`${at}.networks.${one}`)),
        ...(publicIp !== undefined && { publicIp: ip ?? idOf(`${at}.publicIps.${publicIp}`) }),
      };
    }),
  };
}

/** The same account and memory with another configuration. */
export const reconfigure = (world: World, config: Config): World => ({
  ...world,
  desired: makeDesired(config),
});

/** A world in which one project `p` stands, and another is wanted in its place. */
export const editProject = (before: ProjectConfig, after: ProjectConfig): World =>
  reconfigure(afterApply({ p: before }), { p: after });

/** Somebody changes what stands behind an address, by hand or by the service. */
export function touch(world: World, address: ResourceAddress, patch: Partial<LiveResource>): World {
  const id = world.state.resources.get(address)?.id;
  let isFound = false;
  const change = <R extends LiveResource>(resource: R): R => {
    if (resource.id !== id) return resource;
    isFound = true;
    return { ...resource, ...patch };
  };
  const live = withLive(world, world.live.projects.map(change), world.live.resources.map(change));
  expectSense(isFound, `${address} is not live`);
  return { ...world, live };
}

/** Somebody deletes what stands behind an address, as the service lets them: a VM leaves its address and its forwards. */
export function lose(world: World, address: ResourceAddress): World {
  const id = world.state.resources.get(address)?.id;
  const { projects, resources } = world.live;
  const rest = resources
    .filter((one) => one.id !== id && one.projectId !== id)
    .filter((one) => one.kind !== 'portForward' || one.publicIpId !== id)
    .map((one) => (one.kind === 'publicIp' && one.vmId === id ? { ...one, vmId: null } : one));
  const left = projects.filter((one) => one.id !== id);
  expectSense(
    rest.length < resources.length || left.length < projects.length,
    `${address} is not live`,
  );
  return { ...world, live: withLive(world, left, rest) };
}

/** A world with something else in the configuration of what stands at an address, or of all of a kind. */
export function patchDesired(
  world: World,
  what: ResourceAddress,
  patch: Partial<DesiredResource>,
): World {
  const resources = world.desired.resources.map((one) =>
    one.address === what || one.kind === what ? { ...one, ...patch } : one,
  );
  return { ...world, desired: { ...world.desired, resources } };
}

/** A world whose state remembers something else of what stands at an address. */
export function patchManaged(
  world: World,
  address: ResourceAddress,
  patch: Partial<ManagedResource>,
): World {
  const managed = world.state.resources.get(address);
  if (!managed) throw new Error(`${address} is not remembered`);
  const resources = new Map(world.state.resources).set(address, { ...managed, ...patch });
  return { ...world, state: { ...world.state, resources } };
}

/** A lifecycle that asks for nothing but this. */
export const lifecycleOf = (given: Partial<Lifecycle>): Lifecycle => ({
  ...{ preventDestroy: false, createBeforeDestroy: false },
  ...{ ignoreChanges: [], replaceTriggeredBy: [], ...given },
});

/** The state forgets addresses: what they stood for is not ours any more. */
export function forget(world: World, ...addresses: readonly ResourceAddress[]): World {
  const resources = new Map(world.state.resources);
  for (const address of addresses) {
    expectSense(resources.delete(address), `${address} is not remembered`);
  }
  return { ...world, state: { ...world.state, resources } };
}

/** Plan everything away. */
export const destroyAll = (world: World): World => ({ ...world, mode: 'destroy' });

/** A snapshot with other contents; the use of the quotas follows. Ids that were known may dangle. */
export function withLive(
  { live, state }: Pick<World, 'live' | 'state'>,
  projects: LiveSnapshot['projects'],
  resources: LiveSnapshot['resources'],
): LiveSnapshot {
  const ids = new Set(projects.map(({ id }) => id));
  const before = countHeld(live.projects.length, live.resources);
  const after = countHeld(projects.length, resources);
  const quotas = Object.fromEntries(
    Object.entries(live.limits.quotas).map(([name, quota]) => {
      if (quota.used === null) return [name, quota];
      const key = name as keyof typeof after;
      const used = quota.used + after[key] - before[key];
      return [name, { ...quota, used, remaining: Math.max(0, quota.limit - used) }];
    }),
  );
  const next = {
    ...live,
    projects,
    resources,
    readProjectIds: live.readProjectIds.filter((id) => ids.has(id)),
    limits: { ...live.limits, quotas },
  };
  refuseNonsense(
    next,
    new Set([...state.resources.values()].map(({ id }) => id).concat(known(live))),
  );
  return next;
}

/** Every id that a snapshot holds, or mentions where an id may outlive what it stood for. */
const known = ({ resources }: LiveSnapshot): string[] =>
  resources.flatMap((one) => {
    if (one.kind === 'portForward') return [one.id, whole(one).vmId];
    return one.kind === 'vm' ? [one.id, ...whole(one).sshKeyIds] : [one.id];
  });
