// After the last command of a change: the account shows what was asked for, in the service's own spelling perhaps, or it is
// said that it does not.
import { isFailedField } from '../../kinds/asked-shown.ts';
import { recordParentPlace } from '../../kinds/relations/parent-id.ts';
import { lostCreateSearchBounds } from '../../model/state/evidence.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import { findFieldsShownOtherwise } from '../context/managed.ts';
import { describeUnexpectedFields, makeUnexpectedFieldsFailure } from '../context/open-failures.ts';
import type { RunContext } from '../context/run-context.ts';

/** Time that a replica that lags may show another value than was set, in milliseconds. */
const lagMs = 10_000;

/**
 * Looks again while a resource shows something else than was set. What would fail the change gets as long as any evidence does.
 * @returns the resource as last read
 */
export async function awaitRequestedValues(
  context: RunContext,
  change: Change,
  { timeouts }: Task,
  live: LiveResource,
): Promise<LiveResource> {
  const others = findFieldsShownOtherwise(context, change, live);
  if (others.length === 0) return live;
  const { clock, observer } = context;
  const isFailing = others.some((one) => isFailedField(change.kind, one));
  const waitMs = Math.min(
    timeouts.updateMs,
    isFailing ? lostCreateSearchBounds.leastLookMs : lagMs,
  );
  let seen = live;
  return observer.await<LiveResource>({
    kind: live.kind,
    place: recordParentPlace(live),
    id: live.id,
    needsOperations: false,
    // A list without the resource does not prove it gone: the service's replicas may lag.
    wasSeen: () => true,
    deadline: clock.now() + waitMs,
    endsInTime: true,
    decide({ find }) {
      seen = find(live.id) ?? seen;
      return findFieldsShownOtherwise(context, change, seen).length === 0 ? seen : undefined;
    },
    expire: () => seen,
  });
}

/**
 * Tells what a change has set and the account shows otherwise.
 * @throws ChangeFailure `change-not-shown`, `shown-otherwise` where the change has failed for it
 */
export function requireShownValues(context: RunContext, change: Change, live: LiveResource): void {
  const { address, kind, sensitive } = change;
  const others = findFieldsShownOtherwise(context, change, live);
  const failing = others.filter((one) => isFailedField(kind, one));
  if (failing.length > 0) throw makeUnexpectedFieldsFailure(address, failing, sensitive);
  if (others.length === 0) return;
  context.tell([
    {
      severity: 'warning',
      code: 'shown-otherwise',
      summary: 'The account shows another value than was set',
      detail: `${describeUnexpectedFields(others, sensitive)}.`,
      hint: 'Look at it in the account. Each plan warns of it until you accept it with "hostwright state accept".',
      address,
    },
  ]);
}
