// The embedded hosting service: everything of the contract, kept in one data file, on an injected clock.
// The main file opens it. It never reads the time, the environment or the network by itself, leaves nothing to chance
// but the values of tokens, and knows nothing of the engine: it shares the contract's facts with it and none of its logic.
import { setTimeout as wait } from 'node:timers/promises';
import { type HttpExchange, createOversizedAnswerFailure, type HttpAnswer } from '../model/http.ts';
import {
  type SandboxAnswer,
  answerWithRefusal,
  type SandboxRequest,
  answerWithInternalError,
  encodeSandboxAnswer,
} from './contract/answer.ts';
import { type ServiceContract, loadServiceContract } from './contract/contract-file.ts';
import {
  quoteRequestPath,
  findContractRoute,
  listPathMethods,
  readQueryParameters,
} from './contract/find-route.ts';
import { RequestRefusal, createNothingAtPathRefusal } from './contract/problems.ts';
import { findContractValidator } from './contract/validation.ts';
import { serveContractInDialect } from './dialect/answer-in-dialect.ts';
import type { SandboxExtension } from './extension.ts';
import { InjectedFaultControl } from './faults/fault-control.ts';
import type { InjectedFaultEffects } from './faults/fault-outcome.ts';
import { ConnectionDroppedError } from './faults/meet-faults.ts';
import { emptyFaultScript } from './faults/script.ts';
import { mirrorAccount } from './mirror/mirrored-account.ts';
import { makeSandboxRules, type SandboxOptions } from './options.ts';
import { type SandboxAccountView, viewSandboxAccount } from './pages/account-view.ts';
import { openSandboxAccount } from './rules/account.ts';
import { answerFetchRequests } from './server/answer-fetch.ts';
import { parseJsonText } from './server/body.ts';
import { SandboxService, type SandboxServiceSetup, type ContractRequest } from './service.ts';
import { makeSandboxFolderPrivate } from './store/data-folder.ts';
import { SandboxDataFileError, SandboxDataFileWriteError } from './store/storage-errors.ts';
import { SandboxStore } from './store/store.ts';
import { createLooseSandboxRules, looseSandboxAnswerVariant } from './variants/loose.ts';
import { strictSandboxAnswerVariant, type SandboxAnswerVariant } from './variants/variant.ts';

export interface Sandbox {
  /** Value of the sandbox's first access token, which has every scope. */
  readonly token: string;
  /** The contract that the sandbox serves. */
  readonly contract: ServiceContract;
  readonly faults: InjectedFaultControl;
  /**
   * Answers a request whose path starts with `/v1`. Where a fault breaks the connection it throws what `fetch`
   * throws then: `ConnectionDroppedError`, a TypeError whose cause has the code ECONNRESET.
   */
  readonly answer: (request: SandboxRequest) => Promise<SandboxAnswer>;
  /** Answers a web `Request` with a `Response`, without a network. */
  readonly fetch: (request: Request, abandoned?: AbortSignal) => Promise<Response>;
  /**
   * Opens a transport for clients in this process: it answers with plain values as long as no fault script is active,
   * and otherwise passes requests to `byFetch`, which leads to `fetch`.
   */
  readonly openExchange: (byFetch: HttpExchange) => HttpExchange;
  /** Collects what the live page shows of the account. */
  view(): SandboxAccountView;
  /** Closes the data file. A process that ends without it loses nothing. */
  close(): void;
}

/** Opens the service on its data. Throws `SandboxDataFileError` when the data file cannot be used. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataFile, isNamedByConfiguration } = options;
  const store = new SandboxStore(
    dataFile === ':memory:' ? dataFile : makeSandboxFolderPrivate(dataFile, isNamedByConfiguration),
  );
  try {
    return await openOn(store, options);
  } catch (error) {
    store.close();
    if (!(error instanceof SandboxDataFileWriteError)) throw error;
    throw SandboxDataFileError.because(`The sandbox cannot write its data file ${dataFile}`, error);
  }
}

async function openOn(store: SandboxStore, options: SandboxOptions): Promise<Sandbox> {
  const { account, now, seed: wanted = 1 } = options;
  const { seed, token, owner } = account
    ? mirrorAccount({ store, seed: wanted, now: now() }, account)
    : openSandboxAccount(store, options);
  const contract = await extendContract(options.extension);
  const service = makeService({ store, seed, owner, contract }, options);
  const variant =
    options.variant === 'loose' ? looseSandboxAnswerVariant : strictSandboxAnswerVariant;
  const onError = (error: unknown) => {
    options.onError?.(error);
    // A bug is thrown in tests, where an answer with status 500 could go unnoticed.
    if (options.validateAnswers) throw error;
  };
  const process = answerRequests(service, variant, onError);
  const closing = new AbortController();
  const faults = new InjectedFaultControl({
    script: options.faults ?? emptyFaultScript,
    seed,
    service,
    now: options.now,
    waiting: { sleep: options.sleep ?? sleepInEarnest, closed: closing.signal },
    onFault: options.onFault ?? (() => undefined),
  });
  const ours = logging(options, (request, path) =>
    faults.answer(request, path, (outcome) => process(request, outcome)),
  );
  const refuse = (refusal: RequestRefusal, request: SandboxRequest) => {
    const refused = answerWithRefusal(refusal, quoteRequestPath(request.url.pathname));
    return logging(options, () => Promise.resolve({ answer: refused, struck: [] }))(request);
  };
  const answer = options.binding
    ? serveContractInDialect(options.binding, store, ours, refuse)
    : ours;
  const inProcess = answerInProcess(answer);
  return {
    token,
    contract,
    faults,
    answer,
    fetch: answerFetchRequests(answer),
    openExchange: (byFetch) => (request) => (faults.isIdle ? inProcess : byFetch)(request),
    view: () => {
      faults.runEdits();
      return viewSandboxAccount(service.world());
    },
    close: () => {
      closing.abort();
      store.close();
    },
  };
}

/** Adds the extension's paths to the published contract. */
async function extendContract({ paths }: Partial<SandboxExtension> = {}): Promise<ServiceContract> {
  const published = await loadServiceContract();
  return paths ? { ...published, paths: { ...published.paths, ...paths } } : published;
}

