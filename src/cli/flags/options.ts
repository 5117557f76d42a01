import { InvalidArgumentError, Option } from 'commander';
import { isModuleAddress, parseResourceAddress } from '../../model/address.ts';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses a duration such as `90s`, `20m`, `1h30m` or `0` to milliseconds. */
export function parseDurationFlag(text: string): number {
  if (text === '0') return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new InvalidArgumentError('Give a duration such as 30s, 10m or 1h30m.');
  }
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0),
    0,
  );
}

/** Makes a parser of whole numbers from `least` to `most`. */
export function parseWholeNumberFlag(
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const range =
      most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`Give a whole number ${range}.`);
  };
}

/** Parses the address of a team server, which has no path: `https://hostwright.example.com`. */
export function parseServerOriginFlag(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url?.href === `${url?.origin ?? ''}/` && /^https?:$/.test(url.protocol);
  if (url && isOrigin) return url.origin;
  throw new InvalidArgumentError('Give an address such as https://hostwright.example.com.');
}

/** Parses an address, of one resource or of all instances of a block. */
export function parseAddressFlag(text: string): string {
  if (parseResourceAddress(text)) return text;
  throw new InvalidArgumentError('Give an address such as projects.shop.vms.web[0].');
}

/** Parses the address of a resource or of a module, which means everything within it. */
export function parseTargetAddressFlag(text: string): string {
  return isModuleAddress(text) ? text : parseAddressFlag(text);
}

/** Parses a flag that may be given only once; a repetition is an error. */
export function requireSingleFlagValue(text: string, before: string | undefined): string {
  if (before === undefined) return text;
  throw new InvalidArgumentError('Give it once.');
}

/** Parses a number above zero. */
export function parsePositiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('Give a number above zero.');
}

/** The flag `--json`. */
export const jsonOption = () => new Option('--json', 'print the result as JSON');

/** The flag `--limit`. */
export const limitOption = () =>
  new Option('--limit <n>', 'how many at most')
    .argParser(parseWholeNumberFlag(1, 10_000))
    .default(20);

/** The flag `--auto-approve`. */
export const autoApproveOption = () =>
  new Option('--auto-approve', 'go on without asking, whatever is lost');

/** The flag `--lock-timeout`. */
export const lockTimeoutOption = () =>
  new Option('--lock-timeout <duration>', 'how long to wait for the lock of the state, e.g. 30s')
    .argParser(parseDurationFlag)
    .default(0, '0s');
