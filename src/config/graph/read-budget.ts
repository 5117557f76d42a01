import { formatAmount, parseAmount } from '../../model/cost/money.ts';
import type { Budget } from '../../model/resource.ts';
import { resolveSection } from '../scope/resolve-section.ts';
import type { ModuleExpressionContext } from '../scope/space.ts';
import { mapChildOf } from '../source/located-node.ts';
import { toSourceRange } from '../source/source-file.ts';
import { readNodeNumber, readNodeText } from '../source/read-fields.ts';

/** Reads `budget`; undefined when there is none, or when a part of it was reported. */
export function readBudget(space: ModuleExpressionContext): Budget | undefined {
  const entry = space.source.tree.entries.get('budget');
  const node = resolveSection('budget', space);
  const amount = parseAmount(String(readNodeNumber(mapChildOf(node, 'monthly'))));
  const currency = readNodeText(mapChildOf(node, 'currency'));
  if (!entry || amount === undefined || currency === undefined) return undefined;
  const severity = readNodeText(mapChildOf(node, 'severity')) === 'warn' ? 'warn' : 'deny';
  return {
    monthly: formatAmount(amount),
    currency: currency.toUpperCase(),
    severity,
    // The line to change is that of the amount.
    source: toSourceRange(mapChildOf(entry.value, 'monthly') ?? entry.key),
  };
}
