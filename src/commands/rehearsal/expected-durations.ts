import { findCommandFacts } from '../../kinds/find-facts.ts';
import { isRecordedAsOperation } from '../../kinds/operation-types.ts';
import { commandNames, type CommandName } from '../../model/account/command.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { UsualCommandDuration, UsualCommandDurations } from '../../model/state/state.ts';
import { tableEntries } from '../../model/tables.ts';
import { decideOperationDuration as planOwn } from '../../sandbox/rules/durations.ts';
import { computeSeededFraction } from '../../sandbox/store/ids.ts';
import type { DecideOperationDuration } from '../../sandbox/store/world.ts';

type OperationType = Parameters<DecideOperationDuration>[0];

/** Expected durations on an account, by those that were seen there. */
export interface ExpectedDurations {
  /** Random durations for the sandbox, with the mean and deviation that were seen. */
  readonly plan: DecideOperationDuration;
  /** Usual duration of an operation; undefined for a type that is not known. */
  usualOf(type: string | null): UsualCommandDuration | undefined;
  /** Duration of a request that starts no operation, in milliseconds. */
  readonly latencyMs: number;
}

/** Number of samples from which the sandbox's own mean and deviation are computed. */
const sampled = 16;
/** A uniform distribution reaches this many standard deviations to either side of its mean. */
const reach = Math.sqrt(3);
/** Shortest duration that a rehearsal draws for a command, as a share of the mean duration. */
const leastShare = 0.2;

/**
 * Derives the durations of a rehearsal's operations from those that the state has learned on the account.
 * @param speed speed multiplier of a sandbox
 */
export function expectDurations(known: UsualCommandDurations = {}, speed = 1): ExpectedDurations {
  const types = new Map<string, UsualCommandDuration | undefined>(
    listTypes().map(([type, command]) => [type, known[command]]),
  );
  const scale = scaleOf(types) ?? 1 / speed;
  const usualOf = (type: string): UsualCommandDuration | undefined => {
    const seen = types.get(type);
    if (seen || !types.has(type)) return seen;
    const { meanMs, deviationMs } = measureOwn(type as OperationType);
    return { meanMs: meanMs * scale, deviationMs: deviationMs * scale };
  };
  return {
    plan(type, sequence, rules) {
      const usual = usualOf(type) ?? measureOwn(type);
      const side = computeSeededFraction(rules.seed, `learned:${sequence}`) * 2 - 1;
      const ms = usual.meanMs + side * reach * usual.deviationMs;
      const runMs = Math.ceil(Math.max(ms, usual.meanMs * leastShare) / rules.speed);
      return { queueMs: 0, runMs };
    },
    usualOf: (type) => (type === null ? undefined : usualOf(type)),
    latencyMs: measureLatency(known),
  };
}

/** Types of operation records, each with the command that causes them. */
function listTypes(): readonly (readonly [OperationType, CommandName])[] {
  return commandNames.flatMap((command) => {
    const [type] = findCommandFacts(command).operationTypes ?? [];
    return type === undefined ? [] : [[type, command] as const];
  });
}

const measured = new Map<OperationType, UsualCommandDuration>();

/** The sandbox's own duration of an operation at the speed of the service. */
function measureOwn(type: OperationType): UsualCommandDuration {
  const known = measured.get(type) ?? sampleOwn(type);
  measured.set(type, known);
  return known;
}

function sampleOwn(type: OperationType): UsualCommandDuration {
  const times = Array.from({ length: sampled }, (_, sequence) => {
    const { queueMs, runMs } = planOwn(type, sequence, { seed: 1, speed: 1 });
    return queueMs + runMs;
  });
  const meanMs = times.reduce((sum, ms) => sum + ms, 0) / sampled;
  const squares = times.reduce((sum, ms) => sum + (ms - meanMs) ** 2, 0);
  return { meanMs, deviationMs: Math.sqrt(squares / sampled) };
}

/** Ratio of the durations that were seen to the sandbox's own; undefined where none was seen. */
function scaleOf(types: ReadonlyMap<string, UsualCommandDuration | undefined>): number | undefined {
  let own = 0;
  let seen = 0;
  for (const [type, duration] of types) {
    if (!duration) continue;
    own += measureOwn(type as OperationType).meanMs;
    seen += duration.meanMs;
  }
  return own === 0 ? undefined : seen / own;
}

/** Latency of an answer, by the commands that end with their answer. */
function measureLatency(known: UsualCommandDurations): number {
  const times = tableEntries(known).flatMap(([command, { meanMs }]) =>
    isRecordedAsOperation(command) ? [] : [meanMs],
  );
  return times.length === 0 ? 0 : times.reduce((sum, ms) => sum + ms, 0) / times.length;
}

/** The part of a plan that lists its commands, grouped by task. */
interface CommandsInTasks {
  readonly tasks: readonly {
    readonly commands: readonly { readonly kind: CommandName }[];
  }[];
}

/** Lists the commands of a plan that start an operation, separated by whether its usual duration is known. */
export function listExpectedCommands(
  { tasks }: CommandsInTasks,
  known: UsualCommandDurations = {},
): Rehearsal['durations'] {
  const used = new Set(tasks.flatMap(({ commands }) => commands.map(({ kind }) => kind)));
  const timed = commandNames.filter(
    (command) => used.has(command) && isRecordedAsOperation(command),
  );
  return {
    learned: timed.filter((command) => known[command] !== undefined),
    assumed: timed.filter((command) => known[command] === undefined),
  };
}
