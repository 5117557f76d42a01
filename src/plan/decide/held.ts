// A live resource in the terms of its real place: its address may name another project or public IP already, to which it
// cannot move.
import type { DescribedResource } from '../../kinds/kind.ts';
import type { LiveIdTranslator } from '../../kinds/names.ts';
import { readAsAsked } from '../../kinds/read-attributes.ts';
import { parentIdOf } from '../../kinds/relations/parent-id.ts';
import { childAddress, parseDeposed, type Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Attributes } from '../../model/value.ts';
import { parseKnown, type AccountIndex } from '../account-index.ts';
import type { Decision, DecisionContext } from './decision.ts';
import { namesFor } from './names.ts';

/** The address of a resource by its real place; undefined where it has that one, or where its place is not managed. */
export function findRealAddress(
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

/** A live resource, and the resources that it refers to. `wanted` has the configuration's present values. */
export function readHeldAttributes(
  address: Address,
  live: LiveResource,
  context: DecisionContext,
  wanted?: Attributes,
): { readonly held: Attributes } & Required<Pick<Decision, 'heldReferences'>> {
  const { index } = context;
  const { names, referred } = noteReferredNames(namesFor(address, live, context, true), index);
  const held = readAsAsked(live, names, index.managed.get(address), wanted);
  return { held, heldReferences: [...referred] };
}

/**
 * Names that record which ids were looked up: the references of a resource, once it is read with them. Each by its id, since
 * a neighbour may have moved to another project.
 */
export function noteReferredNames(
  names: LiveIdTranslator,
  index: AccountIndex,
): { readonly names: LiveIdTranslator; readonly referred: ReadonlySet<Address> } {
  const referred = new Set<Address>();
  const localKey: LiveIdTranslator['localKey'] = (kind, id) => {
    const of = index.addressOf(id);
    if (of !== undefined) referred.add(of);
    return names.localKey(kind, id);
  };
  return { names: { ...names, localKey }, referred };
}

/** A resource with its present names, ports and references, at its real place. `attributes`: the held ones unless given. */
export function describeHeldResource(
  { change, held, standsAt }: Pick<Decision, 'change' | 'held' | 'standsAt'>,
  attributes: Attributes = held ?? {},
): DescribedResource {
  const { kind, address, project } = change;
  if (standsAt === undefined) return { address, kind, project, attributes };
  return { address: standsAt, kind, project: parseKnown(standsAt).project, attributes };
}
