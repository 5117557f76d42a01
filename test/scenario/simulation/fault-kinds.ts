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
  'refused with 500',
  'refused with 502',
  'refused with 503',
  'refused with 503 and Retry-After',
  'refused with 504',
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
  'answered with 500',
  'answered with 502',
  'answered with 503',
  'answered with 503 and Retry-After',
  'answered with 504',
  'page instead of the answer',
] as const;

/** In what is read. */
const readFaults = [
  'list lags',
  'records lag',
  'record lost',
  'answer from the past',
  'not found for a while',
] as const;

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
  'process stands still',
  'machine sleeps',
] as const;

/** By a person in the console who makes what could be taken for ours. */
export const lookalikeFaults = [
  'console creates one of its name',
  'console creates one equal in all',
  'console creates one of another spelling',
] as const;

/** By a person in the console. */
export const consoleFaults = [
  'console starts',
  'console stops',
  'console renames',
  'console deletes',
  'console backs up',
  'console fails to back up',
  'console detaches',
  'console allocates an address',
  ...lookalikeFaults,
] as const;

/** By a second apply of the same directory. */
export const raceFaults = [
  'refused by the lock',
  'waits for the lock',
  'taken over by another realm',
  'unlocked by force',
] as const;

/** Between a run and what keeps its state, where that is not its own disk. */
export const backendFaults = [
  'backend: request lost',
  'backend: answer lost',
  'backend: request late',
  'backend: request overtaken',
  'backend: answer delayed',
  'backend: not reached for a while',
  'backend: refused with 503',
  'backend: answered with 500',
  'backend: answer from the past',
] as const;

export type BackendFaultKind = (typeof backendFaults)[number];

/** Where the state is, if not on the disk of the run. */
export const remotePlaces = [
  'state in a bucket',
  'state on a server',
  'state in a database',
  'state on a branch',
] as const;

export type RemotePlaceKind = (typeof remotePlaces)[number];

/** Whether the state is elsewhere, and how the run that has its lock fares there. */
const placeFaults = [...remotePlaces, 'backend: lock taken over', 'backend: lock removed'] as const;

export const faultKinds = [
  ...requestFaults,
  ...answerFaults,
  ...readFaults,
  ...operationFaults,
  ...processFaults,
  ...consoleFaults,
  ...raceFaults,
  ...backendFaults,
  ...placeFaults,
] as const;

export type FaultKind = (typeof faultKinds)[number];
