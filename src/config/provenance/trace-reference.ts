import {
  compileExpression,
  type CompiledExpression,
} from '../../expressions/evaluate/compile-expression.ts';
import type { ExpressionFunction } from '../../expressions/functions/define.ts';
import { Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import {
  formatReference,
  type NameReference,
  type ReferenceStep,
} from '../../expressions/parse/references.ts';
import { singletonKindsByCollection, type InstanceKey } from '../../model/address.ts';
import type { ValueOrigin } from '../../model/provenance.ts';
import type { VariableOrigins } from '../variables/set-variables.ts';
import { emptyEachBinding, type EachBinding } from '../scope/each.ts';
import { listModuleScopes, type ModuleScope } from '../scope/module-scope.ts';
import type { ResourceCollections, ResourceGroup } from '../scope/resource-group.ts';
import type { ModuleExpressionContext } from '../scope/space.ts';
import { findYamlMapChild, type LocatedYamlNode } from '../source/located-node.ts';
import { toSourceRange } from '../source/source-file.ts';
import { listDataEntries } from '../scope/data-values.ts';
import { showOriginValue, showSourceText } from './show-origin.ts';

/**
 * Context for tracing the origin of a value: the module and the values of `each`, by which the names of its expression
 * are resolved.
 */
export interface OriginTraceContext {
  readonly space: ModuleExpressionContext;
  readonly each: EachBinding;
}

/**
 * Origin of a name: its source node, and the context of that node's own expressions. The instances of a resource have
 * several.
 */
type Found = Omit<ValueOrigin, 'name' | 'value' | 'isSensitive' | 'reads'> & {
  readonly node?: LocatedYamlNode;
  readonly around?: OriginTraceContext;
};

/** The longest chain of references that is followed to a value's origin. */
const maxDepth = 20;

/** Traces the values that expressions read to the source positions where they are written. */
export class ReferenceOriginTracer {
  readonly #scopes: ReadonlyMap<string, ModuleScope>;
  readonly #variables: VariableOrigins;

  constructor(scope: ModuleScope, variables: VariableOrigins) {
    this.#scopes = new Map(listModuleScopes(scope).map((one) => [one.prefix, one]));
    this.#variables = variables;
  }

  /** Origins of the values that the expressions of a node read. An origin that was followed already is not followed again. */
  listReads(
    node: LocatedYamlNode,
    around: OriginTraceContext,
    seen = new Set<string>(),
    depth = 0,
  ): readonly ValueOrigin[] {
    if (depth >= maxDepth) return [];
    const expressions = collectExpressions(node, around);
    const references = new Map<string, NameReference>();
    for (const written of expressions.flatMap((one) => one.references)) {
      const one = findRead(written, around);
      if (one) references.set(formatReference(one), one);
    }
    const read = [...references].map(([name, reference]) => {
      const { node: behind, around: there, ...found } = this.#find(reference, around);
      const key = `${around.space.prefix}\n${name}`;
      const isNew = !seen.has(key);
      seen.add(key);
      const reads = behind && there && isNew ? this.listReads(behind, there, seen, depth + 1) : [];
      const shown = evaluate(name, around);
      // A whole block, or all of its instances, has no position and no value of its own.
      const isBare = !behind && found.kind === 'written' && !found.source;
      const kind = isBare && Object.keys(shown ?? {}).length === 0 ? 'block' : found.kind;
      return { name, ...found, kind, ...shown, reads };
    });
    return [...read, ...expressions.flatMap((one) => listFiles(one, around))];
  }

  #find({ root, steps }: NameReference, around: OriginTraceContext): Found {
    const [first] = steps;
    const name = String(first?.key ?? '');
    switch (root) {
      case 'local':
      case 'var':
        return this.#findNamed(root, name, around.space);
      case 'each':
        return findRepeated(name, around);
      case 'modules':
        return this.#findOutput(steps, around.space);
      case 'data':
        return findEntry(name, around.space);
      default:
        return this.#findAttribute(root, steps, around.space);
    }
  }

  #findNamed(root: 'local' | 'var', name: string, space: ModuleExpressionContext): Found {
    const origin = space.originOf(root, name);
    if (origin) {
      const { node, space: there, each } = origin;
      return { kind: 'written', ...showSourceText(node), node, around: { space: there, each } };
    }
    if (root === 'local') return { kind: 'written' };
    const given = space.prefix === '' ? this.#variables.get(name) : undefined;
    if (given) return { kind: 'given', ...given };
    const written = space.source.variables.get(name)?.default;
    return { kind: 'default-value', ...(written && showSourceText(written)) };
  }

  #findOutput(steps: readonly ReferenceStep[], space: ModuleExpressionContext): Found {
    const [key, second, ...rest] = steps.map((step) => step.key);
    const module = space.modules.get(String(key));
    const isInstance = second !== 'outputs';
    const [outputs, name] = isInstance ? rest : [second, ...rest];
    const there = module?.spaceOf(isInstance ? second : undefined);
    if (!there || outputs !== 'outputs' || name === undefined) return { kind: 'written' };
    const output = findYamlMapChild(
      findYamlMapChild(findYamlMapChild(there.source.tree, 'outputs'), String(name)),
      'value',
    );
    if (!output) return { kind: 'written' };
    const around = { space: there, each: emptyEachBinding };
    return { kind: 'written', ...showSourceText(output), node: output, around };
  }

  #findAttribute(
    root: string,
    steps: readonly ReferenceStep[],
    space: ModuleExpressionContext,
  ): Found {
    const scope = this.#scopes.get(space.prefix);
    const found = scope && findGroup(scope.collections, root, steps);
    if (!found) return { kind: 'written' };
    const { group, instance, attribute } = found;
    const entry = group.fields.get(attribute) ?? group.fields.get(`${attribute}File`);
    if (!entry) {
      const value = group.readAttribute(attribute, instance);
      return { kind: value === undefined || value instanceof Unknown ? 'service' : 'default' };
    }
    const around = { space, each: group.eachOf(instance) };
    return { kind: 'written', ...showSourceText(entry.value), node: entry.value, around };
  }
}

