import type { ApiError } from './errors.ts';

/** Texts of a diagnostic about a failed request: those parts that depend on the error, and a hint. */
export interface RequestErrorWords {
  readonly code: string;
  readonly summary: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** Hint for errors that a wrong base address may have caused: it names the two places that set one. */
export const baseAddressHint =
  'Check the base address (service.baseUrl, or HOSTWRIGHT_BASE_URL): it ends in /v1, as in https://api.example.com/v1.';

/** Method and URL of the request, for messages. */
export function describeRequest({ method, url }: ApiError): string {
  return `${method} ${url}`;
}

/** Sentence on the number of attempts; empty for a request that was sent once. */
export function describeAttemptCount({ attempts }: ApiError): string {
  return attempts > 1 ? ` It was tried ${attempts} times.` : '';
}
