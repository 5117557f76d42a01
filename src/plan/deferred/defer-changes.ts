import type { DeferredChange } from '../../model/plan/deferred-change.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { TemporaryNameFinder } from '../decide/aside-names.ts';
import { findResourcesDestroyedFirst } from '../order/order.ts';
import type { ChangeDecision } from '../decide/decision.ts';

/** The changes with values that are only known after apply, with every decision that is made about them now. */
export function deferChanges(
  decisions: readonly ChangeDecision[],
  names: TemporaryNameFinder,
): readonly DeferredChange[] {
  const waiting = decisions.filter(({ change, desired }) => listFields(change, desired).length > 0);
  if (waiting.length === 0) return [];
  const destroyedFirst = findResourcesDestroyedFirst(decisions);
  const going = new Set(decisions.filter(isGoing).map(({ change }) => change.address));
  const taken = names.listTaken(decisions);
  return waiting.flatMap((decision) => {
    const { change, kind, desired, isSettled, asideName, deposed } = decision;
    if (!desired) return [];
    const { heldReferences: held = [] } = decision;
    const hasSpare = change.action === 'replace' && 'name' in kind.fields;
    return [
      {
        address: change.address,
        fields: listFields(change, desired),
        desired,
        held: decision.held,
        isSettled,
        ...(asideName !== undefined && { asideName }),
        ...(deposed && { deposed: deposed.map(({ id }) => id) }),
        destroyedFirst: held.filter((address) => destroyedFirst.has(address)),
        going: held.filter((address) => going.has(address)),
        ...(hasSpare && { spareName: names.find(decision, taken) }),
      },
    ];
  });
}

function isGoing({ change }: ChangeDecision): boolean {
  return change.action === 'delete' || change.action === 'replace';
}

/** Unknown fields of the configuration, without those that the service assigns by itself. */
function listFields({ unknown }: Change, desired: DesiredResource | undefined): readonly string[] {
  return unknown.filter((name) => desired?.deferred?.[name] !== undefined);
}
