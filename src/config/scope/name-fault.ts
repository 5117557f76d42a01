import { unknownName } from '../../expressions/evaluate/select.ts';
import type { Reference, Step } from '../../expressions/parse/references.ts';

/** A name that is not there. */
export interface NameFault {
  readonly code: string;
  readonly summary: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

/** A name that is not among those that are known below another. */
export function nameMissing(
  step: Step | Reference,
  name: string,
  below: string,
  known: readonly string[],
  ownHint?: string,
): NameFault {
  const { message: summary, code, hint } = unknownName(name, below, known, step);
  return { code, summary, hint: ownHint ?? hint, start: step.start, end: step.end };
}
