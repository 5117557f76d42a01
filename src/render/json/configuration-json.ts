import type { ResourceAddress } from '../../model/address.ts';
import { groupBy, elementAt } from '../../model/group-by.ts';
import type { Change } from '../../model/plan/plan.ts';
import { mapLazily } from '../../model/text/json-parts.ts';
import { isEqual } from '../../model/value.ts';
import type { Value } from '../../model/value.ts';
import {
  terraformProviderName,
  findTerraformResourceType,
  sortValueKeys,
} from './resource-json.ts';
import { replaceCatalogIdsByNames } from '../view/change-sides.ts';
import { splitResourceName } from '../view/resource-name.ts';

interface ExpressionJson {
  readonly constant_value?: Value;
}

/**
 * Describes the member `configuration` of Terraform's plan JSON, as far as a plan knows it: the declared resources, and
 * the configured fields whose value is known and the same for every instance. As in Terraform's, any other expression
 * is an empty object.
 */
export function describeConfiguration(changes: readonly Change[]): object {
  const groups = groupBy(
    changes.filter(({ after }) => after !== null),
    ({ address }) => splitResourceName(address).base,
  );
  return {
    provider_config: {
      [terraformProviderName]: { name: terraformProviderName, full_name: terraformProviderName },
    },
    root_module: {
      resources: mapLazily(groups, ([base, group]) => describeDeclaration(base, group)),
    },
  };
}

function describeDeclaration(base: ResourceAddress, instances: readonly Change[]): object {
  const fields = new Set(instances.flatMap((change) => change.configured));
  const expressions = [...fields]
    .sort()
    .map((field) => [field, findExpression(field, instances)] as const);
  const { kind } = elementAt(instances, 0);
  return {
    address: base,
    mode: 'managed',
    type: findTerraformResourceType(kind),
    name: splitResourceName(base).name,
    provider_config_key: terraformProviderName,
    expressions: Object.fromEntries(expressions),
    schema_version: 0,
  };
}

function findExpression(field: string, instances: readonly Change[]): ExpressionJson {
  const values = instances.map(
    ({ after, entryNames }) => replaceCatalogIdsByNames(after, entryNames)?.[field],
  );
  const [value] = values;
  const isHidden = instances.some((change) => change.sensitive.includes(field));
  if (value === undefined || isHidden) return {};
  return values.every((other) => isEqual(value, other))
    ? { constant_value: sortValueKeys(value) }
    : {};
}
