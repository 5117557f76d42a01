import { requireKnownFunction } from '../../expressions/evaluate/calls.ts';
import { TypeChecker, type NameTypes } from '../../expressions/evaluate/check-types.ts';
import {
  compileExpression,
  type CompiledExpression,
} from '../../expressions/evaluate/compile-expression.ts';
import { createUnknownNameError } from '../../expressions/evaluate/select.ts';
import { compileTemplate, type Template } from '../../expressions/evaluate/template.ts';
import { pureFunctions } from '../../expressions/functions/catalogue.ts';
import {
  type ExpressionFault,
  toExpressionFault,
} from '../../expressions/parse/expression-fault.ts';
import type { NameReference } from '../../expressions/parse/references.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import {
  isModuleAddress,
  parseResourceAddress,
  type ResourceAddress,
  singletonKindsByCollection,
  topLevelKindsByCollection,
} from '../../model/address.ts';
import { changeEffects } from '../../model/effects.ts';
import { type PlanOptions, actions } from '../../model/plan/plan.ts';
import {
  readProbeReadinessScript,
  type ProbeReadinessScript,
} from '../../model/plan/ready-script.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { parseDuration } from '../duration.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { locateText } from '../source/locate-text.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  toPlainValue,
  type YamlEntry,
  type LocatedYamlNode,
  type YamlScalarNode,
} from '../source/located-node.ts';
import { isTrueNode, readNodeText } from '../source/read-fields.ts';
import { toSourceRange, type SourceTextRange } from '../source/source-file.ts';
import { readPlainYamlValue } from '../variables/variable-declaration.ts';
import errorCodes from './error-codes.json' with { type: 'json' };
import type {
  WebConsoleChange,
  WebConsoleDeletion,
  TestStepAction,
  TestStep,
  Assertion,
} from './test-file.ts';

/** Reads the steps of a test, whose schema was checked before. Other faults are reported. */
export function readTestSteps(
  node: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): readonly TestStep[] {
  const items = node?.kind === 'list' ? node.items : [];
  return items.flatMap((item) => readStep(item, faults) ?? []);
}

type ReadAction = (node: LocatedYamlNode, faults: ConfigurationFaultList) => TestStepAction;

const readers: Readonly<Record<string, ReadAction>> = {
  plan: (node, faults) => ({
    kind: 'plan',
    mode: isSet(node, 'refreshOnly') ? 'refresh' : isSet(node, 'destroy') ? 'destroy' : 'apply',
    planOptions: readPlanOptions(node, faults),
  }),
  apply: (node, faults) => ({
    kind: 'apply',
    mode: isSet(node, 'refreshOnly') ? 'refresh' : 'apply',
    planOptions: readPlanOptions(node, faults),
    ...readReady(findYamlMapChild(node, 'ready')),
  }),
  destroy: (node, faults) => ({
    kind: 'apply',
    mode: 'destroy',
    planOptions: readPlanOptions(node, faults),
  }),
  edit: (node) => {
    const patch = findYamlMapChild(node, 'configuration');
    return {
      kind: 'edit',
      variables: findYamlMapChild(node, 'variables'),
      patch: patch?.kind === 'map' ? patch : undefined,
    };
  },
  drift: (node, faults) => ({
    kind: 'drift',
    changes: readChanges(findYamlMapChild(node, 'change'), faults),
    deletions: readDeletions(findYamlMapChild(node, 'delete'), faults),
  }),
  wait: (node) => ({ kind: 'wait', ms: parseDays(readNodeText(node) ?? '') }),
};

function readStep(item: LocatedYamlNode, faults: ConfigurationFaultList): TestStep | undefined {
  const found = [...listYamlMapEntries(item)].find(([key]) => Object.hasOwn(readers, key));
  if (!found) return undefined;
  const [name, { key, value }] = found;
  const action = readers[name]?.(value, faults);
  if (!action) return undefined;
  const codes = findYamlMapChild(item, 'expectFailures');
  return {
    name,
    action,
    assertions: readAssertions(findYamlMapChild(item, 'assert'), faults),
    expectedFailures: (codes?.kind === 'list' ? codes.items : []).flatMap((code) => {
      const text = readNodeText(code);
      if (text === undefined || !isErrorCode(text, code, faults)) return [];
      return [{ code: text, source: toSourceRange(code) }];
    }),
    source: toSourceRange(key),
  };
}

/**
 * Tells whether some error has this code; a step that expects another code could only fail, once all steps before it
 * have run.
 */
