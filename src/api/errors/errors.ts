import type { BindingAbsence } from '../../model/account/binding.ts';
import type { OperationId, Route } from '../contract/routes.ts';

/** Operation, method and URL of a request that an error or a message is about, whether or not the request was sent. */
export interface RequestDescription {
  readonly operation: OperationId;
  readonly method: Route['method'];
  readonly url: string;
}

/**
 * Details that the service gives about a failure, in the form of problem details. Each part may be missing, since the answer may
 * have had another form.
 */
export interface ProblemDetails {
  readonly title: string | null;
  readonly detail: string | null;
  /** Messages of a rejected request by its field; empty when the service names no field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The service's own identifier. Declared for the refused VM create alone; tolerated anywhere. */
  readonly code: string | null;
}

/** Base of every failed request's error. No text in it ever holds the access token. */
export abstract class ApiError extends Error {
  /** Code of the error: stable between versions, for programs to match. */
  abstract readonly code: string;
  readonly operation: OperationId;
  readonly method: Route['method'];
  readonly url: string;
  /** Times that the request was sent before it was given up, for the message. */
  attempts = 1;

  constructor(message: string, request: RequestDescription, options?: { cause?: unknown }) {
    super(message, options);
    this.operation = request.operation;
    this.method = request.method;
    this.url = request.url;
  }

  /** True for an error of a request that only reads, so that nothing can have changed. */
  get isRead(): boolean {
    return this.method === 'GET';
  }
}

/** A failure answer of the service, or of something in front of it, such as a proxy. */
export interface ServiceRefusal {
  readonly status: number;
  readonly problem: ProblemDetails;
  /** Milliseconds to wait before the next attempt, as the service asked; null when it did not. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
}

/** An answer of the service with a status that tells of failure. */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError';
  readonly code = 'service-error';
  readonly status: number;
  readonly problem: ProblemDetails;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  /** True once it is known that the service is there: then what was not found has another path. */
  isServiceThere = false;

  constructor(request: RequestDescription, refusal: ServiceRefusal) {
    const { title, detail } = refusal.problem;
    const said = detail ?? title;
    super(`${request.operation} answered ${refusal.status}${said ? `: ${said}` : ''}`, request);
    this.status = refusal.status;
    this.problem = refusal.problem;
    this.retryAfterMs = refusal.retryAfterMs;
    this.requestId = refusal.requestId;
  }
}

/** The service was not reached: nothing was sent, so any request may be tried again. */
export class ConnectionError extends ApiError {
  override readonly name = 'ConnectionError';
  readonly code = 'connection-error';
  /** The system's code, e.g. `ENOTFOUND`, `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly reason: string;
  /** Tells whether trying again within minutes cannot help: a certificate, a proxy that refuses. */
  readonly isLasting: boolean;
  /** The proxy that did not let the connection through; undefined where none is to blame. */
  readonly proxy: RequestProxy | undefined;

  constructor(
    request: RequestDescription,
    failure: { reason: string; isLasting: boolean; proxy?: RequestProxy },
    options?: { cause?: unknown },
  ) {
    super(`${request.operation} did not reach the service: ${failure.reason}`, request, options);
    this.reason = failure.reason;
    this.isLasting = failure.isLasting;
    this.proxy = failure.proxy;
  }
}

/** A proxy through which a request would have gone. */
export interface RequestProxy {
  /** `http://proxy.example:3128`; undefined where it is not known which of them it was. */
  readonly origin?: string | undefined;
  /** Status of the proxy's answer; undefined when the proxy could not be reached. */
  readonly status?: number | undefined;
}

/** Reason why a request never went out: the service's hold outlasts the deadline, or the caller was interrupted. */
type Unsent =
  { readonly why: 'deadline'; readonly heldForMs: number } | { readonly why: 'interrupted' };

/**
 * A request that was given up before it went out, while the service had asked to wait, or before its turn. It was not
 * carried out; what an attempt before it was answered is the cause.
 */
export class NotSentError extends ApiError {
  override readonly name = 'NotSentError';
  readonly code = 'not-sent';
  readonly why: Unsent['why'];
  /** Milliseconds for which the service still asked to send nothing; null after an interrupt. */
  readonly heldForMs: number | null;

