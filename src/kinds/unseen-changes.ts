// What somebody did to a resource between the plan that a person approved and the moment at which it is destroyed.
import { carryOut } from './carry-out.ts';
import { spellEntry } from './catalog.ts';
import { hasRespelledName } from './kept-name.ts';
import { isBusy } from './outcome.ts';
import type { ResolvedCommand } from '../model/account/command.ts';
import type { Catalog, LiveResource } from '../model/account/live.ts';
import type { KindName } from '../model/resource.ts';
import { isEqual, type Value } from '../model/value.ts';

/** A resource in the values that a reviewer goes by, by the words of the configuration. */
type Traits = Readonly<Record<string, Value>>;

/** Kinds of which nothing can change but what the service itself refuses a delete for. */
const unwatched: ReadonlySet<KindName> = new Set(['account', 'publicIp']);

/** True when there is anything to compare before such a resource is destroyed. */
export function isWatched(kind: KindName): boolean {
  return !unwatched.has(kind);
}

/**
 * What differs from what the plan was made on, a phrase each; empty when nothing does. `done` are the commands that
 * were carried out on it since: what they did is no news. What is `sensitive` is not quoted.
 */
export function findUnseenChanges(
  planned: LiveResource,
  fresh: LiveResource,
  done: readonly ResolvedCommand[],
  catalog: Catalog,
  sensitive: readonly string[] = [],
): readonly string[] {
  const expected = traitsOf(done.reduce(carryOut, planned), catalog);
  const found = traitsOf(fresh, catalog);
  // What was being changed when it was planned has ended by now, as the plan said: only its name is nobody's business.
  const names = isBusy(planned) ? ['name'] : Object.keys(expected);
  const changes = names
    .filter((name) => !isEqual(expected[name] ?? null, found[name] ?? null))
    .filter((name) => name !== 'name' || !done.some((one) => hasRespelledName(one, fresh)))
    .map((name) =>
      sensitive.includes(name)
        ? `${name} is another`
        : `${name} is ${say(found[name])}, was ${say(expected[name])}`,
    );
  const isStarted = isStopped(done.reduce(carryOut, planned)) && isRunning(fresh);
  return isStarted ? [...changes, 'it is running, was stopped'] : changes;
}

function say(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}

function traitsOf(live: LiveResource, catalog: Catalog): Traits {
  switch (live.kind) {
    case 'project':
    case 'network':
      return { name: live.name };
    case 'sshKey':
      return { name: live.name, publicKey: live.publicKey };
    case 'accessToken':
      return { name: live.name, scopes: [...live.scopes].sort(), expiresAt: live.expiresAt };
    // Never destroyed, or nothing that could change: see `isWatched`.
    case 'account':
    case 'publicIp':
      return {};
    case 'portForward':
      return {
        protocol: live.protocol,
        publicPort: live.publicPort,
        vm: live.vmId,
        vmPort: live.vmPort,
      };
    case 'vm':
      return {
        name: live.name,
        image: spellEntry(catalog.images, live.imageId, undefined),
        configuration: spellEntry(catalog.configurations, live.configurationId, undefined),
        tariff: spellEntry(catalog.tariffs, live.tariffId, undefined),
        networks: live.networks.map(({ networkId }) => networkId).sort(),
        publicIp: live.publicIpId,
        plugins: [...live.plugins].sort(),
      };
  }
}

// Power is compared one way: a VM that was stopped when the plan was read, and runs by now, is in use again. One that
// runs may well have been stopped in order to be destroyed.
function isStopped(live: LiveResource): boolean {
  return live.kind === 'vm' && live.bootStatus === 'Stopped';
}

function isRunning(live: LiveResource): boolean {
  return live.kind === 'vm' && live.bootStatus === 'Running';
}
