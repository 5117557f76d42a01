import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError, NotSentError } from '../../api/errors/errors.ts';
import { makeDeposedAddress, type ResourceAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError, InternalError } from '../../model/errors.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { ChangeResult } from '../../model/plan/result.ts';
import type { Task } from '../../model/plan/task.ts';
import {
  createSecretMask,
  listSecretTexts,
  maskDiagnosticTexts,
} from '../../model/text/mask-texts.ts';
import { readAttributeText } from '../../model/value.ts';
import { StateWriteError } from '../../state/faults.ts';
import { LockLostError } from '../../state/lock/fence.ts';
import { ChangeFailure, TaskInterruptedError } from '../context/failure.ts';
import type { RunContext } from '../context/run-context.ts';

/** A task that failed, was skipped, or has an unknown outcome. */
interface EndedTask {
  /** The change of the task; absent for a gate between module instances, which changes nothing. */
  readonly change?: Change;
  readonly task: Task;
  /** True once a command of the task was carried out, so that the change may be half done. */
  readonly hasBegun: boolean;
}

/**
 * Converts the error that ended a task into the result of its change: interrupted, failed or unknown.
 * @throws InternalError for an error that is a fault of Hostwright
 */
export function convertErrorToChangeResult(
  context: RunContext,
  ended: EndedTask,
  error: unknown,
): ChangeResult {
  const { change, hasBegun, task } = ended;
  const { address } = task;
  if (error instanceof TaskInterruptedError) return { kind: 'interrupted', isBegun: error.isBegun };
  if (error instanceof StateWriteError || error instanceof LockLostError) {
    return { kind: 'interrupted', isBegun: hasBegun };
  }
  if (error instanceof NotSentError && error.why === 'interrupted') {
    // Of a create that is still looked for, an earlier request may have been carried out.
    const isOpen = context.store.state.pending.has(address);
    return { kind: 'interrupted', isBegun: hasBegun || isOpen };
  }
  if (error instanceof InternalError) throw error;
  const diagnostic = diagnosticOf(error, address);
  if (!diagnostic) throw new InternalError(`while changing ${address}`, { cause: error });
  const { isUnknown, restoredFrom } =
    error instanceof ChangeFailure ? error : { isUnknown: false, restoredFrom: undefined };
  return {
    kind: isUnknown ? 'unknown' : 'failed',
    ...(restoredFrom !== undefined && { restoredFrom }),
    // The service's message may quote secrets of the request, so it is masked.
    diagnostic: maskDiagnosticTexts(
      tellWhatStands(context, ended, diagnostic),
      createSecretMask(listSecretTexts(change ? [change] : [])),
    ),
  };
}

function diagnosticOf(error: unknown, address: ResourceAddress): Diagnostic | undefined {
  if (error instanceof ChangeFailure) return error.diagnostic;
  if (error instanceof ApiError) return { ...describeError(error), address };
  const told = error instanceof DiagnosticError ? error.diagnostics[0] : undefined;
  return told && { ...told, address };
}

/** A replacement that comes first and fails leaves the old one standing, perhaps under another name: that is said. */
function tellWhatStands(
  { store }: RunContext,
  { change, task: { phase } }: EndedTask,
  diagnostic: Diagnostic,
): Diagnostic {
  if (!change?.isCreatedFirst || phase !== 'apply' || change.before === null) return diagnostic;
  const { address, id, before } = change;
  const { resources } = store.state;
  const old = [resources.get(address), resources.get(makeDeposedAddress(address, id ?? ''))].find(
    (one) => one?.id === id,
  );
  if (!old) return diagnostic;
  const name = readAttributeText(old.attributes, 'name');
  const renamed = name === readAttributeText(before, 'name') ? '' : `, renamed to "${name}"`;
  const stands = `The old resource still exists${renamed}; the next plan continues from there.`;
  return {
    ...diagnostic,
    detail: diagnostic.detail === undefined ? stands : `${diagnostic.detail} ${stands}`,
  };
}
