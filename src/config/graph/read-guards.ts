import type { Guards } from '../../model/resource.ts';
import { parseDuration } from '../duration.ts';
import { mapChildOf, mapEntriesOf } from '../source/located-node.ts';
import { readBound, readNodeNumber, readNodeText } from '../source/read-fields.ts';
import { resolveSection } from '../scope/resolve-section.ts';
import { toSourceRange } from '../source/source-file.ts';
import type { ModuleExpressionContext } from '../scope/space.ts';

/** Reads `guards`; undefined when nothing is guarded. */
export function readGuards(space: ModuleExpressionContext): Guards | undefined {
  const entry = space.source.tree.entries.get('guards');
  const node = resolveSection('guards', space);
  if (!entry || mapEntriesOf(node).size === 0) return undefined;
  const maxDeletes = readBound(mapChildOf(node, 'maxDeletes'));
  const minResources = readNodeNumber(mapChildOf(node, 'minResources'));
  const downtime = readNodeText(mapChildOf(node, 'downtime')) ?? '';
  const maxDowntimeMs = downtime === 'deny' ? 0 : parseDuration(downtime);
  const dataLoss = readNodeText(mapChildOf(node, 'dataLoss'));
  return {
    ...(maxDeletes && { maxDeletes }),
    ...(minResources !== undefined && { minResources }),
    ...((dataLoss === 'warn' || dataLoss === 'deny') && { dataLoss }),
    ...(maxDowntimeMs !== undefined && { maxDowntimeMs }),
    source: toSourceRange(entry.key),
  };
}
