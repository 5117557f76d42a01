import { describeLosses, type LossWords } from '../../kinds/words/describe-losses.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { hasErrors, rankDiagnostic, type Finding } from '../../model/diagnostic.ts';
import { countEffects, listEffects, type EffectCounts } from '../../model/effects.ts';
import type { Change, Plan, PlanMode, QuotaUse, OutputChange } from '../../model/plan/plan.ts';
import { findBlockAddress } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import { listProbes } from '../../model/plan/write-probe.ts';
import { listWriteToCommands, type PlannedWriteToCommand } from '../../model/write-to.ts';
import { viewDowntime, type DowntimeView } from './downtime-view.ts';
import { viewPlanCost, type CostView } from './plan-cost.ts';
import { findShownAction } from './symbols.ts';
import { describeSequentialModules } from './turns-view.ts';
import { compareValues, markUnknownAfterApply, type ValueDiff } from './value-diff.ts';

/** Sums of a plan over all of its changes, the same in every form of the plan. */
export interface PlanSummary {
  readonly mode: PlanMode;
  /** Tells whether the plan changes a resource. */
  readonly hasChanges: boolean;
  /** Set for a plan about nothing but changes made outside, where there are any. */
  readonly hasDrift: boolean;
  /** Commands of the configuration that applying the plan runs. */
  readonly commands: readonly PlannedWriteToCommand[];
  /** Probes that applying the plan makes, one line each. */
  readonly probes: readonly PlannedWriteToCommand[];
  /** Modules whose instances are changed one after the other, with the order of the instances in words. */
  readonly turns: readonly PlannedWriteToCommand[];
  readonly counts: EffectCounts;
  /** Data and addresses that are lost for good; absent where nothing is lost. */
  readonly lost?: LossWords;
  /**
   * Set where the losses come only from retirements: the data is lost at their end, and `hostwright restore` can undo
   * them until then.
   */
  readonly isLostLater?: true;
  /** Quotas whose use the plan changes (even if only for a time) or brings over the limit. */
  readonly quotas: readonly QuotaUse[];
  /** Cost of the plan; absent where no price is known. */
  readonly cost?: CostView;
  /** Downtime of the plan; absent where nothing goes out of service. */
  readonly downtime?: DowntimeView;
  /** Findings about the plan: lifted safeguards first, then errors, warnings and notes. */
  readonly findings: readonly Finding[];
  /** Resources that were deleted outside of Hostwright and are not configured any more; an apply removes them from the state. */
  readonly gone: readonly ResourceAddress[];
  /** Outputs that the plan changes. */
  readonly outputs: readonly OutputChangeView[];
  /** Number of resources on which the service is still working for an earlier run. */
  readonly underway: number;
  readonly hasErrors: boolean;
}

/** Sums up a plan for all formats of its output. */
export function summarizePlan(plan: Plan): PlanSummary {
  const isRefresh = plan.mode === 'refresh';
  const cost = viewPlanCost(plan.costs);
  const downtime = plan.downtime && viewDowntime(plan.downtime);
  const lost = isRefresh ? undefined : describeLosses(plan.changes);
  return {
    mode: plan.mode,
    hasChanges: plan.changes.some((change) => findShownAction(change) !== 'no-op'),
    hasDrift: isRefresh && (plan.drift ?? []).length > 0,
    commands: isRefresh ? [] : listWriteToCommands(plan.changes),
    probes: foldProbes(plan.tasks),
    turns: describeSequentialModules(plan.tasks),
    counts: countEffects(plan.changes.map(listEffects)),
    ...(lost && { lost }),
    ...(lost && isLostLater(plan.changes) && { isLostLater: true as const }),
    quotas: plan.quotas.filter(
      ({ used, peak, after, limit }) => used !== after || peak > used || after > limit,
    ),
    ...(cost && { cost }),
    ...(downtime && { downtime }),
    findings: plan.findings.toSorted((a, b) => rankDiagnostic(a) - rankDiagnostic(b)),
    gone: plan.gone,
    outputs: viewOutputs(plan.outputs ?? []),
    underway: plan.changes.filter(({ underway }) => underway !== undefined).length,
    hasErrors: hasErrors(plan.findings),
  };
}

function isLostLater(changes: readonly Change[]): boolean {
  return changes.every(({ losses, retirement }) => losses.length === 0 || retirement);
}

/** Probes that are the same for several members of a block are listed once, by the block. */
function foldProbes(tasks: Plan['tasks']): readonly PlannedWriteToCommand[] {
  const lines = listProbes(tasks).map(({ address, probes }) => ({
    address,
    command: probes.join('\n'),
  }));
  const alike = groupBy(
    lines,
    ({ address, command }) => `${findBlockAddress(address)}\n${command}`,
  );
  return [...alike.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    return [members.length > 1 ? { ...first, address: findBlockAddress(first.address) } : first];
  });
}

/** The change of one output, prepared for drawing. */
export interface OutputChangeView {
  readonly name: string;
  readonly diff: ValueDiff;
}

/** Prepares the outputs that change for drawing. */
function viewOutputs(outputs: readonly OutputChange[]): readonly OutputChangeView[] {
  return outputs.flatMap((output) =>
    output.action === 'no-op' ? [] : [{ name: output.name, diff: diffOutput(output) }],
  );
}

function diffOutput(output: OutputChange): ValueDiff {
  const { action, before, after, isUnknown, isSensitive, wasSensitive } = output;
  if (isSensitive || wasSensitive) {
    return { kind: 'sensitive', mark: action === 'no-op' ? 'none' : action };
  }
  return isUnknown ? markUnknownAfterApply(before) : compareValues(before, after);
}
