// Evaluation of expressions in values: the result is a tree again, with each value in the place of its expression.
import {
  UnchangedAccountValue,
  Unknown,
  UnreadValue,
  type ScopeValue,
} from '../../expressions/values/scope.ts';
import { hideSensitiveFault } from '../../expressions/parse/expression-fault.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { isMapValue } from '../variables/convert-value.ts';
import type { EachBinding } from './each.ts';
import type { YamlEntry, LocatedYamlNode, YamlScalarNode } from '../source/located-node.ts';
import { locateText } from '../source/locate-text.ts';
import type { SourceTextRange } from '../source/source-file.ts';
import type { ModuleExpressionContext } from './space.ts';

/** Context in which an expression is evaluated, with limits on its value. */
export interface ExpressionContext {
  readonly space: ModuleExpressionContext;
  readonly each: EachBinding;
  /** Address of the resource whose field holds the expression; absent for other expressions. */
  readonly address?: ResourceAddress | undefined;
  /** Reason why a value must be known before apply; absent where it may be known later. */
  readonly mustBeKnown?: string;
  /** Set where only the keys of a map matter: its values may be known later. */
  readonly isByKey?: boolean;
  /** Reason why `data` cannot be read here, before the account is read. */
  readonly readsNoData?: string;
  /**
   * The key of the resource at an address, for fields that name other resources by key; undefined for one that may not be
   * named here.
   */
  readonly keyOf?: (address: ResourceAddress) => string | undefined;
  /** With `keyOf`, for a field that takes a list of keys: the source of the whole list. */
  readonly keyList?: LocatedYamlNode;
  /** Called when an item or an entry is left out of a tree, since it has no value. */
  readonly onGap?: () => void;
}

/** Tells whether a value contains an expression, or an escape for one. */
export function hasExpression(node: LocatedYamlNode): boolean {
  if (node.kind === 'scalar') return typeof node.value === 'string' && node.value.includes('${');
  if (node.kind === 'list') return node.items.some(hasExpression);
  for (const { value } of node.entries.values()) if (hasExpression(value)) return true;
  return false;
}

/** Tells whether a value reads `each`, so that it differs between instances. Faults that need no values are reported. */
export function usesEach(node: LocatedYamlNode, around: ExpressionContext): boolean {
  if (node.kind === 'list') {
    return node.items.map((item) => usesEach(item, around)).includes(true);
  }
  if (node.kind === 'map') {
    return [...node.entries.values()].map(({ value }) => usesEach(value, around)).includes(true);
  }
  return hasExpression(node) && around.space.prepare(node, around.each, around.address).usesEach;
}

/** Finds the first part of a value that is not known yet. */
function findUnknown(value: ScopeValue): Unknown | undefined {
  if (value instanceof Unknown) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const part of Object.values(value) as ScopeValue[]) {
    const unknown = findUnknown(part);
    if (unknown) return unknown;
  }
  return undefined;
}

/** A value as a tree, all of it in one place; null for unknown parts. */
function makeNode(value: ScopeValue, place: SourceTextRange): LocatedYamlNode {
  const { file, start, end } = place;
  if (Array.isArray(value)) {
    const items = value.map((item) => makeNode(item, place));
    return { kind: 'list', items, file, start, end };
  }
  if (!isMapValue(value)) {
    const scalar = typeof value === 'object' ? null : value;
    return { kind: 'scalar', value: scalar, file, start, end };
  }
  const entries = Object.entries(value).map(([key, one]): [string, YamlEntry] => {
    return [key, { key: { file, start, end }, value: makeNode(one, place) }];
  });
  return { kind: 'map', entries: new Map(entries), file, start, end };
}

function reportUnknown(
  node: YamlScalarNode,
  unknown: Unknown,
  around: ExpressionContext,
  why: string,
): void {
  const { reference } = unknown;
  const { address, space } = around;
  const byKey =
    unknown instanceof UnchangedAccountValue ? undefined : hintAtKey(node, reference, around);
  space.session.faults.add({
    ...(unknown instanceof UnchangedAccountValue
      ? {
          code: 'known-too-late',
          summary: `\`${reference}\` may stay as it is in the account, and is known only when the plan is made`,
          hint: 'Write the value out, or let the field change: remove it from `ignoreChanges`, or add it to `rebuild.on`.',
        }
      : {
          code: 'known-too-late',
          summary: `\`${reference}\` is known only after apply`,
          hint: byKey ?? 'Write the value out, or read something that the configuration gives.',
        }),
    detail: `${why} It must be known before.`,
    ...(address !== undefined && { address }),
    place: byKey === undefined ? placeReference(node, reference, around) : node,
  });
}

/** The hint for a field that names other resources by key: the key to write in place of the expression. */
function hintAtKey(
  node: YamlScalarNode,
  reference: string,
  around: ExpressionContext,
): string | undefined {
  const { space, keyOf, keyList } = around;
  if (!keyOf) return undefined;
  const key = keyOf(`${space.prefix}${reference.replace(/\.\w+$/, '')}`);
  if (key === undefined) return 'Write the key of a resource of this project.';
  return node === keyList
    ? `Write the keys alone: \`[${key}]\`.`
    : `Write the key alone: \`${key}\`.`;
}

/** Finds the place in the YAML at which an expression reads a name. */
function placeReference(
  node: YamlScalarNode,
  reference: string,
  { address, space, each }: ExpressionContext,
): SourceTextRange {
  const { text } = space.prepare(node, each, address).template;
  const start = text.indexOf(reference);
  return start < 0 ? node : locateText(node, start, start + reference.length);
}

