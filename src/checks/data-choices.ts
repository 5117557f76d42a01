// `data` may pick another entry with every plan. Where that costs a resource its data, the plan says so: by name once it has
// happened, and before it can.
import { kindRegistry } from '../kinds/registry.ts';
import type { UsedDataResult } from '../model/data.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Change } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import { isEqual, type Value } from '../model/value.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';
import { formatCatalogEntryValue } from './name-value.ts';

/** A field that reads `data`, of a resource that its change costs its data. */
interface ChosenField {
  readonly name: string;
  readonly readings: readonly UsedDataResult[];
  readonly change: Change;
  readonly resource: DesiredResource;
}

/** Warns of picks of `data` for fields whose change loses the resource's data. */
export const warnOfDataSourceChoices: PlanCheck = (input) => {
  const { plan, desired, data = [] } = input;
  if (data.length === 0 || plan.mode !== 'apply') return [];
  const byName = new Map(data.map((reading) => [reading.query.name, reading]));
  return plan.changes.flatMap((change) => {
    const resource = desired.get(change.address);
    if (!resource?.ofData || !kindRegistry[change.kind].traits.losses) return [];
    return Object.entries(resource.ofData).flatMap(([name, queries]) => {
      const readings = queries.flatMap((query) => byName.get(query) ?? []);
      const field = { name, readings, change, resource };
      return effectOf(field) === 'update' ? [] : (tellChoice(field, input) ?? warnOfNewest(field));
    });
  });
};

/** Effect of a change of the field, as far as `ignoreChanges` and `rebuild.on` let it take effect. */
function effectOf({ name, change: { kind: kindName }, resource }: ChosenField) {
  const kind = kindRegistry[kindName];
  if (resource.lifecycle?.ignoreChanges.includes(name)) return 'update';
  const effect = kind.fields[name]?.effect ?? 'update';
  const rebuildOn = resource.rebuildOn ?? kind.traits.builtFrom?.rebuildOn ?? [];
  return effect === 'rebuild' && !rebuildOn.includes(name) ? 'update' : effect;
}

/** Warning for a pick that loses data in this plan; undefined where none is lost, or another value changed. */
function tellChoice(field: ChosenField, input: PlanCheckInput): Finding[] | undefined {
  const { name, readings, change, resource } = field;
  const { address, action, before, after, fields } = change;
  const isLost = action === 'rebuild' || action === 'replace';
  if (!isLost || !fields.some((one) => one.name === name)) return undefined;
  const applied = input.state.resources.get(address)?.attributes[name];
  if (isEqual(applied ?? null, after?.[name] ?? null)) return undefined;
  const say = (value: Value | undefined) =>
    formatCatalogEntryValue(change, name, value ?? null, input);
  const { label } = kindRegistry[change.kind];
  const done = action === 'rebuild' ? 'rebuilt' : 'replaced';
  const entries = listQueries(readings);
  const [was, is] = [say(before?.[name]), say(after?.[name])];
  const protection = describeProtection(field);
  return [
    {
      severity: 'warning',
      code: 'data-changed',
      summary: `The ${label} is ${done} because ${entries} picks ${is} now`,
      detail: `Its \`${name}\` was ${was}.`,
      hint: `Name the entry, or write ${protection}.`,
      address,
      source: resource.attributeSources[name] ?? resource.source,
    },
  ];
}

function warnOfNewest(field: ChosenField): Finding[] {
  const { name, readings, change, resource } = field;
  const newest = readings.filter(({ query }) => query.isNewest);
  if (newest.length === 0) return [];
  const { label } = kindRegistry[change.kind];
  const effect = effectOf(field) === 'rebuild' ? 'rebuilds' : 'replaces';
  const entries = listQueries(newest);
  const protection = describeProtection(field);
  return [
    {
      severity: 'warning',
      code: 'data-newest',
      summary: `A newer entry of ${entries} ${effect} the ${label}, which loses its data`,
      detail: `\`${name}\` reads it, and \`newest\` follows what the service offers.`,
      hint: `Name the entry, or write ${protection}.`,
      address: change.address,
      source: resource.attributeSources[name] ?? resource.source,
    },
  ];
}

function listQueries(readings: readonly UsedDataResult[]): string {
  return readings.map(({ query }) => `\`${query.name}\``).join(' and ');
}

/** The entry of the configuration that would keep a change of the field from losing the data. */
function describeProtection(field: ChosenField): string {
  const { name, resource } = field;
  if (effectOf(field) !== 'rebuild') return `\`lifecycle: { ignoreChanges: [${name}] }\``;
  const others = (resource.rebuildOn ?? []).filter((one) => one !== name);
  return `\`rebuild: { on: [${others.join(', ')}] }\`: the change then waits for the next rebuild`;
}
