// Failures that leave open what became of a request, or what becomes of it: they never say more than was seen.
import { describeError } from '../../api/errors/describe-error.ts';
import type { ApiError } from '../../api/errors/errors.ts';
import type { Address } from '../../model/address.ts';
import { ChangeFailure } from './failure.ts';

/** The account could not be read while the end of a request was waited for: the operation itself goes on. */
export function unreadable(
  address: Address,
  what: string,
  cause: ApiError,
  isAccepted: boolean,
): ChangeFailure {
  const { summary, detail } = describeError(cause);
  const goesOn = isAccepted ? 'The operation itself goes on.' : 'It may have been carried out.';
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'unreadable',
      summary: isAccepted
        ? `The service accepted ${what}, and its result could not be read`
        : `${what} was sent, and its result could not be read`,
      detail: `${summary}. ${detail ?? ''} ${goesOn}`.replaceAll('  ', ' '),
      hint: 'Plan again to see its status when the service works again.',
      address,
    },
    { isUnknown: true, cause },
  );
}

/** Somebody deleted the resource while a request was under way on it. */
export function deletedMeanwhile(address: Address, what: string, id: string): ChangeFailure {
  return new ChangeFailure({
    severity: 'error',
    code: 'gone',
    summary: `Somebody deleted the resource during ${what}`,
    detail: `It was there, and the service has no resource with the ID ${id} any more.`,
    hint: 'Plan again: the next plan starts from what the account holds now.',
    address,
  });
}

/** The service accepted a request, and nothing shows that it did anything. */
export function leftNoTrace(address: Address, what: string): ChangeFailure {
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'no-trace',
      summary: `The service accepted ${what}, and nothing shows that it was carried out`,
      detail: 'The resource is idle and as it was before, and no operation record shows a result.',
      hint: 'Plan again to see its status.',
      address,
    },
    { isUnknown: true },
  );
}

/** No request got a complete answer, and nothing shows that one of them was carried out. */
export function noAnswer(
  address: Address,
  what: string,
  attempts: number,
  cause: Error | undefined,
): ChangeFailure {
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'no-answer',
      summary: `${what} got no complete answer ${attempts === 1 ? 'once' : `${attempts} times`}`,
      detail: cause?.message ?? '',
      hint: 'Apply again once the service can be reached.',
      address,
    },
    { isUnknown: true, cause },
  );
}

/** A request was refused after an earlier one like it got no answer: that one may have been carried out. */
export function refusedAfterLoss(address: Address, what: string, cause: ApiError): ChangeFailure {
  const told = describeError(cause);
  return new ChangeFailure(
    {
      ...told,
      detail: `${told.detail ?? ''} An earlier ${what} may have been carried out.`.trim(),
      hint: 'Plan again to see its status.',
      address,
    },
    { isUnknown: true, cause },
  );
}
