// The embedded hosting service: everything of the contract, kept in one data file, on an injected clock.
// The main file opens it. It never reads the time, the environment or the network by itself, and it knows
// nothing of the engine: it shares the contract's facts with it and none of its logic.

import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { openAccount } from './account.ts';
import { loadContract } from './contract-file.ts';
import { buildApp } from './http.ts';
import { Service } from './service.ts';
import { DataFileError, Store } from './store.ts';
import { validatorOf } from './validation.ts';
import { looseRules, looseVariant } from './variants/loose.ts';
import { strictVariant } from './variants/variant.ts';
import type { FailurePlan, NameLengths, Quotas, Rules } from './world.ts';
import { defaultNameLengths, defaultQuotas } from './world.ts';

/** One answered request, for a log. */
interface RequestLogEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** How long it took by the injected clock, in ms. */
  readonly ms: number;
}

export interface SandboxOptions {
  /** The SQLite file, made when it is not there; or `:memory:`. */
  readonly dataFile: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** What ids, durations and tokens follow from; an existing data file keeps its own. */
  readonly seed?: number;
  /** Operations take this many times less than in earnest. */
  readonly speed?: number;
  /** `loose` answers otherwise than the contract says wherever the engine must bear it. */
  readonly variant?: 'strict' | 'loose';
  readonly quotas?: Partial<Quotas>;
  readonly nameLengths?: Partial<NameLengths>;
  /** The first token; otherwise it is made from the seed and kept in the data file. */
  readonly token?: string;
  /** Holds our own answers to the contract: one that breaks it is a bug. */
  readonly validateAnswers?: boolean;
  /** Decides which operations fail, and why. */
  readonly planFailure?: FailurePlan;
  readonly onRequest?: (entry: RequestLogEntry) => void;
  /** Hears of every bug. The client hears of a 500 alone. */
  readonly onError?: (error: unknown) => void;
}

export interface Sandbox {
  /** The first access token, with every scope. */
  readonly token: string;
  /** Answers a request whose path starts with `/v1`. */
  fetch(request: Request): Promise<Response>;
  /** Nothing is lost by leaving it out. */
  close(): void;
}

/** Opens the service on its data. Throws `DataFileError` when the data file cannot be used. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataFile, now } = options;
  const store = openStore(dataFile);
  try {
    const isLoose = options.variant === 'loose';
    const { seed, token } = openAccount(store, options);
    const strictRules: Rules = {
      seed,
      speed: options.speed ?? 1,
      quotas: { ...defaultQuotas, ...options.quotas },
      nameLengths: { ...defaultNameLengths, ...options.nameLengths },
      duplicateNames: false,
      maxPageSize: 100,
      recordLagMs: 0,
      unrecordedTypes: [],
      planFailure: options.planFailure ?? (() => null),
    };
    const service = new Service({
      store,
      rules: isLoose ? looseRules(strictRules) : strictRules,
      now,
      validator: validatorOf(await loadContract(store)),
      validateAnswers: options.validateAnswers ?? false,
    });
    const answer = buildApp(service, isLoose ? looseVariant : strictVariant, (error) => {
      options.onError?.(error);
      // A test must not take a bug for an answer.
      if (options.validateAnswers) throw error;
    });
    return {
      token,
      fetch: async (request) => {
        const startedAt = now();
        const response = await answer(request);
        const { pathname } = new URL(request.url);
        const { method } = request;
        options.onRequest?.({
          method,
          path: pathname,
          status: response.status,
          ms: now() - startedAt,
        });
        return response;
      },
      close: () => store.close(),
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

function openStore(dataFile: string): Store {
  if (dataFile === ':memory:') return new Store(dataFile);
  try {
    mkdirSync(dirname(dataFile), { recursive: true });
  } catch (cause) {
    throw new DataFileError(`The sandbox cannot make the folder of its data file ${dataFile}.`, {
      cause,
    });
  }
  const store = new Store(dataFile);
  // It holds the first token.
  chmodSync(dataFile, 0o600);
  return store;
}
