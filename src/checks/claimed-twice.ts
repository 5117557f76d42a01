import { readIdAfterUnmanagedPrefix } from '../kinds/names.ts';
import type { ExclusiveClaim } from '../kinds/traits.ts';
import { listExclusiveClaims } from '../kinds/once-claims.ts';
import { makeChildAddress } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import { locateFinding } from '../model/place-of.ts';
import type { Change } from '../model/plan/plan.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';

interface Claimed {
  readonly change: Change;
  readonly claim: ExclusiveClaim;
}

/**
 * Refuses names, ports and public IPs that a change would give to a second resource. Those that the configuration gives twice
 * were refused with it; the others follow from what a resource keeps, and from values that only the plan knows.
 */
export const refuseDuplicateClaims: PlanCheck = (input) => {
  const { changes } = input.plan;
  if (!changes.some(isMade) && !changes.some(({ fields }) => fields.length > 0)) return [];
  const keeping = new Map<string, Claimed>();
  const taking: Claimed[] = [];
  for (const change of changes) {
    for (const claim of listClaims(change, input)) {
      const claimed = { change, claim };
      if (isTaken(claimed)) taking.push(claimed);
      else keeping.set(claim.id, claimed);
    }
  }
  return taking.flatMap((claimed): Finding[] => {
    const { id } = claimed.claim;
    const holder = keeping.get(id);
    if (holder) return [describe(claimed, holder, input)];
    keeping.set(id, claimed);
    return [];
  });
};

function isMade({ action }: Change): boolean {
  return action === 'create' || action === 'replace';
}

/** Tells whether a resource gets a claim only by its change. */
function isTaken({ change, claim }: Claimed): boolean {
  return isMade(change) || change.fields.some(({ name }) => name === claim.attribute);
}

/** Claims of a resource once its change is made; a public IP that comes with it, and a path, are left out. */
function listClaims({ address, after }: Change, { desired }: PlanCheckInput): ExclusiveClaim[] {
  const resource = desired.get(address);
  if (!resource || !after) return [];
  const isThere = ({ of }: ExclusiveClaim) =>
    !of ||
    readIdAfterUnmanagedPrefix(of.key) !== undefined ||
    desired.has(makeChildAddress(resource.project, of.kind, of.key));
  return listExclusiveClaims({ ...resource, attributes: after }).filter(
    (claim) => claim.isPath !== true && isThere(claim),
  );
}

function describe(
  { change, claim }: Claimed,
  holder: Claimed,
  { desired }: PlanCheckInput,
): Finding {
  const { attribute, code, summary, why, hint } = claim;
  const { address } = change;
  const keeper = desired.get(holder.change.address);
  const kept = keeper?.lifecycle?.ignoreChanges.includes(attribute)
    ? ` ${keeper.address} keeps its own: its \`ignoreChanges\` has \`${attribute}\`.`
    : '';
  return {
    severity: 'error',
    code,
    summary,
    detail: `${address} and ${holder.change.address}.${why === undefined ? '' : ` ${why}`}${kept}`,
    hint,
    ...locateFinding(desired.get(address), attribute),
  };
}
