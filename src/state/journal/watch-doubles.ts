// Creates that may have made two resources, as the state lists them.
import { isDeepStrictEqual } from 'node:util';
import type { ResolvedCommand } from '../../model/account/command.ts';
import type { Address } from '../../model/address.ts';
import type { PossibleDouble } from '../../model/state/state.ts';

/** Tells whether a possible double belongs to an address, or to the one create that is named. */
export function isDoubleOf(
  double: PossibleDouble,
  { address, command }: { readonly address: Address; readonly command?: ResolvedCommand },
): boolean {
  const isOther = command !== undefined && !isDeepStrictEqual(double.command, command);
  return double.address === address && !isOther;
}

/** Adds a possible double. An address that was replaced meanwhile has several; one create that was sent again is one. */
export function watchDouble(
  doubles: readonly PossibleDouble[],
  double: PossibleDouble,
): readonly PossibleDouble[] {
  const before = doubles.find((one) => isDoubleOf(one, double));
  const others = doubles.filter((one) => one !== before);
  return [...others, before ? mergeDoubles(before, double) : double];
}

/** Joins two records of one create: the results of all its requests are watched. */
function mergeDoubles(before: PossibleDouble, double: PossibleDouble): PossibleDouble {
  const { address, command, at, watchedServiceAt } = double;
  const isTimed = before.serviceAt !== undefined && double.serviceAt !== undefined;
  return {
    address,
    command,
    knownIds: before.knownIds,
    at,
    ...(before.isAllKnown && { isAllKnown: true }),
    ...(isTimed && { serviceAt: Math.min(before.serviceAt, double.serviceAt) }),
    ...(watchedServiceAt !== undefined && { watchedServiceAt }),
    ...(before.isSentOnce && double.isSentOnce && { isSentOnce: true }),
    ...(before.isSuperseded && { isSuperseded: true }),
  };
}

/**
 * Marks a watched create as superseded: its resource is known by its id, or another create goes out at its address. Either
 * resource may be gone before the watch is over.
 */
export function supersedeDouble(
  draft: { possibleDoubles?: readonly PossibleDouble[] },
  isOver: (double: PossibleDouble) => boolean,
): void {
  if (!draft.possibleDoubles) return;
  draft.possibleDoubles = draft.possibleDoubles.map((double) =>
    isOver(double) ? { ...double, isSuperseded: true } : double,
  );
}
