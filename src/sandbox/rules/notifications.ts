import { createSandboxId } from '../store/ids.ts';
import type { SandboxNotificationRow, SandboxOperationRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

type Message = Pick<SandboxNotificationRow, 'kind' | 'title' | 'message' | 'createdAt'> &
  Partial<Pick<SandboxNotificationRow, 'projectId' | 'resourceType' | 'resourceId'>>;

function notify({ store, rules }: SandboxContext, message: Message): void {
  store.insert(sandboxTables.notifications, {
    id: createSandboxId(store, rules.seed, 'notification'),
    projectId: null,
    resourceType: null,
    resourceId: null,
    readAt: null,
    ...message,
  });
}

/** Adds the notification about an operation that has ended. */
export function notifyOfEndedOperation(
  world: SandboxContext,
  operation: SandboxOperationRow,
): void {
  const { type, resourceType, resourceId, projectId, completesAt, failureCode } = operation;
  const subject = { resourceType, resourceId, projectId, createdAt: completesAt };
  if (failureCode === null) {
    const message = `${type} of ${resourceId} succeeded.`;
    notify(world, { kind: 'operationSucceeded', title: `${type} succeeded`, message, ...subject });
  } else {
    const message = `${type} of ${resourceId} failed: ${failureCode}.`;
    notify(world, { kind: 'operationFailed', title: `${type} failed`, message, ...subject });
  }
}

/** Adds the notification that little of a quota is left. */
export function notifyOfScarceQuota(
  world: SandboxContext,
  quota: string,
  used: number,
  limit: number,
): void {
  const message = `${used} of ${limit} are in use.`;
  notify(world, {
    kind: 'quotaLow',
    title: `The quota ${quota} runs short`,
    message,
    createdAt: world.now,
  });
}
