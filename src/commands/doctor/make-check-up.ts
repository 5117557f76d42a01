import type {
  DoctorCheckUp,
  DoctorCheckUpName,
  DoctorCheckUpOutcome,
} from '../../model/account/check-up.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** Makes the result of a check of `doctor` that found a fault. */
export function makeFailedCheckUp(
  name: DoctorCheckUpName,
  outcome: Exclude<DoctorCheckUpOutcome, 'ok'>,
  { code, summary, detail, hint }: Pick<Diagnostic, 'code' | 'summary' | 'detail' | 'hint'>,
): DoctorCheckUp {
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
export function makeSkippedCheckUp(name: DoctorCheckUpName, summary: string): DoctorCheckUp {
  return { name, outcome: 'skipped', summary };
}
