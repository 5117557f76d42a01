/** Evidence of a line: the contract's own, or more. */
export type LineEvidence =
  | 'specified'
  | 'published'
  | 'assumed'
  /** The service's own document says so. */
  | 'confirmed'
  /** An answer of the account had it. */
  | 'observed';

/** A line of a contract file: how the service spells one name of the contract. */
export interface ContractLine {
  /** As in the file: `operations.getVm`, `fields.vm.imageId`. */
  readonly line: string;
  /** Name in the contract. */
  readonly ours: string;
  /** Spelling at the service; `none` where the service lacks it, `open` where nobody knows. */
  readonly theirs: string;
  readonly state: 'same' | 'otherwise' | 'none' | 'open';
  readonly evidence: LineEvidence;
}

/** A read of the account, and the result of comparing its answer with the contract. */
export interface AccountReadCheck {
  readonly operation: string;
  /** The number of records; null where it could not be read. */
  readonly records: number | null;
  /** Why it could not be read, or was not asked for. */
  readonly why?: string;
  /** Members of which no record told anything. */
  readonly untold: readonly string[];
  /** Members that are of another type than the contract says: `ram is a text`. */
  readonly mistyped: readonly string[];
  /** Lines of a contract file that the answer had: `operations.listVms`, `fields.vm.imageId`. */
  readonly lines: readonly string[];
}

/** Facts of a service's document that a plan needs, and members that its answers have had. */
export interface ContractFacts {
  /** Lines that the document has, as `ContractLine` names them. */
  readonly confirmed: readonly string[];
  /** Members that the service requires and the contract does not know. */
  readonly required: readonly RequiredMember[];
  /** Lines that an answer of an account had, each as it was spelled then. */
  readonly observed: Readonly<Record<string, string>>;
}

/** A member of a body, or a parameter of a query, that a request has to have. */
export interface RequiredMember {
  readonly operation: string;
  /** A JSON Pointer into the body, or the name of the parameter. */
  readonly at: string;
  readonly in: 'body' | 'query';
}
