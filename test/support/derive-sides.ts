// Terraform's JSON tells the resources and outputs of a plan three times: as changes, and as its two sides. The golden
// cases store the changes alone.
import type { ResourceChangeJson } from '../../src/render/json/change-json.ts';
import type { PlanJson } from '../../src/render/json/json.ts';
import type { OutputChangeJson } from '../../src/render/json/outputs-json.ts';

type Side = 'before' | 'after';

/** `planned_values` and `prior_state` of a plan, from its `resource_changes` and `output_changes`. */
export function deriveSides(json: PlanJson): object {
  const { terraform_version } = json;
  return {
    planned_values: deriveValues(json, 'after'),
    prior_state: { format_version: '1.0', terraform_version, values: deriveValues(json, 'before') },
  };
}

function deriveValues(json: PlanJson, side: Side): object {
  const changes = json['output_changes'];
  const outputs = Object.entries(changes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, change]) => deriveOutput(name, change, side));
  return {
    outputs: outputs.length > 0 ? Object.fromEntries(outputs) : undefined,
    root_module: deriveModule(
      json.resource_changes.filter(({ change }) => change[side] !== null),
      side,
    ),
  };
}

function deriveModule(
  entries: readonly ResourceChangeJson[],
  side: Side,
  address?: string,
): object {
  const prefix = address === undefined ? '' : `${address}.`;
  const withins = entries.map((entry) => findWithin(entry, prefix));
  const children = [...new Set(withins)].filter((within) => within !== undefined);
  return {
    address,
    resources: entries
      .filter((_, index) => withins[index] === undefined)
      .flatMap((entry) => deriveResource(entry, side)),
    child_modules:
      children.length > 0
        ? children.map((child) =>
            deriveModule(
              entries.filter((_, index) => withins[index] === child),
              side,
              child,
            ),
          )
        : undefined,
  };
}

/** The module right below another one that a resource stands in, or below whose modules it does. */
function findWithin({ address }: ResourceChangeJson, prefix: string): string | undefined {
  const [way] = /^modules\.[^.[]+(\[("[^"]*"|\d+)\])?/.exec(address.slice(prefix.length)) ?? [];
  return way === undefined ? undefined : prefix + way;
}

function deriveResource(entry: ResourceChangeJson, side: Side): object[] {
  const { address, mode, type, name, index, provider_name, deposed, change } = entry;
  const values = change[side];
  if (values === null) return [];
  // A value that is not known yet has no place among the values, and no mark there.
  const unknown = side === 'after' ? change.after_unknown : {};
  const marks = Object.entries(change[`${side}_sensitive`]).filter(
    ([field]) => !(field in unknown),
  );
  const identity = { address, mode, type, name, index, provider_name, deposed_key: deposed };
  return [{ ...identity, schema_version: 0, values, sensitive_values: Object.fromEntries(marks) }];
}

function deriveOutput(name: string, change: OutputChangeJson, side: Side): [string, object][] {
  if (change.actions.includes(side === 'before' ? 'create' : 'delete')) return [];
  const sensitive = change[`${side}_sensitive`];
  const isHidden = sensitive || (side === 'after' && change.after_unknown);
  const value = change[side];
  return [[name, isHidden ? { sensitive } : { sensitive, type: deriveType(value), value }]];
}

/** The type that Terraform gives to a value of JSON. */
function deriveType(value: unknown): unknown {
  if (value === null) return 'dynamic';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return ['tuple', value.map(deriveType)];
  const types = Object.entries(value).map(([key, inner]) => [key, deriveType(inner)] as const);
  return ['object', Object.fromEntries(types)];
}
