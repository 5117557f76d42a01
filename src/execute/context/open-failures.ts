// Failures that leave open what became of a request, or what becomes of it: they never say more than was seen.
import { describeError } from '../../api/errors/describe-error.ts';
import type { ApiError } from '../../api/errors/errors.ts';
import type { UnexpectedField } from '../../kinds/asked-shown.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { ChangeFailure } from './failure.ts';

/** The account could not be read while the end of a request was waited for: the operation itself goes on. */
export function makeUnreadableAccountFailure(
  address: ResourceAddress,
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
export function makeDeletedMeanwhileFailure(
  address: ResourceAddress,
  what: string,
  id: string,
): ChangeFailure {
  return new ChangeFailure({
    severity: 'error',
    code: 'gone',
    summary: `Somebody deleted the resource during ${what}`,
    detail: `It was there, and the service has no resource with the ID ${id} any more.`,
    hint: 'Plan again: the next plan starts from what the account holds now.',
    address,
  });
}

/** The service accepted a request, and the account shows what it showed before. `hasRecord`: the service says that it has ended. */
export function makeChangeNotShownFailure(
  address: ResourceAddress,
  what: string,
  hasRecord: boolean,
): ChangeFailure {
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'change-not-shown',
      summary: `The service accepted ${what}, and the account shows what it showed before`,
      detail: hasRecord
        ? 'Its operation record says that it has ended.'
        : 'The resource is idle, and no operation record shows a result.',
      hint: 'Look at the resource in the account, then plan again.',
      address,
    },
    { isUnknown: true },
  );
}

/** The service carried a change out, and the account shows another value than it was asked for. */
export function makeUnexpectedFieldsFailure(
  address: ResourceAddress,
  others: readonly UnexpectedField[],
  sensitive: readonly string[],
): ChangeFailure {
  const names = others.map(({ name }) => `\`${name}\``).join(', ');
  const detail = `${describeUnexpectedFields(others, sensitive)}.`;
  if (others.every(({ isAsBefore }) => isAsBefore)) {
    return new ChangeFailure({
      severity: 'error',
      code: 'change-not-shown',
      summary: `The service carried the change out, and ${names} shows what it showed before`,
      detail,
      hint: 'Look at the resource in the account, then plan again.',
      address,
    });
  }
  return new ChangeFailure({
    severity: 'error',
    code: 'shown-otherwise',
    summary: `The service carried the change out, and ${names} shows another value than was set`,
    detail,
    hint: 'Look at the resource in the account, then plan again.',
    address,
  });
}

/**
 * Describes fields that show another value than was set: `image: asked for "debian-12", shown as "ubuntu-24.04"`; a sensitive
 * value is left out.
 */
export function describeUnexpectedFields(
  others: readonly UnexpectedField[],
  sensitive: readonly string[],
): string {
  return others
    .map(({ name, asked, shown }) =>
      sensitive.includes(name)
        ? `${name}: shown otherwise than it was asked for`
        : `${name}: asked for ${JSON.stringify(asked)}, shown as ${JSON.stringify(shown)}`,
    )
    .join('; ');
}

/** No request got a complete answer, and nothing shows that one of them was carried out. */
export function makeNoAnswerFailure(
  address: ResourceAddress,
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
export function makeRefusedAfterLostFailure(
  address: ResourceAddress,
  what: string,
  cause: ApiError,
): ChangeFailure {
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
