// What is to go wrong, as data: rules about requests and edits by somebody else. Read from a file by
// `read-script.ts`, carried out by `fault-desk.ts` and `editor.ts`.

import type { OperationId } from '../../api/contract/routes.ts';
import type { ReadyScript } from '../../model/plan/ready-script.ts';
import type { FailureCode } from '../store/rows.ts';

/** Which requests a rule is about. What is absent does not matter; what is there must all hold. */
export interface Condition {
  readonly operations?: readonly OperationId[];
  readonly method?: string;
  /** A path below the base address; `*` or `{name}` stands for one segment, a last `**` for any rest. */
  readonly path?: string;
  /** From this long after the start, and until this long after it, in ms. */
  readonly afterMs?: number;
  readonly untilMs?: number;
  /** Of the requests that the above holds for: these, counted from 1. */
  readonly nth?: readonly number[];
  /** Of those: each that this divides. */
  readonly every?: number;
  /** Of those: by chance, which follows from the seed. */
  readonly probability?: number;
  /** It strikes at most this often. */
  readonly times?: number;
}

/** `before`: the service never sees the request. `after`: it has carried it out, and nobody hears of it. */
export type Moment = 'before' | 'after';

export type FaultAction =
  /** The connection is cut without an answer. */
  | { readonly kind: 'drop'; readonly moment: Moment }
  /** No answer comes, and the connection stays open. */
  | { readonly kind: 'hang'; readonly moment: Moment }
  /** Somebody answers for the service, a proxy for one. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
      readonly moment: Moment;
    }
  /** The request arrives late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The operation that the request starts fails in the end. */
  | { readonly kind: 'fail'; readonly failureCode: FailureCode }
  /** The operation that the request starts takes this many times longer. */
  | { readonly kind: 'slow'; readonly factor: number }
  /** For the request the cluster has no more than this left of a configuration. */
  | { readonly kind: 'capacity'; readonly configurationId: string; readonly left: number };

export interface FaultRule {
  /** As logs and the admin port call it. */
  readonly name: string;
  readonly when: Condition;
  readonly then: FaultAction;
}

/** What a person in the console acts on: names or ids, from the project inwards. */
export interface Subject {
  readonly project?: string;
  readonly network?: string;
  readonly sshKey?: string;
  readonly vm?: string;
  /** An id, an address, or the name of the VM that holds it. */
  readonly publicIp?: string;
  /** An id, or `tcp/443`. */
  readonly portForward?: string;
  /** An id, or `newest`. */
  readonly backup?: string;
  readonly token?: string;
}

/** Something that a person in the console does meanwhile. */
export interface Edit {
  readonly name: string;
  /** After this long, in ms, or after so many requests; with neither at once, with both when both hold. */
  readonly atMs?: number;
  readonly afterRequest?: number;
  readonly operationId: OperationId;
  readonly on: Subject;
  /** A text `{vmId}` in it stands for the id of the VM in `on`, and so with the others. */
  readonly body?: unknown;
  /** Tried with every later request until it is not refused any more; otherwise it is tried once. */
  readonly keepsTrying: boolean;
}

export interface FaultScript {
  /** What chance follows from; the sandbox's own seed when absent. */
  readonly seed?: number;
  readonly rules: readonly FaultRule[];
  readonly edits: readonly Edit[];
  /** The answers to probes in a rehearsal; the sandbox itself answers none. Absent: each holds at once. */
  readonly ready?: ReadyScript;
}

export const emptyScript: FaultScript = { rules: [], edits: [] };
