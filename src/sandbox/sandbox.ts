// The embedded hosting service: everything of the contract, kept in one data file, on an injected clock.
// The main file opens it. It never reads the time, the environment or the network by itself, leaves nothing to chance
// but the values of tokens, and knows nothing of the engine: it shares the contract's facts with it and none of its logic.

import { setTimeout as wait } from 'node:timers/promises';

import { mirrorAccount, type MirroredAccount } from './mirror/mirrored-account.ts';
import { mirrorRules } from './mirror/mirror-rules.ts';
import { openAccount } from './rules/account.ts';
import { ownCatalog } from './rules/catalog.ts';
import { planDuration } from './rules/durations.ts';
import type { Contract } from './server/contract-file.ts';
import { loadContract } from './server/contract-file.ts';
import { makePrivate } from './store/data-folder.ts';
import type { SandboxExtension } from './extension.ts';
import type { FaultEvent } from './faults/fault-control.ts';
import { FaultControl } from './faults/fault-control.ts';
import { ConnectionDropped } from './faults/meet-faults.ts';
import type { FaultScript } from './faults/script.ts';
import { emptyScript } from './faults/script.ts';
import { buildApp } from './server/http.ts';
import type { AccountView } from './pages/account-view.ts';
import { viewAccount } from './pages/account-view.ts';
import { createQuotaLag } from './rules/quota-lag.ts';
import type { QuotaName } from './rules/quotas.ts';
import { Service, type ServiceSetup } from './service.ts';
import { DataFileError, StorageError } from './store/storage-errors.ts';
import { Store } from './store/store.ts';
import { validatorOf } from './server/validation.ts';
import { looseRules, looseVariant } from './variants/loose.ts';
import { strictVariant } from './variants/variant.ts';
import type {
  DurationPlan,
  FailurePlan,
  NameKeeping,
  NameLengths,
  Quotas,
  Rules,
} from './store/world.ts';
import { defaultNameLengths, defaultQuotas } from './store/world.ts';

/** One answered request, for a log. */
interface RequestLogEntry {
  readonly method: string;
  readonly path: string;
  /** Null when the connection was cut without an answer. */
  readonly status: number | null;
  /** How long it took by the injected clock, in ms. */
  readonly ms: number;
  /** The fault rules that struck. */
  readonly faults: readonly string[];
}

export interface SandboxOptions {
  /** The SQLite file, made when it is not there; or `:memory:`. */
  readonly dataFile: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** What ids and durations follow from; an existing data file keeps its own. */
  readonly seed?: number;
  /** Operations take this many times less than in the real service. */
  readonly speed?: number;
  /** `loose` answers otherwise than the contract says wherever the engine must bear it. */
  readonly variant?: 'strict' | 'loose';
  readonly quotas?: Partial<Quotas>;
  readonly nameLengths?: Partial<NameLengths>;
  /** What it makes of the names in creates and renames; keeps them as they are unless given. */
  readonly names?: NameKeeping;
  /**
   * A value for the first token: the data file, which keeps a hash alone, takes it at later openings, too. Otherwise a
   * random one, until this sandbox is closed.
   */
  readonly token?: string;
  /** Holds our own answers to the contract: one that breaks it is a bug. */
  readonly validateAnswers?: boolean;
  /** Decides which operations fail, and why. */
  readonly planFailure?: FailurePlan;
  /** How long operations take; as in the service itself unless given. */
  readonly planDuration?: DurationPlan;
  /** How long what GET /limits shows as used lags behind, in ms. */
  readonly quotaLagMs?: number;
  /** The account that a new one in memory begins as the copy of: its limits and its catalog hold. */
  readonly account?: MirroredAccount;
  /** Hears of the use of quotas whenever a request has changed something. */
  readonly onUse?: (used: Readonly<Record<QuotaName, number>>) => void;
  /** What goes wrong on purpose, and who else edits the account. */
  readonly faults?: FaultScript;
  /** How faults wait: to be given with a clock that is not the real one. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onFault?: (event: FaultEvent) => void;
  readonly onRequest?: (entry: RequestLogEntry) => void;
  /** What it serves beside the contract; nothing unless given. */
  readonly extension?: SandboxExtension;
  /** Hears of every bug. The client hears of a 500 alone. */
  readonly onError?: (error: unknown) => void;
}

export interface Sandbox {
  /** A value of the first access token, which has every scope. */
  readonly token: string;
  /** The contract that it serves. */
  readonly contract: Contract;
  readonly faults: FaultControl;
  /**
   * Answers a request whose path starts with `/v1`. Where a fault breaks the connection it throws what `fetch`
   * throws then: `ConnectionDropped`, a TypeError whose cause has the code ECONNRESET.
   */
  readonly fetch: (request: Request, abandoned?: AbortSignal) => Promise<Response>;
  /** Everything of the account at a glance, for the live page. */
  view(): AccountView;
  /** Nothing is lost by leaving it out. */
  close(): void;
}

