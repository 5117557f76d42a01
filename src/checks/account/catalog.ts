import { findEntry } from '../../kinds/catalog.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Catalog, CatalogEntry } from '../../model/account/live.ts';
import { suggest } from '../../model/text/suggest.ts';
import { textOf } from '../../model/value.ts';
import { toOneLine } from '../../model/text/unsafe-text.ts';
import { isKept, placeOf, type Check } from '../check.ts';

const offered: readonly { attribute: string; label: string; list: keyof Catalog }[] = [
  { attribute: 'image', label: 'image', list: 'images' },
  { attribute: 'configuration', label: 'configuration', list: 'configurations' },
  { attribute: 'tariff', label: 'tariff', list: 'tariffs' },
];

/** Images, configurations and tariffs that the service does not offer, or that a name does not settle. */
export const checkCatalog: Check = ({ plan, desired, live }) => {
  const findings: Finding[] = [];
  for (const change of plan.changes) {
    const resource = desired.get(change.address);
    if (change.kind !== 'vm' || !resource) continue;
    for (const { attribute, label, list } of offered) {
      if (change.unknown.includes(attribute)) continue;
      const written = textOf(resource.attributes, attribute);
      const entries: readonly CatalogEntry[] = live.catalog[list];
      // What a VM already has may have left the catalog since; only a new wish is checked.
      if (isKept(change, attribute, written)) continue;
      const place = placeOf(resource, attribute);
      if (!findEntry(entries, written)) {
        // What comes close to a secret tells most of it.
        const isSecret = change.sensitive.includes(attribute);
        const meant = isSecret
          ? undefined
          : suggest(
              written,
              entries.map((entry) => entry.name),
            );
        findings.push({
          severity: 'error',
          code: `unknown-${label}`,
          summary: `The service has no ${label} "${written}"`,
          detail: `It offers: ${
            entries
              .map((entry) => toOneLine(entry.name))
              .sort()
              .join(', ') || 'none'
          }.`,
          hint: `${meant === undefined ? 'Use' : `Did you mean "${meant}"? Use`} one of these names, or an id of GET /${list}.`,
          ...place,
        });
      } else if (isAmbiguous(entries, written)) {
        const ids = entries.filter((entry) => entry.name === written).map((entry) => entry.id);
        findings.push({
          severity: 'error',
          code: `ambiguous-${label}`,
          summary: `The service has ${ids.length} ${list} called "${written}"`,
          detail: `Their ids: ${ids.join(', ')}.`,
          hint: 'Write the id of the one that is meant.',
          ...place,
        });
      }
    }
  }
  return findings;
};

function isAmbiguous(entries: readonly CatalogEntry[], written: string): boolean {
  if (entries.some((entry) => entry.id === written)) return false;
  return entries.filter((entry) => entry.name === written).length > 1;
}
