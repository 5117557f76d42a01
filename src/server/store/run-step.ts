// The steps of an apply or a destroy, as the server knows them: each is a request, or some, for one resource.
import { applySteps, type ApplyStep } from '../../model/plan/result.ts';
import type { Schemas } from '../contract.ts';

/** A step that began or ended. */
export interface RunStepNote {
  readonly kind: 'started' | 'completed' | 'errored';
  readonly address: string;
  readonly step: ApplyStep;
  /** By the clock of the machine that carries it out, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Progress of a run, in numbers of steps. */
export type StoredRunProgress = Schemas['Progress'];

/** When a step ran. Times are milliseconds since the Unix epoch. */
export interface RunStep {
  readonly address: string;
  readonly action: ApplyStep;
  readonly attempt: number;
  readonly startedAt: number;
  /** End of the step, in milliseconds since the Unix epoch; absent where it was not seen. */
  readonly endedAt?: number;
  readonly result?: 'applied' | 'failed';
}

const longestAddress = 2_000;

/** Reads a step from a message of the run's process; undefined where the message makes no sense. */
export function readRunStepNote(said: unknown): RunStepNote | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { kind, address, step, at }: Partial<Record<keyof RunStepNote, unknown>> = said;
  const action = applySteps.find((one) => one === step);
  if (kind !== 'started' && kind !== 'completed' && kind !== 'errored') return undefined;
  if (typeof address !== 'string' || address.length > longestAddress) return undefined;
  if (!action || typeof at !== 'number' || !Number.isSafeInteger(Math.round(at))) return undefined;
  return { kind, address, step: action, at: Math.round(at) };
}

/** Joins the notes of one attempt into its steps, in the order in which the steps began. */
export function joinStepNotes(attempt: number, notes: readonly RunStepNote[]): readonly RunStep[] {
  const steps: RunStep[] = [];
  const open = new Map<string, number>();
  for (const { kind, address, step: action, at } of notes) {
    if (kind === 'started') {
      open.set(address, steps.length);
      steps.push({ address, action, attempt, startedAt: at });
      continue;
    }
    const place = open.get(address);
    const begun = place === undefined ? undefined : steps[place];
    if (place === undefined || !begun) continue;
    open.delete(address);
    steps[place] = { ...begun, endedAt: at, result: kind === 'completed' ? 'applied' : 'failed' };
  }
  return steps;
}
