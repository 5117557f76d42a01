import type { SourceRange } from '../source.ts';

/** Where the live account is. Nothing of it is secret. */
export type ServiceSettings =
  | {
      readonly kind: 'remote';
      /** Ends in `/v1`, without a slash behind it. */
      readonly baseUrl: string;
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

/** How long the headers of an answer are waited for, in milliseconds. */
export interface RequestTimeouts {
  /** Of a request that changes nothing. */
  readonly readMs: number;
  /** Of one that does. */
  readonly writeMs: number;
}

/** What `service` says, each part undefined where nothing is said. */
export interface ServiceSection {
  /** The environment may name another. */
  readonly service: ServiceSettings | undefined;
  /** At most so many requests a second. */
  readonly requestsPerSecond?: number | undefined;
  /** The maximum number of connections, and of requests in flight. */
  readonly maxConnections?: number | undefined;
  /** For how long the headers of answers are waited for. */
  readonly requestTimeouts?: Partial<RequestTimeouts> | undefined;
}
