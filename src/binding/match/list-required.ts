import type { OperationId } from '../../api/contract/routes.ts';
import { operationShapes } from '../../api/contract/shapes.ts';
import type { ApiOperation, ApiSchema } from '../document/document.ts';
import { escapeJsonPointerStep } from '../document/schema-reader.ts';

/** A member or parameter that the service requires and the contract does not know. */
export interface UnknownRequiredMember {
  readonly operation: string;
  /** A JSON Pointer into the body, or the name of a parameter of the query. */
  readonly at: string;
  readonly in: 'body' | 'query';
  /** JSON type of the required value, for the comment in the contract file. */
  readonly type: string;
  /** The values that an enum allows; empty where the required member is no enum. */
  readonly words: readonly string[];
  /** The only possible value of the member, where each request has to send it. */
  readonly onlyValue?: string;
}

/** Members that an operation of the document requires, and the contract's does not give. `known` are the places that it gives. */
export function listUnknownRequiredMembers(
  operation: OperationId,
  theirs: ApiOperation,
  known: readonly string[],
  parameters: Readonly<Record<string, string>>,
): readonly UnknownRequiredMember[] {
  const queries = Object.values(parameters).flatMap((place) =>
    place.startsWith('query ') ? [place.slice(6)] : [],
  );
  const given = [...queries, ...operationShapes[operation].query];
  const inQuery = theirs.parameters
    .filter((one) => one.in === 'query' && one.isRequired && !given.includes(one.name))
    .map(({ name, schema }) => toRow(operation, 'query', name, schema));
  return [...inQuery, ...(theirs.body ? listMembers(operation, theirs.body, known) : [])];
}

function listMembers(
  operation: OperationId,
  schema: ApiSchema,
  known: readonly string[],
  pointer = '',
  isAlways = true,
): readonly UnknownRequiredMember[] {
  return [...schema.members].flatMap(([name, { schema: inner, isRequired }]) => {
    const at = `${pointer}/${escapeJsonPointerStep(name)}`;
    if (known.includes(at)) return [];
    if (known.some((one) => one.startsWith(`${at}/`)))
      return listMembers(operation, inner, known, at, isAlways && isRequired);
    if (!isRequired || inner.hasDefault) return [];
    const [onlyValue, ...others] = inner.words;
    const isFixed = isAlways && onlyValue !== undefined && others.length === 0;
    return [{ ...toRow(operation, 'body', at, inner), ...(isFixed && { onlyValue }) }];
  });
}

function toRow(
  operation: OperationId,
  place: 'body' | 'query',
  at: string,
  schema: ApiSchema | undefined,
): UnknownRequiredMember {
  return { operation, at, in: place, type: schema?.type ?? 'any', words: schema?.words ?? [] };
}
