import type { SettleLate } from '../model/plan/late.ts';
import { checkCatalog } from './account/catalog.ts';
import type { Check, CheckInput } from './check.ts';
import { hideSecrets } from './hide-secrets.ts';
import { checkNameLengths } from './account/name-length.ts';
import { checkNameTaken } from './account/name-taken.ts';

/** What can only be proved of a value once it is there. */
const checks: readonly Check[] = [checkNameTaken, checkCatalog, checkNameLengths];

/** Checks what changes come to that were worked out late, as the plan would have been checked with their values. */
export function checkLate(settle: SettleLate, input: CheckInput): SettleLate {
  return (address, read, isGone) => {
    const outcome = settle(address, read, isGone);
    const resource = input.desired.get(address);
    if (outcome.kind !== 'known' || !resource) return outcome;
    const { change } = outcome;
    const attributes = { ...resource.attributes, ...change.after };
    const alone: CheckInput = {
      ...input,
      plan: { ...input.plan, changes: [change] },
      desired: new Map([[address, { ...resource, attributes }]]),
    };
    const findings = checks.flatMap((check) => check(alone));
    const errors = findings.filter(({ severity }) => severity === 'error');
    return errors.length > 0
      ? { kind: 'fault', findings: hideSecrets(errors, [...input.plan.changes, change]) }
      : outcome;
  };
}
