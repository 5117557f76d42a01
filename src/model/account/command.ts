// What is asked of the service, as data: one entry for each kind of request that changes something.
// How a command is spelled on the wire is known in api/ alone.
import type { Address } from '../address.ts';
import type { KindName } from '../kind-places.ts';

/** A resource by its id, or by the address whose id will be known when the command is sent. */
export type Ref = { readonly id: string } | { readonly idOf: Address };

/** What a command about the sale of a VM names. */
interface OfSale<R> {
  readonly project: R;
  readonly vm: R;
  /** The id of the sale: sales have no address. Null until it is looked up, right before the request. */
  readonly sale: string | null;
}

/** The commands, over `R`: references as planned, or plain ids once resolved. */
export type CommandOf<R> =
  | { readonly kind: 'createProject'; readonly name: string }
  | { readonly kind: 'renameProject'; readonly project: R; readonly name: string }
  | { readonly kind: 'deleteProject'; readonly project: R }
  | {
      readonly kind: 'createSshKey';
      readonly project: R;
      readonly name: string;
      readonly publicKey: string;
    }
  | {
      readonly kind: 'renameSshKey';
      readonly project: R;
      readonly sshKey: R;
      readonly name: string;
    }
  | { readonly kind: 'deleteSshKey'; readonly project: R; readonly sshKey: R }
  | { readonly kind: 'createNetwork'; readonly project: R; readonly name: string }
  | {
      readonly kind: 'renameNetwork';
      readonly project: R;
      readonly network: R;
      readonly name: string;
    }
  | { readonly kind: 'deleteNetwork'; readonly project: R; readonly network: R }
  | { readonly kind: 'createPublicIp'; readonly project: R }
  | { readonly kind: 'deletePublicIp'; readonly project: R; readonly publicIp: R }
  | {
      readonly kind: 'createPortForward';
      readonly project: R;
      readonly publicIp: R;
      readonly protocol: string;
      readonly publicPort: number;
      readonly vm: R;
      readonly vmPort: number;
    }
  | {
      readonly kind: 'updatePortForward';
      readonly project: R;
      readonly publicIp: R;
      readonly portForward: R;
      readonly publicPort: number;
      readonly vm: R;
      readonly vmPort: number;
    }
  | {
      readonly kind: 'deletePortForward';
      readonly project: R;
      readonly publicIp: R;
      readonly portForward: R;
    }
  | {
      readonly kind: 'createVm';
      readonly project: R;
      readonly name: string;
      readonly imageId: string;
      readonly configurationId: string;
      readonly tariffId: string;
      readonly sshKeys: readonly R[];
      readonly publicIp: 'new' | 'none' | R;
      readonly plugins: readonly string[];
    }
  | { readonly kind: 'renameVm'; readonly project: R; readonly vm: R; readonly name: string }
  | { readonly kind: 'startVm'; readonly project: R; readonly vm: R }
  | { readonly kind: 'stopVm'; readonly project: R; readonly vm: R }
  | { readonly kind: 'rebootVm'; readonly project: R; readonly vm: R }
  | { readonly kind: 'createBackup'; readonly project: R; readonly vm: R }
  | {
      readonly kind: 'restoreBackup';
      readonly project: R;
      readonly vm: R;
      /** The id of a backup: backups have no address. */
      readonly backup: string;
    }
  | {
      readonly kind: 'rebuildVm';
      readonly project: R;
      readonly vm: R;
      readonly imageId: string;
      readonly sshKeys: readonly R[];
      readonly deleteBackups: boolean;
    }
  | { readonly kind: 'attachVm'; readonly project: R; readonly vm: R; readonly network: R }
  | { readonly kind: 'detachVm'; readonly project: R; readonly vm: R; readonly network: R }
  | ({ readonly kind: 'resumeSaleRenewal' } & OfSale<R>)
  | ({ readonly kind: 'cancelSaleRenewal' } & OfSale<R>)
  | { readonly kind: 'deleteVm'; readonly project: R; readonly vm: R }
  | { readonly kind: 'updateAccountLocale'; readonly account: R; readonly locale: string }
  | {
      readonly kind: 'updateNotificationPreferences';
      readonly account: R;
      /** Only those that are to change; the others stay as they are when it is sent. */
      readonly preferences: Readonly<Record<string, boolean>>;
    }
  | {
      readonly kind: 'createToken';
      readonly name: string;
      readonly scopes: readonly string[];
      /** When it ends, in ISO 8601; null for never, or for as `expiresIn` says. */
      readonly expiresAt: string | null;
      /** How long it lives, counted from when it is asked for, e.g. `90d`; null where `expiresAt` says. */
      readonly expiresIn: string | null;
    }
  | { readonly kind: 'renameToken'; readonly accessToken: R; readonly name: string }
  | { readonly kind: 'deleteToken'; readonly accessToken: R };

