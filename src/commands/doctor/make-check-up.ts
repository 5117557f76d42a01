import type { CheckUp, CheckUpName, CheckUpOutcome } from '../../model/account/check-up.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** Makes the result of a check of `doctor` that found a fault. */
export function makeCheckUp(
  name: CheckUpName,
  outcome: Exclude<CheckUpOutcome, 'ok'>,
  { code, summary, detail, hint }: Pick<Diagnostic, 'code' | 'summary' | 'detail' | 'hint'>,
): CheckUp {
  return {
    name,
    outcome,
    code,
    summary,
    ...(detail !== undefined && { detail }),
    ...(hint !== undefined && { hint }),
  };
}

/** The result of a check that could not be made, since something before it is broken. */
export function skipCheckUp(name: CheckUpName, summary: string): CheckUp {
  return { name, outcome: 'skipped', summary };
}
