import { ServiceError } from './errors.ts';

/**
 * The meaning of a refusal, whatever its status. `nameTaken` and `portTaken` are conflicts whose text says so. `conflict` is any
 * other: a lock, a state that does not allow the request, or a taken name that the text does not mention; only a look at the
 * account tells which. `permanent` is a refusal that no further request can change.
 */
export type RefusalMeaning =
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'nameTaken'
  | 'portTaken'
  | 'insufficientCapacity'
  | 'quota'
  | 'validation'
  | 'rateLimited'
  | 'unavailable'
  | 'permanent';

type Refused = Pick<ServiceError, 'status' | 'problem' | 'operation'>;

/** Meanings of a conflict with something else: a lock, or a resource that has the name or the port. */
export const conflictRefusalMeanings: ReadonlySet<RefusalMeaning> = new Set([
  ...(['conflict', 'nameTaken', 'portTaken'] as const),
]);

const quotaWords =
  /\bquotas?\b|\b(limit|maximum)\b[^.]*\b(reached|exceeded|exhausted)\b|\b(exceed(s|ed)?|over)\b[^.]*\blimits?\b/i;

/** Meaning of a refusal. Only the refused VM create is promised a code, so texts count where statuses are shared. */
export function classifyRefusal(error: Refused): RefusalMeaning {
  const { status, problem } = error;
  if (problem.code?.toLowerCase() === 'insufficientcapacity') return 'insufficientCapacity';
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return isAboutQuota(error) ? 'quota' : 'forbidden';
    case 404:
    case 410:
      return 'notFound';
    case 409:
      return isAboutQuota(error) ? 'quota' : readConflict(error);
    case 423:
      return 'conflict';
    case 400:
    case 422:
      return isAboutQuota(error) ? 'quota' : 'validation';
    case 429:
      return 'rateLimited';
    case 408:
    case 425:
      return 'unavailable';
    case 501:
    case 505:
      return 'permanent';
    case 503:
      // Documented: a resize is answered with 503 always, it is not a matter of time.
      return error.operation === 'resizeVm' ? 'permanent' : 'unavailable';
    default:
      return status >= 500 ? 'unavailable' : 'permanent';
  }
}

function isAboutQuota({ problem }: Refused): boolean {
  if (problem.code !== null && /quota/i.test(problem.code)) return true;
  // A message on a field is about its value: "the name exceeds the limit of 64" is no quota.
  if (Object.keys(problem.errors).length > 0) return false;
  return quotaWords.test(`${problem.title ?? ''}. ${problem.detail ?? ''}`);
}

// Matches an error text within one sentence; a dot inside a word, as in a file name, ends none.
const nameTakenWords = new RegExp(
  [
    String.raw`\bnames?\b(?:[^.]|\.(?=\S))*\b(?:taken|exists?|unique|in use|(?:already|been) used)\b`,
    String.raw`\bnamed\b(?:[^.]|\.(?=\S))*\bexists?\b`,
    String.raw`\balready (?:is|exists?|has|have|uses?)\b(?:[^.]|\.(?=\S))*\bname[ds]?\b`,
    String.raw`\b(?:duplicate|same) names?\b`,
  ].join('|'),
  'i',
);
const portTakenWords =
  /\bports?\b(?:[^.]|\.(?=\S))*\b(?:taken|exists?|in use|(?:already|been) (?:used|forwarded))\b/i;
const nameTakenCode = /name.*(?:taken|exists|used|conflict|duplicate)|duplicate.*name/i;

/** Tells a taken name or port from another conflict by code, field or text; quoted names are left out of the text. */
function readConflict({ problem }: Refused): 'conflict' | 'nameTaken' | 'portTaken' {
  const { title, detail, errors, code } = problem;
  if (Object.hasOwn(errors, 'name') || nameTakenCode.test(code ?? '')) return 'nameTaken';
  if (Object.hasOwn(errors, 'publicPort')) return 'portTaken';
  const text = `${title ?? ''}. ${detail ?? ''}`.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '…');
  if (nameTakenWords.test(text)) return 'nameTaken';
  return portTakenWords.test(text) ? 'portTaken' : 'conflict';
}

/**
 * Tells whether a refused request has certainly changed nothing, so that it may be sent again as it is. A status from 500 up says
 * only that the service failed, not when: a 503 may follow on a request that was carried out. The one of a resize is documented
 * as a refusal.
 */
export function isCertainlyRefused({
  status,
  operation,
}: Pick<ServiceError, 'status' | 'operation'>): boolean {
  return status < 500 ? status !== 408 : status === 503 && operation === 'resizeVm';
}

/** Tells whether an error is the service's answer 404 or 410: what the path names is not there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && classifyRefusal(error) === 'notFound';
}

/**
 * Tells whether a read failed by an answer of the service other than that the access token is invalid: then other evidence has to
 * replace what the service did not tell.
 */
export function isUntoldByService(error: unknown): error is ServiceError {
  return error instanceof ServiceError && classifyRefusal(error) !== 'unauthorized';
}

/** Refusals of a read that pass: an outage, an overload, a lock, or a limit on requests that is called a quota. */
const passingRefusals: ReadonlySet<string> = new Set([
  'unavailable',
  'rateLimited',
  'conflict',
  'nameTaken',
  'portTaken',
  'quota',
]);

/** Tells whether the service refuses a read for good, so that asking again is useless. */
export function isWithheldByService(error: unknown): boolean {
  return isUntoldByService(error) && !passingRefusals.has(classifyRefusal(error));
}
