import { isIP } from 'node:net';

/** True for address ranges, separated by commas: `10.0.0.0/8,fd00::/8`. */
export function isAddressRangeList(text: string): boolean {
  const ranges = text.split(',');
  return ranges.every((range) => {
    const [address = '', length = '', ...rest] = range.split('/');
    const bits = isIP(address) === 6 ? 128 : 32;
    return (
      isIP(address) > 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits && rest.length === 0
    );
  });
}
