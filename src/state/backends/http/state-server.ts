// The requests of Terraform's http protocol, each sent once. This class judges the meaning of an answer; its callers decide
// how often a request is tried, and what a lost answer means.
import { createHash } from 'node:crypto';
import type { HttpExchange, HttpAnswer } from '../../../model/http.ts';
import { createStateServerAnswerError, createStateServerNetworkError } from './answer-faults.ts';
import { addLockIdToAddress, type StateServerEndpoint } from './endpoint.ts';

/** User name and password for the server (HTTP Basic). `password` is secret. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/** Result of a request: done, or refused because another run has the lock; `text` should then name the holder. */
export type StateServerOutcome =
  { readonly kind: 'done' } | { readonly kind: 'refused'; readonly text: string };

interface Call {
  readonly what: string;
  readonly method: string;
  readonly url: string;
  readonly body?: string;
  readonly headersMs: number;
  readonly largestBytes: number;
}

const largestStateBytes = 256 * 1024 * 1024;
const largestAnswerBytes = 1024 * 1024;
const bodyMs = 120_000;
/** Milliseconds that a request may take, unless it writes the state. */
const briefMs = 10_000;
/** Milliseconds that a write of the whole state may take. */
const writeMs = 30_000;

/**
 * A server that keeps one state and its lock. Operations reject with a BackendError, and wait for an answer for `attemptMs`
 * at most.
 */
export class StateServer {
  readonly endpoint: StateServerEndpoint;
  readonly #exchange: HttpExchange;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];

  constructor(
    endpoint: StateServerEndpoint,
    exchange: HttpExchange,
    credentials: BasicCredentials | undefined,
  ) {
    this.endpoint = endpoint;
    this.#exchange = exchange;
    if (!credentials) {
      this.#headers = {};
      this.#secrets = [];
      return;
    }
    const { username, password } = credentials;
    const token = Buffer.from(`${username}:${password}`).toString('base64');
    this.#headers = { authorization: `Basic ${token}` };
    this.#secrets = [token, password, encodeURIComponent(password)].filter((one) => one !== '');
  }

  /** Reads the state's text; undefined when there is none. */
  async get(attemptMs = Infinity): Promise<string | undefined> {
    const call = {
      what: 'read the state',
      method: 'GET',
      url: this.endpoint.address,
      headersMs: Math.min(briefMs, attemptMs),
      largestBytes: largestStateBytes,
    };
    const answer = await this.#send(call);
    if (answer.status === 200) return answer.text === '' ? undefined : answer.text;
    if (answer.status === 204 || answer.status === 404) return undefined;
    throw createStateServerAnswerError(answer, this.#attempt(call));
  }

  /** Puts a state in place of the one before, under the lock with this ID. */
  post(body: string, lockId: string, attemptMs = Infinity): Promise<StateServerOutcome> {
    const { address, updateMethod: method } = this.endpoint;
    const url = addLockIdToAddress(address, lockId);
    const call = {
      what: 'write the state',
      method,
      url,
      body,
      headersMs: Math.min(writeMs, attemptMs),
    };
    return this.#ask(call, [200, 201, 204]);
  }

  /** Takes the lock on the server; `body` is the lock's info as JSON. */
  lock(body: string, attemptMs = Infinity): Promise<StateServerOutcome> {
    const { lockAddress: url, lockMethod: method } = this.endpoint;
    const headersMs = Math.min(briefMs, attemptMs);
    const call = { what: 'lock the state', method, url, body, headersMs };
    return this.#ask(call, [200]);
  }

  /** Removes the lock whose ID is in this lock info. */
  unlock(body: string, attemptMs = Infinity): Promise<StateServerOutcome> {
    const { unlockAddress: url, unlockMethod: method } = this.endpoint;
    const headersMs = Math.min(briefMs, attemptMs);
    const call = { what: 'unlock the state', method, url, body, headersMs };
    return this.#ask(call, [200]);
  }

  async #ask(
    request: Omit<Call, 'largestBytes'>,
    accepted: readonly number[],
  ): Promise<StateServerOutcome> {
    const call = { ...request, largestBytes: largestAnswerBytes };
    const answer = await this.#send(call);
    const { status, text } = answer;
    if (accepted.includes(status)) return { kind: 'done' };
    if (status === 409 || status === 423) return { kind: 'refused', text };
    throw createStateServerAnswerError(answer, this.#attempt(call));
  }

  async #send(call: Call): Promise<HttpAnswer> {
    const { method, url, body, headersMs, largestBytes } = call;
    const headers = { ...this.#headers, ...(body !== undefined && describeBody(body)) };
    try {
      return await this.#exchange({ method, url, headers, body, headersMs, bodyMs, largestBytes });
    } catch (error) {
      throw createStateServerNetworkError(error, this.#attempt(call));
    }
  }

  #attempt({ what, method }: Call) {
    return { what: `${what} at ${this.endpoint.place} (${method})`, secrets: this.#secrets };
  }
}

function describeBody(body: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'content-md5': createHash('md5').update(body).digest('base64'),
  };
}
