import type { Address } from '../../model/address.ts';
import { holderOf } from '../../model/kind-places.ts';
import type { Exported, ExportedResource } from '../../model/account/exported.ts';

/** What stands in one file together: a resource, and what lies below it but in a project. */
function listUnits(resources: readonly ExportedResource[]): ExportedResource[][] {
  const units = new Map<Address, ExportedResource[]>();
  for (const one of resources) {
    const unit = holderOf(one.kind) ? units.get(one.parent ?? '') : undefined;
    if (unit) unit.push(one);
    else units.set(one.address, [one]);
  }
  return [...units.values()];
}

/** The project of what follows, where it is written out in another file. */
function stubOf(project: ExportedResource): ExportedResource {
  return { ...project, fields: {}, remarks: [], isElsewhere: true };
}

/**
 * The same in so many parts, for as many files of one configuration. What is left out is reported in the first.
 * @param count at least 1
 */
export function splitExported({ resources, leftOut }: Exported, count: number): Exported[] {
  const units = listUnits(resources);
  const projects = new Map(resources.map((one) => [one.address, one]));
  const size = Math.max(1, Math.ceil(units.length / count));
  const parts: Exported[] = [];
  for (let from = 0; from < units.length; from += size) {
    const own = units.slice(from, from + size).flat();
    const here = new Set(own.map(({ address }) => address));
    const above = new Set(own.flatMap(({ parent }) => parent ?? []));
    const stubs = [...above]
      .filter((address) => !here.has(address))
      .flatMap((address) => projects.get(address) ?? [])
      .map(stubOf);
    parts.push({ resources: [...stubs, ...own], leftOut: from === 0 ? leftOut : [] });
  }
  return parts.length === 0 ? [{ resources, leftOut }] : parts;
}
