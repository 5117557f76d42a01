// Names that assertions may read, with their types, checked before any test runs.
import { checkFunction } from '../../expressions/evaluate/calls.ts';
import type { CompiledExpression } from '../../expressions/evaluate/compile-expression.ts';
import { pureFunctions } from '../../expressions/functions/catalogue.ts';
import { unknownNameError } from '../../expressions/evaluate/select.ts';
import { TypeChecker, type NameTypes } from '../../expressions/evaluate/check-types.ts';
import { toFault, type ExpressionFault } from '../../expressions/parse/expression-fault.ts';
import type { NameReference } from '../../expressions/parse/references.ts';
import { singleKinds, topKinds } from '../../model/address.ts';
import { effects } from '../../model/effects.ts';
import { actions } from '../../model/plan/plan.ts';

const counts = Object.fromEntries(
  [...effects, ...actions.filter((action) => action !== 'no-op')].map((name) => [name, 'int']),
);

/** Types of the names of an assertion; faults in `dyn` values show only when the test runs. */
const types = {
  plan: {
    isEmpty: 'bool',
    changes: 'list<dyn>',
    actions: 'map<string, string>',
    counts,
    drift: 'list<dyn>',
    findings: 'list<dyn>',
    outputs: 'dyn',
    quotas: 'dyn',
  },
  account: {
    ...Object.fromEntries([...topKinds.keys(), ...singleKinds.keys()].map((name) => [name, 'dyn'])),
    modules: 'dyn',
    quotas: 'dyn',
    resources: 'list<dyn>',
  },
  output: 'dyn',
  var: 'dyn',
  findings: 'list<dyn>',
} as const satisfies NameTypes;

/** Members of a name, where they do not depend on the test. */
const below: Readonly<Record<string, readonly string[] | undefined>> = {
  plan: Object.keys(types.plan),
  account: Object.keys(types.account),
};

let checker: TypeChecker | undefined;

function findNameFault(reference: NameReference): ExpressionFault | undefined {
  const { root, steps, start } = reference;
  const [step] = steps;
  const isKnownRoot = Object.hasOwn(types, root);
  const known = isKnownRoot ? below[root] : Object.keys(types);
  const name = isKnownRoot ? step && String(step.key) : root;
  if (name === undefined || known === undefined || known.includes(name)) return undefined;
  const range = isKnownRoot && step ? step : { start, end: start + root.length };
  return toFault(unknownNameError(name, isKnownRoot ? root : '', known, range), range);
}

/** All faults of an assertion's expression that do not depend on values. */
export function findAssertionFaults(
  { text, fault, references, calls }: CompiledExpression,
  isCondition: boolean,
): readonly ExpressionFault[] {
  if (fault) return [fault];
  const found = references.flatMap((one) => findNameFault(one) ?? []);
  for (const { node } of calls) {
    try {
      checkFunction(node, pureFunctions);
    } catch (error) {
      found.push(toFault(error, node));
    }
  }
  if (found.length > 0) return found;
  checker ??= new TypeChecker(types);
  const mismatch = checker.check(text) ?? (isCondition ? checker.checkCondition(text) : undefined);
  return mismatch ? [mismatch] : [];
}
