import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { describeFailureCode } from '../../execute/context/failure.ts';
import type { UnseenOperationEnd, VmOperationEnd } from '../../execute/command/run-vm-operation.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { VmOperationVerb } from '../../model/account/vm-work.ts';
import { formatElapsed } from '../../render/format/elapsed.ts';
import { vmCommandWords } from '../../render/account/vm-work-text.ts';

type Words = Omit<Diagnostic, 'severity' | 'address'>;

/** Diagnostic for the end of a VM operation where that failed; undefined after a success. */
export function describeFailedVmOperation(
  verb: VmOperationVerb,
  address: ResourceAddress,
  end: VmOperationEnd,
): Diagnostic | undefined {
  const words = findWords(verb, address, end);
  return words && { severity: 'error', ...words, address };
}

/** Note for a user who interrupts the wait for a VM operation: whether the service goes on with the operation. */
export function describeInterruptedVmOperation(
  verb: VmOperationVerb,
  address: ResourceAddress,
  isAccepted: boolean,
): Diagnostic {
  if (!isAccepted) {
    const summary = `Interrupted: the ${vmCommandWords[verb].noun} was not sent`;
    return { severity: 'note', code: 'interrupted', summary, address };
  }
  return {
    severity: 'note',
    code: 'interrupted',
    summary: `Interrupted: the ${vmCommandWords[verb].noun} continues in the background`,
    detail: 'The service has accepted it.',
    hint: `See how it ends: hostwright operations --resource '${address}'`,
    address,
  };
}

function findWords(
  verb: VmOperationVerb,
  address: ResourceAddress,
  end: VmOperationEnd,
): Words | undefined {
  if (end.kind === 'failed') return describeFailed(verb, address, end.failureCode);
  if (end.kind === 'unseen') return describeUnseen(verb, address, end);
  if (end.kind !== 'locked') return undefined;
  return {
    code: 'vm-locked',
    summary: 'The VM is still held by another operation',
    detail: `The ${vmCommandWords[verb].noun} was not sent.`,
    hint: 'Try again when it has ended, or wait longer with --timeout.',
  };
}

const aftermath: Readonly<Record<VmOperationVerb, string>> = {
  start: '',
  stop: '',
  reboot: '',
  backup: ' No backup was made.',
  restore: ' The service does not report what the disk holds now: check it before you rely on it.',
};

function describeFailed(
  verb: VmOperationVerb,
  address: ResourceAddress,
  failureCode: string | null,
): Words {
  const why = describeFailureCode(failureCode);
  const isCapacity = failureCode === 'insufficientCapacity';
  return {
    code: 'operation-failed',
    summary: `The service accepted the ${vmCommandWords[verb].noun} and then failed${failureCode === null ? '' : `: ${failureCode}`}`,
    detail: `${why}${aftermath[verb]}`,
    hint: `Try again${isCapacity ? ' later' : ''}. Its record: hostwright operations --resource '${address}'`,
  };
}

function describeUnseen(
  verb: VmOperationVerb,
  address: ResourceAddress,
  end: UnseenOperationEnd,
): Words {
  const { noun } = vmCommandWords[verb];
  const look = `hostwright operations --resource '${address}'`;
  switch (end.why) {
    case 'no-answer':
      return {
        code: 'outcome-unknown',
        summary: `The ${noun} was sent, and its outcome is unknown`,
        detail: `${explainCause(end.cause)} No sign of it has shown up since.`,
        hint: `Look first: ${look}. ${end.sent === 1 ? 'It was not sent again.' : `It was sent ${end.sent} times.`}`,
      };
    case 'no-record':
      return {
        code: 'operation-unrecorded',
        summary: `The ${noun} was accepted, and its result is unknown`,
        detail: 'The VM is free again, and the service shows no record of the operation.',
        hint: `Look at the VM itself. A late record would show here: ${look}`,
      };
    case 'timeout':
      return {
        code: 'timeout',
        summary: `The ${noun} did not end within ${formatElapsed(end.waitedMs)}`,
        detail: `It was last seen as: ${end.status}. It may still go on.`,
        hint: `Wait longer with --timeout. See its status: ${look}`,
      };
    case 'unreadable':
      return {
        code: 'no-answer',
        summary: `The ${noun} was accepted, and the service cannot be read any more`,
        detail: `${explainCause(end.cause)} The operation itself goes on.`,
        hint: `Look up the result when the service works again: ${look}`,
      };
  }
}

function explainCause(cause: unknown): string {
  if (!(cause instanceof ApiError)) return '';
  const { summary, detail } = describeError(cause);
  return detail ?? `${summary}.`;
}
