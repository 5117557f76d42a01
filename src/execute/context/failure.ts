import { describeError } from '../../api/errors/describe-error.ts';
import type { ServiceError } from '../../api/errors/errors.ts';
import { describeRecentCreation } from '../../kinds/recognise/create-findings.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/account/live.ts';

/** Facts about a failure beside what the user sees. */
interface FailureFacts {
  /** Tells whether the outcome of the change is unknown, so that the next plan must find out. */
  readonly isUnknown?: boolean;
  readonly cause?: unknown;
  readonly failureCode?: string | null;
  /** Set where the service had begun an operation, and that failed. */
  readonly hasActed?: boolean;
  /** Id of the backup from which the resource was restored since. */
  readonly restoredFrom?: string;
}

/** A change that failed, with the diagnostics for the user. */
export class ChangeFailure extends Error {
  readonly diagnostic: Diagnostic;
  readonly isUnknown: boolean;
  readonly hasActed: boolean;
  readonly restoredFrom: string | undefined;
  /** Reason of the failed operation, in the service's own code; null where it gave none. */
  readonly failureCode: string | null;

  constructor(diagnostic: Diagnostic, options: FailureFacts = {}) {
    super(diagnostic.summary, { cause: options.cause });
    this.name = 'ChangeFailure';
    this.diagnostic = diagnostic;
    this.isUnknown = options.isUnknown === true;
    this.hasActed = options.hasActed === true;
    this.restoredFrom = options.restoredFrom;
    this.failureCode = options.failureCode ?? null;
  }
}

/** Stops a task between two commands because the run was interrupted. */
export class TaskInterruptedError extends Error {
  /** Tells whether an earlier command of the task was carried out, so that the change is half done. */
  readonly isBegun: boolean;

  constructor(isBegun: boolean) {
    super('interrupted');
    this.name = 'TaskInterruptedError';
    this.isBegun = isBegun;
  }
}

/** Thrown right before a request that must not be sent. `unchanged`: the resource already is as the command would make it. */
export class CommandWithheldError extends Error {
  readonly why: 'unchanged' | 'gone' | 'declined' | 'locked' | 'interrupted';

  constructor(why: CommandWithheldError['why']) {
    super(why);
    this.name = 'CommandWithheldError';
    this.why = why;
  }
}

const failureCodes: Readonly<Record<string, string>> = {
  insufficientCapacity: 'The cluster has no room for this configuration at the moment.',
  timeout: 'The service gave up because it took too long.',
  internal: 'The service had an internal error.',
};

/** Why an operation failed, as far as the service says; a full sentence. */
export function describeFailureCode(failureCode: string | null): string {
  if (failureCode === null) return 'The service gives no reason.';
  const known = Object.hasOwn(failureCodes, failureCode) ? failureCodes[failureCode] : undefined;
  return known ?? `Its failure code is ${failureCode}.`;
}

/** The operation of a request failed. `isAccepted`: the service answered that it took it. */
export function makeOperationFailure(
  address: ResourceAddress,
  what: string,
  failureCode: string | null,
  isAccepted = true,
): ChangeFailure {
  const reason = failureCode === null ? '' : `: ${failureCode}`;
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'operation-failed',
      summary: isAccepted
        ? `The service accepted ${what} and then failed${reason}`
        : `${what} got no complete answer, and its operation failed${reason}`,
      detail: describeFailureCode(failureCode),
      hint:
        failureCode === 'insufficientCapacity'
          ? 'Apply again later, or choose another configuration.'
          : 'Apply again: the next plan starts from what the account holds now.',
      address,
    },
    { failureCode, hasActed: true },
  );
}

/** The service took the request, and its end did not show in time. */
export function makeCommandTimeoutFailure(
  address: ResourceAddress,
  what: string,
  minutes: number,
  status: string,
): ChangeFailure {
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'timeout',
      summary: `${what} did not end within ${minutes} minutes`,
      detail: `It was last seen as: ${status}. It may still go on.`,
      hint: 'Plan again to see its status; a longer time can be set under timeouts.',
      address,
    },
    { isUnknown: true },
  );
}

/** A create was sent, and nothing that it could have made has shown up. */
export function makeUnseenCreateFailure(address: ResourceAddress, cause?: unknown): ChangeFailure {
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'create-not-seen',
      summary: cause
        ? 'The create got no complete answer, and no sign of it has shown up'
        : 'The service accepted the create, and the resource has not shown up',
      detail: 'Whether the service made it is not known. It is not created a second time.',
      hint: 'Apply again: the next run looks for it first.',
      address,
    },
    { isUnknown: true, cause },
  );
}

/**
 * Something else has the name or the port that a create or a rename asks for, and it came after the plan was made. `cause`: a
 * refusal for it. `isKept`: the address has its resource, so that it cannot adopt the other one.
 */
export function makeClaimTakenFailure(
  address: ResourceAddress,
  {
    rivals,
    cause,
    isKept = false,
  }: {
    readonly rivals: readonly LiveResource[];
    readonly cause?: ServiceError;
    readonly isKept?: boolean;
  },
): ChangeFailure {
  const ids = rivals.map(({ id }) => id).join(', ');
  const what = (rivals[0] && kindRegistry[rivals[0].kind].traits.marks?.words?.takes) ?? 'name';
  const said = (cause && describeError(cause).detail) ?? '';
  return new ChangeFailure(
    {
      severity: 'error',
      code: `${what}-taken`,
      summary: `Something else took its ${what} since the plan was made`,
      detail: `${said} The resource that has it now is not in the state; its id: ${ids}.`.trim(),
      hint: isKept
        ? `Delete or rename that one in the account, or give this one another ${what}.`
        : `Plan again: adopt it, with an imports entry ({ to: ${address}, id: ${rivals[0]?.id ?? ''} }) or with --adopt, or delete it.`,
      address,
    },
    { cause },
  );
}

/** The failure of a create that any of several live resources may come from. */
export function makeAmbiguousCreateFailure(
  address: ResourceAddress,
  ids: readonly string[],
): ChangeFailure {
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'ambiguous-create',
      summary: `${ids.length} live resources could be the one just created`,
      detail: `Their ids: ${ids.join(', ')}. They appeared since the request was sent and look alike.`,
      hint: `Name the right one: hostwright state resolve '${address}' --id ID. Or delete the others in the account. Then apply again.`,
      address,
    },
    { isUnknown: true },
  );
}

/** The answer to a create was lost, and something new looks like what it would have made. */
export function makePossibleRenameFailure(
  address: ResourceAddress,
  alike: readonly LiveResource[],
  serviceAt?: number,
): ChangeFailure {
  const ids = alike.map(({ id }) => id);
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'perhaps-ours',
      summary:
        'An earlier create of it got no complete answer, and a new resource looks like its result',
      detail: `${describeRecentCreation(alike, serviceAt)}: ${ids.join(', ')}. It is not created a second time.`,
      hint: `Bind it if it is yours: hostwright state resolve '${address}' --id ${ids[0] ?? ''}, or an imports entry { to: ${address}, id: ${ids[0] ?? ''} }. If it is not: hostwright state resolve '${address}' --gone.`,
      address,
    },
    { isUnknown: true },
  );
}
