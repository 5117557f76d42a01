// What `doctor` finds out about the service: each thing is asked once, and what one request told is used for all.
import { existsSync } from 'node:fs';
import { createOneTimeCaller } from '../../api/transport/ask-once.ts';
import { classifyRefusal } from '../../api/errors/classify-error.ts';
import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError, ServiceError } from '../../api/errors/errors.ts';
import { findPublishedContract, knownOperations } from '../../api/wire/published-contract.ts';
import type { Caller } from '../../api/wire/reading.ts';
import { resolveToken } from '../../api/transport/token.ts';
import type { CheckUp, CheckUpName } from '../../model/account/check-up.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { ServiceSettings } from '../../model/account/service.ts';
import type { State } from '../../model/state/state.ts';
import { openState } from '../../state/store.ts';
import { connect, sandboxFile } from '../session/connect.ts';
import { examineContract } from './examine-contract.ts';
import { examineToken } from './examine-token.ts';
import { judge } from './judge-check-up.ts';
import { isUnencrypted, locateService, type ServicePlace } from '../session/locate-service.ts';
import { logRequests } from '../session/log-requests.ts';
import { relativeTo } from '../session/session.ts';

/** What a configuration says of its service and of what it wants there. */
export interface ServiceSubject {
  readonly service: ServiceSettings | undefined;
  /** Absolute. */
  readonly directory: string;
  /** Undefined where the configuration could not be read. */
  readonly resources: readonly DesiredResource[] | undefined;
}

/** What could not be looked at, since something before it is broken. */
function skip(name: CheckUpName, summary: string): CheckUp {
  return { name, outcome: 'skipped', summary };
}

/** Address, token, scopes, clock and contract. */
export async function examineService(
  runtime: Runtime,
  subject: ServiceSubject,
): Promise<readonly CheckUp[]> {
  const located = await attempt(async () => {
    const store = await openState(subject.directory, { isReadOnly: true });
    await store.close();
    return { ...locateService(runtime, subject, store.state), state: store.state };
  });
  if ('fault' in located) {
    return [
      judge('address', 'failure', located.fault),
      ...examineUnasked(
        await attempt(() => resolveToken(runtime)),
        'There is no address that could be asked',
      ),
    ];
  }
  const { place, warnings, state } = located.value;
  return [
    ...warnings.map((one) => judge('address', 'warning', one)),
    ...(place.kind === 'sandbox'
      ? await examineSandbox(runtime, subject, state, place)
      : await examineRemote(runtime, place.baseUrl, subject)),
  ];
}

type Attempted<T> = { readonly value: T } | { readonly fault: Diagnostic };

async function attempt<T>(work: () => T | Promise<T>): Promise<Attempted<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const [fault] = error instanceof DiagnosticError ? error.diagnostics : [];
    if (!fault) throw error;
    return { fault };
  }
}

