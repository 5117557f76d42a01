import type { SandboxHandlers } from './handler.ts';
import { accountHandlers } from './account.ts';
import { attachmentHandlers } from './attachments.ts';
import { backupHandlers } from './backups.ts';
import { catalogHandlers } from './catalog.ts';
import { networkHandlers } from './networks.ts';
import { operationRecordHandlers } from './operations.ts';
import { portForwardHandlers } from './port-forwards.ts';
import { projectHandlers } from './projects.ts';
import { publicIpHandlers } from './public-ips.ts';
import { saleHandlers } from './sales.ts';
import { sshKeyHandlers } from './ssh-keys.ts';
import { tokenHandlers } from './tokens.ts';
import { vmWorkHandlers } from './vm-work.ts';
import { vmHandlers } from './vms.ts';

/** Handlers of all operations: one of the contract without a handler does not compile. */
export const sandboxHandlers: SandboxHandlers = {
  ...catalogHandlers,
  ...accountHandlers,
  ...tokenHandlers,
  ...projectHandlers,
  ...operationRecordHandlers,
  ...sshKeyHandlers,
  ...networkHandlers,
  ...attachmentHandlers,
  ...publicIpHandlers,
  ...portForwardHandlers,
  ...vmHandlers,
  ...vmWorkHandlers,
  ...backupHandlers,
  ...saleHandlers,
};
