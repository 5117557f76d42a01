import { fillUntold } from '../../kinds/fill-untold.ts';
import { listUntold } from '../../kinds/read-attributes.ts';
import { RecordedResource } from '../../kinds/recorded-resource.ts';
import { kinds } from '../../kinds/registry.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import { hasUntold } from '../../model/account/told.ts';
import { childAddress } from '../../model/address.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { parseKnown } from '../account-index.ts';

/** The account, where attributes of managed resources that the service does not report are filled in from the state. */
export function recallUntold(live: LiveSnapshot, state: State): LiveSnapshot {
  const isThin = live.projects.some(hasUntold) || live.resources.some(hasUntold);
  if (!isThin) return live;
  const byId = new Map([...state.resources.values()].map((one) => [`${one.kind} ${one.id}`, one]));
  const recall = <L extends LiveResource>(one: L): L => {
    const managed = hasUntold(one) ? byId.get(`${one.kind} ${one.id}`) : undefined;
    return managed ? (recallOne(one, managed, live, state) as L) : one;
  };
  return { ...live, projects: live.projects.map(recall), resources: live.resources.map(recall) };
}

function recallOne(
  live: LiveResource,
  managed: ManagedResource,
  { catalog }: LiveSnapshot,
  { resources }: State,
): LiveResource {
  const project = parseKnown(managed.address).project;
  const recorded = new RecordedResource(
    managed,
    catalog,
    (kind, key) => resources.get(childAddress(project, kind, key))?.id,
  );
  const filled = fillUntold(live, kinds[live.kind].fromRecord(recorded));
  const names = { catalog, localKey: () => undefined };
  const still = new Set(listUntold(filled, names));
  const asRecorded = listUntold(live, names).filter((name) => !still.has(name));
  return asRecorded.length > 0 ? { ...filled, asRecorded } : filled;
}
