// Reckoning with decimal numbers as they are written, as Terraform does: 0.1 and 0.2 are 0.3, which two floats are not.
import { formatNumberWithoutExponent } from './print-number.ts';

/** Numbers as whole multiples of one power of ten. */
interface ScaledDecimals {
  readonly scaled: readonly bigint[];
  /** The number of a multiple. */
  readonly toNumber: (scaled: bigint) => number;
}

/** Scales finite numbers, so that each is whole. */
export function scaleDecimals(numbers: readonly number[]): ScaledDecimals {
  const parts = numbers.map((one) => formatNumberWithoutExponent(one).split('.'));
  const places = Math.max(0, ...parts.map(([, part = '']) => part.length));
  return {
    scaled: parts.map(([whole = '', part = '']) => BigInt(whole + part.padEnd(places, '0'))),
    toNumber: (scaled) => Number(`${scaled}e-${places}`),
  };
}
