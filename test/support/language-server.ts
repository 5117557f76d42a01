// yaml-language-server as an editor runs it: over its standard streams, with settings that keep it off the network.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

/** A place in a text, from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** What is marked in a text. */
export interface Mark {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly message: string;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** What the editor would have set. */
const settings: Readonly<Record<string, object>> = {
  yaml: {
    schemaStore: { enable: false },
    kubernetesCRDStore: { enable: false },
    completion: true,
    hover: true,
    validate: true,
  },
};

/** The requests of a client and what comes back. */
export class LanguageServer {
  readonly #child = spawn(
    process.execPath,
    [
      createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server'),
      '--stdio',
    ],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  readonly #answers = new Map<number | string, (message: Message) => void>();
  readonly #marks = new Map<string, (marks: readonly Mark[]) => void>();
  #received = Buffer.alloc(0);
  #requests = 0;
  /** What the server asked for by itself, but for its settings: contents from elsewhere would be among it. */
  readonly asked: string[] = [];

  /** Starts one. */
  static async open(): Promise<LanguageServer> {
    const server = new LanguageServer();
    server.#child.stdout.on('data', (chunk: Buffer) => {
      server.#receive(chunk);
    });
    const capabilities = {
      textDocument: {
        completion: { completionItem: { snippetSupport: true } },
        hover: { contentFormat: ['markdown'] },
      },
      workspace: { configuration: true },
    };
    await server.#request('initialize', { processId: process.pid, rootUri: null, capabilities });
    server.#send({ method: 'initialized', params: {} });
    return server;
  }

  /** Opens a text under an address. @returns what is marked in it, once that is known */
  async show(uri: string, text: string): Promise<readonly Mark[]> {
    const marks = new Promise<readonly Mark[]>((done) => this.#marks.set(uri, done));
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
    return marks;
  }

  /** What is offered at a place. */
  async complete(uri: string, position: Position): Promise<readonly string[]> {
    const params = { textDocument: { uri }, position };
    const { items } = (await this.#request('textDocument/completion', params)) as {
      items: { label: string }[];
    };
    return items.map(({ label }) => label);
  }

  /** What is said of a place. */
  async hover(uri: string, position: Position): Promise<string> {
    const params = { textDocument: { uri }, position };
    const answer = (await this.#request('textDocument/hover', params)) as {
      contents: { value: string };
    } | null;
    return answer?.contents.value ?? '';
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('close', done));
    await this.#request('shutdown', null);
    this.#send({ method: 'exit' });
    await ended;
  }

  #request(method: string, params: unknown): Promise<unknown> {
    this.#requests += 1;
    const id = this.#requests;
    const answered = new Promise<unknown>((done, fail) => {
      this.#answers.set(id, ({ result, error }) => {
        if (error) fail(new Error(error.message));
        else done(result);
      });
    });
    this.#send({ id, method, params });
    return answered;
  }

  #send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      const [, length] = /content-length: *(\d+)/i.exec(this.#received.toString()) ?? [];
      const start = end + 4;
      if (end < 0 || this.#received.length < start + Number(length)) return;
      const text = this.#received.subarray(start, start + Number(length)).toString();
      this.#received = this.#received.subarray(start + Number(length));
      this.#take(JSON.parse(text) as Message);
    }
  }

  #take(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) {
      if (id !== undefined) this.#answers.get(id)?.(message);
    } else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: Mark[] };
      this.#marks.get(uri)?.(diagnostics);
    } else if (id !== undefined) this.#send({ id, result: this.#serve(method, params) });
  }

  /** What an editor answers. */
  #serve(method: string, params: unknown): unknown {
    if (method === 'workspace/configuration') {
      const { items } = params as { items: { section: string }[] };
      return items.map(({ section }) => settings[section] ?? {});
    }
    if (method !== 'client/registerCapability') this.asked.push(method);
    return null;
  }
}
