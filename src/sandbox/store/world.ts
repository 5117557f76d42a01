import type { SandboxCatalog } from './catalog.ts';
import type { OperationFailureCode, SandboxOperationType, SandboxResourceType } from './rows.ts';
import type { SandboxStore } from './store.ts';

/** Limits of the account, counted in resources or, over all its VMs, in cores and gigabytes. */
export interface SandboxQuotas extends Readonly<Record<SandboxQuotaName, number>> {
  /** Limit on the SSH keys of each project, which is no quota of the account. */
  readonly maxSshKeysPerProject: number;
}

/** Longest names that the sandbox accepts, in Unicode code points. */
export interface NameLengthCaps {
  readonly project: number;
  readonly network: number;
  readonly vm: number;
  readonly sshKey: number;
  readonly sshPublicKey: number;
  readonly accessToken: number;
}

/** Names of the quotas that are counted over the whole account. */
export const sandboxQuotaNames = [
  'projects',
  'accessTokens',
  'networks',
  'publicIps',
  'cpu',
  'ram',
  'disk',
] as const;
export type SandboxQuotaName = (typeof sandboxQuotaNames)[number];

export const defaultQuotas: SandboxQuotas = {
  projects: 20,
  accessTokens: 10,
  networks: 50,
  publicIps: 50,
  cpu: 400,
  ram: 1600,
  disk: 16_000,
  maxSshKeysPerProject: 20,
};

export const defaultNameLengths: NameLengthCaps = {
  project: 64,
  network: 64,
  vm: 63,
  sshKey: 64,
  sshPublicKey: 4096,
  accessToken: 64,
};

/** An operation at the moment it is accepted, for whoever decides that it is to fail. */
interface AcceptedOperation {
  /** Number of the operation in the data file, counted from 1. */
  readonly sequence: number;
  readonly type: SandboxOperationType;
  readonly resourceType: SandboxResourceType;
  readonly resourceId: string;
}

/** Decides how long an operation queues and runs, in ms, by its sequence number and the service's seed and speed. */
export type DecideOperationDuration = (
  type: SandboxOperationType,
  sequence: number,
  rules: Pick<SandboxRules, 'seed' | 'speed'>,
) => { readonly queueMs: number; readonly runMs: number };

/** Decides the outcome of an operation: a failure code, or null for success. */
export type DecideOperationFailure = (operation: AcceptedOperation) => OperationFailureCode | null;

/** Record of the quotas' use in the past, for a sandbox whose GET /limits lags behind. */
export interface LaggingQuotaUse {
  /** Notes the use of quotas after a change of the data. */
  note(world: SandboxContext): void;
  /** Tells the use of a quota as it was before the lag. */
  usedAt(world: SandboxContext, quota: SandboxQuotaName): number;
}

/** Treatment of a given name by the service: kept as it is, or trimmed, lower-cased or in normal form C. */
export type NameNormalization = 'as-given' | 'trimmed' | 'lower-case' | 'nfc';

/** Rules that the sandbox's service applies. A variant of the sandbox differs in these, and in the spelling of its answers. */
export interface SandboxRules {
  readonly seed: number;
  /** Factor by which operations are faster than in the real service. */
  readonly speed: number;
  readonly quotas: SandboxQuotas;
  readonly nameLengths: NameLengthCaps;
  /** Prefix length of the address range that the sandbox gives each new network: 24 for 10.0.0.0/24. */
  readonly networkPrefix: number;
  readonly catalog: SandboxCatalog;
  /** Set where two resources of one kind and project may have one name. */
  readonly duplicateNames: boolean;
  readonly names: NameNormalization;
  readonly maxPageSize: number;
  /** Milliseconds for which an operation record still reads as running after its resource has settled. */
  readonly recordLagMs: number;
  /** Types of operations for which the sandbox keeps no record. */
  readonly unrecordedTypes: readonly SandboxOperationType[];
  readonly planFailure: DecideOperationFailure;
  readonly planDuration: DecideOperationDuration;
  /**
   * Largest number of VMs of a configuration that still fit, by the configuration's id; absent where the cluster's
   * capacity is the only limit.
   */
  readonly capacityLeft: Readonly<Record<string, number>>;
  /** Older use of quotas that GET /limits shows in place of the present one; null without a lag. */
  readonly quotaLag: LaggingQuotaUse | null;
  /** Called with the use of quotas whenever a request has changed something. */
  readonly onUse?: (used: Readonly<Record<SandboxQuotaName, number>>) => void;
}

/** Context of a request in the sandbox: the data, the rules and the time at that moment. */
export interface SandboxContext {
  readonly store: SandboxStore;
  readonly rules: SandboxRules;
  /** Milliseconds since the Unix epoch; the same for the whole of a request. */
  readonly now: number;
}
