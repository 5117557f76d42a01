// A part of the account, described as a configuration would: the way back from live to YAML. What is described plans to
// imports alone; what cannot be described so is left out, with the reason. Nothing is decided about it here.
import { findPublicKeyFault } from '../../kinds/ssh-key/public-key.ts';
import { kinds } from '../../kinds/registry.ts';
import { childAddress, topAddress, type Address } from '../../model/address.ts';
import type { Exported, ExportedResource, LeftOut } from '../../model/exported.ts';
import {
  nameOf,
  statusOf,
  type Catalog,
  type LiveOf,
  type LivePortForward,
  type LiveProject,
  type LiveResource,
  type LiveSnapshot,
} from '../../model/account/live.ts';
import { groupBy } from '../../model/group-by.ts';
import type { KindName } from '../../model/resource.ts';
import type { Attributes } from '../../model/value.ts';
import { assignKeys, type Keyed } from './export-keys.ts';
import { describeVm, isNameable, isSayable, whyNoVm, type ProjectNames } from './export-vm.ts';

/** Describes the projects with these ids, as far as the snapshot holds their contents. */
export function exportAccount(live: LiveSnapshot, projectIds: readonly string[]): Exported {
  const wanted = sortLive(live.projects.filter(({ id }) => projectIds.includes(id)));
  const writer = new Writer(live);
  const named = writer.pickNamed(wanted, undefined);
  for (const { one, key } of assignKeys('project', named, ({ name }) => name)) {
    writer.addProject(one, key);
  }
  return { resources: writer.resources, leftOut: writer.leftOut };
}

/** By name, then by id: the same account gives the same text, however its lists are ordered. */
function sortLive<R extends LiveResource>(all: readonly R[]): readonly R[] {
  return all
    .map((one) => ({ one, title: titleOf(one) }))
    .sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0))
    .map(({ one }) => one);
}

function titleOf(live: LiveResource): string {
  const name = nameOf(live);
  const { label } = kinds[live.kind];
  return name === undefined
    ? `${label} ${live.id}`
    : `${label} ${JSON.stringify(name)} (${live.id})`;
}

/** Why a resource of this status has no place in a configuration; undefined for one that has. */
function whyUnfit(live: LiveResource): string | undefined {
  const status = statusOf(live);
  if (status === 'failed') return 'Its creation failed: a plan would replace it.';
  if (status === 'deleting') return 'It is being deleted.';
  if (live.kind === 'sshKey' && findPublicKeyFault(live.publicKey)) {
    return 'Its public key is not one that a configuration can hold.';
  }
  return undefined;
}

