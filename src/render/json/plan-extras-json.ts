import type { EffectCounts } from '../../model/effects.ts';
import type { ResourceAddress } from '../../model/address.ts';
import {
  findEntryNameOfField,
  type Action,
  type Change,
  type ChangeReason,
  type CatalogEntryNames,
  type Plan,
} from '../../model/plan/plan.ts';
import { readAttributeText, type Attributes } from '../../model/value.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { nameCommandWork } from '../../kinds/words/describe-underway.ts';
import type { ModuleInstanceGate } from '../../model/plan/gate.ts';
import type { ReadinessConditions } from '../../model/plan/readiness.ts';
import { formatProbe } from '../../model/plan/write-probe.ts';
import type { UnderwayCommand } from '../../model/plan/underway.ts';
import { mapLazily } from '../../model/text/json-parts.ts';
import type { PlanSummary } from '../view/outline.ts';
import { listUnreportedValueSources, type UnreportedValueSources } from '../view/view.ts';
import { describeCost } from './cost-json.ts';
import { describeDowntime } from './downtime-json.ts';
import { describeRehearsalJson } from './rehearsal-json.ts';
import { describeDiagnostic } from './diagnostics-json.ts';

/** Ids of list entries that are shown by name, by field, before and after the change. */
type EntryIds = Readonly<Record<string, { readonly before?: string; readonly after?: string }>>;

/**
 * Describes the members of a plan's JSON that only Hostwright has, not Terraform. The counts are those of the closing
 * line, where a rebuild is no `change`.
 */
export function describeHostwrightPlanMembers(
  plan: Plan,
  { counts, commands, findings }: PlanSummary,
  meta: {
    readonly version: string;
    readonly fingerprints: Readonly<Record<string, string>>;
    readonly rehearsal?: Rehearsal;
  },
) {
  const actions: Record<ResourceAddress, Action> = {};
  const reasons: Record<ResourceAddress, ChangeReason> = {};
  const losses: Record<ResourceAddress, readonly string[]> = {};
  const underway: Record<ResourceAddress, ReturnType<typeof describeWork>> = {};
  const untold: Record<ResourceAddress, UnreportedValueSources> = {};
  const entryIds: Record<ResourceAddress, EntryIds> = {};
  for (const change of plan.changes) {
    actions[change.address] = change.action;
    if (change.reason) reasons[change.address] = change.reason;
    if (change.underway) underway[change.address] = describeWork(change.underway);
    if (change.asRecorded ?? change.untold)
      untold[change.address] = listUnreportedValueSources(change);
    if (change.entryNames) entryIds[change.address] = listEntryIds(change, change.entryNames);
    if (change.losses.length > 0) losses[change.address] = change.losses;
  }
  return {
    version: meta.version,
    mode: plan.mode,
    summary: writeCounts(counts),
    actions,
    reasons,
    ...(Object.keys(underway).length > 0 && { underway }),
    ...(Object.keys(untold).length > 0 && { untold }),
    ...(Object.keys(entryIds).length > 0 && { entryIds }),
    losses,
    findings: mapLazily(findings, describeDiagnostic),
    quotas: plan.quotas,
    ...(plan.costs && { cost: describeCost(plan.costs) }),
    ...(plan.downtime && { downtime: describeDowntime(plan.downtime) }),
    order: mapLazily(plan.tasks, ({ id, address, phase, commands, dependsOn, ready, gate }) => ({
      id,
      address,
      phase,
      commands: commands.map((command) => command.kind),
      dependsOn: dependsOn.map(({ on }) => on),
      ...(ready && { ready: describeReadiness(ready) }),
      ...(gate && { gate: describeGate(gate) }),
    })),
    gone: plan.gone,
    fingerprints: Object.fromEntries(
      Object.entries(meta.fingerprints).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ...(commands.length > 0 && { commands }),
    ...(meta.rehearsal && { rehearsal: describeRehearsalJson(meta.rehearsal) }),
  };
}

function listEntryIds({ before, after }: Change, names: CatalogEntryNames): EntryIds {
  const idAt = (side: Attributes | null, field: string) => {
    const value = side?.[field];
    return findEntryNameOfField(names, field, value) === undefined
      ? undefined
      : readAttributeText(side ?? {}, field);
  };
  return Object.fromEntries(
    Object.keys(names)
      .sort()
      .map((field) => {
        const [was, is] = [idAt(before, field), idAt(after, field)];
        return [
          field,
          { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) },
        ];
      }),
  );
}

function describeReadiness({ probes, withinMs, settleMs }: ReadinessConditions) {
  const seconds = { withinSeconds: withinMs / 1_000, settleSeconds: settleMs / 1_000 };
  return { probes: probes.map(formatProbe), ...seconds };
}

function describeGate({ after, needsChecks, waitMs }: ModuleInstanceGate) {
  return { after, checks: needsChecks, waitSeconds: waitMs / 1_000 };
}

function describeWork({ command, since }: UnderwayCommand) {
  return { work: nameCommandWork(command), command, since: new Date(since).toISOString() };
}

/** The counts of a plan; what it seldom has is left out where there is none. */
function writeCounts({
  expire,
  due,
  ...counts
}: EffectCounts): Omit<EffectCounts, SeldomEffect> & Partial<Pick<EffectCounts, SeldomEffect>> {
  return { ...counts, ...(expire > 0 && { expire }), ...(due > 0 && { due }) };
}

type SeldomEffect = 'expire' | 'due';
