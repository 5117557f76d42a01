import { DiagnosticError } from '../../model/errors.ts';
import { isLoopback } from '../../model/text/is-loopback.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Settings of the OpenID Connect provider, with the client id and secret of this server. */
export interface OidcSettings {
  /** Address of the provider, which its tokens contain. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Claim of its tokens that lists the groups of a person; undefined where groups give no roles. */
  readonly groupsClaim?: string;
  /** Scopes that the provider is asked for beside the usual ones, such as `groups`. */
  readonly scopes?: readonly string[];
}

const issuerVariable = 'HOSTWRIGHT_SERVER_OIDC_ISSUER';
const idVariable = 'HOSTWRIGHT_SERVER_OIDC_CLIENT_ID';
const secretVariable = 'HOSTWRIGHT_SERVER_OIDC_CLIENT_SECRET';
const groupsVariable = 'HOSTWRIGHT_SERVER_OIDC_GROUPS_CLAIM';
const scopesVariable = 'HOSTWRIGHT_SERVER_OIDC_SCOPES';

/** The provider that the environment names; undefined where it names none. @throws DiagnosticError where a part is missing */
export function readOidcSettings({ env }: Pick<Runtime, 'env'>): OidcSettings | undefined {
  const read = (name: string) => env[name]?.trim() ?? '';
  const names = [issuerVariable, idVariable, secretVariable];
  const missing = names.filter((name) => read(name) === '');
  if (missing.length === names.length) return undefined;
  const issuer = read(issuerVariable);
  if (missing.length > 0) throw explainIncomplete(missing);
  if (!isAllowedProviderAddress(issuer)) throw explainIssuer();
  const [groupsClaim, scopes] = [read(groupsVariable), read(scopesVariable)];
  return {
    issuer,
    clientId: read(idVariable),
    clientSecret: read(secretVariable),
    ...(groupsClaim !== '' && { groupsClaim }),
    ...(scopes !== '' && { scopes: scopes.split(/\s+/) }),
  };
}

/** Tells whether an address may be that of a provider: it needs TLS, except on this computer. */
export function isAllowedProviderAddress(issuer: string): boolean {
  return (
    URL.canParse(issuer) &&
    (new URL(issuer).protocol === 'https:' || isLocalPlainHttpAddress(issuer))
  );
}

/** Tells whether an address is on this computer and without TLS. */
export function isLocalPlainHttpAddress(issuer: string): boolean {
  const url = new URL(issuer);
  return url.protocol === 'http:' && isLoopback(url);
}

function explainIncomplete(missing: readonly string[]): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-oidc-settings',
      summary: 'The OpenID Connect provider of the server is not complete',
      detail: `Not set: ${missing.join(', ')}.`,
      hint: `Set ${issuerVariable}, ${idVariable} and ${secretVariable}, or none of them.`,
    },
  ]);
}

function explainIssuer(): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-oidc-settings',
      summary: 'The issuer of the OpenID Connect provider is not an address with https://',
      detail: 'Without TLS, only a provider on this machine is allowed.',
      hint: `Set ${issuerVariable} to the issuer as the provider has it in its tokens.`,
    },
  ]);
}
