// The places in a schema where a value of the contract may stand.
import type { Pointer } from '../../model/account/binding.ts';
import type { ApiSchema } from '../document/document.ts';
import { escape } from '../document/schema-reader.ts';
import { splitWords, type Words } from '../vocabulary/words.ts';

/** A place in a record. */
export interface Leaf {
  readonly pointer: Pointer;
  readonly schema: ApiSchema;
  /** Of its own name. */
  readonly words: Words;
  /** Of the names of what holds it, outermost first. */
  readonly holders: Words;
  /** Of the name of what holds it at once; empty at the top. */
  readonly holder: Words;
  /** The name of what holds it, where that is a thing with an id of its own. */
  readonly entity: Words | undefined;
  /** True where it, or what holds it, is a list. */
  readonly isList: boolean;
  /** True where what holds it is a list. */
  readonly isInList: boolean;
  /** True where one that is not there has no value: it may be left out and is never null, or what holds it may be either. */
  readonly isLeftOut: boolean;
  /** True where the document says that it may be left out. */
  readonly isOptional: boolean;
}

const deepest = 5;
const leavesOf = new WeakMap<ApiSchema, readonly Leaf[]>();

/** Every place of a schema, five members deep. */
export function listLeaves(schema: ApiSchema | undefined): readonly Leaf[] {
  if (!schema) return [];
  const known = leavesOf.get(schema);
  if (known) return known;
  const leaves = collect(schema, undefined, 1);
  leavesOf.set(schema, leaves);
  return leaves;
}

function collect(schema: ApiSchema, holder: Leaf | undefined, depth: number): readonly Leaf[] {
  return [...schema.members].flatMap(([name, member]) => {
    const isArray = member.schema.type === 'array';
    const isOptional = !member.isRequired && !member.isUnsaid;
    const isHolderLeftOut =
      holder !== undefined && (holder.isLeftOut || holder.schema.isNullable || holder.isOptional);
    const leaf: Leaf = {
      pointer: `${holder?.pointer ?? ''}/${escape(name)}`,
      schema: member.schema,
      words: splitWords(name),
      holders: holder ? [...holder.holders, ...holder.words] : [],
      holder: holder?.words ?? [],
      entity: holder && hasId(schema) ? holder.words : holder?.entity,
      isList: isArray || holder?.isList === true,
      isInList: holder?.isList === true,
      isLeftOut: isHolderLeftOut || (isOptional && !member.schema.isNullable),
      isOptional,
    };
    if (depth >= deepest) return [leaf];
    const inner = isArray ? member.schema.items : member.schema;
    if (!inner || inner.members.size === 0 || (isArray && holder?.isList)) return [leaf];
    const at = isArray ? { ...leaf, pointer: `${leaf.pointer}/*` } : leaf;
    return [leaf, ...collect(inner, at, depth + 1)];
  });
}

function hasId(schema: ApiSchema): boolean {
  return [...schema.members.keys()].some((name) => /^(?:_?id|uuid|guid)$/i.test(name));
}