/** What is left to say where the service was not asked. */
function examineUnasked(token: Attempted<string>, why: string): CheckUp[] {
  return [
    'fault' in token
      ? judge('token', 'failure', token.fault)
      : skip('token', `A token is set, and could not be tried: ${lower(why)}`),
    skip('scopes', why),
    skip('clock', why),
    skip('contract', why),
  ];
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Nothing is made where nothing was done so far. */
async function examineSandbox(
  runtime: Runtime,
  { service, directory }: ServiceSubject,
  state: State,
  { dataDirectory }: Extract<ServicePlace, { kind: 'sandbox' }>,
): Promise<CheckUp[]> {
  const isThere = existsSync(sandboxFile(dataDirectory));
  const data = isThere
    ? `its data is in ${relativeTo(runtime, dataDirectory)}`
    : 'nothing was done there so far';
  const settings = { service, directory, requestsPerSecond: undefined };
  const opened = isThere
    ? await attempt(async () => {
        const connection = await connect(runtime, settings, state, {
          showDiagnostics: () => undefined,
        });
        connection.close();
      })
    : undefined;
  const fine = (name: CheckUpName, summary: string): CheckUp => ({ name, outcome: 'ok', summary });
  if (opened && 'fault' in opened) {
    const why = 'The embedded sandbox cannot be opened';
    const names = ['scopes', 'clock', 'contract'] as const;
    return [
      judge('address', 'failure', opened.fault),
      fine('token', 'The embedded sandbox needs none'),
      ...names.map((name) => skip(name, why)),
    ];
  }
  return [
    fine('address', `The embedded sandbox; ${data}`),
    fine('token', 'The embedded sandbox needs none'),
    fine('scopes', 'Everything is allowed there'),
    fine('clock', 'It goes by the clock of this machine'),
    fine('contract', `It serves all ${knownOperations} operations`),
  ];
}

/** One answered or failed request, and what came with it. */
interface Probe {
  readonly error: ApiError | undefined;
  readonly elapsedMs: number;
  /** How far the service's clock is ahead of ours; undefined where its answer bears no time. */
  readonly aheadMs: number | undefined;
}

async function examineRemote(
  runtime: Runtime,
  baseUrl: string,
  { resources }: ServiceSubject,
): Promise<readonly CheckUp[]> {
  const { clock } = runtime;
  const token = await attempt(() => resolveToken(runtime));
  const network = runtime.openNetwork({ maxConnections: 4 });
  const exchange = logRequests(runtime, network.exchange);
  let aheadMs: number | undefined;
  const caller = createOneTimeCaller(baseUrl, {
    clock,
    // Without one, the refusal tells that the service is there.
    token: 'value' in token ? token.value : 'none',
    exchange: async (request) => {
      const sentAt = clock.now();
      const response = await exchange(request);
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) aheadMs = date - (sentAt + clock.now()) / 2;
      return response;
    },
  });
  const startedAt = clock.now();
  const error = await probe(caller);
  const elapsedMs = clock.now() - startedAt;
  const address = examineAddress(baseUrl, { error, elapsedMs, aheadMs });
  if (address.outcome === 'failure') {
    return [address, ...examineUnasked(token, 'The service does not answer')];
  }
  const [ofToken, published] = await Promise.all([
    'fault' in token
      ? [
          judge('token', 'failure', token.fault),
          skip('scopes', 'There is no token that could be tried'),
        ]
      : examineToken({ runtime, caller, error, resources }),
    findPublishedContract(baseUrl, { exchange, clock }),
  ]);
  return [address, ...ofToken, examineClock(aheadMs), examineContract(published)];
}

/** Asks what every token may read. */
async function probe(caller: Caller): Promise<ApiError | undefined> {
  try {
    await caller.call({ operation: 'getLimits', params: {} });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function examineAddress(baseUrl: string, { error, elapsedMs }: Probe): CheckUp {
  const name = 'address';
  const meaning = error instanceof ServiceError ? classifyRefusal(error) : undefined;
  if (error && meaning !== 'unauthorized' && meaning !== 'forbidden') {
    const outcome = meaning === 'rateLimited' ? 'warning' : 'failure';
    return judge(name, outcome, describeError(error));
  }
  const summary = `${baseUrl} answered within ${Math.max(1, Math.ceil(elapsedMs))} ms`;
  if (isUnencrypted(baseUrl)) {
    return judge(name, 'warning', {
      code: 'unencrypted',
      summary,
      detail: 'The connection is not encrypted: who is on the way can read the access token.',
      hint: 'Use an address that begins with https://.',
    });
  }
  return { name, outcome: 'ok', summary };
}

const smallSkewMs = 30_000;
const largeSkewMs = 300_000;

function examineClock(aheadMs: number | undefined): CheckUp {
  const name = 'clock';
  if (aheadMs === undefined) return skip(name, 'The service does not say what time it is');
  const skewMs = Math.abs(aheadMs);
  const off = `${Math.round(skewMs / 1_000)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the service's`;
  if (skewMs <= smallSkewMs) {
    // Its time has no fractions of a second.
    const summary = skewMs < 2_000 ? "The same time as the service's" : `It is ${off}`;
    return { name, outcome: 'ok', summary };
  }
  return judge(name, skewMs > largeSkewMs ? 'failure' : 'warning', {
    code: 'clock-skew',
    summary: `The clock of this machine is ${off}`,
    detail: 'Ends of access tokens, and which operation was there before, are told by the clock.',
    hint: 'Let the clock be set by a time server.',
  });
}
