import { kindRegistry } from '../kinds/registry.ts';
import { getLiveName, type LiveResource } from '../model/account/live.ts';
import { kindNames } from '../model/kind-places.ts';

/** The most resources that the message names. */
const maxShown = 5;

/** Live resources in a sentence: the first few, and how many more. Lists of the service have no order: the same plan says the same. */
export function formatSomeLiveResources(all: readonly LiveResource[]): string {
  const inOrder = [...all].sort(
    (a, b) => kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind) || (a.id < b.id ? -1 : 1),
  );
  const shown = inOrder.slice(0, maxShown).map(describeLiveResource).join(', ');
  return all.length > maxShown ? `${shown} and ${all.length - maxShown} more` : shown;
}

/** Describes a live resource in a message: `the VM "scratch" (id vm-9)`. */
export function describeLiveResource(live: LiveResource): string {
  const { label, traits } = kindRegistry[live.kind];
  const name = getLiveName(live);
  const shown = traits.marks?.words?.describe(live);
  const marks = shown === undefined ? '' : ` of ${shown}`;
  return `the ${label}${name === undefined ? marks : ` "${name}"`} (id ${live.id})`;
}
