// Circles between tasks: expressions that read values only known after apply can close one with names that pass from one
// resource to another.
import type { Address } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Task } from '../../model/plan/task.ts';
import type { TemporaryNameFinder } from '../decide/aside-names.ts';
import { refuseStuck } from './create-before-destroy.ts';
import { isInPlace, type Decision } from '../decide/decision.ts';
import { orderTasks, type OrderInput } from './order.ts';
import { TaskCycleError, findCircles } from './sort-tasks.ts';
import { claimsOf, indexHolders } from '../decide/decision-claims.ts';
import { releaseClaimsFirst } from './swaps.ts';

/** Decisions of a plan with their tasks in order. */
export interface Ordered {
  readonly decisions: readonly Decision[];
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
}

/**
 * Orders the tasks. Where they wait for one another in a circle, resources in it that change in place release their names or
 * ports beforehand. A resource that waits for itself because it is created first is refused. Any other circle is refused,
 * too, and nothing is planned to run.
 */
export function orderAroundCycles(
  decisions: readonly Decision[],
  names: TemporaryNameFinder,
  context: OrderInput,
): Ordered {
  try {
    return { decisions, tasks: orderTasks(decisions, context), findings: [] };
  } catch (error) {
    if (!(error instanceof TaskCycleError)) throw error;
    const circles = findCircles(error.tasks);
    const holders = findHolders(circles, decisions);
    if (holders.size > 0)
      return orderAroundCycles(releaseClaimsFirst(decisions, holders, names), names, context);
    const rest = refuseStuck(decisions, error.tasks);
    if (rest) {
      const ordered = orderAroundCycles(rest.decisions, names, context);
      return { ...ordered, findings: [...rest.findings, ...ordered.findings] };
    }
    return { decisions, tasks: [], findings: circles.map((one) => describe(one, decisions)) };
  }
}

/** One resource of each circle that could release earlier the name or port which the one before it takes. */
function findHolders(
  circles: readonly (readonly Task[])[],
  decisions: readonly Decision[],
): ReadonlySet<Decision> {
  const byAddress = new Map(decisions.map((one) => [one.change.address, one]));
  const holders = indexHolders(decisions);
  const passesOn = (from: Decision | undefined, to: Decision | undefined) =>
    from !== undefined &&
    to !== undefined &&
    isInPlace(to) &&
    to.asideName === undefined &&
    claimsOf(from, 'after').some((claim) => holders.get(claim) === to);
  const found = circles.flatMap((circle) => {
    const members = circle.map(({ address }) => byAddress.get(address));
    return members.find((one, at) => passesOn(members.at(at - 1), one)) ?? [];
  });
  return new Set(found);
}

function describe(circle: readonly Task[], decisions: readonly Decision[]): Finding {
  const addresses = circle.map(({ address }) => address);
  const [first = ''] = [...addresses].sort();
  const at = addresses.indexOf(first);
  const way: Address[] = [...addresses.slice(at), ...addresses.slice(0, at), first];
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
