import type { ApiError } from './errors.ts';

/** What the user sees: which part of the text depends on the error, and what to do next. */
export interface Words {
  readonly code: string;
  readonly summary: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** Where the address of the service is set. */
export const baseAddressHint =
  'Check the base address (service.baseUrl, or HOSTWRIGHT_BASE_URL): it ends in /v1, as in https://api.example.com/v1.';

/** Which request it was. */
export function describeRequest({ method, url }: ApiError): string {
  return `${method} ${url}`;
}

/** Empty for one that was sent once. */
export function sayAttempts({ attempts }: ApiError): string {
  return attempts > 1 ? ` It was tried ${attempts} times.` : '';
}
