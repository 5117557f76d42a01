// The one list of kinds that the model has: no address can be read without it, nor a journal, and the model imports
// nothing. All else of a kind is in `kinds/`.

/** What a command does to the resource that it is about. */
export type CommandEffect = 'create' | 'update' | 'delete';

/** A kind as addresses and journals know it. */
export interface KindEntry {
  /** What the YAML calls its resources, and an address too: `vms`. */
  readonly collection: string;
  /** The kind whose blocks hold theirs; absent for those that stand by themselves. */
  readonly within?: string;
  /** True: there is one in every account, so it has no key. */
  readonly isSingle?: true;
  /** True: it is worth nothing without the answer to its create, which holds what is shown that once. */
  readonly isShownOnce?: true;
  /** What can be asked of the service about it, and what that does to it: its live record shows whether it has come true. */
  readonly commands: Readonly<Record<string, CommandEffect>>;
}

/** Every kind, in the order in which one may need another. */
export const kindTable = {
  project: {
    collection: 'projects',
    commands: { createProject: 'create', renameProject: 'update', deleteProject: 'delete' },
  },
  sshKey: {
    collection: 'sshKeys',
    within: 'project',
    commands: { createSshKey: 'create', renameSshKey: 'update', deleteSshKey: 'delete' },
  },
  network: {
    collection: 'networks',
    within: 'project',
    commands: { createNetwork: 'create', renameNetwork: 'update', deleteNetwork: 'delete' },
  },
  publicIp: {
    collection: 'publicIps',
    within: 'project',
    commands: { createPublicIp: 'create', deletePublicIp: 'delete' },
  },
  vm: {
    collection: 'vms',
    within: 'project',
    commands: {
      createVm: 'create',
      renameVm: 'update',
      startVm: 'update',
      stopVm: 'update',
      rebootVm: 'update',
      createBackup: 'update',
      restoreBackup: 'update',
      rebuildVm: 'update',
      attachVm: 'update',
      detachVm: 'update',
      resumeSaleRenewal: 'update',
      cancelSaleRenewal: 'update',
      deleteVm: 'delete',
    },
  },
  portForward: {
    collection: 'forwards',
    within: 'publicIp',
    commands: {
      createPortForward: 'create',
      updatePortForward: 'update',
      deletePortForward: 'delete',
    },
  },
  account: {
    collection: 'account',
    isSingle: true,
    commands: { updateAccountLocale: 'update', updateNotificationPreferences: 'update' },
  },
  accessToken: {
    collection: 'tokens',
    isShownOnce: true,
    commands: { createToken: 'create', renameToken: 'update', deleteToken: 'delete' },
  },
} as const satisfies Readonly<Record<string, KindEntry>>;

/** The kind that an account is divided into, and that most others lie in. */
export const projectKind = 'project';
