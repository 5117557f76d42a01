import { checkFunction } from '../../expressions/evaluate/calls.ts';
import { TypeChecker, type NameTypes } from '../../expressions/evaluate/check-types.ts';
import { compileExpression, type CompiledExpression } from '../../expressions/evaluate/compile-expression.ts';
import { unknownNameError } from '../../expressions/evaluate/select.ts';
import { compileTemplate, type Template } from '../../expressions/evaluate/template.ts';
import { pureFunctions } from '../../expressions/functions/catalogue.ts';
import { type ExpressionFault, toFault } from '../../expressions/parse/expression-fault.ts';
import type { NameReference } from '../../expressions/parse/references.ts';
import { kinds } from '../../kinds/registry.ts';
import { isModuleAddress, parseAddress, type Address, singleKinds, topKinds } from '../../model/address.ts';
import { effects } from '../../model/effects.ts';
import { type PlanOptions, actions } from '../../model/plan/plan.ts';
import { readReadyScript, type ReadyScript } from '../../model/plan/ready-script.ts';
import { listNames, suggest } from '../../model/text/suggest.ts';
import { parseDuration } from '../duration.ts';
import type { FaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { locateText } from '../source/locate-text.ts';
import { mapChildOf, mapEntriesOf, toPlainValue, type YamlEntry, type LocatedNode, type ScalarNode } from '../source/located-node.ts';
import { isTrueNode, readNodeText } from '../source/read-fields.ts';
import { toSourceRange, type SourcePlace } from '../source/source-file.ts';
import { readValue } from '../variables/variable-declaration.ts';
import errorCodes from './error-codes.json' with { type: 'json' };
import type { ConsoleChange, ConsoleDeletion, StepAction, TestStep, Assertion } from './test-file.ts';

/** Reads the steps of a test, whose shape was checked before. Other faults are reported. */
export function readSteps(node: LocatedNode | undefined, faults: FaultList): readonly TestStep[] {
  const items = node?.kind === 'list' ? node.items : [];
  return items.flatMap((item) => readStep(item, faults) ?? []);
}

type ReadAction = (node: LocatedNode, faults: FaultList) => StepAction;

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
    ...readReady(mapChildOf(node, 'ready')),
  }),
  destroy: (node, faults) => ({
    kind: 'apply',
    mode: 'destroy',
    planOptions: readPlanOptions(node, faults),
  }),
  edit: (node) => {
    const patch = mapChildOf(node, 'configuration');
    return {
      kind: 'edit',
      variables: mapChildOf(node, 'variables'),
      patch: patch?.kind === 'map' ? patch : undefined,
    };
  },
  drift: (node, faults) => ({
    kind: 'drift',
    changes: readChanges(mapChildOf(node, 'change'), faults),
    deletions: readDeletions(mapChildOf(node, 'delete'), faults),
  }),
  wait: (node) => ({ kind: 'wait', ms: parseDays(readNodeText(node) ?? '') }),
};

function readStep(item: LocatedNode, faults: FaultList): TestStep | undefined {
  const found = [...mapEntriesOf(item)].find(([key]) => Object.hasOwn(readers, key));
  if (!found) return undefined;
  const [name, { key, value }] = found;
  const action = readers[name]?.(value, faults);
  if (!action) return undefined;
  const codes = mapChildOf(item, 'expectFailures');
  return {
    name,
    action,
    assertions: readAssertions(mapChildOf(item, 'assert'), faults),
    expectedFailures: (codes?.kind === 'list' ? codes.items : []).flatMap((code) => {
      const text = readNodeText(code);
      if (text === undefined || !isErrorCode(text, code, faults)) return [];
      return [{ code: text, source: toSourceRange(code) }];
    }),
    source: toSourceRange(key),
  };
}

