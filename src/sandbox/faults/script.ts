// Fault scripts as data: rules about requests, and edits of the account by somebody else. Read from a file by
// `read-script.ts`, carried out by `fault-desk.ts` and `editor.ts`.

import type { OperationId } from '../../api/contract/routes.ts';
import type { ProbeReadinessScript } from '../../model/plan/ready-script.ts';
import type { OperationFailureCode } from '../store/rows.ts';

/** Requests that a rule is about. All members that are there must hold; absent ones do not matter. */
export interface FaultCondition {
  readonly operations?: readonly OperationId[];
  readonly method?: string;
  /** A path below the base address; `*` or `{name}` stands for one segment, a last `**` for any rest. */
  readonly path?: string;
  /** Begin and end of the rule, in ms after the start of the script. */
  readonly afterMs?: number;
  readonly untilMs?: number;
  /** Numbers of the matching requests that are struck, counted from 1. */
  readonly nth?: readonly number[];
  /** Strikes every n-th matching request. */
  readonly every?: number;
  /** Chance, from 0 to 1, that a fitting request is struck; it follows from the seed. */
  readonly probability?: number;
  /** The most times that the rule strikes. */
  readonly times?: number;
}

/** `before`: the service never sees the request. `after`: it has carried it out, and nobody hears of it. */
export type FaultMoment = 'before' | 'after';

export type FaultAction =
  /** Fault that cuts the connection without an answer. */
  | { readonly kind: 'drop'; readonly moment: FaultMoment }
  /** Fault that never answers and keeps the connection open. */
  | { readonly kind: 'hang'; readonly moment: FaultMoment }
  /** Fault that answers in the place of the service, as a proxy would. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
      readonly moment: FaultMoment;
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
  readonly when: FaultCondition;
  readonly then: FaultAction;
}

/** The resource of an edit in the console, by names or ids, from the project inwards. */
export interface ConsoleEditSubject {
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

/** A change of the account by another person in the console, while the engine runs. */
export interface ConsoleEdit {
  readonly name: string;
  /** After this long, in ms, or after so many requests; with neither at once, with both when both hold. */
  readonly atMs?: number;
  readonly afterRequest?: number;
  readonly operationId: OperationId;
  readonly on: ConsoleEditSubject;
  /** A text `{vmId}` in it stands for the id of the VM in `on`, and so with the others. */
  readonly body?: unknown;
  /** Tried with every later request until it is not refused any more; otherwise it is tried once. */
  readonly keepsTrying: boolean;
}

export interface FaultScript {
  /** Seed of the rules' chance; the sandbox's own seed when absent. */
  readonly seed?: number;
  readonly rules: readonly FaultRule[];
  readonly edits: readonly ConsoleEdit[];
  /** The answers to probes in a rehearsal; the sandbox itself answers none. Absent: each holds at once. */
  readonly ready?: ProbeReadinessScript;
}

export const emptyFaultScript: FaultScript = { rules: [], edits: [] };
