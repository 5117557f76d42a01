// Fault scripts as data: rules about requests, and edits of the account by somebody else. Read from a file by
// `read-script.ts`, carried out by `fault-desk.ts` and `editor.ts`.

import type { OperationId } from '../../api/contract/routes.ts';
import type { ProbeReadinessScript } from '../../model/plan/ready-script.ts';
import type { OperationFailureCode } from '../store/rows.ts';

/** Condition of a fault rule: the requests that the rule is about. All given members must hold; absent ones do not matter. */
export interface FaultRuleCondition {
  readonly operations?: readonly OperationId[];
  readonly method?: string;
  /** Pattern of a path below the base address; `*` or `{name}` matches one segment, a last `**` any rest. */
  readonly path?: string;
  /** Beginning of the time in which the rule is active, in milliseconds after the start of the script; `untilMs` is its end. */
  readonly afterMs?: number;
  readonly untilMs?: number;
  /** Numbers of the matching requests that the rule strikes, counted from 1. */
  readonly nth?: readonly number[];
  /** Strikes every n-th matching request. */
  readonly every?: number;
  /** Chance, from 0 to 1, that a matching request is struck; the choice depends on the seed alone. */
  readonly probability?: number;
  /** The most times that the rule strikes. */
  readonly times?: number;
}

/**
 * Time at which a fault strikes. `before`: the service never sees the request. `after`: the service has carried it out,
 * and the client does not learn of it.
 */
export type FaultRuleMoment = 'before' | 'after';

export type FaultRuleAction =
  /** Fault that cuts the connection without an answer. */
  | { readonly kind: 'drop'; readonly moment: FaultRuleMoment }
  /** Fault that never answers and keeps the connection open. */
  | { readonly kind: 'hang'; readonly moment: FaultRuleMoment }
  /** Fault that answers in the place of the service, as a proxy would. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
      readonly moment: FaultRuleMoment;
    }
  /** Fault that delays the request on its way. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Fault by which the started operation fails in the end. */
  | { readonly kind: 'fail'; readonly failureCode: OperationFailureCode }
  /** The operation that the request starts takes this many times longer. */
  | { readonly kind: 'slow'; readonly factor: number }
  /** The cluster has room for only so many VMs of a configuration, for this request. */
  | { readonly kind: 'capacity'; readonly configurationId: string; readonly left: number };

export interface FaultRule {
  /** Name of the fault rule in logs and at the admin port. */
  readonly name: string;
  readonly when: FaultRuleCondition;
  readonly then: FaultRuleAction;
}

/** Resource that an edit in the web console is about: names or ids, from the project inwards. */
export interface WebConsoleEditSubject {
  readonly project?: string;
  readonly network?: string;
  readonly sshKey?: string;
  readonly vm?: string;
  /** Public IP to edit: its id, its address, or the name of the VM that holds it. */
  readonly publicIp?: string;
  /** Port forward to edit: its id, or its protocol and port as `tcp/443`. */
  readonly portForward?: string;
  /** Backup to edit: its id, or `newest`. */
  readonly backup?: string;
  readonly token?: string;
}

/** Change of the account by another person in the service's web console, while the engine runs. */
export interface WebConsoleEdit {
  readonly name: string;
  /**
   * Earliest time of the edit, in milliseconds after the start of the script; with `afterRequest`, both must be
   * reached. Without either, the edit is made at once.
   */
  readonly atMs?: number;
  readonly afterRequest?: number;
  readonly operationId: OperationId;
  readonly on: WebConsoleEditSubject;
  /** Body of the edit's request, in which a text such as `{vmId}` is replaced by the id of the resource in `on`. */
  readonly body?: unknown;
  /** Set to repeat the edit with every later request until the service accepts it; otherwise it is tried once. */
  readonly keepsTrying: boolean;
}

export interface FaultScript {
  /** Seed of the rules' chance; the sandbox's own seed when absent. */
  readonly seed?: number;
  readonly rules: readonly FaultRule[];
  readonly edits: readonly WebConsoleEdit[];
  /**
   * Scripted answers to probes, for a rehearsal (the sandbox itself answers no probes); every probe succeeds at once
   * unless given.
   */
  readonly ready?: ProbeReadinessScript;
}

export const emptyFaultScript: FaultScript = { rules: [], edits: [] };
