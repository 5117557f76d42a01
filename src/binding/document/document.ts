// An OpenAPI document as the derivation reads it: 3.0, 3.1 and Swagger 2 alike.
import type { Route } from '../../api/contract/routes.ts';

/** A fault in the service's OpenAPI document. */
export interface ApiDocumentFault {
  /** JSON Pointer to the faulty place in the OpenAPI document. */
  readonly pointer: string;
  readonly what: string;
}

export type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';

/** A schema with its references resolved. Circles are allowed: what it holds is read when it is asked for. */
export interface ApiSchema {
  /** Name of the schema in the OpenAPI document, else its title; undefined without either. */
  readonly name: string | undefined;
  /** Type of the value; undefined where the document does not say. */
  readonly type: SchemaType | undefined;
  readonly format: string | undefined;
  readonly description: string;
  readonly isNullable: boolean;
  /** The values that an enum allows; empty for a schema that is no enum. */
  readonly words: readonly string[];
  readonly hasDefault: boolean;
  readonly minimum: number | undefined;
  readonly defaultValue: unknown;
  /** Numbers that the value may be: examples, the default, the least one and those of an enum. */
  readonly samples: readonly number[];
  readonly members: ReadonlyMap<string, ApiSchemaMember>;
  /** Schema of the items of an array; undefined for any other type. */
  readonly items: ApiSchema | undefined;
}

/** A property of an object schema in an OpenAPI document. */
export interface ApiSchemaMember {
  readonly schema: ApiSchema;
  readonly isRequired: boolean;
  /** Tells whether the object has no `required` at all, so that nothing is known of its members. */
  readonly isUnsaid: boolean;
}

/** A parameter of an operation in an OpenAPI document, in its path or its query. */
export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: ApiSchema | undefined;
}

export type HttpMethod = Route['method'];

/** An operation of an OpenAPI document: one method of one path. */
export interface ApiOperation {
  readonly id: string | undefined;
  readonly method: HttpMethod;
  /** Path of the operation, relative to the base address of the service. */
  readonly path: string;
  /** The route that it is requested by, where its method and path are read from words: `POST /Instance.Delete`. */
  readonly route?: Pick<Route, 'method' | 'path'>;
  /** Places of the parameters of its path that it is not requested with in a path, by name: `query id`, `body /id`. */
  readonly sentElsewhere?: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiSchema | undefined;
  /** Schema of a successful answer's body; undefined where the document does not describe it. */
  readonly answer: ApiSchema | undefined;
  /** Schema of a failed answer's body; undefined where the document does not describe it. */
  readonly problem: ApiSchema | undefined;
}

export interface ApiDocument {
  readonly operations: readonly ApiOperation[];
}
