import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

import type { OperationId } from '../../api/contract/routes.ts';
import { InternalError } from '../../model/errors.ts';
import type { ServiceContract, ContractOperation, ContractSchema } from './contract-file.ts';
import { resolveContractReference } from './contract-file.ts';
import { InvalidRequestFieldList, maxInvalidRequestFields, RequestRefusal } from './problems.ts';

/** `/sshKeyIds/0` is said as `sshKeyIds[0]`; the body or the query as a whole as `''`. */
function fieldOf({ instancePath, params }: ErrorObject): string {
  const member: { missingProperty?: string; additionalProperty?: string } = params;
  return [...instancePath.split('/').slice(1), member.missingProperty ?? member.additionalProperty]
    .filter((part) => part !== undefined)
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

function messageOf({ keyword, message = 'is not valid', params }: ErrorObject): string {
  if (keyword === 'additionalProperties') return 'is not known here.';
  if (keyword === 'required') return 'is required.';
  const { allowedValues: allowed }: { allowedValues?: unknown[] } = params;
  return allowed ? `must be one of ${allowed.join(', ')}.` : `${message}.`;
}

const validators = new WeakMap<ServiceContract, ContractValidator>();

/** Finds the validator that all sandboxes of a process share, so that each schema is compiled once. */
export function findContractValidator(contract: ServiceContract): ContractValidator {
  const validator = validators.get(contract) ?? new ContractValidator(contract);
  validators.set(contract, validator);
  return validator;
}

/** Validates requests and answers against the contract. Each schema is compiled when it is first needed. */
export class ContractValidator {
  readonly #contract: ServiceContract;
  readonly #operations = new Map<string, ContractOperation>();
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(contract: ServiceContract) {
    this.#contract = contract;
    for (const item of Object.values(contract.paths)) {
      for (const operation of Object.values(item)) {
        if (operation.operationId) this.#operations.set(operation.operationId, operation);
      }
    }
    // The contract itself is linted where it is kept; judging it by its meta-schema would take 30 ms here.
    const options = { strict: true, allErrors: true, allowUnionTypes: true, validateSchema: false };
    this.#ajv = new Ajv2020(options);
    this.#ajv.addVocabulary(['x-evidence', 'x-evidence-note', 'x-evidence-values']);
    this.#ajv.addFormat('date-time', fullFormats['date-time']);
    const schemas = { $id: 'contract', $defs: contract.components.schemas };
    this.#ajv.addSchema(localReferences(schemas), undefined, undefined, false);
  }

  takesBody(operationId: OperationId): boolean {
    return this.#operation(operationId).requestBody !== undefined;
  }

  /** Checks the query of a request; numeric values become numbers. Throws the refusal (status 422) of a bad one. */
  checkQuery(
    operationId: OperationId,
    query: Readonly<Record<string, string>>,
  ): Record<string, unknown> {
    const parameters = (this.#operation(operationId).parameters ?? [])
      .map((parameter) => resolveContractReference(this.#contract.components.parameters, parameter))
      .filter((parameter) => parameter.in === 'query');
    const given = parameters.flatMap(({ name, schema }) => {
      const text = query[name];
      return text === undefined ? [] : [[name, schema.type === 'integer' ? readWhole(text) : text]];
    });
    const known = Object.fromEntries(given) as Record<string, unknown>;
    if (given.length === 0) return known;
    const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    const schema = { type: 'object', properties };
    refuseFaults(this.#compile(`query ${operationId}`, schema), known);
    return known;
  }

  /** Checks a body against the contract; throws the refusal (status 422) of a bad one. */
  checkBody(operationId: OperationId, body: unknown): void {
    const declared = this.#operation(operationId).requestBody;
    if (!declared || (body === undefined && declared.required !== true)) return;
    if (body === undefined)
      throw new RequestRefusal(400, 'malformed', 'This request needs a JSON body.');
    const schema = declared.content['application/json']?.schema ?? {};
    refuseFaults(this.#compile(`body ${operationId}`, schema), body);
  }

  /** Checks the sandbox's own answer against the contract; a bad one is a bug. */
  checkAnswer(operationId: OperationId, status: number, body: unknown): void {
    const { responses } = this.#operation(operationId);
    const declared = responses[status];
    if (declared === undefined) {
      throw new InternalError(
        `${operationId} answered ${status}, which the contract does not declare.`,
      );
    }
    const { content } = resolveContractReference(this.#contract.components.responses, declared);
    const schema = Object.values(content ?? {})[0]?.schema;
    if (schema === undefined) {
      if (body === undefined) return;
      throw new InternalError(
        `${operationId} answered ${status} with a body; the contract has none.`,
      );
    }
    const validate = this.#compile(`answer ${operationId} ${status}`, schema);
    if (validate(body)) return;
    const faults = this.#ajv.errorsText(validate.errors);
    throw new InternalError(`${operationId} answered ${status} against the contract: ${faults}`);
  }

  #operation(operationId: OperationId): ContractOperation {
    const operation = this.#operations.get(operationId);
    if (!operation) throw new InternalError(`The contract has no operation ${operationId}.`);
    return operation;
  }

  #compile(key: string, schema: object): ValidateFunction {
    const known = this.#compiled.get(key);
    if (known) return known;
    const compiled = this.#ajv.compile(localReferences(schema));
    this.#compiled.set(key, compiled);
    return compiled;
  }
}

/** A whole number as people write it; any other text as it is, for the schema to refuse: `1e20`, `0x10`, ` 1`. */
const readWhole = (text: string): number | string =>
  /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** The contract's references, as they read inside our one schema of all its schemas. */
function localReferences(schema: object): ContractSchema {
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"contract#/$defs/');
  return JSON.parse(text) as ContractSchema;
}

function refuseFaults(validate: ValidateFunction, value: unknown): void {
  if (validate(value)) return;
  const faults = new InvalidRequestFieldList();
  for (const error of validate.errors?.slice(0, maxInvalidRequestFields) ?? [])
    faults.add(fieldOf(error), messageOf(error));
  faults.refuse();
}
