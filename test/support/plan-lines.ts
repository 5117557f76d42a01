import { classifySentCommands } from '../../src/live/classify-sent.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { resolvePendingCreates } from '../../src/plan/reconcile/resolve-pending.ts';
import { addLostBackupCounts } from '../../src/plan/decide/count-lost-backups.ts';
import type { PlanCheckInput } from '../../src/checks/check.ts';
import { listSafeguards } from '../../src/checks/lifted.ts';
import { runChecks } from '../../src/checks/run-checks.ts';
import type { Finding } from '../../src/model/diagnostic.ts';
import type { Change, Plan } from '../../src/model/plan/plan.ts';
import type { Task } from '../../src/model/plan/task.ts';
import type { World } from './world.ts';

/** When plans are made here. */
export const plannedAt = Date.UTC(2026, 0, 2, 3, 4, 5);

/** The plan for a world. */
export const planOf = (world: World): Plan => buildPlan(world).plan;

/** The plan for a world with the findings of the checks, as the `plan` command makes it. */
export const checkedPlanOf = (world: World): Plan => runChecks(checkInputOf(world));

/** What the checks of a plan for a world get to see. */
export function checkInputOf(world: World): PlanCheckInput {
  const { desired, state, mode, planOptions, unshown = [] } = world;
  const pending = resolvePendingCreates(state, world.live);
  const built = buildPlan({
    ...world,
    plannedAt,
    backups: world.live.backups,
    state: pending.state,
    sentOutcomes: judge(world),
    unshownIds: new Set(unshown.map(({ resource }) => resource.id)),
  });
  const { plan, known, live, scope, ignored } = built;
  return {
    plan: { ...addLostBackupCounts(plan, live), findings: [...pending.findings, ...plan.findings] },
    desired: built.desired,
    live,
    state: known,
    guards: desired.guards,
    budget: desired.budget,
    safeguards: listSafeguards(desired),
    emptyGroups: desired.emptyGroups,
    ...{ data: desired.data, ignored, unshown },
    policies: desired.policies,
    checks: mode === 'destroy' ? [] : desired.checks,
    scope,
    plannedAt,
    ...(planOptions && { planOptions }),
  };
}

/** The world as a plan for it starts: what moved, was adopted, found or given up is done in its state already. */
export function rearrangedWorld(world: World): World {
  const { state } = resolvePendingCreates(world.state, world.live);
  const { known, live } = buildPlan({ ...world, plannedAt, state, sentOutcomes: judge(world) });
  return { ...world, live, state: known };
}

/** What the resources themselves say of what was sent. */
const judge = ({ state, live }: World) => classifySentCommands(state.sent ?? new Map(), live, []);

/** `rebuild shop.vms.web: image!, name (reason)`; what does not change is left out. `!` marks a field that forces. */
export const changeLines = ({ changes }: Pick<Plan, 'changes'>): string[] =>
  changes.filter(({ action }) => action !== 'no-op').map(changeLine);

function changeLine({ action, address, fields, reason }: Change): string {
  const names = fields.map(({ name, effect }) => (effect === 'update' ? name : `${name}!`));
  const list = names.length > 0 ? `: ${names.join(', ')}` : '';
  return `${action} ${shorten(address)}${list}${reason === undefined ? '' : ` (${reason})`}`;
}

/** `shop.vms.web#apply: createVm, attachVm after shop#apply`. */
export const taskLines = ({ tasks }: Pick<Plan, 'tasks'>): string[] => tasks.map(taskLine);

function taskLine({ id, commands, dependsOn }: Task): string {
  const what = commands.map(({ kind }) => kind).join(', ') || 'wait';
  const after =
    dependsOn.length > 0 ? ` after ${dependsOn.map(({ on }) => shorten(on)).join(', ')}` : '';
  return `${shorten(id)}: ${what}${after}`;
}

/** `error name-too-long at 3:10 projects.shop: The name …`. */
export function findingLine({ severity, code, source, address, summary }: Finding): string {
  const place = source ? ` at ${source.line}:${source.column}` : '';
  const about = address === undefined ? '' : ` ${shorten(address)}`;
  return `${severity} ${code}${place}${about}: ${summary}`;
}

const shorten = (address: string): string => address.replace(/^projects\./, '');
