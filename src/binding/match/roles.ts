// The effect of each operation of the contract, and its subject. Data alone.
import { type OperationId, routes } from '../../api/contract/routes.ts';
import { resourceKindMeanings } from '../vocabulary/meanings.ts';
import type { NameSense } from '../vocabulary/words.ts';

/** An effect on a collection or one of its things, as HTTP has it. */
export interface CollectionRole {
  readonly is: 'list' | 'create' | 'get' | 'delete' | 'rename' | 'update';
  readonly kind: string;
}

/** The kind of operation that its method and path show: a read, a create, an action, and so on. */
export type OperationRole =
  | CollectionRole
  /** An action on one resource, or with `of` on all resources of a collection. */
  | { readonly is: 'act'; readonly kind: string; readonly sense: NameSense; readonly of?: 'all' }
  /** Read or write of a single record: of the account, of a collection or of a resource. */
  | {
      readonly is: 'read' | 'write';
      readonly sense: NameSense;
      readonly kind?: string;
      readonly of?: 'all' | 'one';
    }
  /** Attaching a VM to a network, detaching it, or listing the attached ones. */
  | { readonly is: 'attach' | 'detach' | 'reattach' | 'listAttached' };

const special: Readonly<Partial<Record<OperationId, OperationRole>>> = {
  getLimits: { is: 'read', sense: ['limits'] },
  getNameLengthLimits: { is: 'read', sense: ['nameLengths'] },
  getAccount: { is: 'read', sense: ['account'] },
  updateAccountLocale: { is: 'write', sense: ['account', 'locale'] },
  listNetworkVms: { is: 'listAttached' },
  attachVm: { is: 'attach' },
  updateAttachment: { is: 'reattach' },
  detachVm: { is: 'detach' },
  updatePortForward: { is: 'update', kind: 'portForward' },
  getVmStateCounts: { is: 'read', sense: ['stateCounts'], kind: 'vm', of: 'all' },
  startVm: { is: 'act', kind: 'vm', sense: ['start'] },
  stopVm: { is: 'act', kind: 'vm', sense: ['stop'] },
  rebootVm: { is: 'act', kind: 'vm', sense: ['reboot'] },
  rebuildVm: { is: 'act', kind: 'vm', sense: ['rebuild'] },
  resizeVm: { is: 'act', kind: 'vm', sense: ['resize'] },
  getVmMetrics: { is: 'read', sense: ['metrics'], kind: 'vm', of: 'one' },
  restoreBackup: { is: 'act', kind: 'backup', sense: ['restore'] },
  getUnreadNotificationCount: {
    is: 'read',
    sense: ['unreadCount'],
    kind: 'notification',
    of: 'all',
  },
  markNotificationRead: { is: 'act', kind: 'notification', sense: ['read'] },
  markAllNotificationsRead: { is: 'act', kind: 'notification', sense: ['read', 'all'], of: 'all' },
  getNotificationPreferences: {
    is: 'read',
    sense: ['preferences'],
    kind: 'notification',
    of: 'all',
  },
  updateNotificationPreferences: {
    is: 'write',
    sense: ['preferences'],
    kind: 'notification',
    of: 'all',
  },
  cancelSaleRenewal: { is: 'act', kind: 'sale', sense: ['renewal', 'cancel'] },
  resumeSaleRenewal: { is: 'act', kind: 'sale', sense: ['renewal', 'resume'] },
};

/** The effect of an operation of the contract. @throws Error for one that this table has forgotten */
export function findContractOperationRole(operation: OperationId): OperationRole {
  const known = special[operation];
  if (known) return known;
  const [, is, name = ''] = /^(list|create|get|delete|rename)(\w+)$/.exec(operation) ?? [];
  const noun = name.charAt(0).toLowerCase() + name.slice(1);
  const kind = [noun, noun.replace(/s$/, '')].find((one) => resourceKindMeanings.has(one));
  if (is === undefined || kind === undefined) throw new Error(`No role for ${operation}`);
  return { is: is as 'list', kind };
}

/** Tells whether an operation loses data for good: it is bound only where nothing else can be meant. */
export function isDataLossOperation(operation: OperationId): boolean {
  const { method } = routes[operation];
  return method === 'DELETE' || operation === 'rebuildVm' || operation === 'restoreBackup';
}
