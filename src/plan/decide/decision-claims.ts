import type { ChangeDecision } from './decision.ts';
import { describeResourceBeforeChange } from './held.ts';

/** Claims of a resource (names, ports) before or after its change, as texts. */
export function listNameAndPortClaims(
  decision: ChangeDecision,
  side: 'before' | 'after',
): readonly string[] {
  const { change, kind, held } = decision;
  if (side === 'before') return held ? kind.claims(describeResourceBeforeChange(decision)) : [];
  const { address, project, after } = change;
  return after ? kind.claims({ address, kind: change.kind, project, attributes: after }) : [];
}

/** Indexes who holds each claimed name or port before the plan. */
export function indexClaimHolders(
  decisions: readonly ChangeDecision[],
): Map<string, ChangeDecision> {
  const holders = new Map<string, ChangeDecision>();
  for (const decision of decisions) {
    for (const claim of listNameAndPortClaims(decision, 'before')) holders.set(claim, decision);
  }
  return holders;
}

/** Claims of a resource under its temporary name; none where it keeps its own. */
export function listTemporaryNameClaims(decision: ChangeDecision): readonly string[] {
  const { asideName, held } = decision;
  if (asideName === undefined) return [];
  return listNameAndPortClaims({ ...decision, held: { ...held, name: asideName } }, 'before');
}
