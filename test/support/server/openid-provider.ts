// A double of an OpenID Connect provider: discovery, the authorization code flow with PKCE, and tokens that are really
// signed. It is strict where the standards are, so that a client that cuts a corner fails.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Readonly<Record<string, unknown>>;

/** What it does otherwise than it should. */
export interface Misdeeds {
  /** Claims in the place of those that are right. */
  readonly claims?: Claims;
  /** True: a key signs that is not among its keys. */
  readonly otherKey?: boolean;
  /** True: the token has no signature. */
  readonly unsigned?: boolean;
  /** True: it answers 503 to everything. */
  readonly down?: boolean;
  /** True: it has no sign-out for programs, as the standard allows. */
  readonly noSignOut?: boolean;
}

/** The provider while it runs. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who is signed in at the provider: the claims about them; nobody, and it refuses. */
  user: Claims | undefined;
  misdeeds: Misdeeds;
  /** The only address that it sends browsers back to. */
  redirectUri: string;
  /** The only address that it sends browsers to after a sign-out. */
  signedOutUri: string;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string | null;
  readonly user: Claims;
}

const keyId = 'key-1';
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts it on loopback. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [keys, others] = [makeKeys(), makeKeys()];
  const grants = new Map<string, Grant>();
  const tokens = new Set<string>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OpenIdProvider = {
    ...{ issuer, clientId: 'hostwright', clientSecret: 'the secret of the client' },
    ...{ user: undefined, misdeeds: {}, redirectUri: '', signedOutUri: '' },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (provider.misdeeds.down === true) {
      send(503, {});
      return;
    }
    switch (`${request.method ?? ''} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration': {
        send(200, describe());
        return;
      }
      case 'GET /keys': {
        const key = keys.publicKey.export({ format: 'jwk' });
        send(200, { keys: [{ ...key, kid: keyId, use: 'sig', alg: 'RS256' }] });
        return;
      }
      case 'GET /authorize': {
        authorize(url.searchParams, response);
        return;
      }
      case 'GET /sign-out': {
        signOut(url.searchParams, response);
        return;
      }
      case 'POST /token': {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        const [status, body] = exchange(new URLSearchParams(Buffer.concat(chunks).toString()));
        send(status, body);
        return;
      }
      default: {
        send(404, {});
        return;
      }
    }
  }

  const describe = (): object => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    ...(provider.misdeeds.noSignOut !== true && { end_session_endpoint: `${issuer}/sign-out` }),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? '';
    // Whoever is not known is not sent anywhere.
    if (query.get('client_id') !== provider.clientId || redirectUri !== provider.redirectUri) {
      response.writeHead(400).end('unknown client or address');
      return;
    }
    const { user } = provider;
    const challenge = query.get('code_challenge') ?? '';
    const isWhole =
      query.get('response_type') === 'code' &&
      (query.get('scope') ?? '').split(' ').includes('openid') &&
      query.get('code_challenge_method') === 'S256' &&
      challenge.length === 43;
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', issuer);
    if (!isWhole || !user) {
      back.searchParams.set('error', isWhole ? 'access_denied' : 'invalid_request');
    } else {
      const code = randomBytes(16).toString('base64url');
      grants.set(code, { challenge, redirectUri, nonce: query.get('nonce'), user });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  /** By OpenID Connect RP-Initiated Logout: it asks nobody whose program shows a token of its own making. */
  function signOut(query: URLSearchParams, response: ServerResponse): void {
    const back = query.get('post_logout_redirect_uri');
    const isKnown =
      tokens.has(query.get('id_token_hint') ?? '') && query.get('client_id') === provider.clientId;
    if (!isKnown || back !== provider.signedOutUri) {
      response.writeHead(400).end('unknown token, client or address');
      return;
    }
    provider.user = undefined;
    response.writeHead(302, { location: back }).end();
  }

  function exchange(form: URLSearchParams): readonly [number, object] {
    const { clientId, clientSecret } = provider;
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
      return [401, { error: 'invalid_client' }];
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    // A code is good once, whatever comes of it.
    grants.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (
      form.get('grant_type') !== 'authorization_code' ||
      grant?.challenge !== challenge ||
      grant.redirectUri !== form.get('redirect_uri')
    )
      return [400, { error: 'invalid_grant' }];
    const token = { access_token: randomBytes(16).toString('hex'), token_type: 'Bearer' };
    return [200, { ...token, expires_in: 60, id_token: writeToken(grant) }];
  }

  function writeToken({ nonce, user }: Grant): string {
    const seconds = Math.floor(Date.now() / 1_000);
    const { claims: wrong, otherKey = false, unsigned = false } = provider.misdeeds;
    const times = { iat: seconds, exp: seconds + 60 };
    const claims = { iss: issuer, aud: provider.clientId, ...times, nonce, ...user, ...wrong };
    const header = unsigned ? { alg: 'none' } : { alg: 'RS256', kid: keyId };
    const text = `${base64(header)}.${base64(claims)}`;
    const key: KeyObject = otherKey ? others.privateKey : keys.privateKey;
    const signature = unsigned ? '' : sign('sha256', Buffer.from(text), key).toString('base64url');
    const whole = `${text}.${signature}`;
    tokens.add(whole);
    return whole;
  }

  return provider;
}
