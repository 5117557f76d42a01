import { findPriceField } from '../../kinds/price.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { formatCents, roundToCents, type MonthlyAmount } from '../../model/cost/money.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { KindName } from '../../model/kind-places.ts';
import { locateFinding } from '../../model/place-of.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { formatSourcePlace, type SourceRange } from '../../model/source.ts';

/** The most places of the YAML that a message names; the rest is counted. */
const mostShown = 5;

type Desired = ReadonlyMap<ResourceAddress, DesiredResource>;

/** A resource whose place in the YAML is wanted. */
interface Priced {
  readonly address: ResourceAddress;
  readonly kind: KindName;
  /** Amount a month that the plan adds; absent for an unknown price. */
  readonly added?: MonthlyAmount;
}

/**
 * Places in the YAML that resources get their price from, a line for each, those that add most first: `  ADDRESS
 * (main.yaml:12:9) adds 5.00 EUR a month`.
 */
export function listCostSourceLines(
  priced: readonly Priced[],
  desired: Desired,
  currency: string,
): readonly string[] {
  const groups = groupByPlace(priced, desired)
    .map(({ place, members }) => {
      const added = members.reduce((sum, one) => sum + (one.added ?? 0n), 0n);
      return { place, members, added };
    })
    .sort((a, b) => Number(b.added > a.added) - Number(b.added < a.added));
  const lines = groups.slice(0, mostShown).map(({ place, members, added }) => {
    const [first, ...others] = members.map(({ address }) => address);
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    const at = place ? ` (${formatSourcePlace(place)})` : '';
    const verb = others.length > 0 ? 'add' : 'adds';
    const amount = `${verb} ${formatCents(roundToCents(added))} ${currency} a month`;
    return `  ${first}${more}${at}${added > 0n ? ` ${amount}` : ''}`;
  });
  const rest = groups.slice(mostShown).reduce((sum, { members }) => sum + members.length, 0);
  return [...lines, ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

/** Groups resources whose tariff stands in one place, as one edit changes them all. */
function groupByPlace(priced: readonly Priced[], desired: Desired) {
  const findPlace = placeFinder(desired);
  const groups = new Map<string, { place: SourceRange | undefined; member: Priced }[]>();
  for (const member of priced) {
    const place = findPlace(member);
    addToGroup(groups, place ? formatSourcePlace(place) : member.address, { place, member });
  }
  return [...groups.values()].map((group) => {
    return { place: group[0]?.place, members: group.map(({ member }) => member) };
  });
}

/** The line of its tariff; the line of its block where the tariff is one of several blocks, as that of defaults is. */
function placeFinder(desired: Desired): (priced: Priced) => SourceRange | undefined {
  const blocks = new Map<string, Set<string>>();
  for (const resource of desired.values()) {
    const { source = resource.source } = locateFinding(resource, findPriceField(resource.kind));
    const place = formatSourcePlace(source);
    blocks.set(place, (blocks.get(place) ?? new Set()).add(formatSourcePlace(resource.source)));
  }
  return ({ address, kind }) => {
    const resource = desired.get(address);
    const { source } = locateFinding(resource, findPriceField(kind));
    const isShared = source !== undefined && (blocks.get(formatSourcePlace(source))?.size ?? 0) > 1;
    return isShared ? resource?.source : source;
  };
}
