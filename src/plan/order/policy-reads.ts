import { ReferenceAddressIndex, listReads } from '../../expressions/deferred/deferred-reads.ts';
import type { Address } from '../../model/address.ts';
import { leavesAsItIs } from '../../model/plan/plan.ts';
import type { PolicyEntry } from '../../model/deferred.ts';
import type { Decision } from '../decide/decision.ts';

/**
 * The decisions with reads of denying policies: where a policy reads a value of another resource that is only known after
 * apply, the judged change comes after that one where possible, so that it is judged before its first request.
 */
export function addPolicyReads(
  decided: ReadonlyMap<Address, Decision>,
  policies: readonly PolicyEntry[] = [],
): ReadonlyMap<Address, Decision> {
  const denying = policies.filter(({ severity }) => severity === 'deny');
  if (denying.length === 0) return decided;
  const book = new ReferenceAddressIndex(decided.keys());
  const open = denying.flatMap((policy) => {
    const reads = listReads(policy.assert, book).flatMap(({ address, attribute = '' }) =>
      decided.get(address)?.change.unknown.includes(attribute) ? [address] : [],
    );
    return reads.length > 0 ? [{ ...policy, reads }] : [];
  });
  if (open.length === 0) return decided;
  const policyReadsOf = ({ change: { address, kind, action } }: Decision) =>
    open
      .filter(({ for: kindName, prefix }) => kindName === kind && address.startsWith(prefix))
      .flatMap(({ reads }) =>
        leavesAsItIs({ action }) ? [] : reads.filter((one) => one !== address),
      );
  return new Map(
    [...decided].map(([address, decision]) => {
      const policyReads = policyReadsOf(decision);
      return [address, policyReads.length > 0 ? { ...decision, policyReads } : decision];
    }),
  );
}
