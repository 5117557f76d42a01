/** Error of a git host that did not do what was asked. No text in it contains a token. */
export class GitHostFault extends Error {
  override readonly name = 'GitHostFault';
  /** HTTP status of the host's answer; undefined where none came. */
  readonly status: number | undefined;
  /** Milliseconds for which the host asks not to be called again. */
  readonly retryAfterMs: number;

  constructor(
    message: string,
    { status, retryAfterMs = 0 }: { readonly status?: number; readonly retryAfterMs?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * Tells whether the same request can succeed later, which may take a new token or permission. A missing repository does not
   * come back.
   */
  get isPassing(): boolean {
    return this.status === undefined || ![404, 410, 422].includes(this.status);
  }

  /** True where the host itself is busy or out of reach, so that a later attempt may succeed. */
  get isOutage(): boolean {
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}
