// Decides the change of every address of the configuration and the state.
import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import { findResourceAfterChange } from '../values/known-resource.ts';
import {
  removeInstanceKey,
  compareResourceAddresses,
  type ResourceAddress,
} from '../../model/address.ts';
import type { LiveSnapshot } from '../../model/account/live.ts';
import type { Backup } from '../../model/account/vm-work.ts';
import type { PlanMode, PlanOptions } from '../../model/plan/plan.ts';
import { kindNames } from '../../model/kind-places.ts';
import { emptyDesiredGraph, type DesiredGraph } from '../../model/resource.ts';
import type { State } from '../../model/state/state.ts';
import { indexAccount } from '../account-index.ts';
import { decideAddressChange } from './decide.ts';
import { isInPlace, type ChangeDecision } from './decision.ts';
import type { FollowedSentCommands } from '../reconcile/follow-sent.ts';
import { listLiftedProtections } from './protection.ts';
import { readRetirementRules } from './retire.ts';
import { readKnownExpressionValues, sortAddressesByReads } from '../values/read-order.ts';
import type { RearrangedState } from '../reconcile/rearrange-state.ts';

/** Input for deciding about the changes of all resources. */
interface DecideInput extends Pick<FollowedSentCommands, 'underway' | 'removed'> {
  readonly mode: PlanMode;
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  /** Time of the plan, in milliseconds since the Unix epoch, for due dates; without it, nothing is due. */
  readonly plannedAt?: number;
  /**
   * Time up to which retired resources whose end has come are destroyed, in milliseconds since the Unix epoch; `plannedAt` unless
   * given.
   */
  readonly endsBy?: number;
  /** As `PlanInput.backups`. */
  readonly backups?: ReadonlyMap<string, readonly Backup[]> | undefined;
  /** Budget for evaluating expressions. */
  readonly steps: EvaluationBudget;
}

/** Decides every address; where a later decision may trigger the replacement of an earlier one, again until nothing changes. */
export function decideAllChanges(
  input: DecideInput,
  rearranged: RearrangedState,
  options: Pick<PlanOptions, 'replace' | 'retriesFailed'>,
) {
  const changing = new Set<ResourceAddress>();
  const hasTriggers = input.desired.resources.some(
    ({ lifecycle }) => lifecycle && lifecycle.replaceTriggeredBy.length > 0,
  );
  for (;;) {
    const before = changing.size;
    const result = decideEach(input, rearranged, options, changing);
    if (!hasTriggers || changing.size === before) return result;
  }
}

/**
 * Decides every address once, in the order of their needs; `gone` are addresses that neither the configuration nor the state
 * still has.
 */
function decideEach(
  {
    mode,
    desired,
    live,
    plannedAt,
    endsBy = plannedAt,
    backups,
    steps,
    underway,
    removed,
  }: DecideInput,
  rearranged: RearrangedState,
  { replace, retriesFailed }: Pick<PlanOptions, 'replace' | 'retriesFailed'>,
  changing: Set<ResourceAddress>,
) {
  const { state } = rearranged;
  const wanted = mode === 'destroy' ? emptyDesiredGraph : desired;
  const byAddress = new Map(wanted.resources.map((resource) => [resource.address, resource]));
  const index = indexAccount(live, state, rearranged.forgotten);
  const decided = new Map<ResourceAddress, ChangeDecision>();
  const expressions = readKnownExpressionValues(
    byAddress,
    (address) => {
      const decision = decided.get(address);
      return decision && findResourceAfterChange(decision.change);
    },
    steps,
  );
  const context = {
    index,
    catalog: live.catalog,
    decided,
    changing,
    replaced: new Set(replace),
    retriesFailed,
    rearranged,
    underway,
    removed,
    released: listLiftedProtections(desired),
    retiring: readRetirementRules(desired, { isDestroy: mode === 'destroy', endsBy }),
    configured: new Map(desired.resources.map((resource) => [resource.address, resource])),
    ...expressions,
    now: plannedAt,
    backups,
  };
  const gone: ResourceAddress[] = [];
  const inOrder = sortAddressesByReads(
    addressesByKind(byAddress, state),
    byAddress,
    expressions.book,
  );
  for (const address of inOrder) {
    const decision = decideAddressChange(address, byAddress.get(address), context);
    if (!decision) {
      gone.push(address);
      continue;
    }
    decided.set(address, decision);
    // Replacements and changes that `replaceTriggeredBy` reacts to.
    const { action, restoring } = decision.change;
    const isMadeAnew = action === 'replace' || (action === 'create' && index.managed.has(address));
    if ((isInPlace(decision) && restoring === undefined) || isMadeAnew) {
      changing.add(address).add(removeInstanceKey(address));
    }
  }
  return { decided, gone, context };
}

/** Every address of the configuration and the state, each behind the kinds that it may need. */
function addressesByKind(
  wanted: ReadonlyMap<ResourceAddress, { kind: string }>,
  state: State,
): ResourceAddress[] {
  const groups = new Map<string, Set<ResourceAddress>>(kindNames.map((kind) => [kind, new Set()]));
  for (const [address, { kind }] of [...wanted, ...state.resources]) groups.get(kind)?.add(address);
  return [...groups.values()].flatMap((addresses) => [...addresses].sort(compareResourceAddresses));
}
