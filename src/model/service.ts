import type { SourceRange } from './source.ts';

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
