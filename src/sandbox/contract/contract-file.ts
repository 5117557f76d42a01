import { InternalError } from '../../model/errors.ts';
import { readServiceContract } from './read-contract.ts';

/** A JSON Schema of the contract, or a reference to one. */
export type ContractSchema = Readonly<Record<string, unknown>>;

/** A parameter of a path or a query in the contract. */
export interface ContractParameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: ContractSchema;
}

/** An answer that the contract describes for one status. */
export interface ContractResponse {
  readonly description: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: ContractSchema }>>;

export interface ContractOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly 'x-evidence': string;
  readonly 'x-evidence-note'?: string;
  readonly parameters?: readonly (ContractParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ContractResponse | { readonly $ref: string }>>;
}

/** The parts of `schemas/openapi.yaml` that the sandbox reads. */
export interface ServiceContract {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ContractSchema>>;
    readonly parameters: Readonly<Record<string, ContractParameter>>;
    readonly responses: Readonly<Record<string, ContractResponse>>;
  };
}

/** The part that a reference leads to, by the last step of its path. */
export function resolveContractReference<Part extends object>(
  parts: Readonly<Record<string, Part>>,
  part: Part | { readonly $ref: string },
): Part {
  if (!('$ref' in part)) return part;
  const found = parts[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new InternalError(`The contract has no ${part.$ref}.`);
  return found;
}

let parsed: Promise<ServiceContract> | undefined;

/** Loads the contract from `schemas/openapi.yaml`, once. */
export function loadServiceContract(): Promise<ServiceContract> {
  parsed ??= readServiceContract() as Promise<ServiceContract>;
  return parsed;
}
