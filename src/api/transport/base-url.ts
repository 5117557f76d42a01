import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { SourceRange } from '../../model/source.ts';

/** The place where the user set the base address, named in the message about a bad one. */
export interface BaseUrlSource {
  /** Name of the setting: `HOSTWRIGHT_BASE_URL`, `service.baseUrl`. */
  readonly name: string;
  /** Place of the setting in the configuration; absent for a variable of the environment. */
  readonly source?: SourceRange;
}

/**
 * The base address without a trailing slash, e.g. `https://api.example.com/v1`.
 * @throws DiagnosticError `base-address-invalid`, with a hint at what to write instead.
 */
export function parseBaseUrl(text: string, origin: BaseUrlSource): string {
  const trimmed = text.trim();
  if (trimmed === '') fail(origin, 'it is empty', exampleHint);
  const url = readUrl(trimmed);
  if (!url) {
    // `api.example.com/v1`, and `localhost:8080/v1`, which parses as the scheme `localhost:`.
    const guess = readUrl(`https://${trimmed}`);
    const isHost = guess !== undefined && !trimmed.includes('://');
    fail(origin, 'it is not an http or https address', isHost ? suggest(guess) : exampleHint);
  }
  // The user name or password stays out of the message: it may be a secret.
  if (url.username !== '' || url.password !== '') {
    fail(
      origin,
      'it holds a user name or a password',
      'Take them out: the access token is set apart.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    fail(origin, 'it has more than a path', suggest(url));
  }
  if (!/\/v1\/*$/.test(url.pathname)) fail(origin, 'it does not end in /v1', suggest(url));
  return join(url, url.pathname);
}

/** An address as `parseBaseUrl` spells it, for comparing; any other text as it is. */
export function normalizeBaseUrl(text: string): string {
  const url = readUrl(text.trim());
  return url ? join(url, url.pathname) : text;
}

const exampleHint = 'Write it as https://api.example.com/v1.';

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** Hint at the address that was probably meant: cut behind its `/v1`, or with one added. */
function suggest(url: URL): string {
  const cut = /^.*?\/v1(?=\/|$)/.exec(url.pathname)?.[0];
  const base = url.pathname.replace(/(\/v\d+)?\/*$/, '');
  return `Did you mean ${join(url, cut ?? `${base}/v1`)}?`;
}

function join(url: URL, path: string): string {
  return `${url.origin}${path.replace(/\/+$/, '')}`;
}

function fail({ name, source }: BaseUrlSource, why: string, hint: string): never {
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'base-address-invalid',
    summary: `The base address in ${name} cannot be used: ${why}`,
    detail:
      'The base address of the service is an http or https address that ends in its version, /v1.',
    hint,
    ...(source && { source }),
  };
  throw new DiagnosticError([diagnostic]);
}
