import type { Address } from '../../model/address.ts';
import type { EffectCounts } from '../../model/effects.ts';
import {
  entryName,
  type Action,
  type Change,
  type ChangeReason,
  type EntryNames,
  type Plan,
  type PlanMode,
  type QuotaUse,
} from '../../model/plan/plan.ts';
import { textOf, type Attributes } from '../../model/value.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { TaskPhase } from '../../model/plan/task.ts';
import { nameWork } from '../../kinds/words/describe-underway.ts';
import type { Underway } from '../../model/plan/underway.ts';
import type { PlannedCommand } from '../../model/write-to.ts';
import { makeEach, type LazyList } from '../../model/text/json-parts.ts';
import type { PlanOutline } from '../view/outline.ts';
import { listStandIns, type StandIns } from '../view/view.ts';
import { describeCost, type CostJson } from './cost-json.ts';
import { describeRehearsalJson, type RehearsalJson } from './rehearsal-json.ts';
import { describeDiagnostic, type DiagnosticJson } from './diagnostics-json.ts';

/** What Terraform's representation has no place for, under our own key. */
export interface PlanExtrasJson {
  /** Hostwright's version. */
  readonly version: string;
  readonly mode: PlanMode;
  /** As the closing line of the text gives them: a rebuild is no `change`. */
  readonly summary: EffectCounts;
  /** The action of every address in our own words: a rebuild, an update to Terraform, is told apart here. */
  readonly actions: Readonly<Record<Address, Action>>;
  readonly reasons: Readonly<Record<Address, ChangeReason>>;
  /** What earlier runs have begun and apply waits for; absent where there is nothing. */
  readonly underway?: Readonly<Record<Address, UnderwayJson>>;
  /** Whose value stands in for a field that the service does not tell; absent where it tells all. */
  readonly untold?: Readonly<Record<Address, StandIns>>;
  /** The ids of entries that the configuration or the state gives by id, whose names the changes have; absent where it gives none. */
  readonly entryIds?: Readonly<Record<Address, EntryIdsJson>>;
  /** The data that changes lose, a sentence each. */
  readonly losses: Readonly<Record<Address, readonly string[]>>;
  readonly findings: readonly DiagnosticJson[];
  readonly quotas: readonly QuotaUse[];
  /** What the plan costs; absent where nobody tells prices. */
  readonly cost?: CostJson;
  /** The tasks in an order in which they may run one by one. */
  readonly order: readonly TaskJson[];
  /** What was deleted outside and nobody configures: apply forgets it. */
  readonly gone: readonly Address[];
  readonly fingerprints: Readonly<Record<string, string>>;
  /** The commands of the configuration that an apply runs; absent where there are none. */
  readonly commands?: readonly PlannedCommand[];
  /** How the plan was rehearsed; absent where that was not asked for, or there was nothing to rehearse. */
  readonly rehearsal?: RehearsalJson;
}

/** By field, before and after the change. */
type EntryIdsJson = Readonly<Record<string, { readonly before?: string; readonly after?: string }>>;

interface UnderwayJson {
  /** What is done, as a noun: `rebuild`. */
  readonly work: string;
  readonly command: string;
  /** By RFC 3339. */
  readonly since: string;
}

interface TaskJson {
  readonly id: string;
  readonly address: Address;
  readonly phase: TaskPhase;
  readonly commands: readonly string[];
  readonly dependsOn: readonly string[];
}

/** The same while it is being written: with lazy lists for what may be many. */
type PlanExtrasDraft = Omit<PlanExtrasJson, 'findings' | 'order' | 'cost'> & {
  readonly cost?: ReturnType<typeof describeCost>;
  readonly findings: LazyList<DiagnosticJson>;
  readonly order: LazyList<TaskJson>;
};

/** Draws our own part of a plan's JSON. */
export function describePlan(
  plan: Plan,
  { counts, commands, findings }: PlanOutline,
  meta: {
    readonly version: string;
    readonly fingerprints: Readonly<Record<string, string>>;
    readonly rehearsal?: Rehearsal;
  },
): PlanExtrasDraft {
  const actions: Record<Address, Action> = {};
  const reasons: Record<Address, ChangeReason> = {};
  const losses: Record<Address, readonly string[]> = {};
  const underway: Record<Address, UnderwayJson> = {};
  const untold: Record<Address, StandIns> = {};
  const entryIds: Record<Address, EntryIdsJson> = {};
  for (const change of plan.changes) {
    actions[change.address] = change.action;
    if (change.reason) reasons[change.address] = change.reason;
    if (change.underway) underway[change.address] = describeWork(change.underway);
    if (change.asRecorded ?? change.untold) untold[change.address] = listStandIns(change);
    if (change.entryNames) entryIds[change.address] = listEntryIds(change, change.entryNames);
    if (change.losses.length > 0) losses[change.address] = change.losses;
  }
  return {
    version: meta.version,
    mode: plan.mode,
    summary: counts,
    actions,
    reasons,
    ...(Object.keys(underway).length > 0 && { underway }),
    ...(Object.keys(untold).length > 0 && { untold }),
    ...(Object.keys(entryIds).length > 0 && { entryIds }),
    losses,
    findings: makeEach(findings, describeDiagnostic),
    quotas: plan.quotas,
    ...(plan.costs && { cost: describeCost(plan.costs) }),
    order: makeEach(plan.tasks, ({ id, address, phase, commands, dependsOn }) => ({
      id,
      address,
      phase,
      commands: commands.map((command) => command.kind),
      dependsOn: dependsOn.map(({ on }) => on),
    })),
    gone: plan.gone,
    fingerprints: Object.fromEntries(
      Object.entries(meta.fingerprints).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ...(commands.length > 0 && { commands }),
    ...(meta.rehearsal && { rehearsal: describeRehearsalJson(meta.rehearsal) }),
  };
}

function listEntryIds({ before, after }: Change, names: EntryNames): EntryIdsJson {
  const idAt = (side: Attributes | null, field: string) => {
    const value = side?.[field];
    return entryName(names, field, value) === undefined ? undefined : textOf(side ?? {}, field);
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

function describeWork({ command, since }: Underway): UnderwayJson {
  return { work: nameWork(command), command, since: new Date(since).toISOString() };
}
