import type { SourceRange } from '../source.ts';
import type { Binding } from './binding.ts';
import type { ContractFacts } from './contract-lines.ts';

/** Where the live account is. Nothing of it is secret but the key of a client certificate. */
export type ServiceSettings =
  | {
      readonly kind: 'remote';
      /** Ends in `/v1`, without a slash behind it. */
      readonly baseUrl: string;
      /** Absent where nothing is said; `unusable` where what is said is wrong: then nobody connects. */
      readonly tls?: ServiceTls | 'unusable';
      readonly source: SourceRange;
    }
  | {
      readonly kind: 'sandbox';
      /** Where its data is kept, as written: relative to the configuration's directory. */
      readonly data?: string;
      /** How many times faster than the service it works. */
      readonly speed: number;
      readonly seed: number;
      readonly source: SourceRange;
    };

/** What `service.tls` names, read and checked. */
export interface ServiceTls {
  readonly authorities?: TrustedAuthorities;
  readonly identity?: ClientIdentity;
}

/** Certificates of authorities that are trusted besides the known ones. */
export interface TrustedAuthorities {
  /** As it was named. */
  readonly file: string;
  /** PEM. */
  readonly pem: string;
  /** SHA-256 of each certificate, as OpenSSL writes it: `AB:CD:…`. */
  readonly fingerprints: readonly string[];
  readonly source: SourceRange;
}

/** A client certificate with its key. */
export interface ClientIdentity {
  /** As it was named. */
  readonly certFile: string;
  /** PEM: the certificate, and those of its authorities. */
  readonly cert: string;
  /** PEM. Secret: it stands in no plan, no state and no message. */
  readonly key: string;
  /** Milliseconds since the Unix epoch, as `validUntil`. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** Absent where the environment names it. */
  readonly source?: SourceRange;
}

/** How long the headers of an answer are waited for, in milliseconds. */
export interface RequestTimeouts {
  /** Of a request that changes nothing. */
  readonly readMs: number;
  /** Of one that does. */
  readonly writeMs: number;
}

/** A contract file, read and checked. */
export interface BoundContract {
  /** As it was named. */
  readonly file: string;
  readonly binding: Binding;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /** Of the document that it was made from; undefined where they do not stand beside it. */
  readonly facts?: ContractFacts | undefined;
  /** Absent where the environment names it. */
  readonly source?: SourceRange;
}

/** What `service` says, each part undefined where nothing is said. */
export interface ServiceSection {
  /** The environment may name another. */
  readonly service: ServiceSettings | undefined;
  /** Its spelling of the contract; `unusable` for a wrong one, with which nobody connects. The environment may name another. */
  readonly contract?: BoundContract | 'unusable' | undefined;
  /** At most so many requests a second. */
  readonly requestsPerSecond?: number | undefined;
  /** The maximum number of connections, and of requests in flight. */
  readonly maxConnections?: number | undefined;
  /** For how long the headers of answers are waited for. */
  readonly requestTimeouts?: Partial<RequestTimeouts> | undefined;
}
