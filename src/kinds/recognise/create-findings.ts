// Findings about creates whose end no run has seen.
import type { ResourceAddress } from '../../model/address.ts';
import { commandSubjects } from '../../model/account/command.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { getLiveName, type LiveResource } from '../../model/account/live.ts';
import type {
  ManagedResource,
  PendingCreate,
  PossibleDuplicateCreate,
} from '../../model/state/state.ts';
import { lostCreateSearchBounds } from '../../model/state/evidence.ts';
import { kindRegistry } from '../registry.ts';
import { hasCreateIdentity } from './recognise.ts';

type Asked = Pick<PendingCreate, 'address' | 'command' | 'at'>;

/** Reason why a create's resource had to be recognised in the account. */
export type RecognisedCreateReason = 'lost' | 'doubtful' | 'of an earlier run';

const recognisedWords: Readonly<Record<RecognisedCreateReason, string>> = {
  lost: 'whose create got no complete answer',
  doubtful: 'though somebody else may have created it',
  'of an earlier run': 'which an earlier run was creating',
};

/** Reports a resource that was recognised by its likeness, since no answer had its id. */
export function noteRecognisedCreate(
  address: ResourceAddress,
  { id }: LiveResource,
  create: RecognisedCreateReason = 'of an earlier run',
): Finding {
  return {
    severity: 'note',
    code: 'create-recognised',
    summary: `Recognised ${id} as ${address}, ${recognisedWords[create]}`,
    detail:
      'It is new since the create was sent, and equal to it in everything that never changes.',
    address,
  };
}

/** Reports that the times in the records of a service differ from those of its `Date` headers. */
export function noteServiceClockDifference(aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return {
    severity: 'note',
    code: 'two-clocks',
    summary: `The service has two clocks: the times in its records are ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} its Date headers`,
    detail:
      'A create without an answer is recognised by its time. Hostwright allows for the difference.',
    hint: 'Ask the provider to synchronize the machines that answer and those that write records.',
  };
}

/** Warns that a create was sent again, and that the service reports too little to know that the first request had no effect. */
export function warnOfPossibleDuplicateCreate(address: ResourceAddress): Finding {
  return {
    severity: 'warning',
    code: 'may-be-doubled',
    summary: `${address} may be created twice: its create got no complete answer and was sent again`,
    detail:
      'The first request showed no effect for as long as it was looked for. Plans of the next hour report a second resource if one shows up.',
    hint: 'Plan again in a few minutes. Destroy a second one with --remove-doubled.',
    address,
  };
}

/** Reports several live resources that could be the result of one create. */
export function describeAmbiguousCreate(
  { address, command, at }: Asked,
  candidates: readonly LiveResource[],
): Finding {
  return {
    severity: 'error',
    code: 'ambiguous-create',
    summary: `An earlier run was interrupted while it created ${address}, and ${candidates.length} live ${candidates.length === 1 ? 'resource' : 'resources'} could be it`,
    detail: `Their ids: ${idsOf(candidates)}. All of them look like what ${command.kind} asked for at ${timeOf(at)}.`,
    hint: `Name the right one: hostwright state resolve '${address}' --id ID. Or delete the others in the account.`,
    address,
  };
}

/** Reports tokens whose values were lost with the answers: a person has to say whose they are. */
export function describeStrayTokens(
  { address, command, at }: Asked,
  candidates: readonly LiveResource[],
): Finding {
  const ids = candidates.map((one) => one.id);
  const name = 'name' in command ? command.name : '';
  return {
    severity: 'error',
    code: 'ambiguous-create',
    summary: `An earlier run got no answer while it created ${address}, and ${ids.length} access tokens named "${name}" are new since`,
    detail: `Their ids: ${ids.join(', ')}. None was there at ${timeOf(at)}. Those that this run made are of no use, since their values were lost, but they work.`,
    hint: `Revoke those that nobody else made, then plan again: ${ids.map((id) => `hostwright tokens revoke ${id}`).join('; ')}. To keep one, rename it: hostwright tokens rename.`,
    address,
  };
}

/** Reports a new resource with another name that is equal otherwise: a person may have renamed the result of our create. */
export function describePossiblyRenamedResource(
  { address, command, at, serviceAt }: Asked & Pick<PendingCreate, 'serviceAt'>,
  alike: readonly LiveResource[],
): Finding {
  const [first] = alike;
  const { label } = kindRegistry[commandSubjects[command.kind].kind];
  const named = alike.map((one) => `${one.id} ("${getLiveName(one) ?? ''}")`).join(', ');
  const isRenamed = !alike.some((one) => hasCreateIdentity(command, one));
  return {
    severity: 'error',
    code: 'perhaps-ours',
    summary: `It is unknown whether ${address} was created, and a new ${label} looks like it${isRenamed ? ' under another name' : ''}`,
    detail: `An earlier run sent ${command.kind} at ${timeOf(at)} and did not see its end. ${describeRecentCreation(alike, serviceAt)}: ${named}.`,
    hint: `Bind it if it is yours: hostwright state resolve '${address}' --id ${first?.id ?? ''}, or an imports entry { to: ${address}, id: ${first?.id ?? ''} }. If it is not: hostwright state resolve '${address}' --gone.`,
    address,
  };
}

