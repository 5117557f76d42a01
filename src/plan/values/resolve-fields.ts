import { listReads, type DeferredRead } from '../../expressions/deferred/deferred-reads.ts';
import {
  evaluateDeferred,
  type DeferredScope,
} from '../../expressions/deferred/evaluate-deferred.ts';
import type { ReferenceAddressIndex } from '../../expressions/deferred/deferred-reads.ts';
import { findDeferredFault, normalizeDeferred } from './deferred-value.ts';
import { kinds } from '../../kinds/registry.ts';
import type { Address } from '../../model/address.ts';
import type { Deferred } from '../../model/deferred.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';

/** A resource with the values of its expressions, as far as they are known. */
export interface ResolvedResource {
  /** The resource with the known values among its attributes; those left in `deferred` are not known yet. */
  readonly desired: DesiredResource;
  /** Addresses of resources that its expressions read, without its own. */
  readonly reads: readonly Address[];
  /** The first missing value, as an expression writes it; undefined when everything is known. */
  readonly missing: string | undefined;
  readonly findings: readonly Finding[];
}

/** Evaluates the deferred fields of a resource with the known values. A field that reads a sensitive attribute is sensitive. */
export function resolveFields(
  desired: DesiredResource,
  scope: DeferredScope,
  book: ReferenceAddressIndex,
  sensitiveOf: (address: Address) => readonly string[] = () => [],
): ResolvedResource {
  const { address, deferred } = desired;
  if (!deferred) return { desired, reads: [], missing: undefined, findings: [] };
  const attributes: Record<string, Value> = { ...desired.attributes };
  const left: Record<string, Deferred> = {};
  const findings: Finding[] = [];
  const reads = new Set<Address>();
  const sensitive = new Set(desired.sensitive);
  let missing: string | undefined;
  for (const [name, value] of Object.entries(deferred)) {
    const own = listReads(value, book);
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
  const ordered = Object.keys(kinds[desired.kind].fields).flatMap((name) =>
    name in attributes ? [[name, attributes[name] as Value] as const] : [],
  );
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
  sensitiveOf: (address: Address) => readonly string[],
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
  deferred: Deferred,
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
  const { deferrable } = kinds[kind].fields[name] ?? {};
  const value = normalizeDeferred(deferrable, outcome.value);
  const fault = deferrable && findDeferredFault(deferrable, name, value);
  return fault ? refuse(fault.code, fault.summary, fault.hint) : { kind: 'value', value };
}

function without<T extends object, K extends keyof T>(object: T, name: K): Omit<T, K> {
  const copy = { ...object };
  Reflect.deleteProperty(copy, name);
  return copy;
}
