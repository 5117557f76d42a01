// A resource as it stands, in the terms of the place where it lies: its address may name another project or public IP
// already, to which it cannot move.
import type { Described } from '../../kinds/kind.ts';
import { parentIdOf } from '../../kinds/relations/parent-id.ts';
import { childAddress, parseDeposed, type Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Attributes } from '../../model/value.ts';
import { parseKnown, type AccountIndex } from '../account-index.ts';
import type { Decision } from './decision.ts';

/** The address that it would have where it lies; nothing where it has that one, or where its place is not managed. */
export function findStanding(
  address: Address,
  live: LiveResource,
  index: AccountIndex,
): Pick<Decision, 'standsAt'> {
  const { kind, parent, local } = parseKnown(address);
  const home = index.addressOf(parentIdOf(live));
  if (parent === undefined || home === undefined || home === parent || parseDeposed(home)) {
    return {};
  }
  return { standsAt: childAddress(home, kind, local) };
}

/** What a resource holds: names, ports and references of the place where it lies. `attributes`: as held unless given. */
export function describeHeld(
  { change, held, standsAt }: Pick<Decision, 'change' | 'held' | 'standsAt'>,
  attributes: Attributes = held ?? {},
): Described {
  const { kind, address, project } = change;
  if (standsAt === undefined) return { address, kind, project, attributes };
  return { address: standsAt, kind, project: parseKnown(standsAt).project, attributes };
}
