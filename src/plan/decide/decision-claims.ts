import type { Decision } from './decision.ts';
import { describeHeldResource } from './held.ts';

/** Claims of a resource (names, ports) before or after its change, as texts. */
export function claimsOf(decision: Decision, side: 'before' | 'after'): readonly string[] {
  const { change, kind, held } = decision;
  if (side === 'before') return held ? kind.claims(describeHeldResource(decision)) : [];
  const { address, project, after } = change;
  return after ? kind.claims({ address, kind: change.kind, project, attributes: after }) : [];
}

/** Indexes who holds each claimed name or port before the plan. */
export function indexHolders(decisions: readonly Decision[]): Map<string, Decision> {
  const holders = new Map<string, Decision>();
  for (const decision of decisions) {
    for (const claim of claimsOf(decision, 'before')) holders.set(claim, decision);
  }
  return holders;
}

/** Claims of a resource under its temporary name; none where it keeps its own. */
export function claimsAside(decision: Decision): readonly string[] {
  const { asideName, held } = decision;
  if (asideName === undefined) return [];
  return claimsOf({ ...decision, held: { ...held, name: asideName } }, 'before');
}
