// The service in small and without time: a command changes the account at once, or is refused. It knows the rules that
// the order of a plan has to respect, and nothing of plans.
import { whole } from './whole.ts';
import {
  commandSubjects,
  findCommandSubjectId,
  type ResolvedCommand,
} from '../../src/model/account/command.ts';
import { parseLifetime } from '../../src/model/text/lifetime.ts';
import {
  accountPlaceholderId,
  getLiveName,
  quotaNames,
  getLiveStatus,
  type LiveRecordOfKind,
  type LiveResource,
  type LiveSnapshot,
} from '../../src/model/account/live.ts';
import type { KindName } from '../../src/model/kind-places.ts';
import { countHeld } from './account.ts';

/** The service does not do it. */
export class Refusal extends Error {
  constructor(command: ResolvedCommand, why: string) {
    super(`${command.kind} is refused: ${why} (${JSON.stringify(command)})`);
    this.name = 'Refusal';
  }
}

/** An account that commands change. */
export interface Service {
  /** Carries out a command and returns what it made. @throws Refusal */
  perform(command: ResolvedCommand): LiveResource | undefined;
  find(id: string): LiveResource | undefined;
  /** Whatever was under way is over. */
  settle(id: string): void;
  list(): readonly LiveResource[];
}

const settled = <R extends LiveResource>(resource: R): R =>
  'status' in resource ? { ...resource, status: 'active' } : resource;