/** Opens the service on its data. Throws `DataFileError` when the data file cannot be used. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataFile } = options;
  const store = new Store(dataFile === ':memory:' ? dataFile : makePrivate(dataFile));
  try {
    return await openOn(store, options);
  } catch (error) {
    store.close();
    if (!(error instanceof StorageError)) throw error;
    throw DataFileError.because(`The sandbox cannot write its data file ${dataFile}`, error);
  }
}

async function openOn(store: Store, options: SandboxOptions): Promise<Sandbox> {
  const { account, now, seed: wanted = 1 } = options;
  const { seed, token, owner } = account
    ? mirrorAccount({ store, seed: wanted, now: now() }, account)
    : openAccount(store, options);
  const contract = await extendContract(options.extension);
  const service = makeService({ store, seed, owner, contract }, options);
  const answer = buildApp(
    service,
    options.variant === 'loose' ? looseVariant : strictVariant,
    (error) => {
      options.onError?.(error);
      // A test must not take a bug for an answer.
      if (options.validateAnswers) throw error;
    },
  );
  const closing = new AbortController();
  const faults = new FaultControl({
    script: options.faults ?? emptyScript,
    seed,
    service,
    now: options.now,
    waiting: { sleep: options.sleep ?? sleepInEarnest, closed: closing.signal },
    onFault: options.onFault ?? (() => undefined),
  });
  return {
    token,
    contract,
    faults,
    fetch: logging(options, (request, path, abandoned) =>
      faults.answer(request, path, (outcome) => answer(request, outcome), abandoned),
    ),
    view: () => {
      faults.runEdits();
      return viewAccount(service.world());
    },
    close: () => {
      closing.abort();
      store.close();
    },
  };
}

/** The published contract, with what is served beside it. */
async function extendContract({ paths }: Partial<SandboxExtension> = {}): Promise<Contract> {
  const published = await loadContract();
  return paths ? { ...published, paths: { ...published.paths, ...paths } } : published;
}

function makeService(
  opened: Pick<ServiceSetup, 'store' | 'owner'> & {
    readonly contract: Contract;
    readonly seed: number;
  },
  options: SandboxOptions,
): Service {
  const { store, owner, contract, seed } = opened;
  const { extension, variant, now, validateAnswers = false } = options;
  const rules = makeRules(options, seed);
  return new Service({
    ...{ store, owner, now, validateAnswers },
    rules: variant === 'loose' ? looseRules(rules) : rules,
    validator: validatorOf(contract),
    ...(extension && { handlers: extension.handlers }),
  });
}

function makeRules(options: SandboxOptions, seed: number): Rules {
  return {
    seed,
    speed: options.speed ?? 1,
    quotas: { ...defaultQuotas, ...options.quotas },
    nameLengths: { ...defaultNameLengths, ...options.nameLengths },
    catalog: ownCatalog,
    ...(options.account && mirrorRules(options.account.live)),
    duplicateNames: false,
    names: options.names ?? 'as-given',
    maxPageSize: 100,
    recordLagMs: 0,
    unrecordedTypes: [],
    planFailure: options.planFailure ?? (() => null),
    planDuration: options.planDuration ?? planDuration,
    capacityLeft: {},
    quotaLag: options.quotaLagMs ? createQuotaLag(options.quotaLagMs) : null,
    ...(options.onUse && { onUse: options.onUse }),
  };
}

const sleepInEarnest = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal });

/** Tells of every request, however it ended. */
function logging(
  { now, onRequest }: SandboxOptions,
  answer: (
    request: Request,
    path: string,
    abandoned?: AbortSignal,
  ) => Promise<{ response: Response; struck: readonly string[] }>,
): Sandbox['fetch'] {
  return async (request, abandoned) => {
    const startedAt = now();
    const { pathname: path } = new URL(request.url);
    const tell = (status: number | null, faults: readonly string[]) =>
      onRequest?.({ method: request.method, path, status, ms: now() - startedAt, faults });
    try {
      const { response, struck } = await answer(
        request,
        path.replace(/^\/v1(?=\/)/, ''),
        abandoned,
      );
      // A script may have said another.
      if (!response.headers.has('date')) {
        response.headers.set('Date', new Date(now()).toUTCString());
      }
      tell(response.status, struck);
      return response;
    } catch (error) {
      if (error instanceof ConnectionDropped) tell(null, ['connection cut']);
      throw error;
    }
  };
}
