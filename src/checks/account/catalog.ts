import { listFields } from '../../kinds/list-fields.ts';
import { listMatchingCatalogEntries } from '../../kinds/catalog.ts';
import { findResourcePrice } from '../../kinds/price.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { describeVmSizes, listNearestSizes, parseSizeFromName } from '../../model/nearest-sizes.ts';
import { describeEachPrice } from '../../model/cost/plan-costs.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Catalog, CatalogEntry, LiveSnapshot } from '../../model/account/live.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import { readAttributeText } from '../../model/value.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';
import { locateFinding } from '../../model/place-of.ts';
import { isUnchangedLiveValue, type PlanCheck } from '../check.ts';

const listOperations: Readonly<Record<keyof Catalog, string>> = {
  configurations: 'listConfigurations',
  images: 'listImages',
  tariffs: 'listTariffs',
};

/** Tells whether the service has no such list: what is written is the id that is sent. */
function isUntold(list: keyof Catalog, { gaps = [] }: LiveSnapshot): boolean {
  return gaps.some(({ operation }) => operation === listOperations[list]);
}

/** Finds images, configurations and tariffs in a plan that the service does not offer, or whose name means several entries. */
export const checkCatalogReferences: PlanCheck = ({ plan, desired, live }) => {
  const findings: Finding[] = [];
  for (const change of plan.changes) {
    const resource = desired.get(change.address);
    if (!resource) continue;
    for (const [attribute, { offered: list }] of listFields(kindRegistry[change.kind])) {
      if (list === undefined || change.unknown.includes(attribute)) continue;
      const written = readAttributeText(resource.attributes, attribute);
      const entries: readonly CatalogEntry[] = live.catalog[list];
      if (isUntold(list, live)) continue;
      // The present value of a resource may have left the catalog since; only a new wish is checked.
      if (isUnchangedLiveValue(change, attribute, written)) continue;
      const place = locateFinding(resource, attribute);
      const meant = listMatchingCatalogEntries(entries, written);
      if (meant.length === 0) {
        // No suggestion for a secret value: the nearest entry would tell most of it.
        const isSecret = change.sensitive.includes(attribute);
        const nearest = isSecret
          ? undefined
          : suggestNearestName(
              written,
              entries.map((entry) => entry.name),
            );
        findings.push({
          severity: 'error',
          code: `unknown-${attribute}`,
          summary: `The service has no ${attribute} "${written}"`,
          detail: `It offers: ${
            entries
              .map((entry) => escapeLineEnds(entry.name))
              .sort()
              .join(', ') || 'none'
          }.${isSecret || list !== 'configurations' ? '' : describeNearest(written, resource, live.catalog)}`,
          hint: `${nearest === undefined ? 'Use' : `Did you mean "${nearest}"? Use`} one of these names, or an id from "hostwright catalog ${list}".`,
          ...place,
        });
      } else if (meant.length > 1) {
        const ids = meant.map(({ id }) => id);
        findings.push({
          severity: 'error',
          code: `ambiguous-${attribute}`,
          summary: `The service has ${ids.length} ${list} called "${written}"`,
          detail: `Their ids: ${ids.join(', ')}.`,
          hint: 'Write the id of one of them.',
          ...place,
        });
      }
    }
  }
  return findings;
};

/** Sizes that are nearest to a withdrawn one, where its name tells what it had, and what they cost. */
function describeNearest(written: string, resource: DesiredResource, catalog: Catalog): string {
  const { configurations } = catalog;
  const size = parseSizeFromName(written, configurations);
  const nearest = size ? listNearestSizes(configurations, size) : [];
  return nearest.length === 0
    ? ''
    : ` The nearest: ${describeVmSizes(nearest)}.${describeEachPrice([findResourcePrice(resource.kind, resource.attributes, catalog)])}`;
}
