import { readIdAfterUnmanagedPrefix } from '../kinds/names.ts';
import { kindRegistry } from '../kinds/registry.ts';
import { indexById, getLiveName } from '../model/account/live.ts';
import type { ResourceAddress } from '../model/address.ts';
import { addToGroup } from '../model/group-by.ts';
import type { Change } from '../model/plan/plan.ts';
import type { ResourceBuildSource } from '../model/state/state.ts';
import { readTextList } from '../model/value.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';
import { formatCountWithNoun } from '../model/text/count-noun.ts';

type Waiting = Change & Required<Pick<Change, 'waiting'>>;

/** The most waiting values, resources and old keys that a message lists. */
const maxShown = 10;

/** One note over all VMs whose new build values wait for the next rebuild, with the old keys that still open them. */
export const noteValuesWaitingForRebuild: PlanCheck = ({ plan, desired, live, state }) => {
  const waiting = plan.changes.filter(isWaiting);
  const [only] = waiting;
  if (!only) return [];
  const isOne = waiting.length === 1;
  const fields = [...new Set(waiting.flatMap((one) => Object.keys(one.waiting)))].sort();
  const { label, traits } = kindRegistry[only.kind];
  const rebuildOn = desired.get(only.address)?.rebuildOn ?? traits.builtFrom?.rebuildOn ?? [];
  const on = new Set([...rebuildOn, ...fields]);
  const source = isOne ? desired.get(only.address)?.attributeSources[fields[0] ?? ''] : undefined;
  return [
    {
      severity: 'note',
      code: 'waits-for-rebuild',
      summary: isOne
        ? `${only.address} keeps the ${fields.join(' and ')} that it was created with`
        : `${waiting.length} ${label}s keep the ${fields.join(' and ')} that they were created with`,
      detail: [...describeValues(waiting), ...describeOldParts(waiting, { live, state })].join(
        '\n',
      ),
      hint: `Set rebuild: { on: [${[...on].join(', ')}] } to apply this by a rebuild, which wipes the disk${isOne ? '' : 's'}.`,
      ...(isOne && { address: only.address, ...(source && { source }) }),
    },
  ];
};

/** Warns of rebuilds that were taken back, and are not tried again by themselves. */
export const warnOfRolledBackRebuilds: PlanCheck = ({ plan, desired }) =>
  plan.changes
    .filter(({ isTriedBefore }) => isTriedBefore)
    .map((change) => {
      const { address } = change;
      const source = desired.get(address)?.source;
      return {
        severity: 'warning',
        code: 'tried-before',
        summary: `The rebuild to ${listTarget(change)} failed before, and is not tried again`,
        detail: 'Its backup was restored, so it has what it had before that rebuild.',
        hint: 'Change the configuration, or add --retry-failed to try the same again.',
        address,
        ...(source && { source }),
      };
    });

function listTarget({ waiting = {}, sensitive }: Change): string {
  const fields = Object.entries(waiting).map(([name, value]) =>
    sensitive.includes(name) ? `another ${name}` : `${name} ${JSON.stringify(value)}`,
  );
  return fields.join(' and ');
}

/** Tells whether a change leaves values for the next rebuild because of `rebuild.on`, and for nothing that failed before. */
function isWaiting(change: Change): change is Waiting {
  const { waiting, restoring, isTriedBefore } = change;
  return waiting !== undefined && restoring === undefined && !isTriedBefore;
}

/** Lines of the waiting values, each with the addresses that it is for. */
function describeValues(waiting: readonly Waiting[]): string[] {
  const groups = new Map<string, ResourceAddress[]>();
  for (const { address, waiting: values } of waiting) {
    for (const [field, value] of Object.entries(values)) {
      addToGroup(groups, `${field} = ${JSON.stringify(value)}`, address);
    }
  }
  const shown = [...groups].slice(0, maxShown).flatMap(([value, addresses]) => {
    const rest = addresses.length > maxShown ? ` and ${addresses.length - maxShown} more` : '';
    const listed = addresses.slice(0, maxShown).join(', ');
    return [`${value} # applies at the next rebuild`, `  ${listed}${rest}`];
  });
  return groups.size > maxShown ? [...shown, `and ${groups.size - maxShown} more values`] : shown;
}

/** Old parts that VMs were built from and that the configuration no longer has, such as SSH keys that still open them. */
function describeOldParts(
  waiting: readonly Waiting[],
  { live, state }: Pick<PlanCheckInput, 'live' | 'state'>,
): string[] {
  const byId = indexById(live.resources);
  const counts = new Map<string, number>();
  for (const change of waiting) {
    const remembered = new Map(
      state.resources.get(change.address)?.builtFrom?.map((part) => [part.id, part]),
    );
    for (const { local, id } of listOldParts(change, state)) {
      const found = byId.get(id ?? '');
      const part: ResourceBuildSource | undefined = found
        ? { id: found.id, ...describeLive(found) }
        : remembered.get(id ?? '');
      const label = describePart(part?.name ?? local, part);
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return [];
  const isOne = waiting.length === 1;
  const shown = [...counts].slice(0, maxShown).map(([label, count]) => {
    return isOne ? label : `${label} on ${formatCountWithNoun('VM', count)}`;
  });
  const rest = counts.size > shown.length ? ` and ${counts.size - shown.length} more` : '';
  return [`Old keys that still open ${isOne ? 'it' : 'them'}: ${shown.join(', ')}${rest}.`];
}

/** The old ones, each as it is spelled and by its id. */
function listOldParts(
  { address, kind, project, before, waiting }: Waiting,
  { resources }: PlanCheckInput['state'],
) {
  const field = kindRegistry[kind].traits.builtFrom?.field ?? '';
  if (!(field in waiting)) return [];
  const wanted = new Set(readTextList(waiting[field]));
  return readTextList(before?.[field])
    .filter((local) => !wanted.has(local))
    .map((local) => {
      const described = { address, kind, project, attributes: { [field]: [local] } };
      const [reference] = kindRegistry[kind].references(described);
      const id = reference
        ? resources.get(reference.address)?.id
        : readIdAfterUnmanagedPrefix(local);
      return { local, id };
    });
}

function describeLive(live: PlanCheckInput['live']['resources'][number]) {
  const name = getLiveName(live);
  const fingerprint = 'fingerprint' in live ? live.fingerprint : null;
  return { ...(name !== undefined && { name }), ...(fingerprint && { fingerprint }) };
}

/** Words for a part: its name and its fingerprint, as far as they are known. */
function describePart(name: string, part: ResourceBuildSource | undefined): string {
  return part?.fingerprint === undefined ? name : `${name} (${part.fingerprint})`;
}
