// Probes against what is known: in the plan as far as that goes, and in full once their member runs.
import { isDeepStrictEqual } from 'node:util';
import type { EvaluationOutcome } from '../../expressions/evaluate/compile-expression.ts';
import type { ProjectedScope } from '../../expressions/deferred/projected-scope.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { EvaluatedProbe, Probe } from '../../model/plan/readiness.ts';
import type { Task } from '../../model/plan/task.ts';
import type { SourceRange } from '../../model/source.ts';
import type { Attributes } from '../../model/value.ts';

/** A probe with its values, or the reason why they cannot be computed. */
type ResolvedProbe =
  | { readonly kind: 'known'; readonly probe: EvaluatedProbe }
  | { readonly kind: 'unknown'; readonly reference: string }
  | { readonly kind: 'fault'; readonly fault: ProbeFault };

type ProbeFault = Pick<Finding, 'code' | 'summary' | 'detail' | 'hint'>;

type ReadText = (deferred: DeferredValue) => string;

/** Ends the reading of a probe of which a value is missing or wrong. */
class UnreadableProbe extends Error {
  readonly resolved: Exclude<ResolvedProbe, { kind: 'known' }>;

  constructor(resolved: UnreadableProbe['resolved']) {
    super(resolved.kind);
    this.resolved = resolved;
  }
}

/** Evaluates the expressions of a probe. */
export function resolveProbe(
  probe: Probe,
  evaluate: (one: DeferredValue) => EvaluationOutcome,
): ResolvedProbe {
  const read: ReadText = (deferred) => {
    const outcome = evaluate(deferred);
    switch (outcome.kind) {
      case 'unknown':
        throw new UnreadableProbe({ kind: 'unknown', reference: outcome.unknown.reference });
      case 'fault': {
        const { code, summary, hint } = outcome.fault;
        throw new UnreadableProbe({ kind: 'fault', fault: { code, summary, hint } });
      }
      case 'value':
        return readText(outcome.value);
    }
  };
  try {
    return { kind: 'known', probe: readProbe(probe, read) };
  } catch (error) {
    if (error instanceof UnreadableProbe) return error.resolved;
    throw error;
  }
}

function readText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw refuse('is not a text', 'Correct the expression: it must give a text.');
}

function refuse(why: string, hint: string): UnreadableProbe {
  const fault = { code: 'invalid-probe', summary: `A value of the probe ${why}`, hint };
  return new UnreadableProbe({ kind: 'fault', fault });
}

function readProbe(probe: Probe, read: ReadText): EvaluatedProbe {
  switch (probe.kind) {
    case 'tcp':
      return { kind: 'tcp', ...readSocket(read(probe.address)) };
    case 'http': {
      const { statuses, contains } = probe;
      const url = readUrl(read(probe.url));
      return { kind: 'http', url, statuses, ...(contains && { contains: read(contains) }) };
    }
    case 'command': {
      const [program = '', ...words] = probe.words.map(read);
      const hasNul = [program, ...words].some((one) => one.includes('\0'));
      if (program === '' || hasNul)
        throw refuse('is no program', 'Write the program first, then its arguments.');
      return { kind: 'command', words: [program, ...words] };
    }
  }
}

function readSocket(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const host = bracketed ?? plain;
  if (host === undefined || port < 1 || port > 65_535)
    throw refuse('is not HOST:PORT', 'Write for example `203.0.113.7:22`, or `[2001:db8::7]:22`.');
  return { host, port };
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw refuse('is not a URL', 'Write a URL that begins with `https://` or `http://`.');
  if (url.username !== '' || url.password !== '')
    throw refuse('has credentials in it', 'Remove them from the URL: a probe sends none.');
  return url.href;
}

/** Facts about the resources that are probed. */
interface ProbedResources {
  readonly placeOf: (address: ResourceAddress) => SourceRange | undefined;
  /** Attributes that a resource has again once its rebuild was taken back; undefined where nothing takes it back. */
  readonly restoredTo: (address: ResourceAddress) => Attributes | undefined;
}

/** Tasks with the values of their probes that are known when the plan is made, and what is wrong with those. */
export function resolveTaskProbes(
  tasks: readonly Task[],
  scope: ProjectedScope,
  { placeOf, restoredTo }: ProbedResources,
): { readonly tasks: readonly Task[]; readonly findings: readonly Finding[] } {
  if (!tasks.some(({ ready }) => ready)) return { tasks, findings: [] };
  const findings: Finding[] = [];
  const resolved = tasks.map((task) => {
    const { ready, address } = task;
    if (!ready) return task;
    const source = placeOf(address);
    const about = { severity: 'error' as const, address, ...(source && { source }) };
    const secrets = new Set<DeferredValue>();
    const settleIn = (within: ProjectedScope, deferred: DeferredValue): DeferredValue => {
      const { outcome, isSensitive } = within.evaluate(deferred);
      if (isSensitive) secrets.add(deferred);
      if (outcome.kind !== 'value' || isSensitive) return deferred;
      return { kind: 'value', value: outcome.value };
    };
    const settle = (deferred: DeferredValue) => settleIn(scope, deferred);
    const probes = ready.probes.map((probe) => {
      const known = resolveProbe(probe, (one) => scope.evaluate(one).outcome);
      if (known.kind === 'fault') findings.push({ ...about, ...known.fault });
      return settleProbe(probe, settle);
    });
    const former = restoredTo(address);
    const formerScope =
      former &&
      scope.asOf((one) =>
        one.address === address ? { ...one, values: { ...one.values, ...former } } : one,
      );
    const restored =
      formerScope &&
      ready.probes.map((probe) => settleProbe(probe, (one) => settleIn(formerScope, one)));
    if (secrets.size > 0) findings.push({ ...about, ...sensitiveFault });
    const isOther = restored && !isDeepStrictEqual(restored, probes);
    return { ...task, ready: { ...ready, probes, ...(isOther && { restored }) } };
  });
  return { tasks: resolved, findings };
}

const sensitiveFault: ProbeFault = {
  code: 'probe-sensitive',
  summary: 'A probe contains a sensitive value',
  detail: 'A plan shows every probe that its apply makes, and no sensitive value.',
  hint: 'Have a `command` read the value from its environment or from a file.',
};

function settleProbe(probe: Probe, settle: (one: DeferredValue) => DeferredValue): Probe {
  switch (probe.kind) {
    case 'tcp':
      return { ...probe, address: settle(probe.address) };
    case 'http': {
      const { contains } = probe;
      return { ...probe, url: settle(probe.url), ...(contains && { contains: settle(contains) }) };
    }
    case 'command':
      return { ...probe, words: probe.words.map(settle) };
  }
}
