import { listDeferredFields } from '../../kinds/deferred/deferred-fields.ts';
import type { Decided, DeferredChange } from '../../model/plan/deferred-change.ts';
import type { AsideNames } from '../decide/aside-names.ts';
import type { State } from '../../model/state/state.ts';
import { heldReferences } from '../decide/commands.ts';
import { findDestroyedFirst } from '../order/order.ts';
import type { Decision } from '../decide/decision.ts';

/** The changes whose values are only known after apply, with all that is decided of them now. */
export function deferChanges(
  decisions: readonly Decision[],
  { resources }: Pick<State, 'resources'>,
  names: AsideNames,
): readonly DeferredChange[] {
  const waiting = decisions.filter(({ change }) => listDeferredFields(change).length > 0);
  if (waiting.length === 0) return [];
  const destroyedFirst = findDestroyedFirst(decisions);
  const going = new Set(decisions.filter(isGoing).map(({ change }) => change.address));
  const taken = names.listTaken(decisions);
  return waiting.flatMap((decision) => {
    const { change, kind, desired } = decision;
    if (!desired) return [];
    const held = heldReferences(decision);
    const managed = resources.get(change.address);
    const hasSpare = change.action === 'replace' && 'name' in kind.fields;
    return [
      {
        ...decidedOf(decision),
        address: change.address,
        desired,
        ...(managed && { managed }),
        destroyedFirst: held.filter((address) => destroyedFirst.has(address)),
        going: held.filter((address) => going.has(address)),
        ...(hasSpare && { spareName: names.find(decision, taken) }),
      },
    ];
  });
}

/** A decision as data: its kind, which is none, is found again by name. */
function decidedOf(decision: Decision): Omit<Decided, 'desired'> {
  const { live, held, isSettled, asideName, leftPublicIpId, deposed } = decision;
  return {
    ...{ live, held, isSettled },
    ...(asideName !== undefined && { asideName }),
    ...(leftPublicIpId !== undefined && { leftPublicIpId }),
    ...(deposed && { deposed }),
  };
}

function isGoing({ change }: Decision): boolean {
  return change.action === 'delete' || change.action === 'replace';
}