function isErrorCode(
  text: string,
  place: SourceTextRange,
  faults: ConfigurationFaultList,
): boolean {
  if (errorCodes.includes(text)) return true;
  const meant = suggestNearestName(text, errorCodes);
  faults.add({
    code: 'unknown-code',
    summary: `No error has the code \`${makePrintable(text)}\``,
    hint:
      meant === undefined
        ? 'Write a code as messages show it in brackets, for example `quota-exceeded`.'
        : `Did you mean \`${meant}\`?`,
    place,
  });
  return false;
}

function isSet(node: LocatedYamlNode, name: string): boolean {
  return isTrueNode(findYamlMapChild(node, name));
}

function readPlanOptions(node: LocatedYamlNode, faults: ConfigurationFaultList): PlanOptions {
  const read = (name: string, takesModules: boolean) =>
    listItems(findYamlMapChild(node, name)).flatMap((item) => {
      const text = readNodeText(item) ?? '';
      const isFine =
        parseResourceAddress(text) !== undefined || (takesModules && isModuleAddress(text));
      if (!isFine) refuseAddress(text, item, faults);
      return isFine ? [text] : [];
    });
  return {
    adoptsAll: isSet(node, 'adopt'),
    isForced: isSet(node, 'force'),
    ...(isSet(node, 'allowDataLoss') && { allowsDataLoss: true }),
    ...(isSet(node, 'retryFailed') && { retriesFailed: true }),
    replace: read('replace', false),
    selection: { targets: read('target', true), excludes: read('exclude', true) },
  };
}

/** Reads scripted answers of probes, whose shape the schema has checked. */
function readReady(node: LocatedYamlNode | undefined): { readonly ready?: ProbeReadinessScript } {
  if (!node) return {};
  const ready = readProbeReadinessScript(toPlainValue(node), (answer) => {
    const { after } =
      typeof answer === 'object' && answer !== null && 'after' in answer ? answer : {};
    return typeof after === 'string' ? parseDuration(after) : Number.POSITIVE_INFINITY;
  });
  return { ready };
}

function listItems(node: LocatedYamlNode | undefined): readonly LocatedYamlNode[] {
  return node?.kind === 'list' ? node.items : [];
}

function refuseAddress(text: string, place: SourceTextRange, faults: ConfigurationFaultList): void {
  faults.add({
    code: 'invalid-address',
    summary: `\`${makePrintable(text)}\` is not an address`,
    detail: 'An address is the path of a resource in the configuration.',
    hint: 'Write for example `projects.shop.vms.web[0]`.',
    place,
  });
}

function readDeletions(
  node: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): readonly WebConsoleDeletion[] {
  return listItems(node).flatMap((item) => {
    const address = readNodeText(item) ?? '';
    if (parseResourceAddress(address)) return [{ address, source: toSourceRange(item) }];
    refuseAddress(address, item, faults);
    return [];
  });
}

function readChanges(
  node: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): readonly WebConsoleChange[] {
  return [...listYamlMapEntries(node)].flatMap(([address, { key, value }]) => {
    const kind = parseResourceAddress(address)?.kind;
    if (kind === undefined) {
      refuseAddress(address, key, faults);
      return [];
    }
    const fields = [...listYamlMapEntries(value)];
    for (const [name, entry] of fields) checkField(address, name, entry, faults);
    const attributes = Object.fromEntries(
      fields.map(([name, entry]) => [name, readPlainYamlValue(entry.value)]),
    );
    return [{ address, attributes, source: toSourceRange(key) }];
  });
}

/** Checks that the `drift` step of a test changes only fields that can be changed on a live resource. */
function checkField(
  address: ResourceAddress,
  name: string,
  { key }: YamlEntry,
  faults: ConfigurationFaultList,
): void {
  const kind = parseResourceAddress(address)?.kind;
  if (kind === undefined) return;
  const { fields, label, traits } = kindRegistry[kind];
  const known = Object.keys(fields).filter(
    (one) => /^(?:update|rebuild)$/.test(fields[one]?.effect ?? '') && one !== traits.sale?.field,
  );
  if (known.includes(name)) return;
  const meant = suggestNearestName(name, known);
  faults.add({
    code: Object.hasOwn(fields, name) ? 'unchangeable' : 'unknown-key',
    summary: `\`${makePrintable(name)}\` of a live ${label} cannot be changed`,
    detail:
      known.length > 0 ? `Valid keys: ${formatNameList(known)}.` : 'Nothing of it can be changed.',
    hint: meant === undefined ? 'Remove the key.' : `Did you mean \`${meant}\`?`,
    address,
    place: key,
  });
}

const minuteMs = 60_000;

/** Reads `80d`, `12h` or `1d12h30m` as milliseconds; the schema allows nothing else. */
function parseDays(text: string): number {
  const [, days = '0', hours = '0', minutes = '0'] =
    /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?$/.exec(text) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * minuteMs;
}

