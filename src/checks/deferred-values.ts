import type { Finding } from '../model/diagnostic.ts';
import type { Change } from '../model/plan/plan.ts';
import { checkCatalogReferences } from './account/catalog.ts';
import { checkNameLengths } from './account/name-length.ts';
import { checkNameTaken } from './account/name-taken.ts';
import type { PlanCheck, PlanCheckInput, ReadKnownResourceValues } from './check.ts';
import { hideSecrets } from './hide-secrets.ts';
import { evaluatePoliciesDuringApply } from './policies.ts';

/** Checks that need the final value of a field: the service's names and catalog decide. */
const checks: readonly PlanCheck[] = [checkNameTaken, checkCatalogReferences, checkNameLengths];

/** Checks what the plan could not: called with each change of it before its first request. */
export type ChangeCheckDuringApply = (change: Change) => readonly Finding[];

/**
 * Checks changes right before their first requests: what the policies say by now, and of one whose deferred values are
 * filled in the errors that the plan would have had with them.
 */
export function checkChangesDuringApply(
  input: PlanCheckInput,
  readNow: ReadKnownResourceValues,
): ChangeCheckDuringApply {
  const evaluate = evaluatePoliciesDuringApply(input, readNow);
  const planned = new Set(input.plan.changes);
  return (change) => {
    const errors = planned.has(change) ? [] : checkResolved(change, input);
    const found = [...errors, ...evaluate(change)];
    return found.length === 0 ? found : hideSecrets(found, [...input.plan.changes, change]);
  };
}

/** The errors of a change whose deferred values are known by now, as the plan would have been checked with them. */
function checkResolved(change: Change, input: PlanCheckInput): readonly Finding[] {
  const resource = input.desired.get(change.address);
  if (!resource) return [];
  const attributes = { ...resource.attributes, ...change.after };
  const alone: PlanCheckInput = {
    ...input,
    plan: { ...input.plan, changes: [change] },
    desired: new Map([[change.address, { ...resource, attributes }]]),
  };
  return checks.flatMap((check) => check(alone)).filter(({ severity }) => severity === 'error');
}

/** Says of which fields nothing can be proved, because their values are only known after apply. */
export const noteDeferredFields: PlanCheck = ({ plan }) => {
  const deferred = (plan.deferred ?? []).flatMap(({ address, fields }) =>
    fields.map((name) => ({ address, name })),
  );
  if (deferred.length === 0) return [];
  const sized = deferred.filter(({ name }) => name === 'configuration');
  return [
    ...(sized.length === 0 ? [] : [warnOfSizes(sized.map(({ address }) => address))]),
    {
      severity: 'note',
      code: 'checked-on-apply',
      summary: `${deferred.length === 1 ? 'A value is' : `${deferred.length} values are`} only known after apply, and can only be checked then`,
      detail: `${deferred.length === 1 ? 'It is' : 'They are'}: ${listSome(deferred.map(({ address, name }) => `${address}.${name}`))}. A change whose value does not fit fails before its request goes out.`,
    },
  ];
};

function warnOfSizes(addresses: readonly string[]): Finding {
  return {
    severity: 'warning',
    code: 'size-known-on-apply',
    summary: 'The quotas are measured without VMs whose configuration is only known after apply',
    detail: `Without ${listSome(addresses)}.`,
    hint: 'Write their configuration out to have them checked in the plan.',
  };
}

function listSome(all: readonly string[]): string {
  const shown = all.slice(0, 5).join(', ');
  return all.length > 5 ? `${shown} and ${all.length - 5} more` : shown;
}
