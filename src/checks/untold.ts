import { listLackedAttributes } from '../kinds/lacked-attributes.ts';
import { isResourceBusy } from '../kinds/outcome.ts';
import { kindRegistry } from '../kinds/registry.ts';
import type { Finding } from '../model/diagnostic.ts';
import { addToGroup } from '../model/group-by.ts';
import type { KindName } from '../model/kind-places.ts';
import type { Change } from '../model/plan/plan.ts';
import type { Value } from '../model/value.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';
import { formatCountWithNoun } from '../model/text/count-noun.ts';

/** Says which fields the service does not tell: what the state has recorded of them stands in, and nothing is changed by a guess. */
export const reportUntoldFields: PlanCheck = (input) => {
  const thin = input.plan.changes.filter(({ untold, asRecorded }) => untold ?? asRecorded);
  if (thin.length === 0) return [];
  const counts = new Map<KindName, Map<string, number>>();
  const warnings: Finding[] = [];
  const live = new Map(
    [...input.live.projects, ...input.live.resources].map((one) => [one.id, one]),
  );
  for (const change of thin) {
    const { kind, id } = change;
    // A field of which a person has said that the service lacks it is no news.
    const lacked = listLackedAttributes(kind, input.live);
    const pick = (names: readonly string[] = []) => names.filter((name) => !lacked.has(name));
    const [untold, asRecorded] = [pick(change.untold), pick(change.asRecorded)];
    const found = live.get(id ?? '');
    // A record may be thin for as long as the service works on what it is of.
    if (!found || isResourceBusy(found)) continue;
    const lost = asRecorded.filter((name) => wasTold(change, name, input));
    if (lost.length > 0) warnings.push(warnOfLost(change, lost, input));
    for (const name of [...untold, ...asRecorded].filter((one) => !lost.includes(one))) {
      const fields = counts.get(kind) ?? new Map<string, number>();
      counts.set(kind, fields.set(name, (fields.get(name) ?? 0) + 1));
    }
  }
  return [...warnings, ...[...counts].flatMap(([kind, fields]) => noteFields(kind, fields))];
};

/** Tells whether the service told it when it was recorded, and there was something to tell. */
function wasTold({ address, before }: Change, name: string, { state }: PlanCheckInput): boolean {
  const managed = state.resources.get(address);
  return managed?.untold?.includes(name) !== true && !isNothing(before?.[name]);
}

function isNothing(value: Value | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function warnOfLost(
  { address, before, sensitive }: Change,
  names: readonly string[],
  { desired }: PlanCheckInput,
): Finding {
  const resource = desired.get(address);
  const said = names.map((name) =>
    sensitive.includes(name) ? name : `${name} (recorded: ${JSON.stringify(before?.[name])})`,
  );
  const source = resource?.attributeSources[names[0] ?? ''] ?? resource?.source;
  return {
    severity: 'warning',
    code: 'no-longer-told',
    summary: `The service no longer tells ${said.join(', ')} of ${address}`,
    detail:
      'It told this before. Some services leave out what has no value: then somebody has changed it. What was recorded is taken to be so still, and nothing is changed by a guess.',
    hint: 'Look at it in the account.',
    address,
    ...(source && { source }),
  };
}

function noteFields(kind: KindName, fields: ReadonlyMap<string, number>): Finding[] {
  const byCount = new Map<number, string[]>();
  for (const [name, count] of fields) addToGroup(byCount, count, name);
  return [...byCount].map(([count, names]) => ({
    severity: 'note',
    code: 'untold-field',
    summary: `The service does not tell ${names.join(', ')} of ${formatCountWithNoun(kindRegistry[kind].label, count)}`,
    detail:
      'What the state has recorded stands in for it, else the configuration. A change that somebody makes to it in the account is not seen.',
  }));
}
