import type { ServiceClient } from '../../../src/api/client.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { WireRequest } from '../../../src/api/request.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import {
  nameOf,
  type LiveProject,
  type LiveResource,
  type LiveVm,
} from '../../../src/model/live.ts';
import type { DesiredGraph, DesiredResource } from '../../../src/model/resource.ts';
import { textOf } from '../../../src/model/value.ts';
import type { Dice } from './dice.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { Gate } from './gate.ts';
import type { Strays } from './strays.ts';

/** What is told where something that is not ours stands in the way. */
const obstacles: ReadonlySet<string> = new Set([
  ...['name-taken', 'conflict', 'quota-exceeded', 'quota-refused', 'port-taken'],
  ...['project-not-empty', 'network-in-use', 'public-ip-in-use', 'public-ip-held'],
]);

/** Somebody in the console: edits the account meanwhile, and mends what only a person may mend. */
export class Person {
  readonly #client: ServiceClient;
  readonly #gate: Gate;
  readonly #strays: Strays;

  constructor(client: ServiceClient, gate: Gate, strays: Strays) {
    this.#client = client;
    this.#gate = gate;
    this.#strays = strays;
  }

  /** Does something in the console; false when there was nothing to do it to, or when the service refused. */
  edit(kind: FaultKind, dice: Dice, desired: DesiredGraph): Promise<boolean> {
    return this.#gate.alone(async () => {
      const projects = await this.#client.listProjects();
      if (projects.length === 0) return false;
      const project = dice.pick(projects);
      if (kind === 'console creates one alike') return this.#createAlike(project, dice, desired);
      const contents = await this.#readProject(project);
      const found = contents.filter((one) => isSubject(kind, one));
      if (found.length === 0) return false;
      const subject = dice.pick(found);
      const isDone = await this.#attempt(requestOf(kind, subject, dice));
      if (isDone && kind === 'console renames') this.#strays.noteRenamed(subject);
      if (!isDone || kind !== 'console deletes') return isDone;
      this.#strays.deleted.add(subject.id);
      if (subject.kind === 'vm') this.#strays.noteLeftAddress(subject);
      return true;
    });
  }

  /**
   * Follows the hints of findings and failures: takes away what the console made where it stands in the way, and, of
   * several that could be one create's, all but one. What may be adopted is adopted, unless that was tried before.
   * @returns true when it is to be adopted by the next run
   */
  async mend(
    diagnostics: readonly Diagnostic[],
    managed: ReadonlySet<string>,
    hasAdopted: boolean,
  ): Promise<boolean> {
    const account = await this.readAccount();
    for (const { code, detail } of diagnostics) {
      if (code !== 'ambiguous-create') continue;
      const ids = /Their ids: ([^.]*)\./.exec(detail ?? '')?.[1]?.split(', ') ?? [];
      const free = ids.filter((id) => !managed.has(id));
      for (const id of free.slice(ids.length === free.length ? 1 : 0)) {
        // A project has to be empty first: what the console made meanwhile may stand in it.
        const all = account.filter((one) => one.id === id || one.projectId === id);
        for (const one of all) await this.#remove(one);
      }
    }
    for (const { code, detail, hint } of diagnostics) {
      if (code !== 'name-taken' || !hint?.startsWith('Delete')) continue;
      const id = /the id ([^ .]+)\./.exec(detail ?? '')?.[1];
      const one = account.find((resource) => resource.id === id);
      if (one && !managed.has(one.id)) await this.#remove(one);
    }
    const isInTheWay = ({ code }: Diagnostic) => obstacles.has(code);
    if (!diagnostics.some(isInTheWay)) return false;
    if (!hasAdopted && diagnostics.some(({ hint }) => hint?.startsWith('Adopt'))) return true;
    for (const one of account) {
      if (!managed.has(one.id) && this.#strays.isExcused(one)) await this.#remove(one);
    }
    return false;
  }

  /** Everything that the account holds; a port forward before the address that it is of. */
  async readAccount(): Promise<readonly LiveResource[]> {
    const projects = await this.#client.listProjects();
    const contents = await Promise.all(projects.map((project) => this.#readProject(project)));
    return [...contents.flat(), ...projects];
  }

  async #readProject({ id: projectId }: LiveProject): Promise<readonly LiveResource[]> {
    const place = { projectId };
    const [vms, networks, sshKeys, publicIps] = await Promise.all([
      this.#client.list('vm', place),
      this.#client.list('network', place),
      this.#client.list('sshKey', place),
      this.#client.list('publicIp', place),
    ]);
    const forwards = await Promise.all(
      publicIps.map(({ id }) => this.#client.list('portForward', { projectId, publicIpId: id })),
    );
    return [...forwards.flat(), ...vms, ...networks, ...sshKeys, ...publicIps];
  }

  async #remove(one: LiveResource): Promise<void> {
    if (!(await this.#attempt(deletionOf(one)))) return;
    this.#strays.deleted.add(one.id);
    if (one.kind === 'vm') this.#strays.noteLeftAddress(one);
  }

  async #createAlike(project: LiveProject, dice: Dice, desired: DesiredGraph): Promise<boolean> {
    const address = desired.resources.find(
      ({ kind, attributes }) => kind === 'project' && textOf(attributes, 'name') === project.name,
    )?.address;
    const wanted = desired.resources.filter(
      (one) =>
        one.project === address && ['vm', 'network', 'sshKey', 'publicIp'].includes(one.kind),
    );
    if (wanted.length === 0) return false;
    const like = dice.pick(wanted);
    const before = new Set((await this.#readProject(project)).map(({ id }) => id));
    if (!(await this.#attempt(creationOf(like, project.id)))) return false;
    for (const one of await this.#readProject(project)) {
      if (!before.has(one.id)) this.#strays.noteMade(one);
    }
    return true;
  }

  async #attempt(request: WireRequest | undefined): Promise<boolean> {
    if (!request) return false;
    try {
      await this.#client.call(request);
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }
}

function isSubject(kind: FaultKind, one: LiveResource): boolean {
  switch (kind) {
    case 'console deletes':
      return one.kind !== 'project';
    case 'console renames':
      return nameOf(one) !== undefined;
    case 'console detaches':
      return one.kind === 'vm' && one.networks.length > 0;
    default:
      return one.kind === 'vm';
  }
}

function requestOf(kind: FaultKind, one: LiveResource, dice: Dice): WireRequest | undefined {
  const { projectId } = one;
  if (kind === 'console deletes') return deletionOf(one);
  if (kind === 'console renames') return renamingOf(one, `by-hand-${dice.below(100)}`);
  const vm = one as LiveVm;
  const params = { projectId, vmId: vm.id };
  switch (kind) {
    case 'console starts':
      return { operation: 'startVm', params };
    case 'console stops':
      return { operation: 'stopVm', params };
    case 'console backs up':
      return { operation: 'createBackup', params };
    case 'console detaches': {
      const { networkId } = dice.pick(vm.networks);
      return { operation: 'detachVm', params: { ...params, networkId } };
    }
    default:
      return undefined;
  }
}

function renamingOf(one: LiveResource, name: string): WireRequest | undefined {
  const { projectId, id } = one;
  const body = { name };
  switch (one.kind) {
    case 'vm':
      return { operation: 'renameVm', params: { projectId, vmId: id }, body };
    case 'network':
      return { operation: 'renameNetwork', params: { projectId, networkId: id }, body };
    case 'sshKey':
      return { operation: 'renameSshKey', params: { projectId, sshKeyId: id }, body };
    default:
      return undefined;
  }
}

/** The request that deletes it; undefined for what lies in no project. */
function deletionOf(one: LiveResource): WireRequest | undefined {
  const { projectId, id } = one;
  switch (one.kind) {
    case 'project':
      return { operation: 'deleteProject', params: { projectId } };
    case 'vm':
      return { operation: 'deleteVm', params: { projectId, vmId: id } };
    case 'network':
      return { operation: 'deleteNetwork', params: { projectId, networkId: id } };
    case 'sshKey':
      return { operation: 'deleteSshKey', params: { projectId, sshKeyId: id } };
    case 'publicIp':
      return { operation: 'deletePublicIp', params: { projectId, publicIpId: id } };
    case 'portForward': {
      const { publicIpId } = one;
      return {
        operation: 'deletePortForward',
        params: { projectId, publicIpId, portForwardId: id },
      };
    }
    default:
      return undefined;
  }
}

/** The create of something that cannot be told from the wanted one but by its id. */
function creationOf(
  { kind, attributes }: DesiredResource,
  projectId: string,
): WireRequest | undefined {
  const params = { projectId };
  const name = textOf(attributes, 'name');
  switch (kind) {
    case 'vm': {
      const body = {
        name,
        imageId: 'img-debian-12',
        configurationId: 'cfg-c1r1d20',
        tariffId: 'trf-monthly',
      };
      return { operation: 'createVm', params, body };
    }
    case 'network':
      return { operation: 'createNetwork', params, body: { name } };
    case 'sshKey': {
      const body = { name, publicKey: textOf(attributes, 'publicKey') };
      return { operation: 'createSshKey', params, body };
    }
    case 'publicIp':
      return { operation: 'createPublicIp', params };
    default:
      return undefined;
  }
}
