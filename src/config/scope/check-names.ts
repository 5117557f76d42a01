// Checks of the names in an expression against the YAML alone, before any value is computed, and so also in branches that are
// not taken.
import { functionsByName } from '../../expressions/functions/catalogue.ts';
import {
  formatReference,
  type NameReference,
  type ReferenceStep,
} from '../../expressions/parse/references.ts';
import { checkModuleName, quoteFirstForEachKey } from './check-modules.ts';
import { findRepetitionOfKind, type BlockRepetition, type EachBinding } from './each.ts';
import { listAttributes } from '../../kinds/attribute-names.ts';
import { findDataSource } from '../../kinds/data-sources.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { singletonKindsByCollection, topLevelKindsByCollection } from '../../model/address.ts';
import { readNodeText } from '../source/read-fields.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type LocatedYamlNode,
  type YamlMapNode,
} from '../source/located-node.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import type { VariableType } from '../variables/value-type.ts';
import {
  findItemType,
  findTypeMemberFault,
  describeMissingName,
  type UnknownNameFault,
} from './name-fault.ts';
import { findWholeReference, followLocals } from './whole-reference.ts';
import {
  isProject,
  kindPlaces,
  listDirectChildKinds,
  type KindName,
} from '../../model/kind-places.ts';

/** Names with their members; undefined for a name without members, or with unknown ones. */
export interface NamesWithMembers {
  readonly [name: string]: readonly string[] | NamesWithMembers | undefined;
}

/** Names that a configuration or a module declares, and those that only one expression may use. */
export interface DeclaredNames {
  readonly variables: ReadonlyMap<string, { readonly type: VariableType }>;
  readonly locals: readonly string[];
  readonly tree: YamlMapNode;
  /** Names that only some expressions may use, each with its members: `before` and `after` of a policy. */
  readonly others: NamesWithMembers;
  /** Repetition of the block around the expression, which gives `each` its members. */
  readonly each: Pick<EachBinding, 'kind' | 'repeatedBy'>;
  /** Kind of the resource whose field holds the expression; undefined outside of resources. */
  readonly kind: KindName | undefined;
  /** The outputs of a module by its key; undefined for a module that could not be read. */
  outputsOf(module: string): readonly string[] | undefined;
}

function keepReadable(byName: ReadonlyMap<string, KindName>): ReadonlyMap<string, KindName> {
  return new Map([...byName].filter(([, kind]) => !kindRegistry[kind].traits.credential));
}

const readableTop = keepReadable(topLevelKindsByCollection);
const readableSingle = keepReadable(singletonKindsByCollection);

/** Collections at the top of the YAML that expressions may read, with their kinds. */
export const expressionCollectionNames: ReadonlyMap<string, KindName> = new Map([
  ...readableTop,
  ...readableSingle,
]);

const rootNames = [
  ...['var', 'local', 'data', 'each', 'path'],
  ...readableTop.keys(),
  'modules',
  ...readableSingle.keys(),
];

const eachNames: Record<BlockRepetition, readonly string[]> = {
  none: [],
  count: ['index'],
  forEach: ['key', 'value'],
};

/** The hint for `each` outside of a repeated block: repeat this block where its kind allows that, or use another one. */
function hintToRepeat(kind: KindName | undefined): string {
  if (kind === undefined || kindPlaces[kind].isSingle)
    return 'Use it in a block with `count` or `forEach`, or write the value out.';
  return `Give the ${kindRegistry[kind].label} a \`count\` or a \`forEach\`, or write the value out.`;
}

function checkEach(
  reference: NameReference,
  { each, kind, variables, tree }: DeclaredNames,
): UnknownNameFault | undefined {
  const name = reference.steps[0]?.key;
  if (each.kind !== 'none' && (name === undefined || eachNames[each.kind].includes(String(name)))) {
    if (name !== 'value' || reference.steps.length < 2) return undefined;
    const whole = findWholeReference(each.repeatedBy);
    const items = whole && followLocals(whole, tree);
    return items && findTypeMemberFault(reference, findItemType(items, variables));
  }
  const hints: Record<BlockRepetition, string> = {
    none: hintToRepeat(kind),
    count: 'With `count` there is `each.index`.',
    forEach: 'With `forEach` there are `each.key` and `each.value`.',
  };
  return {
    code: 'each-outside-count',
    summary: `\`${formatReference({ ...reference, steps: reference.steps.slice(0, 1) })}\` has no meaning here`,
    hint: hints[each.kind],
    start: reference.start,
    end: reference.end,
  };
}

