// The VMs of a state, and the ways to them: a forward to port 22, a public IP of their own, or another VM of their network.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { LivePortForward } from '../../kinds/port-forward/model.ts';
import { portForwardKind } from '../../kinds/port-forward/port-forward.ts';
import type { LivePublicIp } from '../../kinds/public-ip/model.ts';
import { publicIpKind } from '../../kinds/public-ip/public-ip.ts';
import type { LiveVm } from '../../kinds/vm/model.ts';
import { vmKind } from '../../kinds/vm/vm.ts';
import type { SshHost, SshHosts, SshRoute } from '../../model/account/ssh-host.ts';
import { compareResourceAddresses, type ResourceAddress } from '../../model/address.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { withConfiguredAccount, type AccountSession } from '../session/account-session.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { findManagedResource } from '../state/find-address.ts';
import { buildHostKeyAlias, prepareHostKeyFile } from './host-keys.ts';

/** Options of the commands about SSH. */
export interface SshCommandOptions {
  readonly directory: string;
  /** The only VM that is wanted; every VM when absent. */
  readonly address?: ResourceAddress;
  /** VM through which others are reached (`--via`): those that cannot be reached directly. */
  readonly via?: ResourceAddress | undefined;
  readonly user?: string | undefined;
}

const sshPort = 22;

/**
 * Lists the VMs of the state as SSH hosts, each with its address and the VM that leads to it.
 * @throws DiagnosticError where a named VM is not there
 */
export async function findSshHosts(
  runtime: SessionRuntime,
  { directory, address, via, user }: SshCommandOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<SshHosts> {
  const read = async (session: AccountSession): Promise<SshHosts> => {
    const all = [...session.state.resources.values()]
      .filter((one) => one.kind === vmKind.name && !one.retired)
      .sort((a, b) => compareResourceAddresses(a.address, b.address));
    const bastion = via === undefined ? undefined : findManagedResource(session, via, vmKind.name);
    const wanted =
      address === undefined ? all : [findManagedResource(session, address, vmKind.name)];
    const read = bastion ? [...new Set([...wanted, bastion])] : wanted;
    const projects = new Set(read.map(({ projectId }) => projectId));
    const parts = await Promise.all([...projects].map((id) => readProject(session, id)));
    const hosts = describeAll(read, parts, bastion);
    const knownHosts = await prepareHostKeyFile(runtime, resolve(runtime.cwd, directory));
    return { hosts, knownHosts, user };
  };
  return withConfiguredAccount(runtime, reporter, read, directory);
}

/** Resources of a project that the network paths to its VMs are found from. */
interface ProjectParts {
  readonly vms: readonly LiveVm[];
  readonly publicIps: readonly LivePublicIp[];
  readonly forwards: readonly LivePortForward[];
}

async function readProject(
  { connection: { client } }: AccountSession,
  projectId: string,
): Promise<ProjectParts> {
  const place = { projectId };
  const [vms, publicIps] = await Promise.all([
    client.list(vmKind.name, place),
    client.list(publicIpKind.name, place),
  ]);
  const forwards = await Promise.all(
    publicIps.map(({ id }) => client.list(portForwardKind.name, { projectId, publicIpId: id })),
  );
  return { vms, publicIps, forwards: forwards.flat() };
}

function describeAll(
  resources: readonly ManagedResource[],
  parts: readonly ProjectParts[],
  bastion: ManagedResource | undefined,
): readonly SshHost[] {
  const aliases = new Set<string>();
  const described = resources.map((resource): SshHost => {
    const plain = nameAlias(resource.address);
    const alias = aliases.has(plain) ? `${plain}-${buildHostKeyAlias(resource.id)}` : plain;
    aliases.add(alias);
    return {
      address: resource.address,
      id: resource.id,
      alias,
      keyAlias: buildHostKeyAlias(resource.id),
      route: findRoute(resource.id, parts),
      internalIps: listInternal(resource.id, parts).map(({ ip }) => ip),
    };
  });
  const gate = described.find(({ address }) => address === bastion?.address);
  if (!gate) return described;
  if (!gate.route) {
    throw createCommandRefusal('ssh-no-route', `No way leads to ${gate.address} either`, {
      detail: 'It has no forward to port 22 on a public IP, and no public IP of its own.',
      hint: 'Give --via the address of a VM that is reached from outside.',
      address: gate.address,
    });
  }
  return described.map((host) => {
    const route = findInternal(host, gate, parts);
    return host === gate || host.route !== undefined || !route ? host : { ...host, route };
  });
}

/** Name of a VM for SSH: its address without brackets and quotes, which SSH would not accept. */
function nameAlias(address: ResourceAddress): string {
  return address
    .replaceAll(/\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\]/g, (_, index?: string, key?: string) => {
      return `.${index ?? key ?? ''}`;
    })
    .replaceAll(/[^\w.-]/g, '_');
}

function findRoute(id: string, parts: readonly ProjectParts[]): SshRoute | undefined {
  for (const { vms, publicIps, forwards } of parts) {
    const addressOf = (publicIpId: unknown) =>
      usable(publicIps.find((one) => one.id === publicIpId)?.address);
    const forward = forwards.find(
      ({ vmId, vmPort, protocol, publicIpId }) =>
        vmId === id && vmPort === sshPort && protocol === 'tcp' && addressOf(publicIpId),
    );
    const host = addressOf(forward?.publicIpId);
    if (host !== undefined && forward?.publicPort !== undefined) {
      return { host, port: forward.publicPort };
    }
    const own = addressOf(vms.find((one) => one.id === id)?.publicIpId);
    if (own !== undefined) return { host: own, port: sshPort };
  }
  return undefined;
}

/** An address that SSH takes for nothing else: what a service tells is a stranger's. */
function usable(host: string | null | undefined): string | undefined {
  return host && isIP(host) !== 0 ? host : undefined;
}

function listInternal(id: string, parts: readonly ProjectParts[]) {
  const live = parts.flatMap(({ vms }) => vms).find((one) => one.id === id);
  return (live?.networks ?? []).flatMap(({ networkId, internalIp }) => {
    const ip = usable(internalIp);
    return ip === undefined ? [] : [{ networkId, ip }];
  });
}

/** The address of a VM in a network that another one is in, too. */
function findInternal(
  { id }: SshHost,
  gate: SshHost,
  parts: readonly ProjectParts[],
): SshRoute | undefined {
  const shared = new Set(listInternal(gate.id, parts).map(({ networkId }) => networkId));
  const found = listInternal(id, parts).find(({ networkId }) => shared.has(networkId));
  return found && { host: found.ip, port: sshPort, via: gate.alias };
}
