import { parseDuration } from './duration.ts';
import type { FaultList } from './source/fault-list.ts';
import { mapChildOf, type LocatedNode } from './source/located-node.ts';
import { readNodeText } from './source/read-fields.ts';

const minLeaseMs = 2_000;
const maxLeaseMs = 3_600_000;

/** Reads `state.lease`, in milliseconds; undefined when it is not given, or out of range. */
export function readLease(state: LocatedNode | undefined, faults: FaultList): number | undefined {
  const node = mapChildOf(state, 'lease');
  const text = readNodeText(node);
  const leaseMs = text === undefined ? undefined : parseDuration(text);
  // A text that is no duration was reported by the schema.
  if (!node || leaseMs === undefined) return undefined;
  if (leaseMs >= minLeaseMs && leaseMs <= maxLeaseMs) return leaseMs;
  faults.add({
    code: 'out-of-range',
    summary: `The lease \`${text ?? ''}\` is out of range`,
    detail: 'A lease lasts at least 2s and at most 1h.',
    hint: 'Write for example 60s.',
    place: node,
  });
  return undefined;
}
