// Values that are worked out after the configuration: kept as expressions, with the values of their names other than
// resources.
import { compileExpression } from '../../expressions/evaluate/compile-expression.ts';
import { compileTemplate, type Template } from '../../expressions/evaluate/template.ts';
import { formatReference, type NameReference } from '../../expressions/parse/references.ts';
import { listAttributes } from '../../kinds/attribute-names.ts';
import { parseResourceAddress, topLevelKindsByCollection } from '../../model/address.ts';
import type { DeferredValue, DeferredExpression } from '../../model/deferred.ts';
import { isKnown, NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import { listInstanceKeys, emptyEachBinding, type EachBinding } from './each.ts';
import {
  findYamlMapChild,
  type LocatedYamlNode,
  type YamlScalarNode,
} from '../source/located-node.ts';
import { locateText } from '../source/locate-text.ts';
import { evaluateValue, hasExpression } from './resolve-node.ts';
import { toSourceRange } from '../source/source-file.ts';
import { convertDeferredValue } from '../variables/complete-deferred.ts';
import type { UnevaluatedValue, ModuleExpressionContext } from './space.ts';

/** Context of an expression: the space and the meaning of `each`. */
interface Around {
  readonly space: ModuleExpressionContext;
  readonly each: EachBinding;
  /** Name that expressions have for the resource that `self` means; absent where `self` means nothing. */
  readonly self?: string | undefined;
}

/** The longest chain of deferred values that refer to one another. */
const maxChain = 100;

type Names = DeferredExpression['names'];

const none: DeferredValue = { kind: 'value', value: null };

/** A value that is known, marked where it was made of a sensitive one. */
function keep(
  space: ModuleExpressionContext,
  read: () => ScopeValue | undefined,
): DeferredValue | undefined {
  const { value, isSensitive } = space.session.trace(read);
  if (value === undefined || !isKnown(value)) return undefined;
  return { kind: 'value', value, ...(isSensitive && { isSensitive }) };
}

/** Values of the outputs of modules, as far as a reference may read them. */
function deferModules({ steps }: NameReference, space: ModuleExpressionContext): Names {
  const [first] = steps;
  return [...space.modules.values()].flatMap((module) => {
    if (first && first.key !== module.key) return [];
    const { instances } = module;
    const keys = instances.kind === 'unknown' ? [] : listInstanceKeys(instances);
    return keys.flatMap((instance): Names => {
      const output = steps[instance === undefined ? 2 : 3]?.key;
      const inner = module.spaceOf(instance);
      const way = ['modules', module.key, ...(instance === undefined ? [] : [instance]), 'outputs'];
      const names = (inner?.outputNames ?? []).filter((name) => (output ?? name) === name);
      return names.map((name) => {
        const entry = findYamlMapChild(findYamlMapChild(inner?.source.tree, 'outputs'), name);
        const node = findYamlMapChild(entry, 'value');
        return [[...way, name], inner && node ? deferValue(node, inner) : none];
      });
    });
  });
}

/** Values of the entries of `data`, as far as a reference may read them. */
function deferData(
  { steps }: NameReference,
  space: ModuleExpressionContext,
  tree: NameTree,
): Names {
  const [entry, attribute] = steps;
  const keys = entry ? [String(entry.key)] : tree.keys();
  return keys.flatMap((key): Names => {
    const one = tree.get(key);
    if (!(one instanceof NameTree)) return [];
    const names = attribute ? [String(attribute.key)] : one.keys();
    return names.map((name) => [['data', key, name], keep(space, () => one.get(name)) ?? none]);
  });
}

function isUnset(value: ScopeValue): boolean {
  return value instanceof Unknown && value.isFault;
}

/** The expression behind a name whose value is not known yet. */
function originOf(
  root: string,
  name: string,
  { space, each }: Around,
): UnevaluatedValue | undefined {
  if (root === 'local' || root === 'var') return space.originOf(root, name);
  // `each.value` comes from a map that is written outside of the instance, in the instance of the block around it.
  return root === 'each' && each.node
    ? { node: each.node, space, each: each.outer ?? emptyEachBinding }
    : undefined;
}

/** The attributes of `self` that a reference may read: each as its resource has it. */
function deferSelf(
  { steps }: NameReference,
  self: string,
  { prefix, source: { tree } }: ModuleExpressionContext,
): Names {
  const [attribute] = steps;
  const kind = parseResourceAddress(prefix + self)?.kind;
  const names = attribute ? [String(attribute.key)] : kind ? listAttributes(kind) : [];
  return names.map((name) => {
    const text = `${self}.${name}`;
    const source = toSourceRange(tree);
    const expression = { kind: 'expression' as const, text, isTemplate: false, source };
    return [['self', name], { ...expression, references: [text], names: [], prefix }];
  });
}

/** Values of a name other than a resource, with the path of each. */
function deferName(reference: NameReference, around: Around): Names {
  const { root, steps } = reference;
  const { space, each, self } = around;
  const name = steps[0]?.key;
  if (root === 'self' && self !== undefined) return deferSelf(reference, self, space);
  if (root === 'modules') return deferModules(reference, space);
  const tree = topLevelKindsByCollection.has(root) ? undefined : space.scopeOf(each).get(root);
  if (!(tree instanceof NameTree)) return [];
  if (root === 'data') return deferData(reference, space, tree);
  const names = name === undefined ? tree.keys() : [String(name)];
  return names.map((one) => {
    const known = keep(space, () => tree.get(one));
    if (known) return [[root, one], known];
    const origin = originOf(root, one, around);
    const isBroken = tree.get(one) instanceof Unknown && origin === undefined;
    if (!origin || isBroken) return [[root, one], none];
    const type = root === 'var' ? space.source.variables.get(one)?.type : undefined;
    const deferred = deferAt(origin);
    return [[root, one], type ? convertDeferredValue(deferred, type) : deferred];
  });
}

function refuseHostFunctions(
  node: YamlScalarNode,
  space: ModuleExpressionContext,
  parts: Template['parts'],
): void {
  for (const { expression, codeOffset } of parts) {
    for (const { name, start, end } of expression.calls) {
      if (!Object.hasOwn(space.functions, name)) continue;
      space.session.faults.add({
        code: 'function-too-late',
        summary: `${name}() cannot be used where values are known only after apply`,
        hint: `Call it in \`locals\`, and use the local here.`,
        place: locateText(node, start + codeOffset, end + codeOffset),
      });
    }
  }
}

/**
 * Defers an expression until its values are known: keeps it with the meaning of its names. `self` is the name of the
 * resource that it means.
 */
export function deferExpression(
  node: YamlScalarNode,
  space: ModuleExpressionContext,
  isTemplate: boolean,
  each: EachBinding = emptyEachBinding,
  self?: string,
): DeferredExpression {
  const text = String(node.value);
  const parts = isTemplate
    ? compileTemplate(text).parts
    : [{ expression: compileExpression(text), codeOffset: 0 }];
  const all = parts.flatMap(({ expression }) => expression.references);
  const references = [...new Map(all.map((one) => [formatReference(one), one])).values()];
  const around = { space, each, self };
  refuseHostFunctions(node, space, parts);
  return {
    kind: 'expression',
    text,
    isTemplate,
    source: toSourceRange(node),
    references: references.map(formatReference),
    names: references.flatMap((reference) => deferName(reference, around)),
    prefix: space.prefix,
  };
}

/** Returns a value as it is, or with its expressions kept where their values are not known yet. */
export function deferValue(
  node: LocatedYamlNode,
  space: ModuleExpressionContext,
  each: EachBinding = emptyEachBinding,
): DeferredValue {
  return deferAt({ node, space, each });
}

function deferAt(origin: UnevaluatedValue): DeferredValue {
  const { node, space, each } = origin;
  const known = keep(space, () => evaluateValue(node, { space, each }));
  if (known) return known;
  // A value that is missing was reported, or is a variable that nobody has set yet: there is nothing to wait for.
  if (node.kind === 'scalar' && isUnset(evaluateValue(node, { space, each }))) return none;
  const { deferring } = space.session;
  // A value that refers to itself was reported, and would be followed without end.
  if (deferring.some((one) => one.node === node && one.space === space)) return none;
  if (deferring.length >= maxChain) {
    space.session.faults.add({
      code: 'reference-chain-too-long',
      summary: `More than ${maxChain} values that are only known after apply refer to one another in a row`,
      hint: 'Write some of them out.',
      place: node,
    });
    return none;
  }
  deferring.push(origin);
  try {
    return deferUnknown(origin);
  } finally {
    deferring.pop();
  }
}

function deferUnknown({ node, space, each }: UnevaluatedValue): DeferredValue {
  if (node.kind === 'list') {
    return { kind: 'list', items: node.items.map((item) => deferValue(item, space, each)) };
  }
  if (node.kind === 'map') {
    const entries = Object.create<DeferredValue>(null);
    for (const [key, { value: one }] of node.entries) entries[key] = deferValue(one, space, each);
    return { kind: 'map', entries };
  }
  return hasExpression(node)
    ? deferExpression(node, space, true, each)
    : { kind: 'value', value: node.value };
}
