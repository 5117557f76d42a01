import type { AccessToken, CreatedToken } from '../../model/account/account.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { cutTextEnd } from '../format/measure.ts';
import { formatAge, formatDay, formatTime, formatIsoTime } from '../format/moment.ts';
import type { TextLayout } from '../format/style.ts';
import { drawColumnList, type ListColumn } from '../format/table.ts';

const longestName = 24;

/** The access tokens as a table. Their values are shown nowhere. */
export function renderAccessTokensText(
  tokens: readonly AccessToken[],
  now: number,
  { columns, style }: TextLayout,
): string {
  if (tokens.length === 0) return 'The account has no access tokens.\n';
  const expiry = ({ expiresAt }: AccessToken) => {
    if (expiresAt === null) return 'never';
    const day = formatDay(expiresAt);
    return expiresAt <= now ? style.red(`${day} (over)`) : day;
  };
  const all: readonly ListColumn<AccessToken>[] = [
    ['name', ({ name }) => cutTextEnd(escapeUntrustedText(name), longestName)],
    ['id', ({ id }) => escapeUntrustedText(id)],
    ['scopes', ({ scopes }) => escapeUntrustedText(scopes.join(', '))],
    ['expires', expiry],
    ['last used', ({ lastUsedAt: at }) => (at === null ? 'never' : `${formatAge(at, now)} ago`)],
  ];
  return `${drawColumnList(tokens, all, { columns }, style.dim).join('\n')}\n`;
}

/** Result of a command on an access token: `Made the access token ci (tok-1)`, then its scopes and when it expires. */
export function renderAccessTokenText(
  done: string,
  { id, name, scopes, expiresAt }: AccessToken,
): string {
  const end = expiresAt === null ? 'never expires' : `expires ${formatTime(expiresAt)}`;
  const what = `${done} the access token ${escapeUntrustedText(name)} (${escapeUntrustedText(id)})`;
  return `${what}\n  scopes ${escapeUntrustedText(scopes.join(', '))}; ${end}\n`;
}

/** A token for machines: `id`, `name`, `scopes`, `expiresAt`, `createdAt`, `lastUsedAt`; times in ISO 8601 or null. */
function describeTokenJson({ id, name, scopes, ...times }: AccessToken): object {
  return {
    id,
    name,
    scopes,
    expiresAt: formatIsoTime(times.expiresAt),
    createdAt: formatIsoTime(times.createdAt),
    lastUsedAt: formatIsoTime(times.lastUsedAt),
  };
}

/** Renders the JSON of `tokens list --json`. */
export function renderAccessTokensJson(tokens: readonly AccessToken[]): object {
  return { format_version: '1.0', tokens: tokens.map(describeTokenJson) };
}

/** The answer of `tokens rename --json` and `tokens revoke --json`: `outcome` (done or declined) and `token`. */
export function renderAccessTokenJson(token: AccessToken, outcome: 'done' | 'declined'): object {
  return { format_version: '1.0', outcome, token: describeTokenJson(token) };
}

/** The answer of `tokens create --json`: `token`, and `value`, or `file` when the value was written there instead. */
export function renderCreatedAccessTokenJson(
  { token, value }: CreatedToken,
  file: string | undefined,
): object {
  return {
    format_version: '1.0',
    token: describeTokenJson(token),
    ...(file === undefined ? { value } : { file }),
  };
}
