import { kindRegistry } from '../../kinds/registry.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { DesiredResource, ImportEntry } from '../../model/resource.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { parseKnownAddress } from '../account-index.ts';

/** Lists the ids of live resources for a sentence. */
export function formatResourceIds(found: readonly LiveResource[]): string {
  return found.map((live) => live.id).join(', ');
}

/** The error where an entry names a resource in another place than that of its address. */
export function describeMisplacedImport(
  { to, id, source }: ImportEntry,
  { kind }: DesiredResource,
): Finding {
  const { parent = '' } = parseKnownAddress(to);
  return {
    severity: 'error',
    code: 'import-elsewhere',
    summary: `The ${kindRegistry[kind].label} with the id ${String(id)} is not in ${parent}`,
    detail:
      'The parent of an address must be managed, and must contain the resource in the account.',
    hint: `Adopt ${parent} first, or give an address in the right place.`,
    address: to,
    source,
  };
}

/** The error where nobody can say which of these resources is the configured one: no new one is made beside them. */
export function describeAmbiguousImport(
  { address, kind, source }: DesiredResource,
  untold: readonly LiveResource[],
): Finding {
  const { label } = kindRegistry[kind];
  const isOne = untold.length === 1;
  return {
    severity: 'error',
    code: 'ambiguous-adoption',
    summary: `${untold.length} live ${label}${isOne ? '' : 's'} could be ${address}`,
    detail: `The service does not tell what ${isOne ? 'it is' : 'they are'} called or used for. ${isOne ? 'Its id' : 'Their ids'}: ${formatResourceIds(untold)}.`,
    hint: `Add an imports entry with the id of the right one, or plan without --adopt to create it.`,
    address,
    source,
  };
}

/** The resource that an entry names, though another one is managed at its address. */
interface AnotherNamed {
  readonly another: LiveResource;
  /** The address under which the named one is managed; undefined for none. */
  readonly owner: ResourceAddress | undefined;
  /** Tells whether nothing else keeps the named resource, so that it would be lost. */
  readonly isLost: boolean;
}

/** The reason why an entry adopts nothing: another resource than the named one is managed at its address. */
export function describeOccupiedImportAddress(
  { to, source }: ImportEntry,
  { id }: ManagedResource,
  { another, owner, isLost }: AnotherNamed,
): Finding {
  const { label } = kindRegistry[another.kind];
  const owners = owner === undefined ? '' : ` '${owner}'`;
  return {
    severity: isLost ? 'error' : 'warning',
    code: 'already-managed',
    summary: `${to} is in the state already, as ${id}, and its imports entry names another ${label}`,
    detail: `That is the one with the id ${another.id}, which is ${owner === undefined ? 'not managed' : `managed as ${owner}`}.`,
    hint: `Remove the imports entry; or, to import that ${label} at this address, first run: hostwright state rm '${to}'${owners}.`,
    address: to,
    source,
  };
}

/** Resources that an entry of `imports` may have meant. */
interface Candidates {
  readonly found: readonly LiveResource[];
  /** Found resources that are managed nowhere. */
  readonly free: readonly LiveResource[];
  /** Resources whose name was given in the place of the id. */
  readonly named: readonly LiveResource[];
}

/** The reason why an entry adopts nothing: several resources fit, one is taken, or there is none. */
export function describeFailedImport(
  { to, id, name, source }: ImportEntry,
  { kind }: DesiredResource,
  { found, free, named }: Candidates,
): Finding {
  const { label } = kindRegistry[kind];
  const wanted = id === undefined ? `named "${String(name)}"` : `with the id ${id}`;
  const place = { severity: 'error' as const, address: to, source };
  if (free.length > 1) {
    return {
      ...place,
      code: 'import-ambiguous',
      summary: `The project has ${free.length} resources that are a ${label} ${wanted}`,
      detail: `Their ids: ${formatResourceIds(free)}.`,
      hint: 'Give the id of one of them.',
    };
  }
  if (found.length > 0) {
    return {
      ...place,
      code: 'import-taken',
      summary: `The ${label} ${wanted} is managed under another address already`,
      hint: 'Remove the imports entry, or release the other address first.',
    };
  }
  return {
    ...place,
    code: 'import-not-found',
    summary: `The account has no ${label} ${wanted} that ${to} could be`,
    ...(named.length > 0 && {
      detail: `There is one of this name. Its id: ${formatResourceIds(named)}.`,
    }),
    hint:
      named.length > 0
        ? 'Give that id.'
        : 'Give the id or the name of one that exists in the project of this address.',
  };
}
