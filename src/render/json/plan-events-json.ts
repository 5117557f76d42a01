import type { ResourceAddress } from '../../model/address.ts';
import type { Change, OutputChange, Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import {
  listModuleInstanceSequences,
  type ModuleInstanceSequence,
} from '../../model/plan/list-turns.ts';
import { listProbes } from '../../model/plan/write-probe.ts';
import { listWriteToCommands } from '../../model/write-to.ts';
import {
  findActionReason,
  listDeclaredAddresses,
  type ActionReason,
} from '../view/change-reason.ts';
import { describeCostSum } from './cost-json.ts';
import { describeDowntimeEvent } from './downtime-json.ts';
import { describePlanClosing } from '../text/closing.ts';
import { describeModuleInstanceOrder } from '../view/turns-view.ts';
import {
  describeDiagnosticEvent,
  describeChangeSummary,
  describeTerraformUiResource,
  stampEventTime,
  describeOutputsEvent,
  type StreamEventJson,
  type TerraformUiAction,
} from './event-json.ts';
import { describeRehearsalEvent } from './rehearsal-json.ts';
import { listPlanOutputs } from './outputs-json.ts';
import { findShownAction, type ShownAction } from '../view/symbols.ts';
import { summarizePlan } from '../view/outline.ts';

/** A rebuild keeps the resource and its id: to tools that know Terraform alone it is an update. */
const planned: Readonly<
  Record<Exclude<ShownAction, 'no-op'>, { ui: TerraformUiAction; verb: string }>
> = {
  create: { ui: 'create', verb: 'create' },
  update: { ui: 'update', verb: 'update' },
  drift: { ui: 'update', verb: 'update' },
  rebuild: { ui: 'update', verb: 'rebuild' },
  replace: { ui: 'replace', verb: 'replace' },
  'create-first': { ui: 'replace', verb: 'replace' },
  delete: { ui: 'delete', verb: 'delete' },
  gone: { ui: 'delete', verb: 'delete' },
  expire: { ui: 'delete', verb: 'destroy what has retired' },
  due: { ui: 'noop', verb: 'back up' },
  forget: { ui: 'remove', verb: 'forget' },
  import: { ui: 'import', verb: 'import' },
  move: { ui: 'move', verb: 'move' },
};

/** Terraform's UI has words of its own for the reasons of its plan. */
const reasons: Readonly<Record<ActionReason, string>> = {
  replace_because_cannot_update: 'cannot_update',
  replace_because_tainted: 'tainted',
  replace_by_request: 'requested',
  replace_by_triggers: 'replace_triggered_by',
  delete_because_no_resource_config: 'delete_because_no_resource_config',
  delete_because_enabled_false: 'delete_because_enabled_false',
  delete_because_wrong_repetition: 'delete_because_wrong_repetition',
  delete_because_count_index: 'delete_because_count_index',
  delete_because_each_key: 'delete_because_each_key',
};

/**
 * Describes a whole plan as JSON events (findings, drift, changes, counts, outputs), each of which is made only when it
 * is asked for.
 */
export function* describePlanEvents(
  plan: Plan,
  at: number,
  rehearsal?: Rehearsal,
): Generator<StreamEventJson> {
  const outline = summarizePlan(plan);
  const declared = listDeclaredAddresses(plan);
  const closing = describePlanClosing(outline);
  for (const finding of outline.findings) yield describeDiagnosticEvent(finding, at);
  for (const { address, after } of plan.drift ?? []) {
    const action = after === null ? 'delete' : 'update';
    const change = { resource: describeTerraformUiResource(address), action };
    const message = `${address}: Drift detected (${action})`;
    yield stampEventTime({ type: 'resource_drift', '@message': message, change }, at);
  }
  const probes = new Map(listProbes(plan.tasks).map((one) => [one.address, one.probes]));
  for (const change of plan.changes) {
    yield* describePlanned(change, declared, probes.get(change.address), at);
  }
  const tally = describeChangeSummary(outline.counts, 'plan');
  const cost = plan.costs && describeCostSum(plan.costs.resources);
  yield stampEventTime(
    {
      type: 'change_summary',
      '@message': closing.counts ?? closing.verdict ?? 'No changes.',
      ...tally,
      hostwright: { ...tally.hostwright, ...(cost && { cost }) },
    },
    at,
  );
  for (const turns of listModuleInstanceSequences(plan.tasks)) yield describeTurnsEvent(turns, at);
  if (plan.downtime) yield describeDowntimeEvent(plan.downtime, at);
  if (rehearsal) yield describeRehearsalEvent(rehearsal, at);
  yield* describePlannedOutputs(plan.outputs ?? [], at);
}

function describePlanned(
  change: Change,
  declared: ReadonlySet<ResourceAddress>,
  probes: readonly string[] | undefined,
  at: number,
): readonly StreamEventJson[] {
  const action = findShownAction(change);
  if (action === 'no-op') return [];
  const { ui, verb } = planned[action];
  const reason = findActionReason(change, declared);
  const described = {
    resource: describeTerraformUiResource(change.address),
    action: ui,
    ...(reason && { reason: reasons[reason] }),
    ...(change.movedFrom !== undefined && {
      previous_resource: describeTerraformUiResource(change.movedFrom),
    }),
    ...(change.isImported && { importing: { id: change.id } }),
  };
  const message = `${change.address}: Plan to ${verb}`;
  const [{ command } = {}] = listWriteToCommands([change]);
  const ours = {
    ...(['rebuild', 'expire', 'due'].includes(action) && { action }),
    ...(command !== undefined && { command }),
    ...(probes && { probes }),
  };
  const own = Object.keys(ours).length > 0 ? { hostwright: ours } : {};
  return [
    stampEventTime({ type: 'planned_change', '@message': message, change: described, ...own }, at),
  ];
}

function describeTurnsEvent(turns: ModuleInstanceSequence, at: number): StreamEventJson {
  const { module: address, keys: instances, needsChecks: checks, waitMs } = turns;
  const ours = { address, instances, checks, wait_seconds: waitMs / 1_000 };
  return stampEventTime(
    {
      type: 'rollout',
      '@message': `${address}: ${describeModuleInstanceOrder(turns)}`,
      hostwright: { rollout: ours },
    },
    at,
  );
}

function describePlannedOutputs(outputs: readonly OutputChange[], at: number): StreamEventJson[] {
  if (outputs.length === 0) return [];
  const before = listPlanOutputs(outputs, 'prior');
  const after = listPlanOutputs(outputs, 'planned');
  const described = Object.fromEntries(
    outputs.map(({ name, action }) => [
      name,
      { ...(after[name] ?? before[name]), action: action === 'no-op' ? 'noop' : action },
    ]),
  );
  return [describeOutputsEvent(described, at)];
}