/** The fault of a wrong instance: a repeated block needs an index or a key, and a single resource takes none. */
function checkInstance(
  body: LocatedYamlNode,
  kind: KindName,
  steps: readonly ReferenceStep[],
  below: string,
): UnknownNameFault | undefined {
  const eachKind = findRepetitionOfKind(kind, body);
  const [first] = steps;
  if (!first) return undefined;
  const isIndex = typeof first.key === 'number';
  const isAttribute = listAttributes(kind).includes(String(first.key));
  const behind = (from: number) => formatReference({ root: '', steps: steps.slice(from) });
  const fault = (summary: string, hint: string): UnknownNameFault => {
    const { start, end } = first;
    return { code: 'unknown-name', summary, hint, start, end, isWhole: true };
  };
  if (eachKind === 'none') {
    if (!isIndex) return undefined;
    const hint = `Write \`${below}${behind(1)}\`.`;
    return fault(`\`${below}\` has no count: it is one`, hint);
  }
  const key = eachKind === 'count' ? '0' : quoteFirstForEachKey(body);
  const one = `${below}[${key}]${behind(isAttribute ? 0 : 1)}`;
  if (eachKind === 'count') {
    if (isIndex) return undefined;
    const list = isAttribute ? `, or \`${below}.map(one, one${behind(0)})\`` : '';
    return fault(`\`${below}\` has a count: it is a list`, `Write \`${one}\`${list}.`);
  }
  const keys = findYamlMapChild(body, 'forEach');
  const isWritten = keys !== undefined && keys.kind !== 'scalar';
  const isKey = isWritten && listKeys(keys).includes(String(first.key));
  if (isKey || !(isIndex || (isAttribute && isWritten))) return undefined;
  return fault(`\`${below}\` has a forEach: it is a map`, `Write \`${one}\`.`);
}

/** Lists the keys that a `forEach` gives literally. */
function listKeys(keys: LocatedYamlNode): readonly string[] {
  return keys.kind === 'list'
    ? keys.items.map((item) => readNodeText(item) ?? '')
    : [...listYamlMapEntries(keys).keys()];
}

/** Checks the steps behind the key of a resource: its instance, an attribute, port forwards. */
function checkResource(
  body: LocatedYamlNode,
  kind: KindName,
  steps: readonly ReferenceStep[],
  below: string,
): UnknownNameFault | undefined {
  const misnamed = checkInstance(body, kind, steps, below);
  if (misnamed) return misnamed;
  const ofInstance = findRepetitionOfKind(kind, body) === 'none' ? 0 : 1;
  const [step, ...rest] = steps.slice(ofInstance);
  if (step === undefined) return undefined;
  const shown = formatReference({ root: below, steps: steps.slice(0, ofInstance) });
  const held = listDirectChildKinds(kind);
  const nested = held.find((one) => kindPlaces[one].collection === step.key);
  if (nested) {
    const { collection } = kindPlaces[nested];
    return checkCollection(
      findYamlMapChild(body, collection),
      nested,
      rest,
      `${shown}.${collection}`,
    );
  }
  const collections = isProject(kind) ? held.map((one) => kindPlaces[one].collection) : [];
  const known = [...listAttributes(kind), ...collections];
  const isKnown = typeof step.key === 'string' && known.includes(step.key);
  return isKnown ? undefined : describeMissingName(step, String(step.key), shown, known);
}

function checkCollection(
  collection: LocatedYamlNode | undefined,
  kind: KindName,
  steps: readonly ReferenceStep[],
  below: string,
): UnknownNameFault | undefined {
  const [step, ...rest] = steps;
  if (!step) return undefined;
  const entries = listYamlMapEntries(collection);
  const entry = typeof step.key === 'string' ? entries.get(step.key) : undefined;
  if (!entry) return describeMissingName(step, String(step.key), below, [...entries.keys()]);
  return checkResource(entry.value, kind, rest, formatReference({ root: below, steps: [step] }));
}

/** Checks a name that begins with a collection at the top of the YAML. */
function checkTop(
  reference: NameReference,
  kind: KindName,
  { tree }: DeclaredNames,
): UnknownNameFault | undefined {
  const { root, steps } = reference;
  const collection = findYamlMapChild(tree, root);
  return kindPlaces[kind].isSingle
    ? checkDeclared(reference, [...listYamlMapEntries(collection).keys()])
    : checkCollection(collection, kind, steps, root);
}

