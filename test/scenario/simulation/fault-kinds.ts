// What may go wrong in a simulation, by where it strikes.

/** Around a request, before the service sees it. */
export const requestFaults = [
  'service not reached',
  'request lost',
  'request late and given up',
  'request delayed',
  'request overtaken',
  'request sent twice',
  'request hangs',
  'refused with 429',
  'refused with 429 and Retry-After',
  'refused with 503',
  'refused with 503 and Retry-After',
  'refused by a proxy with 502',
  'page instead of the service',
  'no room at create',
] as const;

/** Around an answer: the service has carried the request out. */
export const answerFaults = [
  'answer lost',
  'answer delayed',
  'answer hangs',
  'answer cut in half',
  'answer cut short without a word',
  'answered by a proxy with 502',
  'answered by a proxy with 504',
  'page instead of the answer',
] as const;

/** In what is read. */
export const readFaults = ['list lags', 'records lag', 'record lost'] as const;

/** In the operation that a request starts. */
export const operationFaults = [
  'operation fails: insufficientCapacity',
  'operation fails: timeout',
  'operation fails: internal',
] as const;

/** To the process. */
const processFaults = [
  'killed before a request',
  'killed after an answer',
  'killed before a write',
  'killed in the middle of a write',
  'disk full',
  'interrupted',
  'clock jumps',
] as const;

/** By a person in the console. */
export const consoleFaults = [
  'console starts',
  'console stops',
  'console renames',
  'console deletes',
  'console backs up',
  'console detaches',
  'console creates one alike',
] as const;

/** By a second apply of the same directory. */
const raceFaults = ['refused by the lock', 'waits for the lock'] as const;

export const faultKinds = [
  ...requestFaults,
  ...answerFaults,
  ...readFaults,
  ...operationFaults,
  ...processFaults,
  ...consoleFaults,
  ...raceFaults,
] as const;

export type FaultKind = (typeof faultKinds)[number];
