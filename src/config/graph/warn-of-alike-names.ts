import { describeScope } from '../../kinds/once-claims.ts';
import { kinds } from '../../kinds/registry.ts';
import { foldName } from '../../model/text/fold-name.ts';
import { describeFirstClaim } from './check-uniqueness.ts';
import type { Declaration, Declarations } from '../scope/declarations.ts';
import type { FaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import type { SourcePlace } from '../source/source-file.ts';

/** Warns of two names of one kind and project that differ in case only, once for each place. */
export function warnOfAlikeNames({ all }: Declarations, faults: FaultList): void {
  const holders = new Map<string, { readonly name: string; readonly declaration: Declaration }>();
  const reported = new Set<SourcePlace>();
  for (const declaration of all) {
    const { address, kind, attributes, lifecycle } = declaration.resource;
    const { name } = attributes;
    if (typeof name !== 'string' || lifecycle?.ignoreChanges.includes('name')) continue;
    const scope = describeScope(declaration.resource);
    const claim = `${scope} ${kind} ${foldName(name)}`;
    const first = holders.get(claim);
    if (!first) holders.set(claim, { name, declaration });
    const place = declaration.nodes.name ?? declaration.key;
    // Two of exactly one name are an error of their own.
    if (!first || first.name === name || reported.has(place)) continue;
    reported.add(place);
    faults.add({
      severity: 'warning',
      code: 'names-alike',
      summary: `Two ${kinds[kind].label}s of ${scope} have the names \`${makePrintable(first.name)}\` and \`${makePrintable(name)}\`, which differ in case only`,
      detail: `${address} and ${describeFirstClaim(first.declaration, 'name')}. A service that ignores case refuses the second of them.`,
      hint: 'Give one of the two another `name`.',
      address,
      place,
    });
  }
}
