import { normalize } from 'node:path';
import type { OnceClaim } from '../../kinds/traits.ts';
import { listOnceClaims } from '../../kinds/once-claims.ts';
import { formatPlace } from '../../model/source.ts';
import { findCollection, type Declaration, type Declarations } from '../scope/declarations.ts';
import type { ConfigurationFault, FaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { toSourceRange, type SourcePlace } from '../source/source-file.ts';

/** Describes a declaration that has claimed a unique value first, with its place. */
export function describeFirstClaim(
  { resource, key, nodes }: Declaration,
  attribute: string,
): string {
  const place = formatPlace(toSourceRange(nodes[attribute] ?? key));
  return `${resource.address} at ${place}`;
}

/**
 * Claims of a declaration that hold whatever is live; claims on ignored fields are left to the plan, which knows the live
 * values.
 */
function listClaims({ resource }: Declaration, declarations: Declarations): OnceClaim[] {
  const ignored = resource.lifecycle?.ignoreChanges ?? [];
  return listOnceClaims(resource).filter(
    ({ of, attribute, isPath }) =>
      (isPath === true || !ignored.includes(attribute)) &&
      (!of || declarations.instancesOf(findCollection(resource, of.kind), of.key) !== undefined),
  );
}

function explain(
  claim: OnceClaim,
  first: Declaration,
  second: Declaration,
): ConfigurationFault & { readonly place: SourcePlace } {
  const { attribute, code, summary, why, hint, hintForInstances } = claim;
  const { address } = second.resource;
  const both = `${address} and ${describeFirstClaim(first, attribute)}.`;
  return {
    code,
    // The summary quotes the configuration, which may hold any characters.
    summary: makePrintable(summary),
    detail: why === undefined ? both : `${both} ${why}`,
    hint: first.nodes === second.nodes ? (hintForInstances ?? hint) : hint,
    address,
    place: second.nodes[attribute] ?? second.key,
  };
}

/** Reports names, ports and files that two resources claim and only one can have, once for each place. */
export function checkUniqueness(declarations: Declarations, faults: FaultList): void {
  const holders = new Map<string, Declaration>();
  const reported = new Set<SourcePlace>();
  for (const declaration of declarations.all) {
    for (const claim of listClaims(declaration, declarations)) {
      const id = claim.isPath ? `path ${normalize(claim.id)}` : claim.id;
      const first = holders.get(id);
      if (!first) {
        holders.set(id, declaration);
        continue;
      }
      const fault = explain(claim, first, declaration);
      if (reported.has(fault.place)) continue;
      reported.add(fault.place);
      faults.add(fault);
    }
  }
}
