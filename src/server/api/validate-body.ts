import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readBody } from '../access/read-body.ts';
import { Problem } from './problem.ts';
import { readContract } from './read-server-contract.ts';

const bodyNames = [
  'NewWorkspace',
  'WorkspaceEdit',
  'NewRun',
  'NewConnection',
  'ConnectionEdit',
  'NewMember',
  'MemberEdit',
  'NewDecision',
  'AccountEdit',
  'NewMessageTarget',
] as const;

/** What bodies the contract describes. */
export type BodyName = (typeof bodyNames)[number];

/** Reads the body of a request by the contract, with its defaults. @throws Problem 400, 413, 422 */
export type ReadBody = <T>(request: Request, name: BodyName) => Promise<T>;

const maxBytes = 1024 * 1024;
const contractId = 'https://hostwright.invalid/server.yaml';

/** Compiles the schemas of the contract. */
export async function openValidation(): Promise<ReadBody> {
  const contract = (await readContract()) as object;
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema(contract, contractId);
  const compile = (name: BodyName): ValidateFunction =>
    ajv.compile({ $ref: `${contractId}#/components/schemas/${name}` });
  const validators = Object.fromEntries(
    bodyNames.map((name) => [name, compile(name)] as const),
  ) as Readonly<Record<BodyName, ValidateFunction>>;
  return async <T>(request: Request, name: BodyName) => {
    const body = await readJson(request);
    const validate = validators[name];
    if (validate(body)) return body as T;
    const faults = (validate.errors ?? []).map(
      ({ instancePath, message = 'is not valid' }) => `${instancePath || 'The body'} ${message}.`,
    );
    throw new Problem(422, 'The body is not valid', [...new Set(faults)].slice(0, 20).join(' '));
  };
}

async function readJson(request: Request): Promise<unknown> {
  const body = await readBody(
    request,
    maxBytes,
    () => new Problem(413, 'The body is larger than 1 MB'),
  );
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Problem(400, 'The body is not JSON');
  }
}
