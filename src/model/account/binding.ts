// The spelling of the contract at a service, as data. A binding is a file of people's, written once from the service's own OpenAPI
// document: whatever it has no line for is spelled as in the contract. Nothing here reads or follows it.
/** A JSON Pointer (RFC 6901), from the root of a body or of a record: `/size/id`. Empty for all of it. */
export type JsonPointer = string;

/**
 * Entry of a contract file in place of a spelling. `none`: the service lacks the operation or member. `open`: nobody has said yet
 * where it is: it is not sent, and reads as not reported.
 */
export type BindingAbsence = 'none' | 'open';

/** Query parameters by which a service pages its lists. */
export type ListPaging =
  /** Paging by number; `first` is the number of the first page, 1 unless given. */
  | { readonly by: 'page'; readonly page: string; readonly size?: string; readonly first?: 0 | 1 }
  /** Paging by `offset`, the number of items before the page. */
  | { readonly by: 'offset'; readonly offset: string; readonly size?: string }
  /** Paging by a mark that the page before gave at `next`; absent, null or empty at the end. */
  | {
      readonly by: 'cursor';
      readonly cursor: string;
      readonly next: JsonPointer;
      readonly size?: string;
    }
  | { readonly by: 'none' };

/** Line of a contract file about the object that surrounds a list. */
export interface ListEnvelopeLine {
  /** JSON Pointer to the list; empty where the answer itself is the list. */
  readonly items?: JsonPointer;
  readonly total?: JsonPointer;
  readonly page?: ListPaging;
}

/**
 * Place of a member of the contract on the wire: a pointer, or a `BindingAbsence`. `absent: none`: a member that an answer leaves
 * out has no value, and is not untold.
 */
export type FieldBindingLine =
  string | { readonly at: JsonPointer; readonly absent?: 'none' | undefined };

/** Fixed values that a service requires in a request and the contract does not have. */
export interface ConstantsBindingLine {
  readonly body?: Readonly<Record<JsonPointer, unknown>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/** Unit in which a service counts what the contract counts in gigabytes. */
export type SizeUnit = 'B' | 'KB' | 'MB' | 'GB' | 'TB' | 'KiB' | 'MiB' | 'GiB' | 'TiB';

/**
 * A binding as its file has it, each table absent where nothing is spelled otherwise. Operations, records, their members and
 * the words of enums are named as in the contract.
 */
export interface Binding {
  readonly version: 1;
  /** The OpenAPI document that it was made from, and the SHA-256 of that in hexadecimal digits. */
  readonly document?: { readonly file: string; readonly sha256: string };
  /** The type of ids on the wire, by the record whose id it is, or `default`. Text unless said. */
  readonly ids?: Readonly<Record<string, 'text' | 'number'>>;
  /** Envelopes by operation, or `default`; the line of an operation overrides members of the default. */
  readonly lists?: Readonly<Record<string, ListEnvelopeLine | 'open'>>;
  /** JSON Pointer to the record in the answer of each operation. */
  readonly answers?: Readonly<Record<string, JsonPointer>>;
  /**
   * Routes by operation: `METHOD /path` below the base address, with `{name}` for values of the request; or a `BindingAbsence`.
   */
  readonly operations?: Readonly<Record<string, string>>;
  /** `path NAME`, `query NAME` or `body POINTER`, by the contract's name of a parameter or member. */
  readonly parameters?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly constants?: Readonly<Record<string, ConstantsBindingLine>>;
  /** Members by record for answers, by operation for the body that is sent. */
  readonly fields?: Readonly<Record<string, Readonly<Record<string, FieldBindingLine>>>>;
  /** Units of numeric members, by record and member. */
  readonly units?: Readonly<Record<string, Readonly<Record<string, SizeUnit | 'open'>>>>;
  /**
   * The service's word for a word of the contract, by enum; of several the first is sent, and each is read. Words are
   * compared without case.
   */
  readonly enums?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}
