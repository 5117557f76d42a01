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
  /** The name of what holds it, where that is a thing with an id of its own. */
  readonly entity: Words | undefined;
  /** True where it, or what holds it, is a list. */
  readonly isList: boolean;
  /** True where something on the way may be left out, and the document says so of it and not of all. */
  readonly isLeftOut: boolean;
  readonly isRequired: boolean;
}

const deepest = 3;
const leavesOf = new WeakMap<ApiSchema, readonly Leaf[]>();

/** Every place of a schema, three members deep. */
export function listLeaves(schema: ApiSchema): readonly Leaf[] {
  const known = leavesOf.get(schema);
  if (known) return known;
  const leaves = collect(schema, undefined, 1);
  leavesOf.set(schema, leaves);
  return leaves;
}

function collect(schema: ApiSchema, holder: Leaf | undefined, depth: number): readonly Leaf[] {
  return [...schema.members].flatMap(([name, member]) => {
    const isArray = member.schema.type === 'array';
    const leaf: Leaf = {
      pointer: `${holder?.pointer ?? ''}/${escape(name)}`,
      schema: member.schema,
      words: splitWords(name),
      holders: holder ? [...holder.holders, ...holder.words] : [],
      entity: holder && hasId(schema) ? holder.words : holder?.entity,
      isList: isArray || holder?.isList === true,
      isLeftOut: holder?.isLeftOut === true || (!member.isRequired && !member.isUnsaid),
      isRequired: member.isRequired && holder?.isRequired !== false,
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
