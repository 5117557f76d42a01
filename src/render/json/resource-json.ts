import { parseDeposedAddress, type ResourceAddress } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { splitResourceName } from '../view/resource-name.ts';

/** The provider's name in Terraform's representation; the types begin with it. */
export const terraformProviderName = 'hostwright';

/**
 * The release of Terraform whose plan representation this is, and no claim that Terraform made it: `hostwright.version` says
 * who did. The key is here because tools reject a file without it (Checkov asks for `terraform_version` and `planned_values`
 * before it reads anything).
 */
export const representedTerraformVersion = '1.11.0';

/**
 * Finds the resource type in Terraform's manner, as `hostwright_vm`. Policies of other tools are written against these
 * types, so they never change.
 */
export function findTerraformResourceType(kind: KindName): string {
  return `${terraformProviderName}_${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

/**
 * Names a resource in Terraform's terms. `deposed` is the id of a replaced resource that had the address before, and that is
 * still to be destroyed.
 */
export function identifyTerraformResource(address: ResourceAddress, kind: KindName) {
  const { name, index } = splitResourceName(address);
  const deposed = parseDeposedAddress(address);
  return {
    address: deposed?.base ?? address,
    ...(deposed && { deposed: deposed.id }),
    mode: 'managed',
    type: findTerraformResourceType(kind),
    name,
    ...(index !== undefined && { index }),
    provider_name: terraformProviderName,
  };
}

/** Describes a resource with its values, as `planned_values` and states contain it; sensitive values are marked and left out. */
export function describeTerraformResource(
  resource: { readonly address: ResourceAddress; readonly kind: KindName },
  attributes: Attributes,
  sensitive: readonly string[],
) {
  const { deposed, ...identity } = identifyTerraformResource(resource.address, resource.kind);
  return {
    ...identity,
    ...(deposed !== undefined && { deposed_key: deposed }),
    schema_version: 0,
    values: sortAttributeKeys(attributes, new Set(sensitive)),
    sensitive_values: markAttributeNames(sensitive.filter((name) => name in attributes)),
  };
}

/** Marks attributes as `{ name: true }`, in order, which is Terraform's form for unknown and for sensitive attributes. */
export function markAttributeNames(names: Iterable<string>): Readonly<Record<string, true>> {
  return Object.fromEntries([...names].sort().map((name) => [name, true as const]));
}

/** Sorts the keys of attributes at every depth, without the attributes in `leftOut`: equal plans give equal text. */
export function sortAttributeKeys(
  attributes: Attributes,
  leftOut: ReadonlySet<string> = new Set(),
): Attributes {
  const names = Object.keys(attributes)
    .filter((name) => !leftOut.has(name))
    .sort();
  return Object.fromEntries(names.map((name) => [name, sortValueKeys(attributes[name] ?? null)]));
}

/** Sorts the keys of a value at every depth, so that equal values have equal JSON. */
export function sortValueKeys(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortValueKeys);
  return sortAttributeKeys(value);
}
