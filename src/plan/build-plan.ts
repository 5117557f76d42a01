// The planner: what is wanted, what is live and what we remember become a plan. Pure: the same in, the same out.
// It must never read a clock, ask the service, or decide anything while the plan is applied.
import { Budget } from '../expressions/evaluate/budget.ts';
import { StandingScope } from '../expressions/deferred/projected-scope.ts';
import { compareAddresses, type Address } from '../model/address.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import type { Change, Plan, PlanMode, PlanWishes, Selection } from '../model/plan/plan.ts';
import type { DesiredGraph, DesiredResource } from '../model/resource.ts';
import { noOutputs, type SentFate, type State } from '../model/state/state.ts';
import { decideAll } from './decide/decide-all.ts';
import { AsideNames } from './decide/aside-names.ts';
import { orderAround } from './order/break-circles.ts';
import { arrangeCreateFirst } from './order/create-before-destroy.ts';
import type { CommandInput } from './decide/commands.ts';
import type { Decision } from './decide/decision.ts';
import { followSent, type FollowedSent } from './reconcile/follow-sent.ts';
import {
  listDrift,
  listLeftAlone,
  noteLeftAlone,
  rememberDrift,
} from './reconcile/outside-changes.ts';
import { markAllSensitive } from './decide/mark-sensitive.ts';
import { buildRefreshPlan } from './reconcile/refresh-plan.ts';
import { makeRoom } from './order/schedule-quota.ts';
import { offerMoves } from './reconcile/offer-moves.ts';
import { findMakingRoom, orderTasks } from './order/order.ts';
import { planOutputs } from './deferred/outputs.ts';
import { measureQuotas } from './order/quota-use.ts';
import { describeForgotten } from './reconcile/forgotten.ts';
import { leaveState, rearrangeState, type Rearranged } from './reconcile/rearrange-state.ts';
import { deferChanges } from './deferred/defer-changes.ts';
import { standAfterPlan } from './deferred/project-state.ts';
import { breakSwaps } from './order/swaps.ts';
import { tellUnderway } from './reconcile/tell-underway.ts';
import { isWhole, selectDecisions } from './order/targets.ts';

/** Everything that a plan is made of. */
export interface PlanInput {
  readonly mode: PlanMode;
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  readonly state: State;
  readonly wishes?: PlanWishes;
  /** Milliseconds since the Unix epoch: what is due by then. Nothing is unless given. */
  readonly plannedAt?: number;
  /** What expressions may still cost; that of a run of its own unless given. */
  readonly steps?: Budget | undefined;
  /** What has become of `state.sent`, by live id; of none is anything known unless given. */
  readonly fates?: ReadonlyMap<string, SentFate>;
}

/** A plan, and the state that it starts from: what moved, was adopted or given up is done there already. */
export interface BuiltPlan {
  readonly plan: Plan;
  readonly known: State;
  /** The account with what is under way for us as it will be. */
  readonly live: LiveSnapshot;
  /** What will stand once it is applied, for what is worked out against it. */
  readonly scope: StandingScope;
  /** The configured resources, with the values of their expressions as far as they are known. */
  readonly desired: ReadonlyMap<Address, DesiredResource>;
}

const noWishes: PlanWishes = {
  adoptsAll: false,
  isForced: false,
  replace: [],
  selection: { targets: [], excludes: [] },
};

