import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readRequestBody } from '../access/read-body.ts';
import type { RequestBodyContract } from '../bodies/describe-expected.ts';
import {
  explainBodyChoice,
  explainBodyFaults,
  notAnObjectFault,
} from '../bodies/explain-faults.ts';
import type { Schemas } from '../contract.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { readServerContract } from './read-server-contract.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Names of the request bodies that the API contract describes. */
export type RequestBodyName =
  | 'NewWorkspace'
  | 'WorkspaceEdit'
  | 'NewRun'
  | 'NewConnection'
  | 'ConnectionEdit'
  | 'NewMember'
  | 'MemberEdit'
  | 'NewDecision'
  | 'AccountEdit'
  | 'NewHold'
  | 'NewMessageTarget'
  | 'PolicyFileEdit'
  | 'VariableSetEdit'
  | 'NewVariableComparison';

/** Reads the body of a request by the contract, with its defaults. @throws ApiProblemError 400, 413, 422 */
export type ReadValidatedBody = <Name extends RequestBodyName>(
  request: Request,
  name: Name,
) => Promise<Schemas[Name]>;

const maxBytes = 1024 * 1024;
const contractId = 'https://hostwright.invalid/server.yaml';
/** The most faults of a request body that an answer lists. */
const mostFaults = 20;

/** Validates a body and adds the defaults. @returns the faults in sentences; none where it is valid */
type Validate = (body: unknown) => readonly string[];

/**
 * Makes the reader of request bodies that are valid by the API contract. A schema is compiled at its first use, since compiling
 * all of them takes a tenth of a second.
 */
export async function openBodyValidation(): Promise<ReadValidatedBody> {
  const contract = (await readServerContract()) as RequestBodyContract;
  const ajv = new Ajv2020({ allErrors: true, verbose: true, useDefaults: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema(contract, contractId, undefined, false);
  const validators = new Map<RequestBodyName, Validate>();
  return async <Name extends RequestBodyName>(request: Request, name: Name) => {
    const body = await readJson(request);
    const validate = validators.get(name) ?? openValidator(ajv, contract, name);
    validators.set(name, validate);
    const faults = validate(body);
    if (faults.length === 0) return body as Schemas[Name];
    throw new ApiProblemError(422, 'The body is not valid', faults.slice(0, mostFaults).join(' '));
  };
}

function openValidator(ajv: Ajv2020, contract: RequestBodyContract, name: string): Validate {
  const { discriminator } = contract.components.schemas[name] ?? {};
  if (!discriminator) {
    const validate = ajv.compile({ $ref: `${contractId}#/components/schemas/${name}` });
    return (body) => (validate(body) ? [] : explainBodyFaults(validate.errors ?? [], contract));
  }
  // Faults are those of the schema that is meant, and not of all that it could be.
  const { propertyName, mapping } = discriminator;
  const choices = new Map(
    Object.entries(mapping).map(([value, ref]) => {
      return [value, openValidator(ajv, contract, ref.slice(ref.lastIndexOf('/') + 1))] as const;
    }),
  );
  return (body) => {
    if (!isJsonObject(body)) return [notAnObjectFault];
    const given = body[propertyName];
    const chosen = typeof given === 'string' ? choices.get(given) : undefined;
    return chosen?.(body) ?? explainBodyChoice(propertyName, given, [...choices.keys()]);
  };
}

async function readJson(request: Request): Promise<unknown> {
  const body = await readRequestBody(
    request,
    maxBytes,
    () => new ApiProblemError(413, 'The body is larger than 1 MB'),
  );
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ApiProblemError(400, 'The body is not JSON');
  }
}
