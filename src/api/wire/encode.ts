import type { CommandName, CommandOf, ResolvedCommand } from '../../model/account/command.ts';
import type {
  WireNotificationPreferencesUpdate,
  WireRequest,
  WireTokenScope,
} from '../contract/types.ts';

/** The command of one name, its references resolved. */
type Resolved<K extends CommandName> = Extract<CommandOf<string>, { kind: K }>;
type Encoder<K extends CommandName> = (command: Resolved<K>) => Omit<WireRequest<K>, 'operation'>;

/** Every command goes out as the operation of its own name; one that is missing here does not compile. */
const encoders: { readonly [K in CommandName]: Encoder<K> } = {
  createProject: ({ name }) => ({ params: {}, body: { name } }),
  renameProject: ({ project, name }) => ({ params: { projectId: project }, body: { name } }),
  deleteProject: ({ project }) => ({ params: { projectId: project } }),

  createSshKey: ({ project, name, publicKey }) => ({
    params: { projectId: project },
    body: { name, publicKey },
  }),
  renameSshKey: ({ project, sshKey, name }) => ({
    params: { projectId: project, sshKeyId: sshKey },
    body: { name },
  }),
  deleteSshKey: ({ project, sshKey }) => ({ params: { projectId: project, sshKeyId: sshKey } }),

  createNetwork: ({ project, name }) => ({ params: { projectId: project }, body: { name } }),
  renameNetwork: ({ project, network, name }) => ({
    params: { projectId: project, networkId: network },
    body: { name },
  }),
  deleteNetwork: ({ project, network }) => ({
    params: { projectId: project, networkId: network },
  }),

  createPublicIp: ({ project }) => ({ params: { projectId: project } }),
  deletePublicIp: ({ project, publicIp }) => ({
    params: { projectId: project, publicIpId: publicIp },
  }),

  createPortForward: ({ project, publicIp, protocol, publicPort, vm, vmPort }) => ({
    params: { projectId: project, publicIpId: publicIp },
    // The configuration allows no other protocols than the contract; the service has the last word.
    body: { protocol: protocol as 'tcp' | 'udp', publicPort, vmId: vm, vmPort },
  }),
  updatePortForward: ({ project, publicIp, portForward, publicPort, vm, vmPort }) => ({
    params: { projectId: project, publicIpId: publicIp, portForwardId: portForward },
    body: { publicPort, vmId: vm, vmPort },
  }),
  deletePortForward: ({ project, publicIp, portForward }) => ({
    params: { projectId: project, publicIpId: publicIp, portForwardId: portForward },
  }),

  createVm: ({
    project,
    name,
    imageId,
    configurationId,
    tariffId,
    sshKeys,
    publicIp,
    plugins,
  }) => ({
    params: { projectId: project },
    body: {
      name,
      imageId,
      configurationId,
      tariffId,
      sshKeyIds: [...sshKeys],
      ...(publicIp === 'new' || publicIp === 'none'
        ? { publicIpMode: publicIp }
        : { publicIpMode: 'existing', publicIpId: publicIp }),
      plugins: [...plugins],
    },
  }),
  renameVm: ({ project, vm, name }) => ({
    params: { projectId: project, vmId: vm },
    body: { name },
  }),
  startVm: ({ project, vm }) => ({ params: { projectId: project, vmId: vm } }),
  stopVm: ({ project, vm }) => ({ params: { projectId: project, vmId: vm } }),
  rebootVm: ({ project, vm }) => ({ params: { projectId: project, vmId: vm } }),
  createBackup: ({ project, vm }) => ({ params: { projectId: project, vmId: vm } }),
  restoreBackup: ({ project, vm, backup }) => ({
    params: { projectId: project, vmId: vm, backupId: backup },
  }),
  rebuildVm: ({ project, vm, imageId, sshKeys, deleteBackups }) => ({
    params: { projectId: project, vmId: vm },
    body: { imageId, sshKeyIds: [...sshKeys], deleteBackups },
  }),
  attachVm: ({ project, vm, network }) => ({
    params: { projectId: project, networkId: network },
    body: { vmId: vm },
  }),
  detachVm: ({ project, vm, network }) => ({
    params: { projectId: project, networkId: network, vmId: vm },
  }),
  // A sale stands on its own: whose it is was looked up before.
  resumeSaleRenewal: ({ sale }) => ({ params: { saleId: sale ?? '' } }),
  cancelSaleRenewal: ({ sale }) => ({ params: { saleId: sale ?? '' } }),
  deleteVm: ({ project, vm }) => ({ params: { projectId: project, vmId: vm } }),

  createToken: ({ name, scopes, expiresAt }) => ({
    params: {},
    body: {
      name,
      // The configuration allows no other scopes than the contract; the service has the last word.
      scopes: scopes as WireTokenScope[],
      ...(expiresAt !== null && { expiresAt }),
    },
  }),
  renameToken: ({ accessToken, name }) => ({ params: { tokenId: accessToken }, body: { name } }),
  deleteToken: ({ accessToken }) => ({ params: { tokenId: accessToken } }),

  updateAccountLocale: ({ locale }) => ({ params: {}, body: { locale } }),
  updateNotificationPreferences: ({ preferences }) => ({
    params: {},
    // As they were read, so that a preference that the contract does not know is not lost.
    body: preferences as Record<string, boolean> & WireNotificationPreferencesUpdate,
  }),
};

/** A command as the request that asks for it. */
export function encodeCommand(command: ResolvedCommand): WireRequest<CommandName> {
  // The table is indexed by the command's own kind, which TypeScript cannot follow through a union.
  const encode = encoders[command.kind] as Encoder<CommandName>;
  return {
    operation: command.kind,
    ...encode(command),
  } as WireRequest<CommandName>;
}