/** Builds the plan, without the findings of checks. */
export function buildPlan({
  wishes = noWishes,
  fates = new Map(),
  ...given
}: PlanInput): BuiltPlan {
  const now = given.plannedAt ?? Number.NEGATIVE_INFINITY;
  const followed = followSent(given.state, given.live, { fates, now });
  const { steps = Budget.ofRun() } = given;
  const input = { ...given, ...followed, steps };
  const { mode, live, desired, state } = input;
  if (mode === 'refresh') return refresh(input);
  const { selection, adoptsAll } = wishes;
  const rearranged =
    mode === 'destroy'
      ? leaveState(state)
      : rearrangeState({ desired, live, state, adoptsAll, steps });
  const { decided, gone, around } = decideAll(input, rearranged, new Set(wishes.replace));
  const { decisions, tasks, ...arranged } = arrange(decided, selection, live, rearranged.state);
  const forgotten = isWhole(selection) ? rearranged.forgotten.map(describeForgotten) : [];
  const changes = [...decisions.map(({ change }) => tellUnderway(change)), ...forgotten].sort(
    (a, b) => compareAddresses(a.address, b.address),
  );
  const scope = scopeOf(desired, changes, decided, steps);
  const { outputs, findings } = planOutputs({
    mode,
    isWhole: isWhole(selection),
    entries: desired.outputs ?? [],
    before: state.outputs ?? noOutputs,
    scope,
  });
  const chosen = new Set(decisions.map(({ change }) => change.address));
  const room = makeRoom(tasks, decisions, measureQuotas(decided.values(), chosen, live), live);
  const drift = mode === 'destroy' ? [] : listDrift(rearranged.state, around);
  const offers = mode === 'apply' ? offerMoves(changes, desired.removed) : [];
  const leftAlone = listLeftAlone({ drift, changes });
  const plan: Plan = {
    mode,
    ...(!isWhole(selection) && { isPartial: true }),
    changes,
    tasks: room.tasks,
    findings: [
      ...followed.findings,
      ...rearranged.findings,
      ...arranged.findings,
      ...findings,
      ...decisions.flatMap((decision) => decision.findings ?? []),
      ...offers,
      ...noteLeftAlone(leftAlone),
    ],
    quotas: room.quotas,
    gone: isWhole(selection) ? gone.sort(compareAddresses) : [],
    ...(outputs.length > 0 && { outputs }),
    ...(drift.length > 0 && { drift }),
    ...(arranged.deferred.length > 0 && { deferred: arranged.deferred }),
  };
  const known = isWhole(selection) ? rearranged.state : keepUnselected(rearranged, chosen, state);
  const wanted = listWanted(decided);
  return {
    ...{ plan, known: markAllSensitive(rememberDrift(known, leftAlone), wanted), live, scope },
    desired: wanted,
  };
}

/** The configured resources as they were decided about. */
function listWanted(decided: ReadonlyMap<Address, Decision>): Map<Address, DesiredResource> {
  return new Map(
    [...decided].flatMap(([address, { desired }]) =>
      desired ? [[address, desired] as const] : [],
    ),
  );
}

function refresh({ desired, steps, ...followed }: PlanInput & FollowedSent): BuiltPlan {
  const byAddress = new Map(desired.resources.map((one) => [one.address, one]));
  return {
    ...buildRefreshPlan(followed, byAddress),
    live: followed.live,
    ...{ scope: scopeOf(desired, [], new Map(), steps), desired: byAddress },
  };
}

/** The decisions that were asked for, as they fit together, with their tasks in order. */
function arrange(
  decided: ReadonlyMap<Address, Decision>,
  selection: Selection,
  live: LiveSnapshot,
  state: State,
) {
  const all = [...decided.values()].sort((a, b) =>
    compareAddresses(a.change.address, b.change.address),
  );
  const names = new AsideNames(live, state);
  const arranged = arrangeCreateFirst(selectDecisions(breakSwaps(all, names), selection), names);
  const inputFor = (some: readonly Decision[]): CommandInput => ({
    ...{ catalog: live.catalog, state },
    makingRoom: findMakingRoom(some),
  });
  const ordered = orderAround(arranged.decisions, names, (some) =>
    orderTasks(some, inputFor(some)),
  );
  const { decisions } = ordered;
  return {
    ...ordered,
    findings: [...arranged.findings, ...ordered.findings],
    deferred: deferChanges(decisions, inputFor(decisions), names),
  };
}

/** What expressions are worked out against, made when the first of them asks for it. */
function scopeOf(
  { resources, emptyGroups }: DesiredGraph,
  changes: readonly Change[],
  decided: ReadonlyMap<Address, Decision>,
  steps: Budget | undefined,
): StandingScope {
  const list = () =>
    standAfterPlan(
      resources,
      new Map(changes.map((change) => [change.address, change])),
      new Map([...decided].map(([address, { change }]) => [address, change])),
    );
  return new StandingScope(list, emptyGroups, steps);
}

/** A plan of a part gives nothing up and adopts nothing beside it: what it does not show it does not do. */
function keepUnselected(
  { state, forgotten, imported }: Rearranged,
  chosen: ReadonlySet<Address>,
  before: State,
): State {
  const resources = new Map(state.resources);
  for (const address of imported) {
    if (chosen.has(address)) continue;
    // It may take the place of one that is gone: that is not told either.
    const had = before.resources.get(address);
    if (had) resources.set(address, had);
    else resources.delete(address);
  }
  for (const one of forgotten) resources.set(one.address, one);
  return { ...state, resources };
}
