import type { LiveResource } from '../../src/model/account/live.ts';

/** A live resource of which the service tells everything. */
export type Whole<L extends LiveResource> = { readonly [K in keyof L]: Exclude<L[K], undefined> };

/** The resource as one of which nothing is untold, as the sandbox and the doubles tell it. */
export const whole = <L extends LiveResource>(live: L): Whole<L> => live as Whole<L>;
