import type { WireProblem } from '../../api/contract/types.ts';
import type { RequestRefusal } from './problems.ts';

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export const findHttpStatusTitle = (status: number): string => titles[status] ?? 'Error';

/** Shows a refusal as a problem document, with a `code` only where the refusal has one. */
export const representProblem = (
  refusal: RequestRefusal,
  path: string,
): WireProblem & { code?: string } => ({
  type: 'about:blank',
  title: findHttpStatusTitle(refusal.status),
  status: refusal.status,
  detail: refusal.message,
  instance: path,
  ...(refusal.errors && {
    errors: Object.fromEntries(
      Object.entries(refusal.errors).map(([field, messages]) => [field, [...messages]]),
    ),
  }),
  ...(refusal.code !== undefined && { code: refusal.code }),
});
