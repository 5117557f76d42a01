// Rehearsals: a plan is carried out on a copy of the account and on a clock of its own, as often as asked. The result is
// shown, and decides nothing.
import { countSeverity, hasErrors } from '../../model/diagnostic.ts';
import { InternalError } from '../../model/errors.ts';
import { elementAt } from '../../model/group-by.ts';
import { isEffectivePlan } from '../../model/plan/plan.ts';
import type { RehearsedInjectedFault, Rehearsal } from '../../model/plan/rehearsal.ts';
import { sumUpDowntimes } from '../../plan/forecast/sum-up-downtimes.ts';
import { sumUpRehearsals } from '../../plan/order/sum-up-trials.ts';
import type { FaultScript } from '../../sandbox/faults/script.ts';
import type { PlanWithSources } from '../../engine/make-plan.ts';
import { copyAccount } from './copy-account.ts';
import { expectDurations, listExpectedCommands } from './expected-durations.ts';
import type { RehearsalStageSettings } from './open-stage.ts';
import { listUndecidedChecks, rehearseOnce, type RehearsalResult } from './rehearse-once.ts';

/** Options of a rehearsal. */
export interface RehearsalOptions {
  /** The number of rehearsals; each draws other random durations. */
  readonly times: number;
  /** Faults to inject into the rehearsed service, with the file that they come from. */
  readonly faults?: { readonly file: string; readonly script: FaultScript } | undefined;
}

/** Input of a rehearsal: the state that the plan was made from, and the settings of requests. */
export interface RehearsalInput extends Pick<
  RehearsalStageSettings,
  'state' | 'service' | 'pace' | 'parallelism'
> {
  /** Speed-up of time where the account is a sandbox's; undefined for a real service. */
  readonly speed?: number | undefined;
  /** Present time, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Seed of random numbers in the first rehearsal; each further rehearsal takes the next number. */
const firstSeed = 1;

/**
 * Rehearses a plan; undefined for one that changes nothing. A plan with errors is rehearsed as far as possible: where its
 * tasks are incomplete, the result is undefined, too.
 */
export async function rehearsePlan(
  planned: PlanWithSources,
  input: RehearsalInput,
  wish: RehearsalOptions,
): Promise<Rehearsal | undefined> {
  try {
    return await rehearseAll(planned, input, wish);
  } catch (error) {
    if (error instanceof InternalError && hasErrors(planned.plan.findings)) return undefined;
    throw error;
  }
}

async function rehearseAll(
  planned: PlanWithSources,
  { speed, now, ...input }: RehearsalInput,
  { times, faults }: RehearsalOptions,
): Promise<Rehearsal | undefined> {
  const { plan } = planned;
  const isDue = plan.changes.some(({ dueBackup }) => dueBackup !== undefined);
  if (plan.mode === 'refresh' || !(isEffectivePlan(plan) || isDue)) return undefined;
  const { durations: known } = input.state;
  const durations = expectDurations(known, speed);
  const { account, held } = copyAccount(planned, durations, now);
  const setting = { ...input, durations, account, startsAt: now, faults: faults?.script };
  const runs: RehearsalResult[] = [];
  for (let index = 0; index < times; index += 1) {
    runs.push(await rehearseOnce(planned, { ...setting, seed: firstSeed + index }));
  }
  const { faults: counts, ...first } = elementAt(runs, 0);
  const downtime = sumUpDowntimes(runs.map((run) => run.downtime));
  return {
    ...first,
    ...(downtime && { downtime }),
    errors: countSeverity(planned.plan.findings, 'error'),
    doubts: planned.plan.findings.filter(({ code }) => code === 'little-capacity'),
    undecided: listUndecidedChecks(planned.plan),
    held,
    durations: listExpectedCommands(planned.plan, known),
    ...(faults && {
      faults: { file: faults.file, each: counts.map((_, index) => sumUpFault(runs, index)) },
    }),
    ...(times > 1 && { trials: sumUpRehearsals(runs) }),
  };
}

/** Sums one fault up over all rehearsals. @param index position of the fault in its script */
function sumUpFault(runs: readonly RehearsalResult[], index: number): RehearsedInjectedFault {
  const each = runs.flatMap(({ faults }) => faults.slice(index, index + 1));
  const count = each.reduce((sum, fault) => sum + fault.count, 0);
  const { name = '', why } = each[0] ?? {};
  return { name, count, ...(count === 0 && why !== undefined && { why }) };
}