  constructor(request: RequestDescription, unsent: Unsent, options?: { cause?: unknown }) {
    const why =
      unsent.why === 'interrupted'
        ? 'it was interrupted'
        : `nothing may be for another ${Math.ceil(unsent.heldForMs / 1_000)} s`;
    super(`${request.operation} was not sent: ${why}`, request, options);
    this.why = unsent.why;
    this.heldForMs = unsent.why === 'deadline' ? unsent.heldForMs : null;
  }
}

/** Reason why the outcome of a request is unknown. `timeout`: no answer came in time. */
export type LostAnswerReason =
  'timeout' | 'reset' | 'half-answer' | 'proxy' | 'server-error' | 'aborted';

/**
 * A request was sent, and either no complete answer of the service came, or one that says that the service failed. A
 * request that changes something may or may not have been carried out: look before sending it again.
 */
export class OutcomeUnknownError extends ApiError {
  override readonly name = 'OutcomeUnknownError';
  readonly code = 'outcome-unknown';
  readonly lost: LostAnswerReason;
  /** Evidence in place of an answer, a few words: a system code, the status and first words of a proxy's page. */
  readonly seen: string;
  /** Failure answer of the service or of a proxy; null where no answer came, or half of one. */
  readonly answered: ServiceRefusal | null;

  constructor(
    request: RequestDescription,
    loss: { lost: LostAnswerReason; seen: string; answered?: ServiceRefusal },
    options?: { cause?: unknown },
  ) {
    const what =
      loss.lost === 'server-error' ? 'met a failure of the service' : 'got no complete answer';
    super(`${request.operation} ${what} (${loss.seen})`, request, options);
    this.lost = loss.lost;
    this.seen = loss.seen;
    this.answered = loss.answered ?? null;
  }
}

/**
 * An answer that is not in the service's language, so that something else may have answered, such as a proxy or another web
 * server at the address. Nothing was carried out.
 */
export class ForeignAnswerError extends ApiError {
  override readonly name = 'ForeignAnswerError';
  readonly code = 'not-the-service';
  readonly status: number;
  /** The answer in a few words: its status and first words, for the message. */
  readonly seen: string;

  /** First keys of a JSON object that is none of the contract's; undefined for an answer of another form. */
  readonly keys: readonly string[] | undefined;

  constructor(
    request: RequestDescription,
    answer: { status: number; seen: string; keys?: readonly string[] | undefined },
  ) {
    super(`${request.operation}: not an answer of the service (${answer.seen})`, request);
    this.status = answer.status;
    this.seen = answer.seen;
    this.keys = answer.keys;
  }
}

/** Reasons for which an answer is unusable, as codes of diagnostics. */
export type UnusableAnswerReason = 'answer-too-large' | 'answer-unreadable' | 'list-too-long';

/**
 * A read whose answer cannot be used, and could not be on another try: it is too large, endless or malformed. The read is given
 * up at once.
 */
export class UnusableAnswerError extends ApiError {
  override readonly name = 'UnusableAnswerError';
  readonly code: UnusableAnswerReason;
  /** The unusable answer in a few words, for the message. */
  readonly seen: string;

  constructor(
    request: RequestDescription,
    { code, seen }: { code: UnusableAnswerReason; seen: string },
    options?: { cause?: unknown },
  ) {
    super(`${request.operation}: an answer that cannot be used (${seen})`, request, options);
    this.code = code;
    this.seen = seen;
  }
}

/** A request cannot be addressed: an id in it would change its path. Nothing was sent. */
export class UnusablePathIdError extends ApiError {
  override readonly name = 'UnusablePathIdError';
  readonly code = 'id-unusable';
  /** The resource id that cannot stand in a path, as it was given; it may be empty. */
  readonly id: string;

  /** @param parameter of the path, e.g. `vmId` */
  constructor(request: RequestDescription, parameter: string, id: string) {
    super(`${request.operation}: ${JSON.stringify(id)} cannot be ${parameter}`, request);
    this.id = id;
  }
}

/**
 * A request for an operation that the service lacks by its contract file, or about which the contract file has an open question.
 * Nothing was sent.
 */
export class OperationNotBoundError extends ApiError {
  override readonly name = 'OperationNotBoundError';
  readonly code = 'not-bound';
  readonly why: BindingAbsence;

  constructor(request: RequestDescription, why: BindingAbsence) {
    super(
      `${request.operation} is ${why === 'none' ? 'not a part of this service' : 'not bound'}`,
      request,
    );
    this.why = why;
  }
}
