/** An error of the interface, as RFC 9457 has it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly detail: string | undefined;

  constructor(status: number, title: string, detail?: string) {
    super(title);
    this.status = status;
    this.detail = detail;
  }

  /** The answer. */
  toResponse(): Response {
    const { status, message: title, detail } = this;
    return Response.json(
      { status, title, ...(detail !== undefined && { detail }) },
      {
        status,
        headers: {
          'content-type': 'application/problem+json',
          ...(status === 401 && { 'www-authenticate': 'Bearer' }),
        },
      },
    );
  }
}
