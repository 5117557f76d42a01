import type { OperationId } from '../api/contract/routes.ts';
import { routes } from '../api/contract/routes.ts';
import type { SandboxExtension } from './extension.ts';
import type { OwnerTokenValue } from './rules/account.ts';
import { authorizeSandboxRequest } from './rules/auth.ts';
import type { InjectedFaultEffects } from './faults/fault-outcome.ts';
import { applyInjectedFaultsToRules } from './faults/fault-outcome.ts';
import { sandboxHandlers } from './handlers/handlers.ts';
import { normalizeNameInBody } from './rules/names.ts';
import { readSandboxQuotaUses } from './rules/quotas.ts';
import { hasDueOperations, endDueOperations } from './rules/operations.ts';
import { createNothingAtPathRefusal, RequestRefusal } from './contract/problems.ts';
import { representProblem } from './contract/problem-representations.ts';
import type { SandboxTokenRow } from './store/rows.ts';
import type { SandboxStore } from './store/store.ts';
import type { ContractValidator } from './contract/validation.ts';
import type { SandboxRules, SandboxContext } from './store/world.ts';

/** A request for a path of the contract. */
export interface ContractRequest {
  readonly operationId: OperationId;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Effects of faults on this request; absent for none. */
  readonly outcome?: InjectedFaultEffects;
}

/** Parts of a request beside its method and path. */
export interface ContractRequestDetails {
  /** Value of the `Authorization` header; undefined without one. */
  readonly authorization: string | undefined;
  /** The JSON of the body; undefined when it has none. Throws the 400, 413, 415 or 422. */
  readonly readBody: () => unknown;
}

/** Answer of the sandbox's service, before its body is encoded as text. */
export interface UnencodedSandboxAnswer {
  readonly status: number;
  /** Body of the answer, which becomes JSON; absent for none. */
  readonly body?: unknown;
  /** Body of an answer that is not JSON, with its media type. */
  readonly text?: { readonly contentType: string; readonly content: string };
  /** The refusal that caused a failure answer. */
  readonly refusal?: RequestRefusal;
}

export interface SandboxServiceSetup {
  readonly store: SandboxStore;
  readonly rules: SandboxRules;
  readonly now: () => number;
  readonly validator: ContractValidator;
  /** Token value that authorizes the one who has opened this sandbox. */
  readonly owner: OwnerTokenValue;
  /** Handlers of operations that the contract does not have. */
  readonly handlers?: SandboxExtension['handlers'];
  /** Set to check each answer against the contract: one that breaks it is a bug. */
  readonly validateAnswers: boolean;
}

/** Service of the contract: takes requests, applies the sandbox's rules to its data, and returns answers. */
export class SandboxService {
  readonly #setup: SandboxServiceSetup;

  constructor(setup: SandboxServiceSetup) {
    this.#setup = setup;
  }

  /**
   * Returns the data, rules and time of the service at this moment, or at the given one, after ending every operation
   * that is due.
   */
  world(now = this.#setup.now()): SandboxContext {
    const { store, rules } = this.#setup;
    const world = { store, rules, now };
    if (hasDueOperations(world)) store.transaction(() => endDueOperations(world));
    return world;
  }

  /** Answers one request. Refusals are answers; anything thrown is a bug. */
  async answer(
    exchange: ContractRequest,
    { authorization, readBody }: ContractRequestDetails,
  ): Promise<UnencodedSandboxAnswer> {
    const { operationId, path, params } = exchange;
    const { validator, owner, store, rules, now } = this.#setup;
    return this.#outcome(exchange, async () => {
      const token = authorizeSandboxRequest(
        { store, rules, now: now() },
        owner,
        operationId,
        authorization,
      );
      // The data file compares a text only up to it: `vm-1` and `vm-1%00` would be one id.
      if (Object.values(params).some((id) => id.includes('\0')))
        throw createNothingAtPathRefusal(path);
      // An operation that never succeeds has nothing to do with what is asked.
      const isHopeless = routes[operationId].success === null;
      const takesBody = validator.takesBody(operationId) && !isHopeless;
      const body = takesBody ? await readBody() : undefined;
      return this.perform(exchange, token, body);
    });
  }

  /** Does one authorized operation in one transaction, now or at the moment given. Throws a `RequestRefusal`. */
  perform(exchange: ContractRequest, token: SandboxTokenRow, body: unknown, now?: number): unknown {
    const { operationId, params, query, outcome } = exchange;
    const { store, validator, handlers: more } = this.#setup;
    if (routes[operationId].success !== null) validator.checkBody(operationId, body);
    const world = this.world(now);
    const call = {
      ...world,
      rules: outcome ? applyInjectedFaultsToRules(outcome, world.rules) : world.rules,
      params,
      query: validator.checkQuery(operationId, query),
      body: normalizeNameInBody(world.rules.names, body),
      token,
    };
    // The validator has just made sure that it is this operation's call.
    const handle = (more?.[operationId] ?? sandboxHandlers[operationId]) as (
      call: unknown,
    ) => unknown;
    const work = () => handle(call);
    if (routes[operationId].method === 'GET') return store.reading(work);
    const answered = store.transaction(work);
    world.rules.quotaLag?.note(world);
    world.rules.onUse?.(readSandboxQuotaUses(world));
    return answered;
  }

  async #outcome(
    exchange: ContractRequest,
    work: () => Promise<unknown>,
  ): Promise<UnencodedSandboxAnswer> {
    const { operationId, path } = exchange;
    const { validator, validateAnswers } = this.#setup;
    const outcome = await work().then(
      (body): UnencodedSandboxAnswer => ({
        status: routes[operationId].success ?? 200,
        ...(body !== undefined && { body }),
      }),
      (error: unknown): UnencodedSandboxAnswer => {
        if (!(error instanceof RequestRefusal)) throw error;
        return { status: error.status, body: representProblem(error, path), refusal: error };
      },
    );
    if (validateAnswers) validator.checkAnswer(operationId, outcome.status, outcome.body);
    return outcome;
  }
}
