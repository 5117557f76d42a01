// An OpenAPI document as the derivation reads it: 3.0, 3.1 and Swagger 2 alike.
import type { Route } from '../../api/contract/routes.ts';

/** A fault of a document. */
export interface DocumentFault {
  /** A JSON Pointer into the document. */
  readonly pointer: string;
  readonly what: string;
}

export type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';

/** A schema with its references resolved. Circles are allowed: what it holds is read when it is asked for. */
export interface ApiSchema {
  /** Under which the document has it, or its title. */
  readonly name: string | undefined;
  /** Type of the value; undefined where the document does not say. */
  readonly type: SchemaType | undefined;
  readonly format: string | undefined;
  readonly description: string;
  readonly isNullable: boolean;
  /** The words of an enum; empty for none. */
  readonly words: readonly string[];
  readonly hasDefault: boolean;
  readonly minimum: number | undefined;
  readonly defaultValue: unknown;
  readonly members: ReadonlyMap<string, ApiMember>;
  /** The schema of its items. */
  readonly items: ApiSchema | undefined;
}

/** A member of an object. */
export interface ApiMember {
  readonly schema: ApiSchema;
  readonly isRequired: boolean;
  /** True where the object has no `required` at all, so that nothing is known of its members. */
  readonly isUnsaid: boolean;
}

/** A parameter of a path or a query. */
export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: ApiSchema | undefined;
}

export type Method = Route['method'];

/** An operation of the document. */
export interface ApiOperation {
  readonly id: string | undefined;
  readonly method: Method;
  /** Below the base address. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiSchema | undefined;
  /** The body of a success, as far as it is described. */
  readonly answer: ApiSchema | undefined;
  /** The body of a failure. */
  readonly problem: ApiSchema | undefined;
}

export interface ApiDocument {
  readonly operations: readonly ApiOperation[];
}
