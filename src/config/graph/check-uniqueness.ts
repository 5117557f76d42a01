import { normalize } from 'node:path';
import type { ExclusiveClaim } from '../../kinds/traits.ts';
import { listExclusiveClaims } from '../../kinds/once-claims.ts';
import { formatSourcePlace } from '../../model/source.ts';
import {
  findCollectionAddress,
  type ResourceDeclaration,
  type ResourceDeclarations,
} from '../scope/declarations.ts';
import type { ConfigurationFault, ConfigurationFaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { toSourceRange, type SourceTextRange } from '../source/source-file.ts';

/** Describes the declaration that was the first to claim a unique value, with its place. */
export function describeFirstClaim(
  { resource, key, nodes }: ResourceDeclaration,
  attribute: string,
): string {
  const place = formatSourcePlace(toSourceRange(nodes[attribute] ?? key));
  return `${resource.address} at ${place}`;
}

/**
 * Claims of a declaration that hold whatever is live; claims on ignored fields are left to the plan, which knows the live
 * values.
 */
function listClaims(
  { resource }: ResourceDeclaration,
  declarations: ResourceDeclarations,
): ExclusiveClaim[] {
  const ignored = resource.lifecycle?.ignoreChanges ?? [];
  return listExclusiveClaims(resource).filter(
    ({ of, attribute, isPath }) =>
      (isPath === true || !ignored.includes(attribute)) &&
      (!of ||
        declarations.instancesOf(findCollectionAddress(resource, of.kind), of.key) !== undefined),
  );
}

function explain(
  claim: ExclusiveClaim,
  first: ResourceDeclaration,
  second: ResourceDeclaration,
): ConfigurationFault & { readonly place: SourceTextRange } {
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

/** Reports names, ports and files that two resources claim although only one can have them, once for each place. */
export function checkUniqueness(
  declarations: ResourceDeclarations,
  faults: ConfigurationFaultList,
): void {
  const holders = new Map<string, ResourceDeclaration>();
  const reported = new Set<SourceTextRange>();
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
