import type { Schemas } from '../contract.ts';

/** Error that the API answers a request with, in the format of RFC 9457 (problem details). */
export class ApiProblemError extends Error {
  override readonly name = 'ApiProblemError';
  readonly status: number;
  readonly detail: string | undefined;

  readonly headers: Readonly<Record<string, string>>;
  /** Further members: the id of the run that does what was asked for, or the parts of the health. */
  more: Readonly<Pick<Schemas['Problem'], 'run' | 'parts'>> = {};

  constructor(
    status: number,
    title: string,
    detail?: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(title);
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }

  /** Makes the HTTP answer for the error. */
  toResponse(): Response {
    const { status, message: title, detail, headers, more } = this;
    return Response.json(
      { status, title, ...(detail !== undefined && { detail }), ...more },
      {
        status,
        headers: {
          'content-type': 'application/problem+json',
          ...headers,
          ...(status === 401 && { 'www-authenticate': 'Bearer' }),
        },
      },
    );
  }
}
