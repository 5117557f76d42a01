import { ServiceError } from './errors.ts';

/**
 * What a refusal means, whatever its status. `conflict` is a lock, a name or a state that does not allow the request:
 * which of them, only a look at the resource tells. `permanent` is a refusal that nothing we know can fix.
 */
export type RefusalMeaning =
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'insufficientCapacity'
  | 'quota'
  | 'validation'
  | 'rateLimited'
  | 'unavailable'
  | 'permanent';

type Refused = Pick<ServiceError, 'status' | 'problem' | 'operation'>;

const quotaWords =
  /\bquotas?\b|\b(limit|maximum)\b[^.]*\b(reached|exceeded|exhausted)\b|\b(exceed(s|ed)?|over)\b[^.]*\blimits?\b/i;

/** What a refusal means. Only the refused VM create is promised a code, so texts count where statuses are shared. */
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
      return isAboutQuota(error) ? 'quota' : 'conflict';
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

/**
 * True when a refused request has certainly changed nothing, so that it may be sent again as it is. A status from 500 up
 * says only that the service failed, not when: a 503 may follow on a request that was carried out. The one of a resize is
 * documented as a refusal.
 */
export function isCertainlyRefused({
  status,
  operation,
}: Pick<ServiceError, 'status' | 'operation'>): boolean {
  return status < 500 ? status !== 408 : status === 503 && operation === 'resizeVm';
}

/** Whether a request failed because what its path names is not there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && classifyRefusal(error) === 'notFound';
}
