import { kinds } from '../../kinds/registry.ts';
import { isModuleAddress, parseAddress, type Address } from '../../model/address.ts';
import type { PlanOptions } from '../../model/plan/plan.ts';
import { readReadyScript, type ReadyScript } from '../../model/plan/ready-script.ts';
import { listNames, suggest } from '../../model/text/suggest.ts';
import { isTrueNode, readNodeText } from '../source/read-fields.ts';
import { readValue } from '../variables/variable-declaration.ts';
import type { FaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { parseDuration } from '../duration.ts';
import {
  mapChildOf,
  mapEntriesOf,
  toPlainValue,
  type YamlEntry,
  type LocatedNode,
} from '../source/located-node.ts';
import { toSourceRange, type SourcePlace } from '../source/source-file.ts';
import errorCodes from './error-codes.json' with { type: 'json' };
import { readAssertions } from './read-assertions.ts';
import type { ConsoleChange, ConsoleDeletion, StepAction, TestStep } from './test-file.ts';

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
