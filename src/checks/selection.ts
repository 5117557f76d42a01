import { kindRegistry } from '../kinds/registry.ts';
import { isAtOrBelowAddress, parseResourceAddress } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import { suggestNearestName } from '../model/text/suggest.ts';
import type { PlanCheck } from './check.ts';

/**
 * Warns of a plan that covers only a part of the configuration (`--target`, `--exclude`): the account may differ from the
 * configuration afterwards.
 */
export const warnOfPartialPlan: PlanCheck = ({ planOptions }) => {
  const selection = planOptions?.selection;
  // A restore makes its own selection, so that nobody has left anything out by hand.
  if (planOptions?.restore !== undefined) return [];
  if (!selection || selection.targets.length + selection.excludes.length === 0) return [];
  const { targets, excludes } = selection;
  const parts = [
    ...targets.map((address) => `--target ${address}`),
    ...excludes.map((address) => `--exclude ${address}`),
  ];
  return [
    {
      severity: 'warning',
      code: 'partial-plan',
      summary: 'This plan covers only part of the configuration',
      detail: `It was limited with ${parts.join(' ')}, so the account may not match the configuration afterwards.`,
      hint: 'Plan once more without these flags to see what is left.',
    },
  ];
};

/**
 * Refuses a flag with an address that neither the configuration nor the state has: the plan would report that there is nothing to
 * do.
 */
export const checkFlagAddresses: PlanCheck = ({
  planOptions,
  plan,
  desired,
  state,
  emptyGroups = [],
}) => {
  if (!planOptions) return [];
  const { replace, selection } = planOptions;
  const flags = [
    ...selection.targets.map((address) => ['--target', address] as const),
    ...selection.excludes.map((address) => ['--exclude', address] as const),
    ...replace.map((address) => ['--replace', address] as const),
  ];
  if (flags.length === 0) return [];
  const known = new Set([
    ...[...desired.keys(), ...state.resources.keys(), ...plan.gone],
    ...plan.changes.flatMap(({ address, movedFrom = address }) => [address, movedFrom]),
    ...emptyGroups.map(({ address }) => address),
  ]);
  return flags.flatMap(([flag, address]): Finding[] => {
    const isOne = flag === '--replace';
    const isKnown = isOne
      ? known.has(address)
      : [...known].some((one) => isAtOrBelowAddress(one, address));
    if (isKnown) return [];
    const instance = [...known].find((one) => isAtOrBelowAddress(one, address));
    const meant = instance ?? suggestNearestName(address, known);
    return [
      {
        severity: 'error',
        code: 'unknown-address',
        summary: `${flag} ${address}: there is no such resource`,
        detail: 'Neither the configuration nor the state has it.',
        hint: meant === undefined ? 'Correct the address.' : `Did you mean ${meant}?`,
      },
    ];
  });
};

/** Refuses `--replace` for a resource that every account has, such as its settings: it can be neither destroyed nor created. */
export const refuseReplacingPermanentKind: PlanCheck = ({ planOptions }) =>
  (planOptions?.replace ?? []).flatMap((address) => {
    const kind = parseResourceAddress(address)?.kind;
    if (kind === undefined || !kindRegistry[kind].traits.permanent) return [];
    return [
      {
        severity: 'error',
        code: 'not-replaceable',
        summary: `--replace ${address}: the ${kindRegistry[kind].label} cannot be replaced`,
        detail:
          'Every account has exactly one. It cannot be destroyed or created; only its settings change.',
        hint: 'Omit --replace: settings that differ are updated in place.',
        address,
      },
    ];
  });
