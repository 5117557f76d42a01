import type { RequestTimeouts } from '../model/account/service.ts';
import { parseDuration } from './duration.ts';
import type { FaultList } from './source/fault-list.ts';
import { mapChildOf, type LocatedNode } from './source/located-node.ts';
import { readNodeText } from './source/read-fields.ts';

const minMs = 1_000;
const maxMs = 300_000;

function readOne(
  timeouts: LocatedNode | undefined,
  name: 'read' | 'write',
  faults: FaultList,
): number | undefined {
  const node = mapChildOf(timeouts, name);
  const text = readNodeText(node);
  const timeoutMs = text === undefined ? undefined : parseDuration(text);
  // A text that is no duration was reported by the schema.
  if (!node || timeoutMs === undefined) return undefined;
  if (timeoutMs >= minMs && timeoutMs <= maxMs) return timeoutMs;
  faults.add({
    code: 'out-of-range',
    summary: `The timeout \`${text ?? ''}\` is out of range`,
    detail: 'The service is given at least 1s and at most 5m to begin its answer.',
    hint: 'Write for example 10s.',
    place: node,
  });
  return undefined;
}

/** Reads `service.timeouts`; undefined where neither timeout is given. */
export function readRequestTimeouts(
  node: LocatedNode | undefined,
  faults: FaultList,
): Partial<RequestTimeouts> | undefined {
  const readMs = readOne(node, 'read', faults);
  const writeMs = readOne(node, 'write', faults);
  if (readMs === undefined && writeMs === undefined) return undefined;
  return { ...(readMs !== undefined && { readMs }), ...(writeMs !== undefined && { writeMs }) };
}
