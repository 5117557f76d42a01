import { compileExpression } from '../../expressions/evaluate/compile-expression.ts';
import type { ExpressionFault } from '../../expressions/parse/expression-fault.ts';
import { compileTemplate, type Template } from '../../expressions/evaluate/template.ts';
import type { FaultList } from '../source/fault-list.ts';
import { locateText } from '../source/locate-text.ts';
import { mapChildOf, type LocatedNode, type ScalarNode } from '../source/located-node.ts';
import { toSourceRange } from '../source/source-file.ts';
import { findAssertionFaults } from './assertion-names.ts';
import type { Assertion } from './test-file.ts';

/** The assertions of a step: one, or a list of them. Their faults are reported. */
export function readAssertions(
  node: LocatedNode | undefined,
  faults: FaultList,
): readonly Assertion[] {
  const items = node?.kind === 'list' ? node.items : node ? [node] : [];
  return items.flatMap((item) => readAssertion(item, faults) ?? []);
}

function readAssertion(item: LocatedNode, faults: FaultList): Assertion | undefined {
  const that = item.kind === 'map' ? mapChildOf(item, 'that') : item;
  if (that?.kind !== 'scalar' || typeof that.value !== 'string') return undefined;
  const text = that.value;
  const start = text.indexOf('${');
  if (start >= 0) {
    faults.add({
      code: 'broken-expression',
      summary: 'An assertion is written without `${` and `}`',
      hint: 'Write the expression alone, for example `plan.counts.add == 2`.',
      place: locateText(that, start, start + 2),
    });
    return undefined;
  }
  const condition = compileExpression(text);
  addFaults(that, findAssertionFaults(condition, true), faults);
  const message = mapChildOf(item, 'message');
  return {
    condition,
    message: message?.kind === 'scalar' ? readMessage(message, faults) : undefined,
    locate: (from = 0, to = text.length) => toSourceRange(locateText(that, from, to)),
  };
}

function readMessage(node: ScalarNode, faults: FaultList): Template {
  const template = compileTemplate(String(node.value));
  if (template.fault) addFaults(node, [template.fault], faults);
  for (const { expression, codeOffset } of template.fault ? [] : template.parts) {
    const found = findAssertionFaults(expression, false).map((fault) => ({
      ...fault,
      start: fault.start + codeOffset,
      end: fault.end + codeOffset,
    }));
    addFaults(node, found, faults);
  }
  return template;
}

function addFaults(node: ScalarNode, found: readonly ExpressionFault[], faults: FaultList): void {
  for (const { start, end, ...fault } of found) {
    faults.add({ ...fault, place: locateText(node, start, end) });
  }
}
