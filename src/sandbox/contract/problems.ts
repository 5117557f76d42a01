/** Reason of a refusal, for the sandbox itself; the answer to the client shows only the status and `detail`. */
export type RefusalReason =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'unknown'
  | 'method'
  | 'misdirected'
  | 'validation'
  | 'quota'
  | 'capacity'
  | 'locked'
  | 'nameTaken'
  | 'conflict'
  | 'unavailable'
  | 'internal';

/** Error messages of a refused request, by the field that they are about. */
export type RequestFieldErrors = Readonly<Record<string, readonly string[]>>;

/** Error for a request that the service refuses, with the text for the client. */
export class RequestRefusal extends Error {
  readonly status: number;
  readonly reason: RefusalReason;
  readonly errors: RequestFieldErrors | undefined;
  /** Code of the refusal, which the service only gives when creating VMs. */
  readonly code: string | undefined;

  constructor(
    status: number,
    reason: RefusalReason,
    detail: string,
    extra: { errors?: RequestFieldErrors; code?: string } = {},
  ) {
    super(detail);
    this.name = 'RequestRefusal';
    this.status = status;
    this.reason = reason;
    this.errors = extra.errors;
    this.code = extra.code;
  }
}

export const createNotFoundRefusal = (what: string, id: string): RequestRefusal =>
  new RequestRefusal(404, 'unknown', `There is no ${what} ${id} here.`);

export const createNothingAtPathRefusal = (path: string): RequestRefusal =>
  new RequestRefusal(404, 'unknown', `There is nothing at ${path}.`);

export const createConflictRefusal = (detail: string): RequestRefusal =>
  new RequestRefusal(409, 'conflict', detail);

/** The 409 of a locked VM. The service declares no `code` for it (specification, section 7). */
export const createLockedVmRefusal = (vmId: string, operation: string): RequestRefusal =>
  new RequestRefusal(
    409,
    'locked',
    `The VM ${vmId} is locked: its operation ${operation} is in progress.`,
  );

export const createNameTakenRefusal = (what: string, name: string): RequestRefusal =>
  new RequestRefusal(
    409,
    'nameTaken',
    `There already is a ${what} named ${JSON.stringify(name)} here.`,
  );

export const createQuotaExceededRefusal = (detail: string): RequestRefusal =>
  new RequestRefusal(409, 'quota', detail);

export const createInsufficientCapacityRefusal = (configuration: string): RequestRefusal =>
  new RequestRefusal(409, 'capacity', `The cluster cannot host another ${configuration} now.`, {
    code: 'insufficientCapacity',
  });

export const createForbiddenRefusal = (detail: string): RequestRefusal =>
  new RequestRefusal(403, 'forbidden', detail);

export const createUnauthorizedRefusal = (detail: string): RequestRefusal =>
  new RequestRefusal(401, 'unauthorized', detail);

/** Makes the refusal of fields that break a rule; `errors` has a message for each. */
export const createInvalidRequestRefusal = (errors: RequestFieldErrors): RequestRefusal =>
  new RequestRefusal(422, 'validation', `Not valid: ${Object.keys(errors).join(', ')}.`, {
    errors,
  });

/** Largest number of invalid fields that a refusal reports: a body of 1 MiB can be wrong in 300,000 places. */
export const maxInvalidRequestFields = 100;

/** List of a request's invalid fields, so that all of them are reported at once; of very many, the first 100. */
export class InvalidRequestFieldList {
  // The client chooses the names of the fields: `__proto__` is one like any other.
  readonly #errors = new Map<string, string[]>();

  add(field: string, message: string): void {
    const messages = this.#errors.get(field);
    if (messages) messages.push(message);
    else if (this.#errors.size < maxInvalidRequestFields) this.#errors.set(field, [message]);
  }

  /** Throws the refusal (status 422) if any invalid field was added. */
  refuse(): void {
    if (this.#errors.size > 0) throw createInvalidRequestRefusal(Object.fromEntries(this.#errors));
  }
}
