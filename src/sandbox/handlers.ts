import type { Handlers } from './handler.ts';
import { accountHandlers } from './handlers/account.ts';
import { attachmentHandlers } from './handlers/attachments.ts';
import { backupHandlers } from './handlers/backups.ts';
import { catalogHandlers } from './handlers/catalog.ts';
import { networkHandlers } from './handlers/networks.ts';
import { operationHandlers } from './handlers/operations.ts';
import { portForwardHandlers } from './handlers/port-forwards.ts';
import { projectHandlers } from './handlers/projects.ts';
import { publicIpHandlers } from './handlers/public-ips.ts';
import { saleHandlers } from './handlers/sales.ts';
import { sshKeyHandlers } from './handlers/ssh-keys.ts';
import { tokenHandlers } from './handlers/tokens.ts';
import { vmWorkHandlers } from './handlers/vm-work.ts';
import { vmHandlers } from './handlers/vms.ts';

/** All 72 operations: an operation of the contract that nobody handles does not compile. */
export const handlers: Handlers = {
  ...catalogHandlers,
  ...accountHandlers,
  ...tokenHandlers,
  ...projectHandlers,
  ...operationHandlers,
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
