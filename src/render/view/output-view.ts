import type { OutputChange } from '../../model/plan/plan.ts';
import { compareValues, forgetValue, type ValueDiff } from './value-diff.ts';

/** The change of one output, as it is drawn. */
export interface OutputView {
  readonly name: string;
  readonly diff: ValueDiff;
}

/** The outputs of which something is to be said. */
export function viewOutputs(outputs: readonly OutputChange[]): readonly OutputView[] {
  return outputs.flatMap((output) =>
    output.action === 'no-op' ? [] : [{ name: output.name, diff: diffOutput(output) }],
  );
}

function diffOutput(output: OutputChange): ValueDiff {
  const { action, before, after, isUnknown, isSensitive, wasSensitive } = output;
  if (isSensitive || wasSensitive) {
    return { kind: 'sensitive', mark: action === 'no-op' ? 'none' : action };
  }
  return isUnknown ? forgetValue(before) : compareValues(before, after);
}
