import type { Binding } from '../model/account/binding.ts';
import type { Catalog } from '../model/account/live.ts';
import type { SandboxExtension } from './extension.ts';
import type { InjectedFaultEvent } from './faults/fault-control.ts';
import type { FaultScript } from './faults/script.ts';
import { mirrorAccountRules } from './mirror/mirror-rules.ts';
import type { MirroredAccount } from './mirror/mirrored-account.ts';
import { defaultSandboxCatalog, readVmCapacity, makeSandboxCatalog } from './store/catalog.ts';
import { decideOperationDuration } from './rules/durations.ts';
import { defaultNetworkPrefixLength } from './rules/networks.ts';
import { createLaggingQuotaUse } from './rules/quotas.ts';
import {
  type DecideOperationDuration,
  type DecideOperationFailure,
  type NameNormalization,
  type NameLengthCaps,
  type SandboxQuotaName,
  type SandboxQuotas,
  type SandboxRules,
  defaultNameLengths,
  defaultQuotas,
} from './store/world.ts';

/** A request to the sandbox with its answer, for the log. */
interface RequestLogEntry {
  readonly method: string;
  readonly path: string;
  /** HTTP status of the answer; null where a fault cut the connection before any. */
  readonly status: number | null;
  /** Milliseconds from the request to its answer, by the injected clock. */
  readonly ms: number;
  /** Names of the fault rules that struck the request. */
  readonly faults: readonly string[];
}

/** Options of a sandbox: its data, clock, rules, faults and hooks. */
export interface SandboxOptions {
  /** Path of the SQLite file, created when missing; or `:memory:`. */
  readonly dataFile: string;
  /** Set where the configuration names the data file, and no person: the mode of an existing folder is then left as it is. */
  readonly isNamedByConfiguration?: boolean;
  /** The sandbox's clock, in milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Seed of ids and durations; an existing data file keeps its own. */
  readonly seed?: number;
  /** Factor by which operations are faster than in the real service. */
  readonly speed?: number;
  /** Variant of the sandbox: `loose` deviates from the contract wherever the engine must tolerate it. */
  readonly variant?: 'strict' | 'loose';
  readonly quotas?: Partial<SandboxQuotas>;
  /** Catalog of what can be ordered, with the capacity left for it; the sandbox's own unless given. */
  readonly catalog?: Catalog | undefined;
  readonly nameLengths?: Partial<NameLengthCaps>;
  /** The length of the prefix of each new network; 24 unless given. */
  readonly networkPrefix?: number;
  /** Treatment of the names in creates and renames; kept as they are unless given. */
  readonly names?: NameNormalization;
  /**
   * Value for the account's first token. The data file keeps its hash, so that later openings accept it, too. Unless
   * given, the value is random and valid until this sandbox is closed.
   */
  readonly token?: string;
  /** Dialect of the sandbox, as the binding describes it; the contract's own spelling unless given. */
  readonly binding?: Binding | undefined;
  /** Set to check the sandbox's own answers against the contract; a deviation is a bug. */
  readonly validateAnswers?: boolean;
  /** Decides which operations of the sandbox fail, and with which code. */
  readonly planFailure?: DecideOperationFailure;
  /** Durations of operations; as in the service itself unless given. */
  readonly planDuration?: DecideOperationDuration;
  /** Milliseconds by which the use of quotas in GET /limits lags behind; no lag unless given. */
  readonly quotaLagMs?: number;
  /** Account that a new sandbox in memory begins as a copy of, with its limits and its catalog. */
  readonly account?: MirroredAccount;
  /** Called with the use of quotas whenever a request has changed something. */
  readonly onUse?: (used: Readonly<Record<SandboxQuotaName, number>>) => void;
  /** Fault script: faults of requests, and edits of the account by somebody else; none unless given. */
  readonly faults?: FaultScript;
  /** Sleep for faults that delay; must be given together with a clock that is not the real one. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onFault?: (event: InjectedFaultEvent) => void;
  readonly onRequest?: (entry: RequestLogEntry) => void;
  /** Operations that the sandbox serves beside the contract; none unless given. */
  readonly extension?: SandboxExtension;
  /** Called with every bug. The client gets a 500 without its text. */
  readonly onError?: (error: unknown) => void;
}

/** Makes the sandbox's rules from its options. */
export function makeSandboxRules(options: SandboxOptions, seed: number): SandboxRules {
  return {
    seed,
    speed: options.speed ?? 1,
    quotas: { ...defaultQuotas, ...options.quotas },
    nameLengths: { ...defaultNameLengths, ...options.nameLengths },
    networkPrefix: options.networkPrefix ?? defaultNetworkPrefixLength,
    catalog: options.catalog
      ? makeSandboxCatalog(options.catalog, readVmCapacity)
      : defaultSandboxCatalog,
    ...(options.account && mirrorAccountRules(options.account.live)),
    duplicateNames: false,
    names: options.names ?? 'as-given',
    maxPageSize: 100,
    recordLagMs: 0,
    unrecordedTypes: [],
    planFailure: options.planFailure ?? (() => null),
    planDuration: options.planDuration ?? decideOperationDuration,
    capacityLeft: {},
    quotaLag: options.quotaLagMs ? createLaggingQuotaUse(options.quotaLagMs) : null,
    ...(options.onUse && { onUse: options.onUse }),
  };
}
