import type { ResourceAddress } from '../../model/address.ts';
import { findContainingKind } from '../../model/kind-places.ts';
import type { ExportedAccount, ExportedResource } from '../../model/account/exported.ts';

/** Groups resources that stay together in one file: a public IP with its forwards. A project may be split over files. */
function listUnits(resources: readonly ExportedResource[]): ExportedResource[][] {
  const units = new Map<ResourceAddress, ExportedResource[]>();
  for (const one of resources) {
    const unit = findContainingKind(one.kind) ? units.get(one.parent ?? '') : undefined;
    if (unit) unit.push(one);
    else units.set(one.address, [one]);
  }
  return [...units.values()];
}

/** The project as a stub in a file with some of its resources, where another file writes it out. */
function stubOf(project: ExportedResource): ExportedResource {
  return { ...project, fields: {}, remarks: [], isElsewhere: true };
}

/**
 * Splits an export into `count` parts, for as many files of one configuration. The first part reports what was left out.
 * @param count at least 1
 */
export function splitExportedYaml(
  { resources, leftOut }: ExportedAccount,
  count: number,
): ExportedAccount[] {
  const units = listUnits(resources);
  const projects = new Map(resources.map((one) => [one.address, one]));
  const size = Math.max(1, Math.ceil(units.length / count));
  const parts: ExportedAccount[] = [];
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
