// Values that are worked out later: kept as expressions, with what their names stand for beside the resources.
import { compileExpression } from '../expressions/compile-expression.ts';
import { compileTemplate, type Template } from '../expressions/template.ts';
import { formatReference, type Reference } from '../expressions/references.ts';
import type { Deferred, DeferredExpression } from '../model/deferred.ts';
import { NameTree, Unknown, type ScopeValue } from '../expressions/scope.ts';
import type { Value } from '../model/value.ts';
import { listInstanceKeys, noEach } from './each.ts';
import { childOf, type LocatedNode, type ScalarNode } from './located-node.ts';
import { locateText } from './locate-text.ts';
import { evaluateValue, hasExpression } from './resolve-node.ts';
import { locate } from './source-file.ts';
import type { Space } from './space.ts';

function isKnown(value: ScopeValue): value is Value {
  if (value instanceof Unknown || value instanceof NameTree) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((one) => isKnown(one));
}

type Names = DeferredExpression['names'];

/** What the outputs of modules stand for, those that a reference may read. */
function deferModules({ steps }: Reference, space: Space): Names {
  const [first] = steps;
  return [...space.modules.values()].flatMap((module) => {
    if (first && first.key !== module.key) return [];
    const { instances } = module;
    const keys = instances.kind === 'unknown' ? [] : listInstanceKeys(instances);
    return keys.flatMap((instance): Names => {
      const inner = module.spaceOf(instance);
      const way = ['modules', module.key, ...(instance === undefined ? [] : [instance]), 'outputs'];
      return (inner?.outputNames ?? []).map((name) => {
        const entry = childOf(childOf(inner?.source.tree, 'outputs'), name);
        const node = childOf(entry, 'value');
        const none: Deferred = { kind: 'value', value: null };
        return [[...way, name], inner && node ? deferValue(node, inner) : none];
      });
    });
  });
}

/** What a name stands for, as far as it is no resource. */
function deferName(reference: Reference, space: Space): Names {
  const { root, steps } = reference;
  const name = steps[0]?.key;
  if (root === 'modules') return deferModules(reference, space);
  if (root !== 'var' && root !== 'local' && root !== 'path') return [];
  const tree = space.scopeOf(noEach).get(root);
  const names = name === undefined && tree instanceof NameTree ? tree.keys() : [String(name)];
  return names.map((one) => {
    const value = tree instanceof NameTree ? tree.get(one) : undefined;
    const node = root === 'local' ? childOf(childOf(space.source.tree, 'locals'), one) : undefined;
    if (value !== undefined && isKnown(value)) return [[root, one], { kind: 'value', value }];
    return [[root, one], node ? deferValue(node, space) : { kind: 'value', value: null }];
  });
}

function refuseHostFunctions(node: ScalarNode, space: Space, parts: Template['parts']): void {
  for (const { expression, codeOffset } of parts) {
    for (const { name, start, end } of expression.calls) {
      if (!Object.hasOwn(space.functions, name)) continue;
      space.session.faults.add({
        code: 'function-too-late',
        summary: `${name}() cannot stand where values are known only after apply`,
        hint: `Call it in \`locals\`, and use the local here.`,
        place: locateText(node, start + codeOffset, end + codeOffset),
      });
    }
  }
}

/** A condition in CEL, or a text with `${…}` in it, with what its names stand for. */
export function deferExpression(
  node: ScalarNode,
  space: Space,
  isTemplate: boolean,
): DeferredExpression {
  const text = String(node.value);
  const parts = isTemplate
    ? compileTemplate(text).parts
    : [{ expression: compileExpression(text), codeOffset: 0 }];
  const references = parts.flatMap(({ expression }) => expression.references);
  refuseHostFunctions(node, space, parts);
  return {
    kind: 'expression',
    text,
    isTemplate,
    source: locate(node),
    references: [...new Set(references.map(formatReference))],
    names: references.flatMap((reference) => deferName(reference, space)),
    prefix: space.prefix,
  };
}

/** A value as it is, or with its expressions kept where they are not known yet. No value refers to itself. */
export function deferValue(node: LocatedNode, space: Space): Deferred {
  const value = evaluateValue(node, { space, each: noEach });
  if (isKnown(value)) return { kind: 'value', value };
  if (node.kind === 'list') {
    return { kind: 'list', items: node.items.map((item) => deferValue(item, space)) };
  }
  if (node.kind === 'map') {
    const entries = Object.create(null) as Record<string, Deferred>;
    for (const [key, { value: one }] of node.entries) entries[key] = deferValue(one, space);
    return { kind: 'map', entries };
  }
  return hasExpression(node)
    ? deferExpression(node, space, true)
    : { kind: 'value', value: node.value };
}
