// The places in a schema where a value of the contract may stand.
import type { JsonPointer } from '../../model/account/binding.ts';
import type { ApiSchemaMember, ApiSchema } from '../document/document.ts';
import { escapeJsonPointerStep } from '../document/schema-reader.ts';
import { splitWords, type NameWords } from '../vocabulary/words.ts';

/** A value within a record's schema, with its path. */
export interface SchemaLeaf {
  readonly pointer: JsonPointer;
  readonly schema: ApiSchema;
  /** Words of the leaf's own name. */
  readonly words: NameWords;
  /** Words of the names of all objects around the leaf, outermost first. */
  readonly holders: NameWords;
  /** Words of the name of the nearest object around the leaf; empty at the top. */
  readonly holder: NameWords;
  /** Name of the nearest object around the leaf that has an id of its own. */
  readonly entity: NameWords | undefined;
  /** Tells whether the value itself, or an object around it, is a list. */
  readonly isList: boolean;
  /** Tells whether an object around the value is an item of a list. */
  readonly isInList: boolean;
  /**
   * True where an absent leaf stands for null: it may be left out and is never null, or an object around it may be
   * either.
   */
  readonly isLeftOut: boolean;
  /** Tells whether the document lets the leaf be left out. */
  readonly isOptional: boolean;
}

const deepest = 5;
/** The most values of one schema that are looked at: a larger schema is hardly one record. */
const most = 2_000;
const leavesOf = new WeakMap<ApiSchema, readonly SchemaLeaf[]>();

/** Lists the values of a schema, down to five levels of nesting. */
export function listSchemaLeaves(schema: ApiSchema | undefined): readonly SchemaLeaf[] {
  if (!schema) return [];
  const known = leavesOf.get(schema);
  if (known) return known;
  const leaves = collect(schema);
  leavesOf.set(schema, leaves);
  return leaves;
}

/** One level of nesting in the search through a schema. */
interface Level {
  readonly schema: ApiSchema;
  readonly holder: SchemaLeaf | undefined;
  /** The schemas around this level and its own, to notice a schema that contains itself. */
  readonly around: readonly ApiSchema[];
}

/** The outermost first: where there are too many, those deep inside are left out. What holds itself is read once. */
function collect(schema: ApiSchema): readonly SchemaLeaf[] {
  const leaves: SchemaLeaf[] = [];
  const levels: Level[] = [{ schema, holder: undefined, around: [schema] }];
  for (const { schema: object, holder, around } of levels) {
    for (const [name, member] of object.members) {
      if (leaves.length >= most) return leaves;
      if (isMarkOfKind(name, object)) continue;
      const leaf = readLeaf(name, member, object, holder);
      leaves.push(leaf);
      const isArray = member.schema.type === 'array';
      const inner = isArray ? member.schema.items : member.schema;
      const isEnd = around.length >= deepest || (isArray && holder?.isList === true);
      if (isEnd || !inner || inner.members.size === 0 || around.includes(inner)) continue;
      const at = isArray ? { ...leaf, pointer: `${leaf.pointer}/*` } : leaf;
      levels.push({ schema: inner, holder: at, around: [...around, inner] });
    }
  }
  return leaves;
}

function readLeaf(
  name: string,
  member: ApiSchemaMember,
  object: ApiSchema,
  holder: SchemaLeaf | undefined,
): SchemaLeaf {
  const isArray = member.schema.type === 'array';
  const isOptional = !member.isRequired && !member.isUnsaid;
  const isHolderLeftOut =
    holder !== undefined && (holder.isLeftOut || holder.schema.isNullable || holder.isOptional);
  return {
    pointer: `${holder?.pointer ?? ''}/${escapeJsonPointerStep(name)}`,
    schema: member.schema,
    words: splitWords(name),
    holders: holder ? [...holder.holders, ...holder.words] : [],
    holder: holder?.words ?? [],
    entity: holder && hasId(object) ? holder.words : holder?.entity,
    isList: isArray || holder?.isList === true,
    isInList: holder?.isList === true,
    isLeftOut: isHolderLeftOut || (isOptional && !member.schema.isNullable),
    isOptional,
  };
}

/** True for the `type` of JSON:API beside the `attributes` of a thing: it says which kind of thing that is, and nothing of it. */
function isMarkOfKind(name: string, { members }: ApiSchema): boolean {
  const attributes = members.get('attributes')?.schema;
  return name === 'type' && attributes !== undefined && attributes.members.size > 0;
}

function hasId(schema: ApiSchema): boolean {
  return [...schema.members.keys()].some((name) => /^(?:_?id|uuid|guid)$/i.test(name));
}