type Expression = Pick<CompiledExpression, 'text' | 'references' | 'calls' | 'evaluate'>;

function collectExpressions(
  node: LocatedYamlNode,
  around: OriginTraceContext,
): readonly Expression[] {
  if (node.kind === 'list') return node.items.flatMap((item) => collectExpressions(item, around));
  if (node.kind === 'map') {
    return [...node.entries.values()].flatMap(({ value }) => collectExpressions(value, around));
  }
  if (typeof node.value !== 'string' || !node.value.includes('${')) return [];
  const { template } = around.space.prepare(node, around.each, undefined);
  return template.parts.map(({ expression }) => expression);
}

/** The longest part of a name that has a value: a branch that is not taken, or `has()`, may name missing members. */
function findRead(reference: NameReference, around: OriginTraceContext): NameReference | undefined {
  if (evaluate(formatReference(reference), around)) return reference;
  const { root, steps } = reference;
  const isBelow = (root === 'var' || root === 'local') && steps.length > 1;
  return isBelow ? findRead({ ...reference, steps: steps.slice(0, -1) }, around) : undefined;
}

const fileFunctions = ['file', 'fileBase64', 'templateFile'];

/** Origins of the files that an expression reads. A path that depends on a sensitive value is not named. */
function listFiles(expression: Expression, around: OriginTraceContext): readonly ValueOrigin[] {
  const { text, calls } = expression;
  if (!calls.some(({ name }) => fileFunctions.includes(name))) return [];
  const { session, functions } = around.space;
  const read = new Map<string, { readonly path: string; readonly value: ScopeValue }>();
  const watched = Object.entries(functions).map(([name, call]): [string, ExpressionFunction] => {
    if (!fileFunctions.includes(name)) return [name, call];
    return [
      name,
      (values, budget) => {
        const value = call(values, budget);
        const path = JSON.stringify(values[0]);
        read.set(`${name}(${path})`, { path: path.slice(1, -1), value });
        return value;
      },
    ];
  });
  const scope = around.space.scopeOf(around.each);
  const { isSensitive } = session.trace(() =>
    expression.evaluate(scope, {
      functions: Object.fromEntries(watched),
      budget: session.makeBudget(),
    }),
  );
  return [...read].flatMap(([name, { path, value }]): readonly ValueOrigin[] =>
    isSensitive && !text.includes(path)
      ? []
      : [{ name, kind: 'file', ...showOriginValue(value, isSensitive), reads: [] }],
  );
}

/** Finds the place of the `data` query behind a name. */
function findEntry(name: string, { source: { tree } }: ModuleExpressionContext): Found {
  const entry = listDataEntries(tree).get(name);
  return { kind: 'written', ...(entry && { source: toSourceRange(entry.key) }) };
}

/** Origin of `each`: the number or the keys that its block is repeated by. */
function findRepeated(name: string, { each, space }: OriginTraceContext): Found {
  const node = name === 'value' ? (each.node ?? each.repeatedBy) : each.repeatedBy;
  if (!node) return { kind: 'repeated' };
  return {
    kind: 'repeated',
    ...showSourceText(node),
    node,
    around: { space, each: each.outer ?? emptyEachBinding },
  };
}

/** The resource that a reference names, and the attribute of it. */
function findGroup(
  collections: ResourceCollections,
  collection: string,
  steps: readonly ReferenceStep[],
): { group: ResourceGroup; instance: InstanceKey | undefined; attribute: string } | undefined {
  const [key, ...others] = steps.map((step) => step.key);
  if (singletonKindsByCollection.has(collection)) {
    const single = collections.get(collection)?.get(collection);
    return single && { group: single, instance: undefined, attribute: String(key) };
  }
  const group = collections.get(collection)?.get(String(key));
  if (!group) return undefined;
  const instance = group.eachKind === 'none' ? undefined : others.shift();
  const [name, ...rest] = others;
  if (name === undefined) return undefined;
  const nested = group.nestedOf(instance);
  if (!nested.has(String(name))) return { group, instance, attribute: String(name) };
  const below = rest.map((one) => ({ key: one, start: 0, end: 0 }));
  return findGroup(nested, String(name), below);
}

/** The value of a name; undefined where the name does not exist. */
function evaluate(
  name: string,
  { space, each }: OriginTraceContext,
): Pick<ValueOrigin, 'value' | 'isSensitive'> | undefined {
  const { session, functions } = space;
  const scope = space.scopeOf(each);
  const expression = compileExpression(name);
  const { value: outcome, isSensitive } = session.trace(() =>
    expression.evaluate(scope, { functions, budget: session.makeBudget() }),
  );
  if (outcome.kind === 'fault') {
    return expression.findOwner(scope) === undefined ? undefined : {};
  }
  return showOriginValue(outcome.kind === 'value' ? outcome.value : undefined, isSensitive);
}
