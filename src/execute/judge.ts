import { operationTypesOf, outcomeOf } from '../api/operation-types.ts';
import type { LiveOperation } from '../api/operation.ts';
import { hasRespelledName } from '../kinds/kept-name.ts';
import { hasComeTrue, isBusy, isJudgedByRecord } from '../kinds/outcome.ts';
import { commandSubjects, type ResolvedCommand } from '../model/command.ts';
import { statusOf, type LiveResource } from '../model/live.ts';

/** What one look says of a command that was accepted. */
export type Judgement =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failureCode: string | null }
  | { readonly kind: 'waiting'; readonly status: string };

/** What is known when a command is judged. Times are by our clock, in milliseconds. */
export interface Evidence {
  readonly command: ResolvedCommand;
  /** The resource as it was just read; undefined when it is not (or no longer) there. */
  readonly live: LiveResource | undefined;
  /** Its operation record; undefined when none has appeared. */
  readonly operation: LiveOperation | undefined;
  /** True once the resource was seen busy since the request. */
  readonly wasBusy: boolean;
  /** For how long the resource has been there without being busy; 0 when it is not. */
  readonly idleForMs: number;
  /** For how long the resource has shown what was asked for, without being busy; 0 when it does not. */
  readonly shownForMs: number;
}

/** How long a record may be missing behind a resource that shows what was asked for. */
const missingRecordGraceMs = 2_000;
/** How long a record may lag, or keep a status that nobody knows, behind such a resource. */
const laggingRecordGraceMs = 30_000;

/** How long a name may be the asked one in another case until that is taken for what the service makes of it. */
const respelledNameGraceMs = 10_000;

/** How long a resource may stand idle as it was before, after it was busy, until it is said that nothing came of it. */
const silentFailureGraceMs = 60_000;

/**
 * Decides by the record and the resource together. The record decides the outcome where it has one; a record that
 * never comes, lags or says something unknown does not hold up a resource that shows the result.
 */
export function judgeCommand(evidence: Evidence): Judgement {
  const { command, live, operation, wasBusy, idleForMs, shownForMs } = evidence;
  const { effect } = commandSubjects[command.kind];
  const outcome = operation && outcomeOf(operation);
  if (effect === 'delete' && !live) return { kind: 'done' };
  if (outcome === 'failed') return { kind: 'failed', failureCode: operation?.failureCode ?? null };
  if (live && effect === 'create' && statusOf(live) === 'failed') {
    return { kind: 'failed', failureCode: operation?.failureCode ?? null };
  }
  const isReleased = live === undefined || !isBusy(live);
  if (isJudgedByRecord(command.kind) && outcome === 'succeeded' && isReleased) {
    return { kind: 'done' };
  }
  const isShown = live !== undefined && !isBusy(live) && hasComeTrue(command, live);
  const isRespelled = live !== undefined && !isBusy(live) && hasRespelledName(command, live);
  if (isRespelled && idleForMs >= respelledNameGraceMs) return { kind: 'done' };
  if (isShown) {
    if (outcome === 'succeeded' || effect === 'create') return { kind: 'done' };
    const isRecorded = operationTypesOf[command.kind].length > 0;
    const missingGraceMs = wasBusy || !isRecorded ? 0 : missingRecordGraceMs;
    const graceMs = operation !== undefined ? laggingRecordGraceMs : missingGraceMs;
    if (shownForMs >= graceMs) return { kind: 'done' };
  }
  const showsItsEnd = effect !== 'create' && !isJudgedByRecord(command.kind);
  if (showsItsEnd && !isShown && !operation && wasBusy && idleForMs >= silentFailureGraceMs) {
    return { kind: 'failed', failureCode: null };
  }
  return { kind: 'waiting', status: operation?.status ?? describeStatus(live) };
}

/** How far the service is, in its own words: what a VM says of its operation, else its status. */
function describeStatus(live: LiveResource | undefined): string {
  if (live?.kind === 'vm' && isBusy(live) && live.operationStatus !== null) {
    return live.operationStatus;
  }
  return (live && statusOf(live)) ?? 'accepted';
}