/** Checks a name below `data`: the entry and its attribute must exist. */
function checkData(
  { steps }: NameReference,
  { tree }: DeclaredNames,
): UnknownNameFault | undefined {
  const [first, attribute] = steps;
  if (!first) return undefined;
  const entries = listYamlMapEntries(findYamlMapChild(tree, 'data'));
  const entry = typeof first.key === 'string' ? entries.get(first.key) : undefined;
  if (!entry) return describeMissingName(first, String(first.key), 'data', [...entries.keys()]);
  const known = Object.keys(
    findDataSource(readNodeText(findYamlMapChild(entry.value, 'kind')))?.attributes ?? {},
  );
  // A query of an unknown kind was already reported.
  if (!attribute || known.length === 0 || known.includes(String(attribute.key))) return undefined;
  const below = formatReference({ root: 'data', steps: [first] });
  return describeMissingName(attribute, String(attribute.key), below, known);
}

function checkDeclared(
  reference: NameReference,
  known: readonly string[],
): UnknownNameFault | undefined {
  const [step] = reference.steps;
  if (!step || known.includes(String(step.key))) return undefined;
  return describeMissingName(step, String(step.key), reference.root, known);
}

/** Checks what is read below a local that stands for another name. */
function checkBelowLocal(
  reference: NameReference,
  names: DeclaredNames,
): UnknownNameFault | undefined {
  const target = reference.steps.length > 1 ? followLocals(reference, names.tree) : undefined;
  const fault = target && checkExpressionName(target, names);
  // A fault of the local's own text is reported there.
  return fault && fault.start > reference.start && fault.isWhole !== true ? fault : undefined;
}

/** Checks the members of a name that only some expressions may use. */
function checkOther(
  below: string,
  [step, ...rest]: readonly ReferenceStep[],
  known: NamesWithMembers[string],
): UnknownNameFault | undefined {
  if (!step || !known) return undefined;
  const name = String(step.key);
  if (isNameList(known)) {
    return known.includes(name) ? undefined : describeMissingName(step, name, below, known);
  }
  if (!Object.hasOwn(known, name))
    return describeMissingName(step, name, below, Object.keys(known));
  return checkOther(`${below}.${name}`, rest, known[name]);
}

function isNameList(known: readonly string[] | NamesWithMembers): known is readonly string[] {
  return Array.isArray(known);
}

/** The error for a name whose first word is unknown. */
function checkRoot({ root, steps, start }: NameReference, names: DeclaredNames): UnknownNameFault {
  const range = { start, end: start + root.length, root, steps };
  const known = [...rootNames, ...Object.keys(names.others)];
  const hint =
    steps.length === 0 && suggestNearestName(root, known) === undefined
      ? hintAtWord(root, names)
      : undefined;
  return describeMissingName(range, root, '', known, hint);
}

/** The hint for a single unknown word: a variable, a local, a function, or a text that lacks its quotes. */
function hintAtWord(word: string, { variables, locals }: DeclaredNames): string {
  if (variables.has(word)) return `Write \`var.${word}\`.`;
  if (locals.includes(word)) return `Write \`local.${word}\`.`;
  if (functionsByName.has(word)) return `Call the function: \`${word}(…)\`.`;
  return `Put a text in quotes: \`"${word}"\`.`;
}

/** Finds the fault of a name in an expression, as far as the YAML alone shows; undefined for a valid name. */
export function checkExpressionName(
  reference: NameReference,
  names: DeclaredNames,
): UnknownNameFault | undefined {
  switch (reference.root) {
    case 'var':
      return (
        checkDeclared(reference, [...names.variables.keys()]) ??
        findTypeMemberFault(reference, names.variables.get(String(reference.steps[0]?.key))?.type)
      );
    case 'local':
      return checkDeclared(reference, names.locals) ?? checkBelowLocal(reference, names);
    case 'path':
      return checkDeclared(reference, ['module']);
    case 'each':
      return checkEach(reference, names);
    case 'data':
      return checkData(reference, names);
    case 'modules':
      return checkModuleName(reference, names.tree, (module) => names.outputsOf(module));
    default: {
      const kind = expressionCollectionNames.get(reference.root);
      if (kind) return checkTop(reference, kind, names);
      if (Object.hasOwn(names.others, reference.root)) {
        return checkOther(reference.root, reference.steps, names.others[reference.root]);
      }
      return checkRoot(reference, names);
    }
  }
}
