// Our functions against what Terraform itself gives, frozen.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isExactNumber, parseJsonExactly } from '../../../../src/model/text/whole-numbers.ts';
import { compileExpression } from '../../../../src/expressions/evaluate/compile-expression.ts';
import { NameTree } from '../../../../src/expressions/values/scope.ts';

type Same = readonly [terraform: string, call: string, gives?: unknown];

interface Different {
  readonly terraform: string;
  readonly call: string;
  readonly theirs: unknown;
  readonly gives?: unknown;
  readonly fails?: true;
  readonly why: string;
}

const path = join(import.meta.dirname, 'terraform-results.json');
const { same, different } = parseJsonExactly(readFileSync(path, 'utf8'), isExactNumber) as {
  readonly same: readonly Same[];
  readonly different: readonly Different[];
};

function evaluate(call: string): unknown {
  const outcome = compileExpression(call).evaluate(NameTree.of('', {}));
  return outcome.kind === 'value' ? { gives: outcome.value } : outcome.kind;
}

it.each(same.map((row) => ({ row, call: row[1] })))('as in Terraform: $call', ({ row, call }) => {
  expect(evaluate(call)).toEqual(row.length === 2 ? 'fault' : { gives: row[2] });
});

it.each(different)('other than in Terraform: $call: $why', ({ call, theirs, ...ours }) => {
  const result = evaluate(call);
  expect(result).toEqual(ours.fails ? 'fault' : { gives: ours.gives });
  expect(result).not.toEqual({ gives: theirs });
});
