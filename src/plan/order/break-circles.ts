// Circles between tasks: expressions that read values only known after apply can close one with names that pass from one
// resource to another.
import type { ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Task } from '../../model/plan/task.ts';
import type { TemporaryNameFinder } from '../decide/aside-names.ts';
import { refuseCircularCreateBeforeDestroy } from './create-before-destroy.ts';
import { isInPlace, type ChangeDecision } from '../decide/decision.ts';
import { orderTasks, type TaskOrderInput } from './order.ts';
import { TaskCycleError, findTaskCycles } from './sort-tasks.ts';
import { listNameAndPortClaims, indexClaimHolders } from '../decide/decision-claims.ts';
import { releaseNamesAndPortsFirst } from './swaps.ts';

/** Decisions of a plan with their tasks in order. */
export interface OrderedDecisions {
  readonly decisions: readonly ChangeDecision[];
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
}

/**
 * Orders the tasks. Where they wait for one another in a circle, resources in it that change in place release their names or
 * ports beforehand. A resource that waits for itself because it is created first is refused. Any other circle is refused,
 * too, and nothing is planned to run.
 */
export function orderTasksAroundCycles(
  decisions: readonly ChangeDecision[],
  names: TemporaryNameFinder,
  context: TaskOrderInput,
): OrderedDecisions {
  try {
    return { decisions, tasks: orderTasks(decisions, context), findings: [] };
  } catch (error) {
    if (!(error instanceof TaskCycleError)) throw error;
    const circles = findTaskCycles(error.tasks);
    const holders = findHolders(circles, decisions);
    if (holders.size > 0)
      return orderTasksAroundCycles(
        releaseNamesAndPortsFirst(decisions, holders, names),
        names,
        context,
      );
    const rest = refuseCircularCreateBeforeDestroy(decisions, error.tasks);
    if (rest) {
      const ordered = orderTasksAroundCycles(rest.decisions, names, context);
      return { ...ordered, findings: [...rest.findings, ...ordered.findings] };
    }
    return { decisions, tasks: [], findings: circles.map((one) => describe(one, decisions)) };
  }
}

/** One resource of each circle that could release earlier the name or port which the one before it takes. */
function findHolders(
  circles: readonly (readonly Task[])[],
  decisions: readonly ChangeDecision[],
): ReadonlySet<ChangeDecision> {
  const byAddress = new Map(decisions.map((one) => [one.change.address, one]));
  const holders = indexClaimHolders(decisions);
  const passesOn = (from: ChangeDecision | undefined, to: ChangeDecision | undefined) =>
    from !== undefined &&
    to !== undefined &&
    isInPlace(to) &&
    to.asideName === undefined &&
    listNameAndPortClaims(from, 'after').some((claim) => holders.get(claim) === to);
  const found = circles.flatMap((circle) => {
    const members = circle.map(({ address }) => byAddress.get(address));
    return members.find((one, at) => passesOn(members.at(at - 1), one)) ?? [];
  });
  return new Set(found);
}

function describe(circle: readonly Task[], decisions: readonly ChangeDecision[]): Finding {
  const addresses = circle.map(({ address }) => address);
  const [first = ''] = [...addresses].sort();
  const at = addresses.indexOf(first);
  const way: ResourceAddress[] = [...addresses.slice(at), ...addresses.slice(0, at), first];
  const source = decisions.find(({ change }) => change.address === first)?.change.source;
  return {
    severity: 'error',
    code: 'circular-changes',
    summary: 'Changes wait for each other in a cycle',
    detail: `${way.filter((one, index) => one !== way[index - 1]).join(' → ')}: each must run after the next one.`,
    hint: 'Make the changes one after the other, in two applies.',
    address: first,
    ...(source && { source }),
  };
}