/** An account that begins as a snapshot shows it. New ids count up from `new-1`. */
export function createService({ projects, resources, catalog, limits }: LiveSnapshot): Service {
  const byId = new Map<string, LiveResource>([...projects, ...resources].map((r) => [r.id, r]));
  let made = [...byId.keys()].filter((id) => id.startsWith('new-')).length;
  const nextId = () => {
    do made += 1;
    while (byId.has(`new-${made}`));
    return `new-${made}`;
  };

  const count = () => {
    const all = [...byId.values()];
    const rest = all.filter((one) => one.kind !== 'project');
    return countHeld(all.length - rest.length, rest);
  };
  const heldAtFirst = count();

  /** The decision on a quota falls here and now; what is used beside what we see stays as it was. */
  const perform = (command: ResolvedCommand): LiveResource | undefined => {
    const before = count();
    const done = carryOut(command);
    const after = count();
    for (const name of quotaNames) {
      const { limit, used } = limits.quotas[name] ?? { limit: Infinity, used: null };
      const others = used === null ? 0 : used - heldAtFirst[name];
      if (after[name] > before[name] && others + after[name] > limit) {
        throw new Refusal(command, `the quota ${name} is used up`);
      }
    }
    return done;
  };

  const carryOut = (command: ResolvedCommand): LiveResource | undefined => {
    const refuse = (why: string): never => {
      throw new Refusal(command, why);
    };
    const all = [...byId.values()];
    const { kind, effect } = commandSubjects[command.kind];
    const inProject = all.filter(
      (one) => !('project' in command) || one.projectId === command.project,
    );
    const need = <K extends KindName>(
      wanted: K,
      id: string,
      statuses: readonly string[] = ['active'],
    ): LiveRecordOfKind<K> => {
      const found = byId.get(id);
      if (found?.kind !== wanted) return refuse(`there is no ${wanted} ${id}`);
      const status = getLiveStatus(found) ?? 'active';
      // A lock is sat out: by the time of the command, what was under way is over.
      if (['creating', 'updating'].includes(status)) return settled(found) as LiveRecordOfKind<K>;
      if (!statuses.includes(status)) refuse(`${id} is ${status}`);
      return found as LiveRecordOfKind<K>;
    };
    const put = <R extends LiveResource>(resource: R): R => {
      byId.set(resource.id, resource);
      return resource;
    };
    const freeName = (name: string, ownId?: string) => {
      const others = kind === 'project' ? all : inProject;
      const holder = others.find((one) => one.kind === kind && getLiveName(one) === name);
      if (holder && holder.id !== ownId) refuse(`the name is taken by ${holder.id}`);
    };
    const freePort = (publicIpId: string, protocol: string, port: number, ownId?: string) => {
      const holder = inProject.find(
        (one) =>
          one.kind === 'portForward' &&
          one.publicIpId === publicIpId &&
          one.protocol === protocol &&
          one.publicPort === port,
      );
      if (holder && holder.id !== ownId) refuse(`the port is taken by ${holder.id}`);
    };

    if (effect === 'create' && 'project' in command) need('project', command.project);
    // A token is replaced by another one of its name before it goes.
    if ('name' in command && command.kind !== 'createToken')
      freeName(command.name, findCommandSubjectId(command));
    switch (command.kind) {
      case 'createProject': {
        const id = nextId();
        return put({ kind: 'project', id, projectId: id, name: command.name });
      }
      case 'createSshKey': {
        const { project: projectId, name, publicKey } = command;
        const fingerprint = 'SHA256:new';
        return put({ kind: 'sshKey', id: nextId(), projectId, name, publicKey, fingerprint });
      }
      case 'createNetwork': {
        const { project: projectId, name } = command;
        const network = { kind: 'network', id: nextId(), projectId, name } as const;
        return put({ ...network, status: 'active', cidr: '10.0.0.0/24' });
      }
      case 'createPublicIp': {
        const publicIp = { kind: 'publicIp', id: nextId(), projectId: command.project } as const;
        return put({ ...publicIp, status: 'active', address: '203.0.113.1', vmId: null });
      }
      case 'createPortForward': {
        const { project: projectId, publicIp, protocol, publicPort, vm, vmPort } = command;
        need('publicIp', publicIp);
        need('vm', vm);
        freePort(publicIp, protocol, publicPort);
        return put({
          ...{ kind: 'portForward', id: nextId(), projectId, publicIpId: publicIp },
          ...{ status: 'active', protocol, publicPort, vmId: vm, vmPort },
        });
      }
      case 'createVm': {
        const { project: projectId, name, publicIp, sshKeys, plugins } = command;
        const { configurationId, imageId, tariffId } = command;
        const size = catalog.configurations.find((one) => one.id === configurationId);
        if (!size) return refuse(`there is no configuration ${configurationId}`);
        if (!catalog.images.some((one) => one.id === imageId)) refuse(`no image ${imageId}`);
        if (!catalog.tariffs.some((one) => one.id === tariffId)) refuse(`no tariff ${tariffId}`);
        for (const key of sshKeys) need('sshKey', key);
        const id = nextId();
        let publicIpId: string | null = null;
        if (publicIp === 'new') {
          publicIpId = nextId();
          const own = { kind: 'publicIp', id: publicIpId, projectId, vmId: id } as const;
          put({ ...own, status: 'active', address: '203.0.113.2' });
        } else if (publicIp !== 'none') {
          const held = need('publicIp', publicIp);
          if (held.vmId !== null) refuse(`${publicIp} is held by ${held.vmId}`);
          publicIpId = put({ ...held, vmId: id }).id;
        }
        return put({
          ...{ kind: 'vm', id, projectId, name, configurationId, imageId, tariffId },
          ...{ status: 'active', operation: null, operationStatus: null, bootStatus: 'Running' },
          ...{ cpu: size.cpu, ram: size.ram, disk: size.disk },
          ...{ networks: [], publicIpId, sshKeyIds: sshKeys, plugins },
        });
      }
      case 'renameProject':
        return put({ ...need('project', command.project), name: command.name });
      case 'renameSshKey':
        return put({ ...need('sshKey', command.sshKey), name: command.name });
      case 'renameNetwork':
        return put({ ...need('network', command.network), name: command.name });
      case 'renameVm':
        return put({ ...need('vm', command.vm), name: command.name });
      case 'startVm':
        return put({ ...need('vm', command.vm), bootStatus: 'Running' });
      case 'stopVm':
        return put({ ...need('vm', command.vm), bootStatus: 'Stopped' });
      case 'rebootVm':
      case 'createBackup':
      case 'restoreBackup':
        return need('vm', command.vm);
      case 'resumeSaleRenewal':
        return put({ ...need('vm', command.vm), renewal: 'active' });
      case 'cancelSaleRenewal':
        return put({ ...need('vm', command.vm), renewal: 'cancelled' });
      case 'rebuildVm': {
        for (const key of command.sshKeys ?? []) need('sshKey', key);
        const { imageId, sshKeys: sshKeyIds } = command;
        if (!catalog.images.some((one) => one.id === imageId)) refuse(`no image ${imageId}`);
        return put({ ...need('vm', command.vm), imageId, sshKeyIds });
      }
      case 'attachVm': {
        const vm = whole(need('vm', command.vm));
        const { id: networkId } = need('network', command.network);
        if (vm.networks.some((one) => one.networkId === networkId)) refuse('it is attached');
        return put({ ...vm, networks: [...vm.networks, { networkId, internalIp: '10.0.0.9' }] });
      }
      case 'detachVm': {
        const vm = whole(need('vm', command.vm));
        const networks = vm.networks.filter((one) => one.networkId !== command.network);
        if (networks.length === vm.networks.length) refuse('it is not attached');
        return put({ ...vm, networks });
      }
      case 'updatePortForward': {
        const forward = whole(need('portForward', command.portForward));
        if (command.vm !== forward.vmId) need('vm', command.vm);
        freePort(command.publicIp, forward.protocol, command.publicPort, forward.id);
        const { publicPort, vm: vmId, vmPort } = command;
        return put({ ...forward, publicPort, vmId, vmPort });
      }
      case 'createToken': {
        const { name, scopes, expiresIn } = command;
        const createdAt = Date.UTC(2026, 0, 2, 3, 4, 5);
        const livesMs = expiresIn === null ? undefined : parseLifetime(expiresIn);
        const end = command.expiresAt === null ? null : Date.parse(command.expiresAt);
        const expiresAt = livesMs === undefined ? end : createdAt + livesMs;
        const token = {
          kind: 'accessToken',
          id: nextId(),
          projectId: accountPlaceholderId,
        } as const;
        return put({ ...token, name, scopes, expiresAt, createdAt, lastUsedAt: null });
      }
      case 'renameToken':
        return put({ ...need('accessToken', command.accessToken), name: command.name });
      case 'deleteToken':
        break;
      case 'updateAccountLocale':
        return put({ ...need('account', command.account), locale: command.locale });
      case 'updateNotificationPreferences': {
        const account = need('account', command.account);
        const notifications = { ...account.notifications, ...command.preferences };
        return put({ ...account, notifications });
      }
      case 'deleteProject':
        if (all.some((one) => one.kind !== 'project' && one.projectId === command.project)) {
          refuse('it is not empty');
        }
        break;
      case 'deleteNetwork':
        for (const vm of inProject) {
          if (vm.kind !== 'vm') continue;
          if (whole(vm).networks.some(({ networkId }) => networkId === command.network)) {
            refuse(`${vm.id} is attached`);
          }
        }
        break;
      case 'deletePublicIp': {
        const { vmId } = need('publicIp', command.publicIp, ['active', 'failed', 'deleting']);
        if (vmId !== null) refuse(`${vmId} holds it`);
        if (all.some((one) => one.kind === 'portForward' && one.publicIpId === command.publicIp)) {
          refuse('it has port forwards');
        }
        break;
      }
      case 'deleteVm':
        for (const one of inProject) {
          if (one.kind === 'publicIp' && one.vmId === command.vm) put({ ...one, vmId: null });
        }
        break;
      case 'deleteSshKey':
      case 'deletePortForward':
        break;
    }
    const id = findCommandSubjectId(command) ?? '';
    need(kind, id, ['active', 'failed', 'deleting']);
    byId.delete(id);
    return undefined;
  };

  return {
    perform,
    find: (id) => byId.get(id),
    settle(id) {
      const found = byId.get(id);
      if (found) byId.set(id, settled(found));
    },
    list: () => [...byId.values()],
  };
}
