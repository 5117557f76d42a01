import type { Configuration } from '../../config/load-configuration.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import {
  compareResourceAddresses,
  parseResourceAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { createCommandRefusal } from '../session/refuse.ts';

/** Noun for a kind of resource with its article: `a VM`, `an SSH key`, `the account`. */
function describeKind(kind: KindName): string {
  const { article, label } = kindRegistry[kind];
  return `${article} ${label}`;
}

/**
 * Finds the resource of the state that an address on the command line means.
 * @throws DiagnosticError with the reason why it means none, and similar addresses
 */
export function findManagedResource(
  { state, configuration }: { readonly state: State; readonly configuration: Configuration },
  address: string,
  kind?: KindName,
): ManagedResource {
  const found = state.resources.get(address);
  if (found && (kind === undefined || found.kind === kind)) return found;
  const near = listNear(state, address, kind);
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(', ')}? All of them: "hostwright state list".`
      : 'See "hostwright state list" for the addresses that there are.';
  if (found && kind !== undefined) {
    throw createCommandRefusal(
      'wrong-kind',
      `${address} is ${describeKind(found.kind)}, not ${describeKind(kind)}`,
      {
        hint: near.length > 0 ? hint : 'See "hostwright state list" for what there is.',
      },
    );
  }
  if (state.pending.has(address)) {
    throw createCommandRefusal(
      'create-pending',
      `${address} was requested, and has not appeared since`,
      {
        detail: 'The run that created it ended before it knew the id.',
        hint: 'Run "hostwright apply": it finds it, or creates it.',
      },
    );
  }
  if (configuration.graph.resources.some((resource) => resource.address === address)) {
    throw createCommandRefusal('not-applied', `${address} is configured, and does not exist yet`, {
      hint: 'Run "hostwright apply" to create it.',
    });
  }
  if (state.resources.size === 0) {
    throw createCommandRefusal('not-in-state', `The state has no ${address}`, {
      detail: 'It is empty: nothing was applied from this directory.',
      hint: 'Run "hostwright apply" first, or name the right directory with --chdir.',
    });
  }
  throw createCommandRefusal('not-in-state', `The state has no ${address}`, {
    ...(!parseResourceAddress(address) && {
      detail: 'An address is the path in the configuration, such as projects.shop.vms.web[0].',
    }),
    hint,
  });
}

/** The most similar addresses that a hint suggests. */
const mostNear = 5;

/** Similar addresses of the kind: instances of the address, addresses that end with it, and ones with a typing error. */
function listNear(state: State, text: string, kind: KindName | undefined): ResourceAddress[] {
  const candidates = [...state.resources.values()]
    .filter((resource) => kind === undefined || resource.kind === kind)
    .map((resource) => resource.address)
    .sort(compareResourceAddresses);
  const related = candidates.filter(
    (address) =>
      address !== text &&
      (address.startsWith(`${text}[`) ||
        address.endsWith(`.${text}`) ||
        address.includes(`.${text}[`)),
  );
  if (related.length > 0) return related.slice(0, mostNear);
  const near: ResourceAddress[] = [];
  while (near.length < mostNear) {
    const next = suggestNearestName(
      text,
      candidates.filter((address) => address !== text && !near.includes(address)),
    );
    if (next === undefined) break;
    near.push(next);
  }
  return near;
}
