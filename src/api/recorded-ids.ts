import { isRecord } from './decode-fields.ts';

/**
 * Adds the resources that a list of operation records names, as it is on the wire: newest first. What was deleted cannot be
 * mistaken for what a create makes, and is left out.
 */
export function noteRecorded(ids: Set<string>, body: unknown): void {
  const items: unknown = isRecord(body) ? body.items : body;
  for (const item of Array.isArray(items) ? (items as unknown[]).toReversed() : []) {
    if (!isRecord(item) || typeof item.resourceId !== 'string') continue;
    const isDeletion = typeof item.type === 'string' && /^(?:delete|release)/i.test(item.type);
    if (isDeletion) ids.delete(item.resourceId);
    else ids.add(item.resourceId);
  }
}
