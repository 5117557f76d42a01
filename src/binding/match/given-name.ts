// The member by which people name things in a document: `displayName`, where `name` is the service's own for a path.
import type { ApiDocument } from '../document/document.ts';
import { type BindingLexicon, findKindSense, type NameWords } from '../vocabulary/words.ts';
import { changingHttpMethods } from './deeds.ts';
import { areNamesOutsideContract } from '../vocabulary/strangers.ts';
import { listSchemaLeaves, type SchemaLeaf } from './leaves.ts';
import { parseApiPath } from './paths.ts';

/** Collections that are needed to tell how people name things. */
const enough = 3;

/**
 * Words by which the service's request bodies give a resource its name, such as `display name`; undefined where they have a plain
 * `name`, or differ.
 */
export function findNameMemberWords(
  { operations }: ApiDocument,
  lexicon: BindingLexicon,
): NameWords | undefined {
  const said = new Map<string, NameWords>();
  const collections = new Set<string>();
  for (const { method, path, body } of operations) {
    if (!changingHttpMethods.includes(method)) continue;
    const collection = parseApiPath(path).findLast(({ isParam }) => !isParam);
    if (!collection || areNamesOutsideContract(collection.words)) continue;
    for (const { words, isList, schema } of listSchemaLeaves(body)) {
      if (isList || schema.type !== 'string') continue;
      if (lexicon.likeness(findKindSense('name'), words) < 0.9) continue;
      said.set(words.join(' '), words);
      collections.add(collection.text);
    }
  }
  const [only, ...others] = said.values();
  return collections.size >= enough && others.length === 0 && !isPlain(only) ? only : undefined;
}

function isPlain(words: NameWords | undefined): boolean {
  return words?.join(' ') === 'name';
}

/** Places of a schema without each plain `name` that lies beside the member by which the service names resources. */
export function removePlainNames(
  leaves: readonly SchemaLeaf[],
  given: NameWords | undefined,
): readonly SchemaLeaf[] {
  const phrase = given?.join(' ');
  const holders = new Set(
    leaves.filter(({ words }) => words.join(' ') === phrase).map(({ holders: of }) => of.join('/')),
  );
  return leaves.filter(({ words, holders: of }) => !isPlain(words) || !holders.has(of.join('/')));
}
