import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Address } from '../model/address.ts';
import type { KindName } from '../model/resource.ts';
import { explainShapeError } from './explain-shape-error.ts';
import type { FaultList } from './fault-list.ts';
import { toPlainValue } from './located-node.ts';
import { configurationSchema } from './shape-schema.ts';
import type { Subject } from './subject.ts';
import { isBranch } from './validate-shape.ts';

/** What describes a field: a kind of resource, or another part of the schema. */
export type Definition = KindName | 'module' | 'guards' | 'service';

const definitionNames: Partial<Record<Definition, string>> = { portForward: 'forward' };

const expressionPattern = String.raw`\$\{`;

/** The schema as it holds for values: an expression is none. */
function withoutExpressions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExpressions);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { pattern, anyOf, type, ...rest } = schema as {
    pattern?: unknown;
    anyOf?: readonly { pattern?: unknown }[];
    type?: unknown;
  };
  const copy: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(rest)) copy[key] = withoutExpressions(one);
  const isStandIn = pattern === expressionPattern && Array.isArray(type);
  if (type !== undefined) {
    copy.type = isStandIn ? (type as readonly unknown[]).filter((one) => one !== 'string') : type;
  }
  if (typeof pattern === 'string' && pattern !== expressionPattern) {
    copy.pattern = pattern.replace(/\|\\\$\\\{$/, '');
  }
  const branches = anyOf?.filter((one) => one.pattern !== expressionPattern);
  if (branches) copy.anyOf = branches.map(withoutExpressions);
  return copy;
}

let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ValidateFunction | undefined>();

function findValidator(definition: Definition, field: string): ValidateFunction | undefined {
  const name = definitionNames[definition] ?? definition;
  const way = `config#/$defs/${name}/properties/${field}`;
  if (compiled.has(way)) return compiled.get(way);
  if (!ajv) {
    ajv = new Ajv2020({
      allErrors: true,
      verbose: true,
      allowUnionTypes: true,
      strictTypes: false,
      strictRequired: false,
      validateSchema: false,
    });
    const schema = withoutExpressions(configurationSchema) as object;
    ajv.addSchema({ ...schema, $id: 'config' });
  }
  const validate = ajv.getSchema(way);
  compiled.set(way, validate);
  return validate;
}

/** Checks what expressions made of a field against the schema; false when something was reported. */
export function validateField(
  definition: Definition,
  field: string,
  subject: Subject,
  address: Address | undefined,
  faults: FaultList,
): boolean {
  const validate = findValidator(definition, field);
  if (!validate || validate(toPlainValue(subject.node))) return true;
  for (const error of (validate.errors ?? []).filter((one) => !isBranch(one))) {
    const fault = explainShapeError(error, subject.node, new Set(), subject);
    if (fault) faults.add({ ...fault, ...(address !== undefined && { address }) });
  }
  return false;
}