/** Reason to take resources for the result of a create that was sent at some time of the service. */
export function describeRecentCreation(
  alike: readonly LiveResource[],
  serviceAt: number | undefined,
): string {
  const isOlder = ({ createdAt }: LiveResource) =>
    typeof createdAt === 'number' &&
    serviceAt !== undefined &&
    createdAt < serviceAt - lostCreateSearchBounds.clockSkewMs;
  return alike.some(isOlder)
    ? 'Alike, not listed before, and older than the request unless the service has two clocks'
    : 'New since the request was sent, and alike';
}

/** Reports that a create that was sent again has made two resources. */
export function describeDuplicateCreate(
  { address }: Pick<PossibleDuplicateCreate, 'address'>,
  bound: Pick<ManagedResource, 'id'> | undefined,
  extra: readonly LiveResource[],
): Finding {
  const [one] = extra;
  const left = `${idsOf(extra)} ${extra.length === 1 ? 'is' : 'are'} left over`;
  return {
    severity: 'error',
    code: 'create-doubled',
    summary: bound
      ? `${address} was created twice: ${bound.id} is managed, and ${left}`
      : `An earlier create of ${address} was sent twice, and ${left}`,
    detail: `The answer to the first request was lost, so it was sent again. The ${one ? kindRegistry[one.kind].label : 'resource'} that is left over is new since the first request and equal in everything that never changes.`,
    hint: `Destroy what is left over with --remove-doubled, or delete ${idsOf(extra)} in the account. If somebody else made it: hostwright state resolve '${address}' --gone.`,
    address,
  };
}

/**
 * Warns of a new resource, after a create was sent again, that is equal except for its name: the second result, or somebody
 * else's.
 */
export function warnOfRenamedDuplicate(
  { address }: Pick<PossibleDuplicateCreate, 'address'>,
  alike: readonly LiveResource[],
): Finding {
  const named = alike.map((one) => `${one.id} ("${getLiveName(one) ?? ''}")`).join(', ');
  return {
    severity: 'warning',
    code: 'may-be-doubled',
    summary: `${address} may have been created twice: ${named} ${alike.length === 1 ? 'is new since and looks' : 'are new since and look'} like it`,
    detail:
      'Its create got no complete answer and was sent again. What the first request made may have been renamed since.',
    hint: `Delete it in the account if nobody needs it. If somebody else made it: hostwright state resolve '${address}' --gone.`,
    address,
  };
}

/**
 * Warns of a lookalike: a create without an answer was recognised, and another resource looks the same, so that one of them
 * is somebody else's. `bound`: undefined where the recognised resource is destroyed by now.
 */
export function warnOfLookalike(
  { address }: Pick<PossibleDuplicateCreate, 'address'>,
  bound: Pick<ManagedResource, 'id'> | undefined,
  others: readonly LiveResource[],
): Finding {
  const looks = `${idsOf(others)} ${others.length === 1 ? 'looks' : 'look'} the same`;
  return {
    severity: 'warning',
    code: 'create-lookalike',
    summary: bound
      ? `${address} is managed as ${bound.id}, and ${looks}`
      : `${address} was destroyed, and ${looks}`,
    detail:
      'The answer to the only create request was lost, so Hostwright took the one that showed first. One of them was made by somebody else.',
    hint: bound
      ? `If the other one is yours: hostwright state rm '${address}', then hostwright import '${address}' ID. Or delete it in the account.`
      : `If it is yours, delete it in the account, or bind it: hostwright state resolve '${address}' --id ID.`,
    address,
  };
}

/**
 * Reports a create that must have a result, although nothing shows it now. `sighted`: ids of candidates that were shown
 * before.
 */
export function describeUnseenCreate(
  { address, command, at, acceptedAt }: PendingCreate,
  sighted: readonly string[],
): Finding {
  const why =
    acceptedAt === undefined
      ? `An operation record names the create of ${address}`
      : `The service accepted the create of ${address}`;
  const them = sighted.length === 1 ? 'it' : 'them';
  return {
    severity: 'error',
    code: 'create-not-seen',
    summary:
      sighted.length > 0
        ? `The create of ${address} may have made ${sighted.join(', ')}, and the service does not show ${them} any more`
        : `${why}, and the resource has not shown up`,
    detail: `${command.kind} was ${acceptedAt === undefined ? 'sent' : 'accepted'} at ${timeOf(acceptedAt ?? at)}. It is not created again, because there could be two then.`,
    hint: `Look for it in the account. If it is there: hostwright state resolve '${address}' --id ID. If not: hostwright state resolve '${address}' --gone.`,
    address,
  };
}

/** The note of a plan about an unsettled create: a plan does not wait, and apply looks first. */
export function noteUnsettledCreate({ address, acceptedAt }: PendingCreate): Finding {
  return {
    severity: 'note',
    code: 'create-unsettled',
    summary: `The result of the create of ${address} by an earlier run is unknown`,
    detail:
      acceptedAt === undefined
        ? 'No answer to its create was seen. Apply looks for it before it creates anything in its place.'
        : 'The service accepted its create. Apply waits until it shows up.',
    address,
  };
}

function idsOf(resources: readonly LiveResource[]): string {
  return resources.map(({ id }) => id).join(', ');
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
