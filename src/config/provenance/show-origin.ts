import { isKnown, type ScopeValue } from '../../expressions/values/scope.ts';
import type { ValueOrigin } from '../../model/provenance.ts';
import { hasExpression } from '../scope/resolve-node.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import { toSourceRange } from '../source/source-file.ts';

/** Shows a value for its origin; nothing for a sensitive value, or one that is known only after apply. */
export function showOriginValue(
  value: ScopeValue | undefined,
  isSensitive: boolean,
): Pick<ValueOrigin, 'value' | 'isSensitive'> {
  if (isSensitive) return { isSensitive: true };
  return value !== undefined && isKnown(value) ? { value } : {};
}

/** Returns the position of a node, and its text where it has expressions, unless that must not be printed. */
export function showSourceText(node: LocatedYamlNode): Pick<ValueOrigin, 'source' | 'written'> {
  const { file, start, end } = node;
  const source = toSourceRange(node);
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return { source };
  const isShown = hasExpression(node) && !file.isSecret(start, end);
  return { source, ...(isShown && { written: node.value }) };
}
