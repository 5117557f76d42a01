import type { SourceRange } from '../source.ts';
import type { Binding } from './binding.ts';
import type { Catalog } from './live.ts';
import type { ContractFacts } from './contract-lines.ts';

/** The service to connect to. Its only secret is the key of a client certificate. */
export type ServiceSettings =
  | {
      readonly kind: 'remote';
      /** Ends in `/v1`, without a slash behind it. */
      readonly baseUrl: string;
      /** Absent without `service.tls`; `unusable` where it has a fault: then no connection is made. */
      readonly tls?: ServiceTls | 'unusable';
      readonly source: SourceRange;
    }
  | {
      readonly kind: 'sandbox';
      /** Path of the sandbox's data, as written: relative to the configuration's directory. */
      readonly data?: string;
      /** Speed multiplier of the sandbox's operations; 1 is the service's own pace. */
      readonly speed: number;
      readonly seed: number;
      /** The catalog of the file that the sandbox names; its own where it names none. */
      readonly catalog?: Catalog;
      readonly source: SourceRange;
    };

/** Certificates that `service.tls` names, read and checked. */
export interface ServiceTls {
  readonly authorities?: TrustedAuthorities;
  readonly identity?: ClientIdentity;
}

/** Certificates of authorities that are trusted besides the known ones. */
export interface TrustedAuthorities {
  /** Path of the file, as named. */
  readonly file: string;
  /** PEM. */
  readonly pem: string;
  /** SHA-256 of each certificate, as OpenSSL writes it: `AB:CD:…`. */
  readonly fingerprints: readonly string[];
  readonly source: SourceRange;
}

/** A client certificate with its key. */
export interface ClientIdentity {
  /** Path of the certificate's file, as named. */
  readonly certFile: string;
  /** PEM: the certificate, and the certificates of its authorities. */
  readonly cert: string;
  /** PEM. Secret: it is in no plan, no state and no message. */
  readonly key: string;
  /** Milliseconds since the Unix epoch, as `validUntil`. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** Absent where the environment names it. */
  readonly source?: SourceRange;
}

/** Time limits for the headers of an answer, in milliseconds. */
export interface RequestTimeouts {
  /** Limit for a request that changes nothing. */
  readonly readMs: number;
  /** Limit for a request that changes something. */
  readonly writeMs: number;
}

/** A contract file, read and checked. */
export interface BoundContract {
  /** Path of the file, as named. */
  readonly file: string;
  readonly binding: Binding;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /** Facts of the OpenAPI document that the binding was made from; undefined where their file is not beside it. */
  readonly facts?: ContractFacts | undefined;
  /** Absent where the environment names it. */
  readonly source?: SourceRange;
}

/** The `service` section, each part undefined where the configuration leaves it out. */
export interface ServiceSection {
  /** The service to connect to; the environment may name another. */
  readonly service: ServiceSettings | undefined;
  /**
   * Spelling of the contract at the service; `unusable` for a faulty one, with which no connection is made. The environment
   * may name another.
   */
  readonly contract?: BoundContract | 'unusable' | undefined;
  /** The most requests a second. */
  readonly requestsPerSecond?: number | undefined;
  /** The maximum number of connections, and of requests in flight. */
  readonly maxConnections?: number | undefined;
  /** For how long the headers of answers are waited for. */
  readonly requestTimeouts?: Partial<RequestTimeouts> | undefined;
}
