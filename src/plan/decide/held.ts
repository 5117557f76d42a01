// A live resource in the terms of its real place: its address may name another project or public IP already, to which it
// cannot move.
import type { DescribedResource } from '../../kinds/kind.ts';
import type { LiveIdTranslator } from '../../kinds/names.ts';
import { readAttributesAsRequested } from '../../kinds/read-attributes.ts';
import { readContainerId } from '../../kinds/relations/parent-id.ts';
import {
  makeChildAddress,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Attributes } from '../../model/value.ts';
import { parseKnownAddress, type AccountIndex } from '../account-index.ts';
import type { ChangeDecision, DecisionContext } from './decision.ts';
import { createPlanIdTranslator } from './names.ts';

/** The address of a resource by its real place; undefined where it has that one, or where its place is not managed. */
export function findRealAddress(
  address: ResourceAddress,
  live: LiveResource,
  index: AccountIndex,
): Pick<ChangeDecision, 'standsAt'> {
  const { kind, parent, local } = parseKnownAddress(address);
  const home = index.addressOf(readContainerId(live));
  if (parent === undefined || home === undefined || home === parent || parseDeposedAddress(home)) {
    return {};
  }
  return { standsAt: makeChildAddress(home, kind, local) };
}

/** A live resource, and the resources that it refers to. `wanted` has the configuration's present values. */
export function readAttributesWithReferences(
  address: ResourceAddress,
  live: LiveResource,
  context: DecisionContext,
  wanted?: Attributes,
): { readonly held: Attributes } & Required<Pick<ChangeDecision, 'heldReferences'>> {
  const { index } = context;
  const { names, referred } = recordReferencedAddresses(
    createPlanIdTranslator(address, live, context, true),
    index,
  );
  const held = readAttributesAsRequested(live, names, index.managed.get(address), wanted);
  return { held, heldReferences: [...referred] };
}

/**
 * Wraps a translator of live ids so that it records the addresses of the ids that it is asked for: the references of a resource,
 * once the resource was read with it. Each address is found by the id, since the other resource may have moved to another
 * project.
 */
export function recordReferencedAddresses(
  names: LiveIdTranslator,
  index: AccountIndex,
): { readonly names: LiveIdTranslator; readonly referred: ReadonlySet<ResourceAddress> } {
  const referred = new Set<ResourceAddress>();
  const localKey: LiveIdTranslator['localKey'] = (kind, id) => {
    const of = index.addressOf(id);
    if (of !== undefined) referred.add(of);
    return names.localKey(kind, id);
  };
  return { names: { ...names, localKey }, referred };
}

/**
 * Describes a resource by its attributes before the change, at its real place, so that its present names, ports and references
 * can be read. `attributes`: those of the live resource unless given.
 */
export function describeResourceBeforeChange(
  { change, held, standsAt }: Pick<ChangeDecision, 'change' | 'held' | 'standsAt'>,
  attributes: Attributes = held ?? {},
): DescribedResource {
  const { kind, address, project } = change;
  if (standsAt === undefined) return { address, kind, project, attributes };
  return { address: standsAt, kind, project: parseKnownAddress(standsAt).project, attributes };
}