function makeService(
  opened: Pick<SandboxServiceSetup, 'store' | 'owner'> & {
    readonly contract: ServiceContract;
    readonly seed: number;
  },
  options: SandboxOptions,
): SandboxService {
  const { store, owner, contract, seed } = opened;
  const { extension, variant, now, validateAnswers = false } = options;
  const rules = makeSandboxRules(options, seed);
  return new SandboxService({
    store,
    owner,
    now,
    validateAnswers,
    rules: variant === 'loose' ? createLooseSandboxRules(rules) : rules,
    validator: findContractValidator(contract),
    ...(extension && { handlers: extension.handlers }),
  });
}

const sleepInEarnest = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal });

/** Logs every request with its end. */
function logging(
  { now, onRequest }: SandboxOptions,
  answer: (
    request: SandboxRequest,
    path: string,
  ) => Promise<{ answer: SandboxAnswer; struck: readonly string[] }>,
): Sandbox['answer'] {
  return async (request) => {
    const startedAt = now();
    const { method, url } = request;
    const path = url.pathname;
    const tell = (status: number | null, faults: readonly string[]) =>
      onRequest?.({ method, path, status, ms: now() - startedAt, faults });
    try {
      const answered = await answer(request, path.replace(/^\/v1(?=\/)/, ''));
      const { status, headers, text } = answered.answer;
      tell(status, answered.struck);
      // A fault script may have set a `Date` header of its own.
      const isDated = Object.keys(headers).some((name) => name.toLowerCase() === 'date');
      const date = isDated ? {} : { Date: new Date(now()).toUTCString() };
      return { status, headers: { ...headers, ...date }, text };
    } catch (error) {
      if (error instanceof ConnectionDroppedError) tell(null, ['connection cut']);
      throw error;
    }
  };
}

// Requests from within the process, in plain values: a rehearsal sends thousands of them.

/** Answers at once, whatever a request allows: for a service in which no fault strikes. */
function answerInProcess(
  answer: (request: SandboxRequest) => Promise<SandboxAnswer>,
): HttpExchange {
  return async (request) => {
    request.signal?.throwIfAborted();
    const answered = await answer({
      method: request.method,
      url: new URL(request.url),
      authorization: request.headers.authorization,
      readBody: () => parseJsonText(request.body ?? ''),
      abandoned: () => request.signal ?? new AbortController().signal,
    });
    return toHttp(answered, request.largestBytes);
  };
}

function toHttp({ status, headers, text }: SandboxAnswer, largestBytes: number): HttpAnswer {
  if (text !== null && text.length > largestBytes) throw createOversizedAnswerFailure(largestBytes);
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  return {
    status,
    headers: { get: (name) => byName.get(name.toLowerCase()) ?? null },
    text: text ?? '',
  };
}

/** Leads requests to the service. `onError` hears of every bug; the client only of a 500. */
function answerRequests(
  service: SandboxService,
  variant: SandboxAnswerVariant,
  onError: (error: unknown) => void,
): (request: SandboxRequest, outcome: InjectedFaultEffects) => Promise<SandboxAnswer> {
  const answer = async (request: SandboxRequest, method: string, outcome: InjectedFaultEffects) => {
    const { pathname, searchParams } = request.url;
    const found = findContractRoute(method, pathname);
    if (!found) return refuseUnrouted(pathname);
    const path = quoteRequestPath(pathname);
    const exchange: ContractRequest = {
      ...found,
      path,
      query: readQueryParameters(searchParams),
      outcome,
    };
    try {
      return encodeSandboxAnswer(
        variant(exchange, await service.answer(exchange, request), service),
      );
    } catch (error) {
      onError(error);
      return answerWithInternalError(error, path);
    }
  };
  return async (request, outcome) => {
    if (request.method !== 'HEAD') return answer(request, request.method, outcome);
    return { ...(await answer(request, 'GET', outcome)), text: null };
  };
}

/** A path that the contract has, by another method; or one that it has not. */
function refuseUnrouted(pathname: string): SandboxAnswer {
  const allowed = listPathMethods(pathname);
  const path = quoteRequestPath(pathname);
  if (allowed.length === 0) return answerWithRefusal(createNothingAtPathRefusal(path), path);
  const refusal = new RequestRefusal(405, 'method', `This path takes ${allowed.join(', ')}.`);
  const answer = answerWithRefusal(refusal, path);
  return { ...answer, headers: { ...answer.headers, Allow: allowed.join(', ') } };
}
