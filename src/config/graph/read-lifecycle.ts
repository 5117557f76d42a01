import { kindRegistry } from '../../kinds/registry.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import type { DesiredResource, Lifecycle } from '../../model/resource.ts';
import { parseLifetime } from '../../model/text/lifetime.ts';
import { parseDuration } from '../duration.ts';
import { findYamlMapChild, type LocatedYamlNode } from '../source/located-node.ts';
import { isTrueNode, readNodeText, readNodeTexts } from '../source/read-fields.ts';
import type { ResourceGroup } from '../scope/resource-group.ts';
import { toSourceRange } from '../source/source-file.ts';

/** Fields of `ignoreChanges` that the kind does not have are reported. */
function readIgnored(group: ResourceGroup, node: LocatedYamlNode | undefined): readonly string[] {
  const known = Object.keys(kindRegistry[group.kind].fields);
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => {
    const name = readNodeText(item);
    if (name === undefined) return [];
    if (known.includes(name)) return [name];
    const meant = suggestNearestName(name, known);
    group.space.session.faults.add({
      code: 'unknown-attribute',
      summary: `A ${kindRegistry[group.kind].label} has no attribute \`${name}\``,
      detail: `It has ${formatNameList(known, 20)}.`,
      hint:
        name === 'all'
          ? `List the fields, for example \`ignoreChanges: [${known.slice(0, 3).join(', ')}]\`.`
          : meant === undefined
            ? 'Remove it.'
            : `Did you mean \`${meant}\`?`,
      address: group.address,
      place: item,
    });
    return [];
  });
}

/** Reads `lifecycle`; undefined when nothing is given. The addresses in it are checked later, once all addresses are known. */
export function readLifecycle(
  group: ResourceGroup,
  node: LocatedYamlNode | undefined,
): Lifecycle | undefined {
  if (node?.kind !== 'map' || node.entries.size === 0) return undefined;
  const { prefix } = group.space;
  const preventDestroy = findYamlMapChild(node, 'preventDestroy');
  const retireMs = readRetirement(group, findYamlMapChild(node, 'retire'));
  return {
    preventDestroy: isTrueNode(preventDestroy),
    ...(preventDestroy &&
      isTrueNode(preventDestroy) && { protectedAt: toSourceRange(preventDestroy) }),
    createBeforeDestroy: isTrueNode(findYamlMapChild(node, 'createBeforeDestroy')),
    ignoreChanges: readIgnored(group, findYamlMapChild(node, 'ignoreChanges')),
    replaceTriggeredBy: readNodeTexts(findYamlMapChild(node, 'replaceTriggeredBy')).map(
      (one) => prefix + one,
    ),
    ...(retireMs !== undefined && { retireMs }),
  };
}

const hourMs = 3_600_000;

/** The longest time for which a resource is kept that would be destroyed, in milliseconds: 90 days. */
const maxRetirementMs = 90 * 24 * hourMs;

/** For how long it is kept instead of being destroyed, in milliseconds; a time that is out of range is reported. */
function readRetirement(
  group: ResourceGroup,
  node: LocatedYamlNode | undefined,
): number | undefined {
  const text = readNodeText(node);
  const durationMs = text === undefined ? undefined : parseDuration(text);
  if (!node || durationMs === undefined) return undefined;
  if (durationMs > 0 && durationMs <= maxRetirementMs) return durationMs;
  group.space.session.faults.add({
    code: 'out-of-range',
    summary: `The retirement \`${text ?? ''}\` is out of range`,
    detail: 'Allowed is more than nothing and at most 90 days, which is 2160h.',
    hint: 'Write for example 24h, or remove the line: then it is destroyed at once.',
    address: group.address,
    place: node,
  });
  return undefined;
}

/** The ages that a newest backup may have, in milliseconds: an hour, so that seven do not go in a day, to a year. */
const [leastAgeMs, mostAgeMs] = [hourMs, 366 * 24 * hourMs];

/** Reads `backups`: how old the newest one may be, in milliseconds; an age that is out of range is reported. */
export function readMaxBackupAge(
  group: ResourceGroup,
  node: LocatedYamlNode | undefined,
): Pick<DesiredResource, 'maxBackupAgeMs'> {
  const place = findYamlMapChild(node, 'maxAge');
  const text = readNodeText(place);
  const maxBackupAgeMs = text === undefined ? undefined : parseLifetime(text);
  if (!place || maxBackupAgeMs === undefined) return {};
  if (maxBackupAgeMs >= leastAgeMs && maxBackupAgeMs <= mostAgeMs) return { maxBackupAgeMs };
  group.space.session.faults.add({
    code: 'out-of-range',
    summary: `The age \`${text ?? ''}\` of backups is out of range`,
    detail: 'Allowed is at least 1h and at most 366d.',
    hint: 'Write for example 1d, or remove the line: then backups are made by hand alone.',
    address: group.address,
    place,
  });
  return {};
}
