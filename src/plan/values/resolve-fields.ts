import {
  listDeferredReads,
  type DeferredRead,
  type ReferenceAddressIndex,
} from '../../expressions/deferred/deferred-reads.ts';
import {
  evaluateDeferred,
  type DeferredScope,
} from '../../expressions/deferred/evaluate-deferred.ts';
import type { DeferredFieldType } from '../../kinds/kind.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { findPublicKeyFault } from '../../kinds/ssh-key/public-key.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { trimName } from '../../model/text/fold-name.ts';
import type { Value } from '../../model/value.ts';

/** A resource with the values of its expressions, as far as they are known. */
export interface ResolvedResource {
  /** The resource with the known values among its attributes; those left in `deferred` are not known yet. */
  readonly desired: DesiredResource;
  /** Addresses of resources that its expressions read, without its own. */
  readonly reads: readonly ResourceAddress[];
  /** The first missing value, as an expression writes it; undefined when everything is known. */
  readonly missing: string | undefined;
  readonly findings: readonly Finding[];
}

/** Evaluates the deferred fields of a resource with the known values. A field that reads a sensitive attribute is sensitive. */
export function resolveDeferredFields(
  desired: DesiredResource,
  scope: DeferredScope,
  book: ReferenceAddressIndex,
  sensitiveOf: (address: ResourceAddress) => readonly string[] = () => [],
): ResolvedResource {
  const { address, deferred } = desired;
  if (!deferred) return { desired, reads: [], missing: undefined, findings: [] };
  const attributes: Record<string, Value> = { ...desired.attributes };
  const left: Record<string, DeferredValue> = {};
  const findings: Finding[] = [];
  const reads = new Set<ResourceAddress>();
  const sensitive = new Set(desired.sensitive);
  let missing: string | undefined;
  for (const [name, value] of Object.entries(deferred)) {
    const own = listDeferredReads(value, book);
    for (const read of own) reads.add(read.address);
    if (own.some((read) => isSecret(read, sensitiveOf))) sensitive.add(name);
    const outcome = evaluateField(desired, name, value, scope, sensitive.has(name));
    if (outcome.kind === 'value') attributes[name] = outcome.value;
    else left[name] = value;
    if (outcome.kind === 'unknown') missing ??= outcome.reference;
    if (outcome.kind === 'fault') findings.push(outcome.finding);
  }
  reads.delete(address);
  // Fields always come in the order of the kind, whichever of them are known.
  const ordered = Object.keys(kindRegistry[desired.kind].fields).flatMap((name) => {
    const value = attributes[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    desired: {
      ...without(desired, 'deferred'),
      attributes: Object.fromEntries(ordered),
      ...(sensitive.size > 0 && { sensitive: [...sensitive] }),
      ...(Object.keys(left).length > 0 && { deferred: left }),
    },
    reads: [...reads],
    missing,
    findings,
  };
}

/** A read of a whole resource reads all of its sensitive attributes, too. */
function isSecret(
  { address, attribute }: DeferredRead,
  sensitiveOf: (address: ResourceAddress) => readonly string[],
): boolean {
  const sensitive = sensitiveOf(address);
  return attribute === undefined ? sensitive.length > 0 : sensitive.includes(attribute);
}

type FieldOutcome =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'unknown'; readonly reference: string }
  | { readonly kind: 'fault'; readonly finding: Finding };

function evaluateField(
  { address, kind, source, attributeSources }: DesiredResource,
  name: string,
  deferred: DeferredValue,
  scope: DeferredScope,
  isSensitive: boolean,
): FieldOutcome {
  const outcome = evaluateDeferred(deferred, scope);
  if (outcome.kind === 'unknown') {
    return { kind: 'unknown', reference: outcome.unknown.reference };
  }
  const refuse = (code: string, summary: string, hint: string): FieldOutcome => {
    const place = attributeSources[name] ?? source;
    return {
      kind: 'fault',
      finding: { severity: 'error', code, summary, hint, address, source: place },
    };
  };
  if (outcome.kind === 'fault') {
    const { code, summary, hint } = outcome.fault;
    const isHidden = isSensitive && code !== 'expression-type';
    const words = isHidden
      ? 'The expression fails on a sensitive value, which is not shown'
      : summary;
    return refuse(code, words, hint);
  }
  const { deferrable } = kindRegistry[kind].fields[name] ?? {};
  const value = normalizeDeferred(deferrable, outcome.value);
  const fault = deferrable && findDeferredValueFault(deferrable, name, value);
  return fault ? refuse(fault.code, fault.summary, fault.hint) : { kind: 'value', value };
}

function without<T extends object, K extends keyof T>(object: T, name: K): Omit<T, K> {
  const copy = { ...object };
  Reflect.deleteProperty(copy, name);
  return copy;
}

/** A fault of a value; the words quote nothing of it. */
interface DeferredFault {
  readonly code: string;
  readonly summary: string;
  readonly hint: string;
}

function isText(value: Value): value is string {
  return typeof value === 'string' && /\S/.test(value);
}

function isPort(value: Value): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;
}

function isTexts(value: Value): boolean {
  if (!Array.isArray(value)) return false;
  const items = value;
  return items.every(isText) && new Set(items).size === items.length;
}

const wanted = {
  text: { test: isText, words: 'a text that is not empty' },
  name: { test: isText, words: 'a text that is not empty' },
  publicKey: { test: isText, words: 'a public key' },
  port: { test: isPort, words: 'a whole number from 1 to 65535' },
  texts: { test: isTexts, words: 'a list of texts, each once' },
};

function describe(value: Value): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'a text';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

/** The value in the form that is sent: a public key trimmed, a name in normal form C. */
function normalizeDeferred(type: DeferredFieldType | undefined, value: Value): Value {
  if (typeof value !== 'string') return value;
  switch (type) {
    case 'publicKey':
      return value.trim();
    case 'name':
      return value.normalize('NFC');
    default:
      return value;
  }
}

/** Fault of a value that an expression gave for a field on apply; undefined when there is none. */
export function findDeferredValueFault(
  type: DeferredFieldType,
  name: string,
  value: Value,
): DeferredFault | undefined {
  const isChoice = typeof type !== 'string';
  const { test, words } = isChoice
    ? {
        test: (one: Value) => typeof one === 'string' && type.includes(one),
        words: type.join(' or '),
      }
    : wanted[type];
  if (!test(value)) {
    return {
      code: 'invalid-late-value',
      summary: `\`${name}\` must be ${words}; its expression gives ${describe(value)}`,
      hint: 'Correct the expression.',
    };
  }
  if (typeof value !== 'string') return undefined;
  if (type === 'name' && trimName(value) !== value) {
    return {
      code: 'name-outer-blanks',
      summary: `\`${name}\` begins or ends with white space`,
      hint: 'Correct the expression.',
    };
  }
  return type === 'publicKey' ? findPublicKeyFault(value) : undefined;
}
