// The explanation of one resource's change and of its turn in the order: computed from the plan, and from where the
// values of the configuration come from. It decides nothing, and sensitive values are not in it.
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { ResourceCost } from '../../model/cost/plan-costs.ts';
import { isShortenedFinding, type Finding } from '../../model/diagnostic.ts';
import type { Action, Change, FieldEffect, Plan } from '../../model/plan/plan.ts';
import { formatProbe } from '../../model/plan/write-probe.ts';
import type { DependencyReason, Task } from '../../model/plan/task.ts';
import type { ValueOrigin } from '../../model/provenance.ts';
import type { SourceRange } from '../../model/source.ts';
import { explainChangeReason, listDeclaredAddresses } from '../view/change-reason.ts';
import { viewPlan, type ChangeView } from '../view/view.ts';

/** A field that changes, with the consequences for its resource. */
export interface FieldChangeReason {
  readonly name: string;
  readonly effect: FieldEffect;
  /** Attributes that change as a consequence of this field. */
  readonly follows: readonly string[];
}

/** Effect of a task on its resource, in words. */
export type ResourceTaskEffect =
  'created' | 'updated' | 'rebuilt' | 'destroyed' | 'moved aside' | 'probed' | 'let through';

/** One edge of the dependency graph, as one of its two resources sees it. */
export interface DependencyWaitView {
  /** Address of the resource that is waited for, or that waits. */
  readonly address: ResourceAddress;
  readonly step: ResourceTaskEffect;
  readonly reason: DependencyReason;
  /** Set where only the later commands of the change wait: the first of those. */
  readonly fromCommand?: string;
}

/** Explanation of why a resource changes as it does, for `plan --explain`. */
export interface ChangeExplanation {
  readonly address: ResourceAddress;
  readonly source?: SourceRange;
  /** The change as the plan shows it; absent where the resource does not change. */
  readonly change?: ChangeView;
  /** The reason of the change, where none of its fields is the reason. */
  readonly reason?: string;
  readonly fields: readonly FieldChangeReason[];
  /** Origins of the resource's values, by attribute; empty for a resource that is not configured. */
  readonly origins: readonly ValueOrigin[];
  /** Names of the commands that the change sends, in order. */
  readonly commands: readonly string[];
  readonly waitsFor: readonly DependencyWaitView[];
  readonly waitedForBy: readonly DependencyWaitView[];
  readonly losses: readonly string[];
  /** The resource's cost before and after; empty where it has no price. */
  readonly costs: readonly ResourceCost[];
  readonly findings: readonly Finding[];
}

/** Collects the explanation of one resource's change. */
export function explainResourceChange(
  plan: Plan,
  change: Change,
  origins: readonly ValueOrigin[],
): ChangeExplanation {
  const { address, source, losses } = change;
  const own = plan.tasks.filter((task) => task.address === address);
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const actions = new Map(plan.changes.map((one) => [one.address, one.action]));
  // Of the whole plan: the rest of it says what is declared, and so why an instance goes.
  const view = viewPlan(plan).changes.find((one) => one.address === address);
  const reason = explainChangeReason(change, listDeclaredAddresses(plan), plan.mode === 'destroy');
  return {
    address,
    ...(source && { source }),
    ...(view && { change: view }),
    ...(reason !== undefined && { reason }),
    fields: listFields(change),
    origins,
    commands: own.flatMap(({ commands, ready }) => [
      ...commands.map(({ kind }) => kind),
      ...(ready?.probes ?? []).map(formatProbe),
    ]),
    waitsFor: own.flatMap((task) => listWaits(task, byId, actions)),
    waitedForBy: plan.tasks.flatMap((task) => listWaitsOn(task, address, actions)),
    losses,
    costs: (plan.costs?.resources ?? []).filter((cost) => cost.address === address),
    findings: plan.findings.filter(
      (finding) =>
        finding.address === address ||
        (isShortenedFinding(finding) && change.waiting !== undefined),
    ),
  };
}

/** A replacement changes all fields that the service assigns; a change in place, those that its field settles. */
function listFields({ kind, action, fields }: Change): readonly FieldChangeReason[] {
  const { fields: known, computed } = kindRegistry[kind];
  return fields.map(({ name, effect }) => ({
    name,
    effect,
    follows: [
      ...(known[name]?.settles ?? []),
      ...(action === 'replace' && effect === 'replace' ? computed : []),
    ],
  }));
}

/** Edges within one resource are left out: they are only the order of its own commands. */
function listWaits(
  task: Task,
  byId: ReadonlyMap<string, Task>,
  actions: ReadonlyMap<ResourceAddress, Action>,
): readonly DependencyWaitView[] {
  return task.dependsOn.flatMap(({ on, reason, fromCommand }): DependencyWaitView[] => {
    const other = byId.get(on);
    if (!other || other.address === task.address) return [];
    const from = fromCommand === undefined ? undefined : task.commands[fromCommand]?.kind;
    return [{ ...describeStep(other, actions), reason, ...(from && { fromCommand: from }) }];
  });
}

function listWaitsOn(
  task: Task,
  address: ResourceAddress,
  actions: ReadonlyMap<ResourceAddress, Action>,
): readonly DependencyWaitView[] {
  if (task.address === address) return [];
  return task.dependsOn
    .filter(({ on }) => on.slice(0, on.lastIndexOf('#')) === address)
    .map(({ reason }) => ({ ...describeStep(task, actions), reason }));
}

function describeStep(
  { address, phase }: Task,
  actions: ReadonlyMap<ResourceAddress, Action>,
): Pick<DependencyWaitView, 'address' | 'step'> {
  if (phase === 'destroy') return { address, step: 'destroyed' };
  if (phase === 'prepare') return { address, step: 'moved aside' };
  if (phase === 'ready') return { address, step: 'probed' };
  if (phase === 'gate') return { address, step: 'let through' };
  const action = actions.get(address);
  if (action === 'rebuild') return { address, step: 'rebuilt' };
  return { address, step: action === 'update' ? 'updated' : 'created' };
}