/** The assertions of a step: one, or a list of them. Their faults are reported. */
function readAssertions(
  node: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): readonly Assertion[] {
  const items = node?.kind === 'list' ? node.items : node ? [node] : [];
  return items.flatMap((item) => readAssertion(item, faults) ?? []);
}

function readAssertion(
  item: LocatedYamlNode,
  faults: ConfigurationFaultList,
): Assertion | undefined {
  const that = item.kind === 'map' ? findYamlMapChild(item, 'that') : item;
  if (that?.kind !== 'scalar' || typeof that.value !== 'string') return undefined;
  const text = that.value;
  const start = text.indexOf('${');
  if (start >= 0) {
    faults.add({
      code: 'broken-expression',
      summary: 'An assertion is written without `${` and `}`',
      hint: 'Write the expression alone, for example `plan.counts.add == 2`.',
      place: locateText(that, start, start + 2),
    });
    return undefined;
  }
  const condition = compileExpression(text);
  addFaults(that, findAssertionFaults(condition, true), faults);
  const message = findYamlMapChild(item, 'message');
  return {
    condition,
    message: message?.kind === 'scalar' ? readMessage(message, faults) : undefined,
    locate: (from = 0, to = text.length) => toSourceRange(locateText(that, from, to)),
  };
}

function readMessage(node: YamlScalarNode, faults: ConfigurationFaultList): Template {
  const template = compileTemplate(String(node.value));
  addFaults(node, template.faults, faults);
  for (const { expression, codeOffset } of template.parts) {
    if (expression.fault) continue;
    const found = findAssertionFaults(expression, false).map((fault) => ({
      ...fault,
      start: fault.start + codeOffset,
      end: fault.end + codeOffset,
    }));
    addFaults(node, found, faults);
  }
  return template;
}

function addFaults(
  node: YamlScalarNode,
  found: readonly ExpressionFault[],
  faults: ConfigurationFaultList,
): void {
  for (const { start, end, ...fault } of found) {
    faults.add({ ...fault, place: locateText(node, start, end) });
  }
}

// Names that assertions may read, with their types, checked before any test runs.

const counts = Object.fromEntries(
  [...changeEffects, ...actions.filter((action) => action !== 'no-op')].map((name) => [
    name,
    'int',
  ]),
);

/** Types of the names of an assertion; faults in `dyn` values show only when the test runs. */
const types = {
  plan: {
    isEmpty: 'bool',
    changes: 'list<dyn>',
    actions: 'map<string, string>',
    counts,
    drift: 'list<dyn>',
    findings: 'list<dyn>',
    outputs: 'dyn',
    quotas: 'dyn',
  },
  account: {
    ...Object.fromEntries(
      [...topLevelKindsByCollection.keys(), ...singletonKindsByCollection.keys()].map((name) => [
        name,
        'dyn',
      ]),
    ),
    modules: 'dyn',
    quotas: 'dyn',
    resources: 'list<dyn>',
  },
  output: 'dyn',
  var: 'dyn',
  findings: 'list<dyn>',
} as const satisfies NameTypes;

/** Members of a name, where they do not depend on the test. */
const below: Readonly<Record<string, readonly string[] | undefined>> = {
  plan: Object.keys(types.plan),
  account: Object.keys(types.account),
};

let checker: TypeChecker | undefined;

function findNameFault(reference: NameReference): ExpressionFault | undefined {
  const { root, steps, start } = reference;
  const [step] = steps;
  const isKnownRoot = Object.hasOwn(types, root);
  const known = isKnownRoot ? below[root] : Object.keys(types);
  const name = isKnownRoot ? step && String(step.key) : root;
  if (name === undefined || known === undefined || known.includes(name)) return undefined;
  const range = isKnownRoot && step ? step : { start, end: start + root.length };
  return toExpressionFault(
    createUnknownNameError(name, isKnownRoot ? root : '', known, range),
    range,
  );
}

/** All faults of an assertion's expression that do not depend on values. */
function findAssertionFaults(
  { text, fault, references, calls }: CompiledExpression,
  isCondition: boolean,
): readonly ExpressionFault[] {
  if (fault) return [fault];
  const found = references.flatMap((one) => findNameFault(one) ?? []);
  for (const { node } of calls) {
    try {
      requireKnownFunction(node, pureFunctions);
    } catch (error) {
      found.push(toExpressionFault(error, node));
    }
  }
  if (found.length > 0) return found;
  checker ??= new TypeChecker(types);
  const mismatch = checker.check(text) ?? (isCondition ? checker.checkCondition(text) : undefined);
  return mismatch ? [mismatch] : [];
}
