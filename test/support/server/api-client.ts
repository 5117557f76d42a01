/** A run as the server shows it. */
export interface ShownRun {
  readonly id: string;
  readonly operation: string;
  readonly status: string;
  readonly attempt: number;
  readonly worker?: string;
  readonly place?: number;
  readonly waitsUntil?: string;
  readonly progress?: { readonly total: number; readonly done: number; readonly failed: number };
  readonly hasChanges?: boolean;
  readonly changes?: readonly { readonly address: string; readonly action: string }[];
}

/** What a script does with the API. */
export class ApiClient {
  readonly origin: string;
  readonly token: string;
  /** What signs the first administrator in, once. */
  readonly signInUrl: string;

  constructor(origin: string, token: string, signInUrl = '') {
    this.origin = origin;
    this.token = token;
    this.signInUrl = signInUrl;
  }

  /** The status and the body of an answer. */
  async call(method: string, path: string, given?: object) {
    const { status, body } = await this.#send(method, path, given);
    return { status, body: body as Record<string, unknown> };
  }

  /** Queues a run. */
  async run(request: object): Promise<ShownRun> {
    const { status, body } = await this.#send('POST', '/api/v1/runs', request);
    if (status !== 201) throw new Error(`The run was refused: ${JSON.stringify(body)}`);
    return body as ShownRun;
  }

  /** One run as it is now. */
  async see(id: string): Promise<ShownRun> {
    return (await this.#send('GET', `/api/v1/runs/${id}`)).body as ShownRun;
  }

  /** Resolves with a run once it is as wanted; rejects where that takes longer than a busy machine explains. */
  async until(id: string, isWanted: (run: ShownRun) => boolean): Promise<ShownRun> {
    for (const begun = Date.now(); Date.now() - begun < 100_000;) {
      const run = await this.see(id);
      if (isWanted(run)) return run;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`The run has not come so far: ${JSON.stringify(await this.see(id))}`);
  }

  /** Resolves with a run once it has ended. */
  ended(id: string): Promise<ShownRun> {
    return this.until(id, ({ status }) => status !== 'queued' && status !== 'running');
  }

  /** All lines of the log of a run, to its end: by server-sent events. */
  async readLog(id: string): Promise<string> {
    const response = await fetch(`${this.origin}/api/v1/runs/${id}/log`, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    const lines = (await response.text()).split('\n');
    return lines
      .filter((line) => line.startsWith('data: {"line"'))
      .map((line) => (JSON.parse(line.slice('data: '.length)) as { text: string }).text)
      .join('\n');
  }

  async #send(method: string, path: string, given?: object) {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      // A connection that is kept may be closed by the server in the moment of the next request.
      headers: {
        connection: 'close',
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
      },
      ...(given && { body: JSON.stringify(given) }),
    });
    return { status: response.status, body: await response.json() };
  }
}