/** A command as a plan holds it. */
export type Command = CommandOf<Ref>;
/** A command ready to be sent: every reference is an id. */
export type ResolvedCommand = CommandOf<string>;
export type CommandName = Command['kind'];

/** What each command is about: the kind whose live record shows whether it has come true, and what it does to it. */
export const commandSubjects = {
  createProject: { kind: 'project', effect: 'create' },
  renameProject: { kind: 'project', effect: 'update' },
  deleteProject: { kind: 'project', effect: 'delete' },
  createSshKey: { kind: 'sshKey', effect: 'create' },
  renameSshKey: { kind: 'sshKey', effect: 'update' },
  deleteSshKey: { kind: 'sshKey', effect: 'delete' },
  createNetwork: { kind: 'network', effect: 'create' },
  renameNetwork: { kind: 'network', effect: 'update' },
  deleteNetwork: { kind: 'network', effect: 'delete' },
  createPublicIp: { kind: 'publicIp', effect: 'create' },
  deletePublicIp: { kind: 'publicIp', effect: 'delete' },
  createPortForward: { kind: 'portForward', effect: 'create' },
  updatePortForward: { kind: 'portForward', effect: 'update' },
  deletePortForward: { kind: 'portForward', effect: 'delete' },
  createVm: { kind: 'vm', effect: 'create' },
  renameVm: { kind: 'vm', effect: 'update' },
  startVm: { kind: 'vm', effect: 'update' },
  stopVm: { kind: 'vm', effect: 'update' },
  rebootVm: { kind: 'vm', effect: 'update' },
  createBackup: { kind: 'vm', effect: 'update' },
  restoreBackup: { kind: 'vm', effect: 'update' },
  rebuildVm: { kind: 'vm', effect: 'update' },
  attachVm: { kind: 'vm', effect: 'update' },
  detachVm: { kind: 'vm', effect: 'update' },
  resumeSaleRenewal: { kind: 'vm', effect: 'update' },
  cancelSaleRenewal: { kind: 'vm', effect: 'update' },
  deleteVm: { kind: 'vm', effect: 'delete' },
  updateAccountLocale: { kind: 'account', effect: 'update' },
  updateNotificationPreferences: { kind: 'account', effect: 'update' },
  createToken: { kind: 'accessToken', effect: 'create' },
  renameToken: { kind: 'accessToken', effect: 'update' },
  deleteToken: { kind: 'accessToken', effect: 'delete' },
} as const satisfies Record<
  CommandName,
  { kind: KindName; effect: 'create' | 'update' | 'delete' }
>;

/** The commands that are about one kind. */
export type CommandNameOf<K extends KindName> = {
  [C in CommandName]: (typeof commandSubjects)[C]['kind'] extends K ? C : never;
}[CommandName];

/** Every command. */
export const commandNames = Object.keys(commandSubjects) as readonly CommandName[];

/** The id of the resource that a command is about; undefined for a create, whose id is not known yet. */
export function subjectId(command: ResolvedCommand): string | undefined {
  const { kind, effect } = commandSubjects[command.kind];
  if (effect === 'create') return undefined;
  return (command as Partial<Record<KindName, string>>)[kind];
}

/** Replaces every reference of a command by what `resolve` gives for it. */
export function resolveCommand(command: Command, resolve: (ref: Ref) => string): ResolvedCommand {
  const resolved: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(command)) {
    if (key === 'sshKeys') resolved[key] = (value as readonly Ref[]).map(resolve);
    else resolved[key] = isRef(value) ? resolve(value) : value;
  }
  return resolved as ResolvedCommand;
}

function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && ('id' in value || 'idOf' in value);
}
