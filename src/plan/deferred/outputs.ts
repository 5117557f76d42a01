// Outputs: their values after a plan is applied, and the values that the state then records.
import type { ProjectedScope } from '../../expressions/deferred/projected-scope.ts';
import type { OutputEntry } from '../../model/deferred.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { OutputChange, PlanMode } from '../../model/plan/plan.ts';
import type { RememberedOutput, RememberedOutputs } from '../../model/state/state.ts';
import { isEqual, type Value } from '../../model/value.ts';

/** Result of evaluating an output. */
export type OutputValue =
  | { readonly kind: 'value'; readonly value: Value }
  /** The output's value will be known only after the apply. */
  | { readonly kind: 'unknown' }
  /** The output needs a resource that does not exist and that the run does not make. */
  | { readonly kind: 'left-out' }
  | { readonly kind: 'fault'; readonly finding: Finding };

/** Evaluates an output. A null means that the output has no value. */
export function evaluateOutput(entry: OutputEntry, scope: ProjectedScope): OutputValue {
  const { outcome, isSensitive, isLeftOut } = scope.evaluate(entry.value);
  const place = { severity: 'error', source: entry.source } as const;
  if (isSensitive && !entry.sensitive) {
    const finding: Finding = {
      ...place,
      code: 'sensitive-output',
      summary: `The output \`${entry.name}\` depends on a sensitive value`,
      hint: 'Add `sensitive: true` to it.',
    };
    return { kind: 'fault', finding };
  }
  if (outcome.kind === 'value') return outcome;
  if (outcome.kind === 'unknown' && !outcome.unknown.isFault) {
    return { kind: isLeftOut ? 'left-out' : 'unknown' };
  }
  const isQuoting =
    entry.sensitive && outcome.kind === 'fault' && outcome.fault.code !== 'expression-type';
  const finding: Finding = {
    ...place,
    code: 'output-failed',
    summary: `The output \`${entry.name}\` has no value`,
    ...(outcome.kind === 'fault' && {
      detail: isQuoting
        ? 'Its expression fails on a sensitive value, which is not shown.'
        : `${outcome.fault.summary}.`,
      hint: outcome.fault.hint,
    }),
  };
  return { kind: 'fault', finding };
}

/** Input for evaluating the outputs of a configuration. */
export interface OutputsInput {
  readonly mode: PlanMode;
  /** False for a plan of a part of the resources: then outputs of other parts stay as they are. */
  readonly isWhole: boolean;
  readonly entries: readonly OutputEntry[];
  /** Outputs with the values that the state has of them. */
  readonly before: RememberedOutputs;
  readonly scope: ProjectedScope;
}

const none: RememberedOutput = { sensitive: false };

function keep(name: string, { sensitive, value = null }: RememberedOutput): OutputChange {
  return {
    name,
    action: 'no-op',
    before: value,
    after: value,
    isUnknown: false,
    wasSensitive: sensitive,
    isSensitive: sensitive,
  };
}

function remove(name: string, { sensitive, value = null }: RememberedOutput): OutputChange {
  return {
    name,
    action: 'delete',
    before: value,
    after: null,
    isUnknown: false,
    wasSensitive: sensitive,
    isSensitive: false,
  };
}

function compare(
  { name, sensitive }: OutputEntry,
  was: RememberedOutput | undefined,
  value: Value | undefined,
): OutputChange {
  const { sensitive: wasSensitive, value: before = null } = was ?? none;
  const isUnknown = value === undefined;
  // A sensitive value is kept nowhere, so it cannot be compared: an existing one counts as equal.
  const isSame = sensitive ? wasSensitive : !wasSensitive && isEqual(before, value);
  return {
    name,
    action: was === undefined ? 'create' : isSame ? 'no-op' : 'update',
    before,
    after: sensitive ? null : (value ?? null),
    isUnknown: isUnknown && !(sensitive && isSame),
    wasSensitive,
    isSensitive: sensitive,
  };
}

/** Changes of the outputs, by name; with a finding for each that cannot have a value. */
export function planOutputChanges({ mode, isWhole, entries, before, scope }: OutputsInput): {
  readonly outputs: readonly OutputChange[];
  readonly findings: readonly Finding[];
} {
  const findings: Finding[] = [];
  const isLeaving = mode === 'destroy' && isWhole;
  const wanted = new Map(mode === 'destroy' ? [] : entries.map((entry) => [entry.name, entry]));
  const names = [...new Set([...before.keys(), ...wanted.keys()])].sort();
  const outputs = names.flatMap((name): OutputChange[] => {
    const was = before.get(name);
    const entry = wanted.get(name);
    if (!entry) {
      if (!was) return [];
      return [isLeaving || mode !== 'destroy' ? remove(name, was) : keep(name, was)];
    }
    const found = evaluateOutput(entry, scope);
    switch (found.kind) {
      case 'fault':
        findings.push(found.finding);
        return was ? [keep(name, was)] : [];
      case 'left-out':
        return was ? [keep(name, was)] : [];
      case 'unknown':
        return [compare(entry, was, undefined)];
      case 'value':
        if (found.value === null) return was ? [remove(name, was)] : [];
        return [compare(entry, was, found.value)];
    }
  });
  return { outputs, findings };
}

/** Outputs once a plan was applied. */
export interface ResolvedOutputs {
  /** Outputs to record: one that cannot be evaluated stays as it was. */
  readonly recorded: RememberedOutputs;
  /** Outputs that were evaluated, or that this apply has left alone: an older value is not told as that of a failed one. */
  readonly shown: RememberedOutputs;
  readonly findings: readonly Finding[];
}

/** Outputs once a plan was applied, with a finding for each whose expression fails on what it has waited for. */
export function resolveOutputs(input: OutputsInput): ResolvedOutputs {
  const { mode, isWhole, entries, before, scope } = input;
  if (mode === 'destroy') {
    const left: RememberedOutputs = isWhole ? new Map() : before;
    return { recorded: left, shown: left, findings: [] };
  }
  const settled = new Map<string, RememberedOutput>();
  const failed = new Map<string, Finding>();
  for (const entry of entries) {
    const was = before.get(entry.name);
    const found = evaluateOutput(entry, scope);
    if (found.kind === 'fault') failed.set(entry.name, found.finding);
    if (found.kind !== 'value') {
      // The value of an output that has become sensitive is dropped, whether it could be evaluated or not.
      if (was) settled.set(entry.name, entry.sensitive ? { sensitive: true } : was);
    } else if (found.value !== null) {
      const { sensitive } = entry;
      settled.set(entry.name, sensitive ? { sensitive } : { sensitive, value: found.value });
    }
  }
  const shown = new Map([...settled].filter(([name]) => !failed.has(name)));
  return { recorded: settled, shown, findings: [...failed.values()] };
}
