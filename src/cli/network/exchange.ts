import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { getAbortReason } from '../../model/errors.ts';
import {
  HttpFailure,
  createOverdueAnswerFailure,
  createOversizedAnswerFailure,
  type HttpExchange,
  type HttpAnswer,
  type HttpRequest,
} from '../../model/http.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';

/**
 * Makes an `HttpExchange` that sends requests by a dispatcher of undici. Its time limits are timers of our own: those of undici
 * restart with every byte, so a body that trickles in would never time out.
 */
export function createDispatcherExchange(dispatcher: Dispatcher): HttpExchange {
  return async (request) => {
    request.signal?.throwIfAborted();
    const { status, headers, body } = await receive(dispatcher, request);
    const packing = headers.get('content-encoding');
    try {
      const bytes = await unpack(body, packing, request.largestBytes);
      return { status, headers, text: decoder.decode(bytes) };
    } catch (error) {
      if (error instanceof HttpFailure) throw error;
      throw new HttpFailure({ kind: 'half', status }, `the answer ${status} broke off`, error);
    }
  };
}

const decoder = new TextDecoder();

const ownHeaders = {
  'accept-encoding': 'gzip, deflate, br',
  // Some gateways reject requests without a `User-Agent`.
  'user-agent': `hostwright/${publishedHostwrightVersion}`,
};

interface RawAnswer extends Pick<HttpAnswer, 'status' | 'headers'> {
  readonly body: Buffer;
}

function receive(dispatcher: Dispatcher, request: HttpRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(request, resolve, reject);
    const { origin, pathname, search } = new URL(request.url);
    const { method, headers, body = null } = request;
    dispatcher.dispatch(
      {
        origin,
        path: pathname + search,
        method: method,
        body,
        headers: { ...ownHeaders, ...headers },
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      receiver,
    );
  });
}

/** Collects the status, headers and body of one answer as they arrive. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #resolve: (answer: RawAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #isOver = false;
  #size = 0;
  #status: number | undefined;
  #headers: HttpAnswer['headers'] = { get: () => null };
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout;
  #onAbort: (() => void) | undefined;

  constructor(
    request: HttpRequest,
    resolve: (answer: RawAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    const { headersMs, signal } = request;
    this.#timer = setTimeout(
      () => this.#giveUp(createOverdueAnswerFailure('answer', headersMs)),
      headersMs,
    );
    if (!signal) return;
    this.#onAbort = () => this.#giveUp(getAbortReason(signal));
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request was given up while the connection was being made: nobody waits for its answer.
    if (this.#isOver) controller.abort(new Error('given up'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Informational answers (1xx) come before the answer proper.
    if (status < 200) return;
    this.#status = status;
    clearTimeout(this.#timer);
    const { largestBytes, bodyMs } = this.#request;
    this.#timer = setTimeout(
      () => controller.abort(createOverdueAnswerFailure('whole answer', bodyMs)),
      bodyMs,
    );
    this.#headers = { get: (name) => readHeader(headers[name.toLowerCase()]) };
    if (Number(this.#headers.get('content-length') ?? 0) > largestBytes) {
      controller.abort(createOversizedAnswerFailure(largestBytes));
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { largestBytes } = this.#request;
    this.#size += chunk.byteLength;
    if (this.#size > largestBytes) controller.abort(createOversizedAnswerFailure(largestBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#leave();
    const body = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status ?? 0, headers: this.#headers, body: body as Buffer });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#leave();
    this.#reject(this.#explain(error));
  }

  /**
   * Aborts the exchange. Until there is a connection, there is no controller, and nothing was sent that could be broken
   * off.
   */
  #giveUp(why: Error): void {
    if (this.#controller) {
      this.#controller.abort(why);
      return;
    }
    const { signal } = this.#request;
    this.#leave();
    this.#reject(signal?.aborted === true ? why : new NoConnection());
  }

  #leave(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#onAbort) this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }

  #explain(error: Error): unknown {
    const { signal } = this.#request;
    if (signal?.aborted) return signal.reason;
    if (error instanceof HttpFailure) return error;
    const code = 'code' in error ? error.code : undefined;
    // The message of undici may quote the refused header, and with it the token.
    if (code === 'UND_ERR_INVALID_ARG') {
      return new HttpFailure({ kind: 'malformed' }, 'a header or the address cannot be sent');
    }
    const refused = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
    if (refused !== undefined) {
      return new HttpFailure({ kind: 'proxy', status: Number(refused) }, error.message, error);
    }
    if (this.#status === undefined) return error;
    const status = this.#status;
    return new HttpFailure({ kind: 'half', status }, `the answer ${status} broke off`, error);
  }
}

/** Error of a connection that takes too long to be made, with the network stack's own code. */
class NoConnection extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';

  constructor() {
    super('no connection within the time allowed');
  }
}

function readHeader(value: string | string[] | undefined): string | null {
  return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
}

/** Most encodings of one body: a body with more is an attempt to exhaust memory. */
const mostPackings = 2;

/**
 * Decompresses a body. A small one may stand for a huge text: it is given up at `largestBytes`.
 * @throws HttpFailure, and errors of zlib for a body that is broken or cut short
 */
async function unpack(
  packed: Buffer,
  packings: string | null,
  largestBytes: number,
): Promise<Buffer> {
  const names = (packings ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const applied = names.filter((name) => name !== '' && name !== 'identity');
  if (applied.length > mostPackings) {
    throw new Error(`too many content-encodings: ${applied.length}`);
  }
  let bytes = packed;
  for (const name of applied.reverse()) bytes = await unpackOne(bytes, name, largestBytes);
  return bytes;
}

async function unpackOne(bytes: Buffer, name: string, largestBytes: number): Promise<Buffer> {
  // Nothing is packed in an answer without a body.
  if (bytes.byteLength === 0) return bytes;
  const options = { maxOutputLength: largestBytes };
  try {
    switch (name) {
      case 'gzip':
      case 'x-gzip':
        return await promisify(gunzip)(bytes, options);
      case 'deflate':
        // Some servers send `deflate` with the wrapping of zlib, and some without.
        return await promisify(isWrapped(bytes) ? inflate : inflateRaw)(bytes, options);
      case 'br':
        return await promisify(brotliDecompress)(bytes, options);
      default:
        return bytes;
    }
  } catch (error) {
    if (error instanceof RangeError) throw createOversizedAnswerFailure(largestBytes);
    throw error;
  }
}

function isWrapped(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 0x08;
}
