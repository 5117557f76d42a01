// Hints at names that people bring into expressions from Terraform and other tools.
import { formatReference, type NameReference } from '../../expressions/parse/references.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { topLevelKindsByCollection } from '../../model/address.ts';
import { isProject, kindNames, kindPlaces, listDirectChildKinds } from '../../model/kind-places.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type LocatedYamlNode,
  type YamlMapNode,
} from '../source/located-node.ts';

const ownFields = 'Write the address of the resource: a field cannot read its own block.';
const ownOutputs =
  'Put the value into `locals`, and read it there: an output is not read by its own file.';

/** Name that belongs to another tool, or a slip, with the name to write instead. */
export interface NameOfOtherTool {
  readonly hint: string;
  /** The steps behind the first name that the hint replaces; only that name unless given. */
  readonly steps?: number;
}

/** Hints at names of other tools, by the first word of a name. */
const byRoot: ReadonlyMap<string, string> = new Map([
  [
    'terraform',
    'Declare a variable for the environment, and read `var.NAME`: there are no workspaces.',
  ],
  ['self', ownFields],
  ['this', ownFields],
  ['variables', 'Use `var`.'],
  ['module', 'Write `modules.KEY.outputs.NAME`.'],
  ['output', ownOutputs],
  ['outputs', ownOutputs],
  ['env', 'Use `env("NAME")`.'],
  ['index', 'Use `each.index`, the index of an instance with `count`.'],
  ['key', 'Use `each.key`, the key of an instance with `forEach`.'],
  ['value', 'Use `each.value`, the value of an instance with `forEach`.'],
]);

/** The first address of a resource with this key; of a collection, where one is named. */
function findByKey(
  tree: YamlMapNode,
  key: string,
  collection: string | undefined,
): string | undefined {
  for (const top of kindNames.filter(isProject)) {
    const holders = listYamlMapEntries(findYamlMapChild(tree, kindPlaces[top].collection));
    for (const [name, { value }] of holders) {
      const held = listDirectChildKinds(top).map((kind) => kindPlaces[kind].collection);
      const found = held
        .filter((one) => collection === undefined || one === collection)
        .find((one) => hasKey(findYamlMapChild(value, one), key));
      if (found === undefined) continue;
      const steps = [name, found, key].map((one) => ({ key: one, start: 0, end: 0 }));
      return formatReference({ root: kindPlaces[top].collection, steps });
    }
  }
  return undefined;
}

const hasKey = (node: LocatedYamlNode | undefined, key: string): boolean =>
  listYamlMapEntries(node).has(key);

/** The hint for a name whose first word no expression knows. */
function hintAtRoot(
  { root, steps }: NameReference,
  tree: YamlMapNode,
): NameOfOtherTool | undefined {
  const [first, second] = steps;
  if (root === 'count' && first?.key === 'index')
    return { hint: 'Use `each.index`, the index of an instance with `count`.', steps: 1 };
  const known = byRoot.get(root);
  if (known !== undefined) return { hint: known };
  const unread = topLevelKindsByCollection.get(root);
  if (unread && kindRegistry[unread].traits.credential) {
    return {
      hint: `Remove it: expressions read nothing of ${kindRegistry[unread].article} ${kindRegistry[unread].label}.`,
    };
  }
  const isCollection = kindNames.some((kind) => kindPlaces[kind].collection === root);
  // `resource.TYPE.NAME`, `TYPE.NAME` and `vms.NAME`: a type of Terraform has a `_`.
  const isResource = root === 'resource';
  const key = isResource ? second?.key : first?.key;
  if (typeof key !== 'string' || !(isCollection || isResource || root.includes('_'))) {
    return undefined;
  }
  const found = findByKey(tree, key, isCollection ? root : undefined);
  return found === undefined
    ? { hint: 'Write the address of the resource: its path in the YAML.' }
    : { hint: `Did you mean \`${found}\`?`, steps: isResource ? 2 : 1 };
}

/** Blocks that declare values which expressions read under another name. */
const blocks = new Map([
  ['var', 'variables'],
  ['local', 'locals'],
  ['data', 'data'],
]);

/** The hint for an unknown member of `path`, `var`, `local` or `data`. */
function hintAtMember(
  { root, steps }: NameReference,
  tree: YamlMapNode,
): NameOfOtherTool | undefined {
  const [first, second] = steps;
  if (root === 'path' && (first?.key === 'root' || first?.key === 'cwd')) {
    return { hint: 'Use `path.module`, the directory of the file.', steps: 1 };
  }
  const block = blocks.get(root);
  if (block === undefined || typeof first?.key !== 'string') return undefined;
  const declared = listYamlMapEntries(findYamlMapChild(tree, block));
  if (root === 'data' && typeof second?.key === 'string' && declared.has(second.key)) {
    return { hint: `Write \`data.${second.key}\`: the kind is not part of it.`, steps: 2 };
  }
  return declared.size === 0 ? { hint: `Declare it in \`${block}\`.` } : undefined;
}

/**
 * Hints at the name to write in place of an unknown one, as that of another tool; undefined where only a similar name
 * can be suggested.
 */
export function hintAtNameOfOtherTool(
  reference: NameReference,
  isRoot: boolean,
  tree: YamlMapNode,
): NameOfOtherTool | undefined {
  return isRoot ? hintAtRoot(reference, tree) : hintAtMember(reference, tree);
}
