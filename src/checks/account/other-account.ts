import { kindRegistry } from '../../kinds/registry.ts';
import type { PlanCheck } from '../check.ts';

/**
 * Reports a state of which no resource is live: most likely the state was made with another account. In a refresh it is an error,
 * since the refresh would forget all of it.
 */
export const checkOtherAccount: PlanCheck = ({ plan, live, state, planOptions }) => {
  const isRefresh = plan.mode === 'refresh';
  // Permanent kinds exist in every account, and so tell no account from another.
  const managed = [...state.resources.values()].filter(
    ({ kind }) => !kindRegistry[kind].traits.permanent,
  );
  const count = managed.length + (isRefresh ? plan.gone.length : 0);
  const ids = new Set([...live.projects, ...live.resources].map((resource) => resource.id));
  if (count === 0 || managed.some((resource) => ids.has(resource.id))) {
    return [];
  }
  const made = state.service === null ? '' : ` It was last applied to ${state.service}.`;
  const isRefused = isRefresh && planOptions?.isForced !== true;
  const dangers =
    plan.changes.length > 0
      ? 'Check the address and the token before you apply: everything would be created again.'
      : 'Check the address and the token.';
  return [
    {
      severity: isRefused ? 'error' : 'warning',
      code: 'nothing-of-state-live',
      summary:
        count === 1
          ? 'The one resource in the state does not exist in this account'
          : `None of the ${count} resources in the state exists in this account`,
      detail: `Either everything was deleted outside of Hostwright, or the state belongs to another account.${made}`,
      hint: isRefused
        ? `${dangers} To drop everything from the state anyway, use --force.`
        : dangers,
    },
  ];
};
