import {
  commandSubjects,
  type CommandName,
  type ResolvedCommand,
} from '../model/account/command.ts';
import { nameOf, statusOf, type LiveAccount, type LiveResource } from '../model/account/live.ts';

const unfinished = new Set(['queued', 'running', 'inprogress']);

/** True while the service is making, changing or deleting it, or holds it locked for an operation. */
export function isBusy(live: LiveResource): boolean {
  const status = statusOf(live);
  if (status !== undefined && status !== 'active' && status !== 'failed') return true;
  // A backup leaves a VM `active` though it is locked: only its operation tells.
  return live.kind === 'vm' && unfinished.has((live.operationStatus ?? '').toLowerCase());
}

/** What keeps a busy resource busy, in the service's own words. */
export function describeBusy(live: LiveResource): string {
  const status = statusOf(live) ?? 'busy';
  if (live.kind !== 'vm' || live.operation === null) return status;
  return `${live.operation} ${live.operationStatus ?? status}`;
}

const judgedByRecord: ReadonlySet<CommandName> = new Set([
  'rebootVm',
  'createBackup',
  'restoreBackup',
]);

/** True for a command whose result its resource never shows: the operation record alone tells how it ended. */
export function isJudgedByRecord(command: CommandName): boolean {
  return judgedByRecord.has(command);
}

function hasIds(have: readonly string[], want: readonly string[]): boolean {
  return have.length === want.length && want.every((id) => have.includes(id));
}

function showsSettings(command: ResolvedCommand, live: LiveAccount): boolean {
  if (command.kind === 'updateAccountLocale') {
    return live.locale.toLowerCase() === command.locale.toLowerCase();
  }
  return (
    command.kind === 'updateNotificationPreferences' &&
    Object.entries(command.preferences).every(([name, value]) => live.notifications[name] === value)
  );
}

/**
 * True when the live record shows what a command asked for; undefined stands for a resource that is gone.
 * Whether the service is finished with it is another question: see `isBusy`.
 */
export function hasComeTrue(command: ResolvedCommand, live: LiveResource | undefined): boolean {
  const { effect } = commandSubjects[command.kind];
  if (effect === 'delete') return live === undefined;
  if (!live) return false;
  if (effect === 'create') {
    return command.kind === 'createVm' && command.publicIp === 'new' && live.kind === 'vm'
      ? live.publicIpId !== null
      : true;
  }
  if ('name' in command) return nameOf(live) === command.name;
  if (live.kind === 'portForward' && command.kind === 'updatePortForward') {
    return (
      live.publicPort === command.publicPort &&
      live.vmId === command.vm &&
      live.vmPort === command.vmPort
    );
  }
  if (live.kind === 'account') return showsSettings(command, live);
  if (live.kind !== 'vm') return false;
  switch (command.kind) {
    case 'startVm':
      return live.bootStatus === 'Running';
    case 'stopVm':
      return live.bootStatus === 'Stopped';
    case 'rebuildVm':
      return live.imageId === command.imageId && hasIds(live.sshKeyIds, command.sshKeys);
    case 'attachVm':
      return live.networks.some(({ networkId }) => networkId === command.network);
    case 'detachVm':
      return !live.networks.some(({ networkId }) => networkId === command.network);
    case 'resumeSaleRenewal':
      return live.renewal === 'active';
    case 'cancelSaleRenewal':
      return live.renewal === 'cancelled';
    default:
      return false;
  }
}
