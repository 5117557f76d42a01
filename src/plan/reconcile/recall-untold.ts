import { fillUntoldAttributes } from '../../kinds/fill-untold.ts';
import { listUntoldAttributes } from '../../kinds/read-attributes.ts';
import { RecordedResource } from '../../kinds/recorded-resource.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import { hasUntoldField } from '../../model/account/told.ts';
import { makeChildAddress } from '../../model/address.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { parseKnownAddress } from '../account-index.ts';

/** The account, where attributes of managed resources that the service does not report are filled in from the state. */
export function fillUntoldAttributesFromState(live: LiveSnapshot, state: State): LiveSnapshot {
  const isThin = live.projects.some(hasUntoldField) || live.resources.some(hasUntoldField);
  if (!isThin) return live;
  const byId = new Map([...state.resources.values()].map((one) => [`${one.kind} ${one.id}`, one]));
  const recall = <L extends LiveResource>(one: L): L => {
    const managed = hasUntoldField(one) ? byId.get(`${one.kind} ${one.id}`) : undefined;
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
  const project = parseKnownAddress(managed.address).project;
  const recorded = new RecordedResource(
    managed,
    catalog,
    (kind, key) => resources.get(makeChildAddress(project, kind, key))?.id,
  );
  const filled = fillUntoldAttributes(live, kindRegistry[live.kind].fromRecord(recorded));
  const names = { catalog, localKey: () => undefined };
  const still = new Set(listUntoldAttributes(filled, names));
  const asRecorded = listUntoldAttributes(live, names).filter((name) => !still.has(name));
  return asRecorded.length > 0 ? { ...filled, asRecorded } : filled;
}
