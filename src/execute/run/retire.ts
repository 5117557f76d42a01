// The retirement of a resource in the state. A mark goes before its first request, so that a killed run is gone on with and not
// taken for somebody's doing; its end is written down once it is out of service.
import { ServiceError } from '../../api/errors/errors.ts';
import { findCommandFacts } from '../../kinds/find-facts.ts';
import type { Command } from '../../model/account/command.ts';
import {
  makeDeposedAddress,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Sale } from '../../model/account/account.ts';
import type { Change } from '../../model/plan/plan.ts';
import { deposeResource, type ManagedResource } from '../../model/state/state.ts';
import { forgetServiceShownValues } from '../../model/state/shown.ts';
import { readLiveAttributes } from '../context/managed.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * Records that a resource begins its retirement, in which it is kept out of service before it is destroyed.
 * @returns its commands, without the cancelling of a renewal where there is none
 */
export async function markBeforeTakingOutOfService(
  context: RunContext,
  { id, retirement }: Change,
  address: ResourceAddress,
  commands: readonly Command[],
): Promise<readonly Command[]> {
  const { store } = context;
  const managed = store.state.resources.get(address);
  if (!managed || !retirement || id === null) return commands;
  const isOfSale = ({ kind }: Command) => findCommandFacts(kind).procedure?.kind === 'by-sale';
  const sale = commands.some(isOfSale) ? await findSale(context, id) : undefined;
  const isRenewed = sale !== undefined && sale.renewal !== 'cancelled';
  const retired = { ...retirement, ...(isRenewed && { isRenewalCancelled: true as const }) };
  await store.record({ kind: 'settled', resource: { ...managed, retired } });
  return isRenewed ? commands : commands.filter((command) => !isOfSale(command));
}

/** Finds the present sale of a resource; undefined where it has none, or the token may not read sales. */
async function findSale({ sales, clock }: RunContext, id: string): Promise<Sale | undefined> {
  try {
    return await sales.find(id, clock.now());
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** Writes down that a resource is out of service, and until when it is kept: from here on its address is free. */
export async function recordTakenOutOfService(
  context: RunContext,
  change: Change,
  address: ResourceAddress,
  { commands, live }: { readonly commands: readonly Command[]; readonly live: LiveResource },
): Promise<void> {
  const { store, clock, addresses } = context;
  const managed = store.state.resources.get(address);
  if (!managed) return;
  const mark = managed.retired ?? change.retirement;
  const kept = rememberSetFields(context, change, live, { commands, managed });
  const isDeposed = parseDeposedAddress(address) !== undefined;
  const resource: ManagedResource = {
    ...(isDeposed ? kept : deposeResource(kept)),
    ...(mark && { retired: { ...mark, until: clock.now() + mark.forMs } }),
  };
  await store.record({ kind: 'settled', resource });
  if (!isDeposed) await store.record({ kind: 'removed', address });
  addresses.set(
    live.id,
    makeDeposedAddress(parseDeposedAddress(address)?.base ?? address, live.id),
  );
}

/** A resource with what some commands have set of it: a plan that is made before the end must not take it for somebody's doing. */
export function rememberSetFields(
  context: RunContext,
  change: Change,
  live: LiveResource,
  {
    commands,
    managed,
  }: {
    readonly commands: readonly Command[];
    readonly managed: ManagedResource;
  },
): ManagedResource {
  const now = readLiveAttributes(context, change, live);
  const set = new Set(commands.flatMap(({ kind }) => findCommandFacts(kind).sets ?? []));
  const changed = Object.entries(now).filter(([name]) => set.has(name));
  const attributes = { ...managed.attributes, ...Object.fromEntries(changed) };
  return forgetServiceShownValues({ ...managed, attributes }, [...set]);
}
