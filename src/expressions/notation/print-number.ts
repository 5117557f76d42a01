/** Formats a number without an exponent, as Terraform and people write it: `0.0000001`, `1000000000000000000000`. */
export function formatNumberWithoutExponent(value: number): string {
  if (Number.isInteger(value)) return String(BigInt(value));
  const text = String(value);
  const [, sign = '', whole = '', part = '', exponent = ''] =
    /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
  return exponent === '' ? text : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${part}`;
}
