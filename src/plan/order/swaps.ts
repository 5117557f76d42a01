import type { TemporaryNameFinder } from '../decide/aside-names.ts';
import { listNameAndPortClaims, indexClaimHolders } from '../decide/decision-claims.ts';
import { isInPlace, type ChangeDecision } from '../decide/decision.ts';

/** The resource whose claim an in-place change needs to be released first, when that too happens in place. */
function waitsFor(
  decision: ChangeDecision,
  holders: ReadonlyMap<string, ChangeDecision>,
): ChangeDecision | undefined {
  return listNameAndPortClaims(decision, 'after')
    .map((claim) => holders.get(claim))
    .find((holder) => holder && holder !== decision && isInPlace(holder));
}

/**
 * Breaks swaps: two resources that exchange a name or a port would wait for each other for ever. One of each such circle
 * steps aside: a resource with a name takes a temporary one (`asideName`), a port forward is replaced instead of changed.
 */
export function breakNameAndPortSwaps(
  decisions: readonly ChangeDecision[],
  names: TemporaryNameFinder,
): readonly ChangeDecision[] {
  if (!decisions.some(isInPlace)) return decisions;
  const holders = indexClaimHolders(decisions);
  const aside = new Set<ChangeDecision>();
  const done = new Set<ChangeDecision>();
  for (const start of decisions) {
    if (!isInPlace(start)) continue;
    const path: ChangeDecision[] = [];
    const onPath = new Set<ChangeDecision>();
    let at: ChangeDecision | undefined = start;
    while (at && !done.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = waitsFor(at, holders);
    }
    if (at && onPath.has(at)) aside.add(at);
    for (const passed of path) done.add(passed);
  }
  return aside.size === 0 ? decisions : releaseNamesAndPortsFirst(decisions, aside, names);
}

/** Lets some of the decisions release their name or port before they take another. */
export function releaseNamesAndPortsFirst(
  decisions: readonly ChangeDecision[],
  aside: ReadonlySet<ChangeDecision>,
  names: TemporaryNameFinder,
): readonly ChangeDecision[] {
  const taken = names.listTaken(decisions);
  return decisions.map((one) => (aside.has(one) ? putAside(one, names, taken) : one));
}

/** Removes the temporary name from a decision. */
export function omitTemporaryName(decision: ChangeDecision): ChangeDecision {
  const kept: { -readonly [Key in keyof ChangeDecision]: ChangeDecision[Key] } = { ...decision };
  delete kept.asideName;
  return kept;
}

function putAside(
  decision: ChangeDecision,
  names: TemporaryNameFinder,
  taken: Set<string>,
): ChangeDecision {
  const { change, kind } = decision;
  if ('name' in kind.fields) return { ...decision, asideName: names.find(decision, taken) };
  const after = Object.entries(change.after ?? {}).filter(
    ([name]) => !kind.computed.includes(name),
  );
  return {
    ...decision,
    change: {
      ...change,
      action: 'replace',
      after: Object.fromEntries(after),
      unknown: [...new Set([...change.unknown, ...kind.computed])],
      fields: change.fields.map((field) =>
        field.name === 'publicPort' ? { ...field, effect: 'replace' } : field,
      ),
    },
  };
}
