/** Evidence for a line of the contract file: that of the contract itself, or of the service. */
export type ContractLineEvidence =
  | 'specified'
  | 'published'
  | 'assumed'
  /** The service's own API document confirms the line. */
  | 'confirmed'
  /** An answer of the service has confirmed the line. */
  | 'observed';

/** A line of a contract file: how the service spells one name of the contract. */
export interface ContractLine {
  /** Key of the line in the contract file: `operations.getVm`, `fields.vm.imageId`. */
  readonly line: string;
  /** Name of the operation or member in the contract. */
  readonly ours: string;
  /** Spelling at the service; `none` where the service lacks it, `open` where nobody knows. */
  readonly theirs: string;
  readonly state: 'same' | 'otherwise' | 'none' | 'open';
  readonly evidence: ContractLineEvidence;
}

/** A read of the account, and the result of comparing its answer with the contract. */
export interface AccountReadCheck {
  readonly operation: string;
  /** The number of records that were read; null where the list could not be read. */
  readonly records: number | null;
  /** Reason why the list could not be read or was not asked for. */
  readonly why?: string;
  /** Names of members that no record contained, so that their lines stay unproven. */
  readonly untold: readonly string[];
  /** Members that are of another type than the contract says: `ram is a text`. */
  readonly mistyped: readonly string[];
  /** Lines of a contract file that the answer had: `operations.listVms`, `fields.vm.imageId`. */
  readonly lines: readonly string[];
}

/** Facts of a service's document that a plan needs, and members that its answers have had. */
export interface ContractFacts {
  /** Lines that the API document confirms, by the names that `ContractLine` has. */
  readonly confirmed: readonly string[];
  /** Members that the service requires and the contract does not know. */
  readonly required: readonly RequiredRequestMember[];
  /** Lines that an answer of an account had, each as it was spelled then. */
  readonly observed: Readonly<Record<string, string>>;
}

/** A member of a body, or a parameter of a query, that a request has to have. */
export interface RequiredRequestMember {
  readonly operation: string;
  /** JSON Pointer into the body, or the name of the parameter, where the member belongs. */
  readonly at: string;
  readonly in: 'body' | 'query';
}
