import { Unknown } from '../../expressions/values/scope.ts';
import { noEach } from './each.ts';
import { mapEntriesOf, type YamlEntry, type LocatedNode } from '../source/located-node.ts';
import { hasExpression, resolveNode } from './resolve-node.ts';
import type { ModuleExpressionContext } from './space.ts';
import { validateField } from '../schema/validate-field.ts';

/** A section with its expressions evaluated and their values checked; a value with a fault is left out. */
export function resolveSection(
  name: 'service' | 'guards' | 'budget',
  space: ModuleExpressionContext,
): LocatedNode | undefined {
  const section = space.source.tree.entries.get(name)?.value;
  if (!section || !hasExpression(section)) return section;
  const entries = new Map<string, YamlEntry>();
  for (const [key, entry] of mapEntriesOf(section)) {
    const mustBeKnown = `\`${name}\` is needed to make a plan.`;
    const readsNoData = '`service` says where the account is. It is needed before `data` is read.';
    const around = {
      space,
      each: noEach,
      mustBeKnown,
      ...(name === 'service' && { readsNoData }),
    };
    const node = resolveNode(entry.value, around);
    if (node instanceof Unknown) continue;
    const subject = { path: [name, key], node, key: entry.key };
    const isNothing = node.kind === 'scalar' && node.value === null;
    if (isNothing || !hasExpression(entry.value)) entries.set(key, { key: entry.key, value: node });
    else if (validateField(name, key, subject, undefined, space.session.faults)) {
      entries.set(key, { key: entry.key, value: node });
    }
  }
  return section.kind === 'map' ? { ...section, entries } : section;
}
