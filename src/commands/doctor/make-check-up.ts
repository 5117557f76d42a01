import type { CheckUp, CheckUpName, CheckUpOutcome } from '../../model/account/check-up.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** One thing that is not as it should be. */
export function makeCheckUp(
  name: CheckUpName,
  outcome: Exclude<CheckUpOutcome, 'ok'>,
  { code, summary, detail, hint }: Pick<Diagnostic, 'code' | 'summary' | 'detail' | 'hint'>,
): CheckUp {
  return {
    ...{ name, outcome, code, summary },
    ...(detail !== undefined && { detail }),
    ...(hint !== undefined && { hint }),
  };
}

/** What could not be looked at, since something before it is broken. */
export function skip(name: CheckUpName, summary: string): CheckUp {
  return { name, outcome: 'skipped', summary };
}
