import type { SourceRange } from '../source.ts';
import type { Binding } from './binding.ts';
import type { Catalog } from './live.ts';
import type { ContractFacts } from './contract-lines.ts';

/** The service to connect to. Its only secret is the key of a client certificate. */
export type ServiceSettings =
  | {
      readonly kind: 'remote';
      /** Base address of the service: it ends in `/v1`, without a slash behind it. */
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

/** Certificates that `service.tls` names, already read and checked. */
export interface ServiceTls {
  readonly authorities?: TrustedAuthorities;
  readonly identity?: ClientIdentity;
}

/** Certificates of authorities that are trusted besides the known ones. */
export interface TrustedAuthorities {
  /** Path of the certificate file, as the configuration names it. */
  readonly file: string;
  /** Certificates of the trusted authorities, as PEM text. */
  readonly pem: string;
  /** SHA-256 of each certificate, as OpenSSL writes it: `AB:CD:…`. */
  readonly fingerprints: readonly string[];
  readonly source: SourceRange;
}

/** A TLS client certificate with its key. */
export interface ClientIdentity {
  /** Path of the certificate file, as the configuration names it. */
  readonly certFile: string;
  /** PEM: the certificate, and the certificates of its authorities. */
  readonly cert: string;
  /** Private key as PEM text; being secret, it is in no plan, no state and no message. */
  readonly key: string;
  /** Start of the certificate's validity, in milliseconds since the Unix epoch. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** Position in the configuration; absent where the environment names the certificate. */
  readonly source?: SourceRange;
}

/** Milliseconds to wait for the headers of an answer, by kind of request. */
export interface RequestTimeouts {
  /** Limit for a request that only reads. */
  readonly readMs: number;
  /** Limit for a request that changes something. */
  readonly writeMs: number;
}

/** A contract file, already read and checked. */
export interface BoundContractFile {
  /** Path of the contract file, as the configuration names it. */
  readonly file: string;
  readonly binding: Binding;
  /** SHA-256 of the contract file, in hexadecimal digits, to recognise a changed file. */
  readonly sha256: string;
  /** Facts of the OpenAPI document that the binding was made from; undefined where their file is not beside it. */
  readonly facts?: ContractFacts | undefined;
  /** Position in the configuration; absent where the environment names the file. */
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
  readonly contract?: BoundContractFile | 'unusable' | undefined;
  /** The most requests that are sent to the service each second. */
  readonly requestsPerSecond?: number | undefined;
  /** The maximum number of connections, and of requests in flight. */
  readonly maxConnections?: number | undefined;
  /** Milliseconds to wait for the headers of answers, by kind of request. */
  readonly requestTimeouts?: Partial<RequestTimeouts> | undefined;
}
