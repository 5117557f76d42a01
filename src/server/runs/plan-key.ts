import { createHmac, randomBytes } from 'node:crypto';
import type { ServerStore } from '../store/store.ts';

const setting = 'plan-key';

/**
 * The key that the plans of a workspace are sealed with, so that an apply of one has its variables and options, and takes no
 * other file for it. It is made once, and stays when the key of the server is rotated. 32 random bytes, as base64.
 */
export async function readPlanSealingKey(
  store: Pick<ServerStore, 'blobs' | 'settings'>,
  workspaceId: string,
): Promise<string> {
  const { blobs, settings } = store;
  const known = await settings.read(setting);
  if (known === undefined) {
    await settings.begin(setting, await blobs.add(randomBytes(32)));
    return readPlanSealingKey(store, workspaceId);
  }
  const secret = await blobs.read(known);
  return createHmac('sha256', secret).update(workspaceId).digest('base64');
}