/** False for a code that no error has: such a step could only fail, once all before it has run. */
function isErrorCode(text: string, place: SourcePlace, faults: FaultList): boolean {
  if (errorCodes.includes(text)) return true;
  const meant = suggest(text, errorCodes);
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

function isSet(node: LocatedNode, name: string): boolean {
  return isTrueNode(mapChildOf(node, name));
}

function readPlanOptions(node: LocatedNode, faults: FaultList): PlanOptions {
  const read = (name: string, takesModules: boolean) =>
    listItems(mapChildOf(node, name)).flatMap((item) => {
      const text = readNodeText(item) ?? '';
      const isFine = parseAddress(text) !== undefined || (takesModules && isModuleAddress(text));
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
function readReady(node: LocatedNode | undefined): { readonly ready?: ReadyScript } {
  if (!node) return {};
  const ready = readReadyScript(toPlainValue(node), (answer) => {
    const { after } =
      typeof answer === 'object' && answer !== null && 'after' in answer ? answer : {};
    return typeof after === 'string' ? parseDuration(after) : Number.POSITIVE_INFINITY;
  });
  return { ready };
}

function listItems(node: LocatedNode | undefined): readonly LocatedNode[] {
  return node?.kind === 'list' ? node.items : [];
}

function refuseAddress(text: string, place: SourcePlace, faults: FaultList): void {
  faults.add({
    code: 'invalid-address',
    summary: `\`${makePrintable(text)}\` is not an address`,
    detail: 'An address is the path of a resource in the configuration.',
    hint: 'Write for example `projects.shop.vms.web[0]`.',
    place,
  });
}

function readDeletions(
  node: LocatedNode | undefined,
  faults: FaultList,
): readonly ConsoleDeletion[] {
  return listItems(node).flatMap((item) => {
    const address = readNodeText(item) ?? '';
    if (parseAddress(address)) return [{ address, source: toSourceRange(item) }];
    refuseAddress(address, item, faults);
    return [];
  });
}

function readChanges(node: LocatedNode | undefined, faults: FaultList): readonly ConsoleChange[] {
  return [...mapEntriesOf(node)].flatMap(([address, { key, value }]) => {
    const kind = parseAddress(address)?.kind;
    if (kind === undefined) {
      refuseAddress(address, key, faults);
      return [];
    }
    const fields = [...mapEntriesOf(value)];
    for (const [name, entry] of fields) checkField(address, name, entry, faults);
    const attributes = Object.fromEntries(
      fields.map(([name, entry]) => [name, readValue(entry.value)]),
    );
    return [{ address, attributes, source: toSourceRange(key) }];
  });
}

/** Checks that a step changes only fields that can be changed on a live resource. */
function checkField(address: Address, name: string, { key }: YamlEntry, faults: FaultList): void {
  const kind = parseAddress(address)?.kind;
  if (kind === undefined) return;
  const { fields, label, traits } = kinds[kind];
  const known = Object.keys(fields).filter(
    (one) => /^(?:update|rebuild)$/.test(fields[one]?.effect ?? '') && one !== traits.sale?.field,
  );
  if (known.includes(name)) return;
  const meant = suggest(name, known);
  faults.add({
    code: Object.hasOwn(fields, name) ? 'unchangeable' : 'unknown-key',
    summary: `\`${makePrintable(name)}\` of a live ${label} cannot be changed`,
    detail: known.length > 0 ? `Valid keys: ${listNames(known)}.` : 'Nothing of it can be changed.',
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
  node: LocatedNode | undefined,
  faults: FaultList,
): readonly Assertion[] {
  const items = node?.kind === 'list' ? node.items : node ? [node] : [];
  return items.flatMap((item) => readAssertion(item, faults) ?? []);
}

function readAssertion(item: LocatedNode, faults: FaultList): Assertion | undefined {
  const that = item.kind === 'map' ? mapChildOf(item, 'that') : item;
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
  const message = mapChildOf(item, 'message');
  return {
    condition,
    message: message?.kind === 'scalar' ? readMessage(message, faults) : undefined,
    locate: (from = 0, to = text.length) => toSourceRange(locateText(that, from, to)),
  };
}

function readMessage(node: ScalarNode, faults: FaultList): Template {
  const template = compileTemplate(String(node.value));
  if (template.fault) addFaults(node, [template.fault], faults);
  for (const { expression, codeOffset } of template.fault ? [] : template.parts) {
    const found = findAssertionFaults(expression, false).map((fault) => ({
      ...fault,
      start: fault.start + codeOffset,
      end: fault.end + codeOffset,
    }));
    addFaults(node, found, faults);
  }
  return template;
}

function addFaults(node: ScalarNode, found: readonly ExpressionFault[], faults: FaultList): void {
  for (const { start, end, ...fault } of found) {
    faults.add({ ...fault, place: locateText(node, start, end) });
  }
}

// Names that assertions may read, with their types, checked before any test runs.


const counts = Object.fromEntries(
  [...effects, ...actions.filter((action) => action !== 'no-op')].map((name) => [name, 'int']),
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
    ...Object.fromEntries([...topKinds.keys(), ...singleKinds.keys()].map((name) => [name, 'dyn'])),
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
  return toFault(unknownNameError(name, isKnownRoot ? root : '', known, range), range);
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
      checkFunction(node, pureFunctions);
    } catch (error) {
      found.push(toFault(error, node));
    }
  }
  if (found.length > 0) return found;
  checker ??= new TypeChecker(types);
  const mismatch = checker.check(text) ?? (isCondition ? checker.checkCondition(text) : undefined);
  return mismatch ? [mismatch] : [];
}
