import { Unknown } from '../../expressions/values/scope.ts';
import { emptyEachBinding } from './each.ts';
import {
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { hasExpression, evaluateYamlNode } from './resolve-node.ts';
import type { ModuleExpressionContext } from './space.ts';
import { validateField } from '../schema/validate-field.ts';

/** A section with its expressions evaluated and their values checked; a value with a fault is left out. */
export function evaluateYamlSection(
  name: 'service' | 'guards' | 'budget',
  space: ModuleExpressionContext,
): LocatedYamlNode | undefined {
  const section = space.source.tree.entries.get(name)?.value;
  if (!section || !hasExpression(section)) return section;
  const entries = new Map<string, YamlEntry>();
  for (const [key, entry] of listYamlMapEntries(section)) {
    const mustBeKnown = `\`${name}\` is needed to make a plan.`;
    const readsNoData = '`service` says where the account is. It is needed before `data` is read.';
    const around = {
      space,
      each: emptyEachBinding,
      mustBeKnown,
      ...(name === 'service' && { readsNoData }),
    };
    const node = evaluateYamlNode(entry.value, around);
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
