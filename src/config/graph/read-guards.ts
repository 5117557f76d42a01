import type { Guards } from '../../model/resource.ts';
import { parseDuration } from '../duration.ts';
import { childOf, entriesOf } from '../source/located-node.ts';
import { readBound, readNodeNumber, readNodeText } from '../source/read-fields.ts';
import { resolveSection } from '../scope/resolve-section.ts';
import { toSourceRange } from '../source/source-file.ts';
import type { Space } from '../scope/space.ts';

/** Reads `guards`; undefined when nothing is guarded. */
export function readGuards(space: Space): Guards | undefined {
  const entry = space.source.tree.entries.get('guards');
  const node = resolveSection('guards', space);
  if (!entry || entriesOf(node).size === 0) return undefined;
  const maxDeletes = readBound(childOf(node, 'maxDeletes'));
  const minResources = readNodeNumber(childOf(node, 'minResources'));
  const downtime = readNodeText(childOf(node, 'downtime')) ?? '';
  const maxDowntimeMs = downtime === 'deny' ? 0 : parseDuration(downtime);
  const dataLoss = readNodeText(childOf(node, 'dataLoss'));
  return {
    ...(maxDeletes && { maxDeletes }),
    ...(minResources !== undefined && { minResources }),
    ...((dataLoss === 'warn' || dataLoss === 'deny') && { dataLoss }),
    ...(maxDowntimeMs !== undefined && { maxDowntimeMs }),
    source: toSourceRange(entry.key),
  };
}
