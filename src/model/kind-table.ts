// The one list of kinds that the model has: no address can be read without it, nor a journal, and the model imports
// nothing. All else of a kind is in `kinds/`.

/** Effect of a command on its resource. */
export type CommandEffect = 'create' | 'update' | 'delete';

/** Facts about a kind of resource that addresses and journals need. */
export interface KindEntry {
  /** Key of the kind's resources in the YAML and in addresses: `vms`. */
  readonly collection: string;
  /** The kind whose blocks contain blocks of this kind; absent for kinds at the top of the YAML. */
  readonly within?: string;
  /** Set for a kind with exactly one resource in every account, which needs no key. */
  readonly isSingle?: true;
  /** Set for a kind whose resource is worthless without the answer to its create, since that alone holds the secret. */
  readonly isShownOnce?: true;
  /** Commands about this kind and their effect on it: its live record shows whether a command has come true. */
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

/** The kind of projects, into which an account is divided and in which most other kinds lie. */
export const projectKind = 'project';