/** Reports an expression that needs a `data` entry before its query can be answered. */
function reportUnread(
  node: YamlScalarNode,
  { reference }: Unknown,
  around: ExpressionContext,
  why: string,
): void {
  around.space.session.faults.add({
    code: 'data-too-late',
    summary: `\`${reference}\` cannot be used here`,
    detail: why,
    hint: 'Use a variable instead, or write the value out.',
    ...(around.address !== undefined && { address: around.address }),
    place: placeReference(node, reference, around),
  });
}

/**
 * Evaluates a text with expressions. The value is unknown where a fault was reported; a list or a map may have parts that are
 * known only later.
 */
function evaluateText(node: YamlScalarNode, around: ExpressionContext): ScopeValue {
  const { space, each, address } = around;
  const { session } = space;
  const { template, isBroken } = space.prepare(node, each, address);
  if (isBroken) return new Unknown('', true);
  const scope = space.scopeOf(each);
  const options = { functions: space.functions, budget: session.makeBudget() };
  const named = around.keyOf && template.findOwner(scope, options);
  const key = named === undefined ? undefined : around.keyOf?.(`${space.prefix}${named}`);
  if (key !== undefined) return key;
  const { value: outcome, isSensitive } = session.trace(() => template.evaluate(scope, options));
  if (outcome.kind === 'unknown') {
    const { unknown } = outcome;
    if (around.isByKey === true && isMapValue(outcome.value)) return outcome.value;
    if (unknown instanceof UnreadValue && around.readsNoData !== undefined) {
      reportUnread(node, unknown, around, around.readsNoData);
      return new Unknown(unknown.reference, true);
    }
    // A value with a fault in it is of no use, and would be reported again.
    if (unknown.isFault) return unknown;
    if (around.mustBeKnown === undefined) return outcome.value;
    reportUnknown(node, unknown, around, around.mustBeKnown);
    return new Unknown(unknown.reference, true);
  }
  if (outcome.kind === 'value') {
    if (isSensitive) session.faults.secrets.add(outcome.value);
    return outcome.value;
  }
  const { fault, others = [] } = outcome;
  for (const found of [fault, ...others]) {
    const { start, end, ...shown } = isSensitive
      ? hideSensitiveFault(found, 'The expression')
      : found;
    session.faults.add({
      ...shown,
      ...(address !== undefined && { address }),
      place: locateText(node, start, end),
    });
  }
  return new Unknown('', true);
}

/** Evaluates every expression in a value; unknown parts stay in their place. */
export function evaluateValue(node: LocatedYamlNode, around: ExpressionContext): ScopeValue {
  if (node.kind === 'list') return node.items.map((item) => evaluateValue(item, around));
  if (node.kind === 'map') {
    const entries = [...node.entries].map(([key, { value }]) => [
      key,
      evaluateValue(value, around),
    ]);
    return Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<
      string,
      ScopeValue
    >;
  }
  return hasExpression(node) ? evaluateText(node, around) : node.value;
}

/**
 * Evaluates every expression in a YAML node; the result is unknown where the value or an item of its list is not known
 * yet, and lacks the entries of a map that are not known.
 */
export function evaluateYamlNode(
  node: LocatedYamlNode,
  around: ExpressionContext,
): LocatedYamlNode | Unknown {
  if (!hasExpression(node)) return node;
  if (node.kind === 'scalar') {
    const value = evaluateText(node, around);
    return findUnknown(value) ?? makeNode(value, node);
  }
  if (node.kind === 'list') {
    const items = node.items.map((item) => evaluateYamlNode(item, around));
    const late = items.find((item) => item instanceof Unknown && !item.isFault);
    if (late) return late;
    const known = items.filter((item): item is LocatedYamlNode => !(item instanceof Unknown));
    if (known.length < items.length) around.onGap?.();
    // Items are evaluated one by one, so that a fault in one leaves the others checked.
    return { ...node, items: known };
  }
  const entries = new Map<string, YamlEntry>();
  for (const [key, { key: place, value }] of node.entries) {
    const resolved = evaluateYamlNode(value, around);
    if (resolved instanceof Unknown) around.onGap?.();
    else entries.set(key, { key: place, value: resolved });
  }
  return { ...node, entries };
}

/** Evaluates a list, or a map whose keys alone matter, to a tree and a value; undefined where it is not known. */
export function evaluateKeyedYamlNode(
  node: LocatedYamlNode,
  around: ExpressionContext,
): { readonly node: LocatedYamlNode; readonly value: ScopeValue } | undefined {
  if (node.kind === 'scalar') {
    const value = evaluateValue(node, { ...around, isByKey: true });
    return isMapValue(value) || !findUnknown(value)
      ? { node: makeNode(value, node), value }
      : undefined;
  }
  const resolved = evaluateYamlNode(node, around);
  if (resolved instanceof Unknown) return undefined;
  return { node: resolved, value: evaluateValue(node, around) };
}

/** Finds the source of one entry of a map that an expression gives; undefined where no expression gives the map. */
export function pickMapEntrySource(
  node: LocatedYamlNode,
  key: string,
): LocatedYamlNode | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  const [, code] = /^\s*\$\{([^]*)\}\s*$/.exec(node.value) ?? [];
  if (code === undefined) return undefined;
  const end = code.includes('//') ? '\n' : '';
  return { ...node, value: `\${(${code}${end})[${JSON.stringify(key)}]}` };
}