/** One pass over the projects. */
class Writer {
  readonly resources: ExportedResource[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #catalog: Catalog;
  /** What each project holds, in order. */
  readonly #contents: ReadonlyMap<string, readonly LiveResource[]>;

  constructor({ resources, catalog }: LiveSnapshot) {
    this.#catalog = catalog;
    this.#contents = groupBy(sortLive(resources), ({ projectId }) => projectId);
  }

  addProject(project: LiveProject, projectKey: string): void {
    const at = topAddress('project', projectKey);
    this.#add(project, at, undefined, projectKey, nameUnless(project.name, projectKey));
    const contents = this.#contents.get(project.id) ?? [];
    const list = <K extends KindName>(kind: K) =>
      contents.filter((one): one is LiveOf<K> => one.kind === kind);
    const sshKeys = assignKeys('sshKey', this.pickNamed(list('sshKey'), at), ({ name }) => name);
    const networks = assignKeys('network', this.pickNamed(list('network'), at), ({ name }) => name);
    const addresses = this.#pick(list('publicIp'), at, whyUnfit);
    const publicIps = assignKeys('publicIp', addresses, ({ address }) =>
      address === null ? '' : `ip-${address}`,
    );
    const fit = this.#pick(list('vm'), at, (one) => whyUnfit(one) ?? whyNoVm(one));
    const vms = assignKeys('vm', fit, ({ name }) => name);
    const names: ProjectNames = {
      catalog: this.#catalog,
      sshKeys: keysById(sshKeys),
      networks: keysById(networks),
      publicIps: keysById(publicIps),
      vms: keysById(vms),
    };
    for (const { one, key } of sshKeys) {
      const fields = { ...nameUnless(one.name, key), publicKey: one.publicKey.trim() };
      this.#add(one, childAddress(at, 'sshKey', key), at, key, fields);
    }
    for (const { one, key } of networks) {
      this.#add(one, childAddress(at, 'network', key), at, key, nameUnless(one.name, key));
    }
    const forwards = groupBy(list('portForward'), ({ publicIpId }) => publicIpId);
    for (const { one, key } of publicIps) {
      const address = childAddress(at, 'publicIp', key);
      this.#add(one, address, at, key, {});
      this.#addForwards(forwards.get(one.id) ?? [], address, at, names.vms);
    }
    const given = new Set<string>();
    for (const { one, key } of vms) {
      const { fields, remarks } = describeVm(one, key, given.has(one.name), names);
      given.add(one.name);
      this.#add(one, childAddress(at, 'vm', key), at, key, fields, remarks);
    }
  }

  /** Those that a configuration can name: of several with one name, the first. */
  pickNamed<R extends LiveOf<'project' | 'sshKey' | 'network'>>(
    all: readonly R[],
    project: Address | undefined,
  ): readonly R[] {
    const first = new Map<string, R>();
    return this.#pick(all, project, (one) => {
      const why = whyUnfit(one);
      if (why !== undefined) return why;
      if (!isSayable(one.name))
        return 'It has no name. Give it one in the account, and export again.';
      if (!isNameable(one.name))
        return 'No configuration can give its name as it is. Rename it in the account, and export again.';
      const other = first.get(one.name);
      if (!other) {
        first.set(one.name, one);
        return undefined;
      }
      return `${other.id} has the same name, and a configuration may give it once. Rename one of the two in the account, and export again.`;
    });
  }

  #pick<R extends LiveResource>(
    all: readonly R[],
    project: Address | undefined,
    whyNot: (one: R) => string | undefined,
  ): readonly R[] {
    return all.filter((one) => {
      const why = whyNot(one);
      if (why === undefined) return true;
      this.leftOut.push({ kind: one.kind, id: one.id, title: titleOf(one), project, why });
      return false;
    });
  }

  #addForwards(
    all: readonly LivePortForward[],
    publicIp: Address,
    project: Address,
    vms: ReadonlyMap<string, string>,
  ): void {
    const ports = new Set<string>();
    this.#pick(all, project, (one) => {
      const { protocol, publicPort, vmPort, vmId } = one;
      const unfit = whyUnfit(one);
      if (unfit !== undefined) return unfit;
      const vm = vms.get(vmId);
      if (vm === undefined) return `It leads to the VM ${vmId}, which is not described here.`;
      if (!['tcp', 'udp'].includes(protocol) || !isPort(publicPort) || !isPort(vmPort)) {
        return `A configuration cannot say ${protocol} ${publicPort} to ${vmPort}.`;
      }
      const key = `${protocol}-${publicPort}`;
      if (ports.has(key)) return `Another one of ${publicIp} has the same port.`;
      ports.add(key);
      const fields = { protocol, publicPort, vm, vmPort };
      this.#add(one, childAddress(publicIp, 'portForward', key), publicIp, key, fields);
      return undefined;
    });
  }

  #add(
    { kind, id }: LiveResource,
    address: Address,
    parent: Address | undefined,
    local: string,
    fields: Attributes,
    remarks: readonly string[] = [],
  ): void {
    this.resources.push({ kind, address, parent, local, id, fields, remarks });
  }
}

function keysById(all: readonly Keyed<LiveResource>[]): ReadonlyMap<string, string> {
  return new Map(all.map(({ one, key }) => [one.id, key]));
}

/** The key is the name where nothing else is said. */
function nameUnless(name: string, key: string): Attributes {
  return name === key ? {} : { name };
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}
