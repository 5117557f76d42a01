import type { TemporaryNameFinder } from '../decide/aside-names.ts';
import { claimsOf, indexHolders } from '../decide/decision-claims.ts';
import { isInPlace, type Decision } from '../decide/decision.ts';

/** The resource whose claim an in-place change needs to be released first, when that too happens in place. */
function waitsFor(
  decision: Decision,
  holders: ReadonlyMap<string, Decision>,
): Decision | undefined {
  return claimsOf(decision, 'after')
    .map((claim) => holders.get(claim))
    .find((holder) => holder && holder !== decision && isInPlace(holder));
}

/**
 * Breaks swaps: two resources that exchange a name or a port would wait for each other for ever. One of each such circle
 * steps aside: a resource with a name takes a temporary one (`asideName`), a port forward is replaced instead of changed.
 */
export function breakSwaps(
  decisions: readonly Decision[],
  names: TemporaryNameFinder,
): readonly Decision[] {
  if (!decisions.some(isInPlace)) return decisions;
  const holders = indexHolders(decisions);
  const aside = new Set<Decision>();
  const done = new Set<Decision>();
  for (const start of decisions) {
    if (!isInPlace(start)) continue;
    const path: Decision[] = [];
    const onPath = new Set<Decision>();
    let at: Decision | undefined = start;
    while (at && !done.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = waitsFor(at, holders);
    }
    if (at && onPath.has(at)) aside.add(at);
    for (const passed of path) done.add(passed);
  }
  return aside.size === 0 ? decisions : releaseClaimsFirst(decisions, aside, names);
}

/** Lets some of the decisions release their name or port before they take another. */
export function releaseClaimsFirst(
  decisions: readonly Decision[],
  aside: ReadonlySet<Decision>,
  names: TemporaryNameFinder,
): readonly Decision[] {
  const taken = names.listTaken(decisions);
  return decisions.map((one) => (aside.has(one) ? putAside(one, names, taken) : one));
}

/** Removes the temporary name from a decision. */
export function keepName(decision: Decision): Decision {
  const kept: { -readonly [Key in keyof Decision]: Decision[Key] } = { ...decision };
  delete kept.asideName;
  return kept;
}

function putAside(decision: Decision, names: TemporaryNameFinder, taken: Set<string>): Decision {
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
