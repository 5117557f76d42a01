import type { InjectedFaultEffects } from './fault-outcome.ts';
import { noInjectedFaultEffects } from './fault-outcome.ts';
import type { FaultRuleTally } from './match-condition.ts';
import {
  isRequestInFaultRule,
  findContractOperation,
  isFaultRuleTriggered,
} from './match-condition.ts';
import type { FaultRuleAction, FaultRule, FaultScript } from './script.ts';

/** Faults that the sandbox injects into one request. */
export interface InjectedRequestFaults {
  /** Names of the fault rules that struck, in the order of the script. */
  readonly struck: readonly string[];
  readonly delayMs: number;
  /** Fault that takes the place of the answer, from the first rule that has one; null where the service answers. */
  readonly ending: Extract<FaultRuleAction, { kind: 'drop' | 'hang' | 'answer' }> | null;
  readonly outcome: InjectedFaultEffects;
}

const undisturbed: InjectedRequestFaults = {
  struck: [],
  delayMs: 0,
  ending: null,
  outcome: noInjectedFaultEffects,
};

/** Decides for each request which faults of the script are injected. The same requests in the same order meet the same faults. */
export class InjectedFaultDecider {
  readonly #seed: number;
  #script: FaultScript;
  #startedAt: number;
  #tallies: FaultRuleTally[];
  #requests = 0;

  /**
   * Begins with a script: `seed` is used where the script has none, and the times `after` and `at` of the script count
   * from `startedAt`.
   */
  constructor(script: FaultScript, seed: number, startedAt: number) {
    this.#seed = seed;
    this.#script = script;
    this.#startedAt = startedAt;
    this.#tallies = script.rules.map(() => ({ seen: 0, struck: 0 }));
  }

  get script(): FaultScript {
    return this.#script;
  }

  get startedAt(): number {
    return this.#startedAt;
  }

  /** Number of requests since the fault script was started. */
  get requests(): number {
    return this.#requests;
  }

  /** Fault rules with the numbers of requests that they saw and struck. */
  get tallies(): readonly (FaultRuleTally & { readonly rule: FaultRule })[] {
    return this.#script.rules.map((rule, index) => ({
      rule,
      ...(this.#tallies[index] ?? { seen: 0, struck: 0 }),
    }));
  }

  /** Replaces the fault script; all counts start anew. */
  restart(script: FaultScript, now: number): void {
    this.#script = script;
    this.#startedAt = now;
    this.#tallies = script.rules.map(() => ({ seen: 0, struck: 0 }));
    this.#requests = 0;
  }

  /** Decides which faults a request meets; `path` is relative to the base address. */
  meet(method: string, path: string, now: number): InjectedRequestFaults {
    this.#requests += 1;
    const { rules, seed = this.#seed } = this.#script;
    if (rules.length === 0) return undisturbed;
    const operationId = findContractOperation(method, path);
    const arrival = { method, path, operationId, elapsedMs: now - this.#startedAt };
    const struck: FaultRule[] = [];
    rules.forEach((rule, index) => {
      if (!isRequestInFaultRule(rule.when, arrival)) return;
      const tally = this.#tallies[index] ?? { seen: 0, struck: 0 };
      const seen = tally.seen + 1;
      const hits = isFaultRuleTriggered(rule.when, { ...tally, seen }, { seed, rule: index });
      this.#tallies[index] = { seen, struck: tally.struck + (hits ? 1 : 0) };
      if (hits) struck.push(rule);
    });
    return struck.reduce(join, undisturbed);
  }
}

function join(encounter: InjectedRequestFaults, { name, then }: FaultRule): InjectedRequestFaults {
  const { delayMs, ending, outcome } = encounter;
  const joined = { ...encounter, struck: [...encounter.struck, name] };
  switch (then.kind) {
    case 'drop':
    case 'hang':
    case 'answer':
      return { ...joined, ending: ending ?? then };
    case 'delay':
      return { ...joined, delayMs: delayMs + then.ms };
    case 'fail':
      return {
        ...joined,
        outcome: { ...outcome, failureCode: outcome.failureCode ?? then.failureCode },
      };
    case 'slow':
      return { ...joined, outcome: { ...outcome, slowness: outcome.slowness * then.factor } };
    case 'capacity': {
      const capacityLeft = { ...outcome.capacityLeft, [then.configurationId]: then.left };
      return { ...joined, outcome: { ...outcome, capacityLeft } };
    }
  }
}
