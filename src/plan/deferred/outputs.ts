// Outputs: what they will be once a plan is applied, and what is remembered of them after it was.
import type { ProjectedScope } from '../../expressions/deferred/projected-scope.ts';
import type { OutputEntry } from '../../model/deferred.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { OutputChange, PlanMode } from '../../model/plan/plan.ts';
import type { RememberedOutput, RememberedOutputs } from '../../model/state/state.ts';
import { isEqual, type Value } from '../../model/value.ts';

/** What an output turns out to be. */
export type OutputValue =
  | { readonly kind: 'value'; readonly value: Value }
  /** Known after apply. */
  | { readonly kind: 'unknown' }
  /** It needs a resource that does not stand and that the run does not make. */
  | { readonly kind: 'left-out' }
  | { readonly kind: 'fault'; readonly finding: Finding };

/** Works an output out. A null means that there is none. */
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

/** What outputs are worked out from. */
export interface OutputsInput {
  readonly mode: PlanMode;
  /** False for a plan of a part: then what it leaves out stays as it is. */
  readonly isWhole: boolean;
  readonly entries: readonly OutputEntry[];
  /** As the state has them. */
  readonly before: RememberedOutputs;
  readonly scope: ProjectedScope;
}

const none: RememberedOutput = { sensitive: false };

function keep(name: string, { sensitive, value = null }: RememberedOutput): OutputChange {
  return {
    ...{ name, action: 'no-op', before: value, after: value, isUnknown: false },
    ...{ wasSensitive: sensitive, isSensitive: sensitive },
  };
}

function remove(name: string, { sensitive, value = null }: RememberedOutput): OutputChange {
  return {
    ...{ name, action: 'delete', before: value, after: null, isUnknown: false },
    ...{ wasSensitive: sensitive, isSensitive: false },
  };
}

function compare(
  { name, sensitive }: OutputEntry,
  was: RememberedOutput | undefined,
  value: Value | undefined,
): OutputChange {
  const { sensitive: wasSensitive, value: before = null } = was ?? none;
  const isUnknown = value === undefined;
  // A sensitive value is kept nowhere, so that it cannot be compared: once it is there, it is there.
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

/** What happens to the outputs, by name; with a finding for each that cannot have a value. */
export function planOutputs({ mode, isWhole, entries, before, scope }: OutputsInput): {
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

/** What is remembered of the outputs once a plan was applied: what cannot be told stays as it was. */
export function resolveOutputs(input: OutputsInput): RememberedOutputs {
  const { mode, isWhole, entries, before, scope } = input;
  if (mode === 'destroy') return isWhole ? new Map() : before;
  const settled = new Map<string, RememberedOutput>();
  for (const entry of entries) {
    const was = before.get(entry.name);
    const found = evaluateOutput(entry, scope);
    if (found.kind !== 'value') {
      // What has become sensitive meanwhile is not kept, whether it could be worked out or not.
      if (was) settled.set(entry.name, entry.sensitive ? { sensitive: true } : was);
    } else if (found.value !== null) {
      const { sensitive } = entry;
      settled.set(entry.name, sensitive ? { sensitive } : { sensitive, value: found.value });
    }
  }
  return settled;
}
