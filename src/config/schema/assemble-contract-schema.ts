// The schema of bindings: its grammar, and for editors each name that the contract has.
import {
  enumWords,
  type MemberShape,
  operationShapes,
  recordShapes,
} from '../../api/contract/shapes.ts';
import base from './contract.json' with { type: 'json' };

type Piece = Readonly<Record<string, unknown>>;

/** Schema of contract files for the validator: names are checked by `findBindingLineFaults`, which knows the contract. */
export const contractFileSchema: Piece = base;

/** Definitions of the contract file's JSON Schema, for messages. */
export const contractDefinitions = base.$defs as Readonly<Record<string, object>>;

/** Assembles the whole JSON Schema of contract files, as it is published, in which an editor finds every name. */
export function assembleContractSchema(): Piece {
  const operations = Object.keys(operationShapes);
  const sending = Object.entries(operationShapes).filter(([, { body }]) => body !== undefined);
  const members = (record = '') => Object.keys(recordShapes[record] ?? {});
  const bodies = sending.map(([name, { body }]) => [name, members(body)] as const);
  const records = Object.keys(recordShapes).map((name) => [name, members(name)] as const);
  const numbers = Object.entries(recordShapes).flatMap(([name, shape]) => {
    const counted = Object.entries(shape).filter(([, { type }]) => type === 'number');
    return counted.length > 0 ? [[name, counted.map(([member]) => member)] as const] : [];
  });
  const placed = Object.entries(operationShapes).map(
    ([name, { params, query, body }]) => [name, [...params, ...query, ...members(body)]] as const,
  );
  return {
    ...base,
    properties: {
      ...base.properties,
      ids: named(base.properties.ids, ['default', ...listRecordsWithIds()]),
      lists: named(base.properties.lists, ['default', ...listListOperations()]),
      answers: named(base.properties.answers, operations),
      operations: named(base.properties.operations, operations),
      parameters: nested(base.properties.parameters, placed),
      constants: named(base.properties.constants, operations),
      fields: nested(base.properties.fields, [...records, ...bodies]),
      units: nested(base.properties.units, numbers),
      enums: nested(base.properties.enums, Object.entries(enumWords)),
    },
  };
}

/** Lists the kinds of records whose ids occur in the contract. */
export function listRecordsWithIds(): readonly string[] {
  const owners = Object.values(recordShapes)
    .flatMap((shape): MemberShape[] => Object.values(shape))
    .flatMap((shape) => (shape.type === 'id' ? [shape.of] : []));
  return [...new Set(owners)];
}

/** Lists the operations whose answers are lists. */
export function listListOperations(): readonly string[] {
  return Object.entries(operationShapes).flatMap(([name, { isList }]) => (isList ? [name] : []));
}

/** Schema of a map that has only the given keys. */
function named({ additionalProperties, ...map }: Piece, names: readonly string[]): Piece {
  const properties = Object.fromEntries(names.map((name) => [name, additionalProperties]));
  return { ...map, additionalProperties: false, properties };
}

/** Schema of a map whose values are maps with only the given keys. */
function nested(
  { additionalProperties, ...map }: Piece,
  entries: readonly (readonly [string, readonly string[]])[],
): Piece {
  const inner = additionalProperties as Piece;
  const properties = Object.fromEntries(
    entries.map(([name, names]) => [name, named(inner, names)]),
  );
  return { ...map, additionalProperties: false, properties };
}
