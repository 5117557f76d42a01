import { createHmac, randomBytes } from 'node:crypto';
import type { ServerStore } from '../store/store.ts';

const setting = 'plan-key';

/**
 * Reads the key that seals the saved plans of a workspace, so that an apply can trust the plan's variables and options, and takes
 * no other file for it. The key is 32 random bytes in base64. It is made once, and stays when the server's key is rotated.
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
