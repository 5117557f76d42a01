// Signing in by OpenID Connect, against a double of a provider that signs real tokens.
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openOidcBrowser, type OidcBrowser } from '../support/server/oidc-browser.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';
import { startOpenIdProvider, type OpenIdProvider } from '../support/server/openid-provider.ts';

const callback = `${origin}/sign-in/callback`;

let provider: OpenIdProvider;
let rig: PagesRig;
let browser: OidcBrowser;

const ask: OidcBrowser['ask'] = (...given) => browser.ask(...given);
const look: OidcBrowser['look'] = (...given) => browser.look(...given);
const begin: OidcBrowser['begin'] = (...given) => browser.begin(...given);
const visit: OidcBrowser['visit'] = (...given) => browser.visit(...given);
const signIn: OidcBrowser['signIn'] = (...given) => browser.signIn(...given);
const countSessions = async () => rig.store.sessions.count();

beforeAll(async () => {
  // As where requests come over the network: it replaces the global classes of requests and answers.
  getRequestListener(() => new Response());
  provider = await startOpenIdProvider();
  rig = await openPagesRig({ provider });
  browser = openOidcBrowser(rig);
});
beforeEach(() => {
  provider.user = { sub: 'ada-1', name: 'Ada', email: 'ada@example.com' };
  provider.misdeeds = {};
  provider.redirectUri = callback;
});
afterAll(async () => {
  await rig.close();
  await provider.close();
});

describe('signing in by a provider', () => {
  it('asks with PKCE, state and nonce, and keeps them from the page', async () => {
    const page = await look('/sign-in?next=%2Faccounts', '');
    expect(page).toContain('href="/sign-in/oidc?next=%2Faccounts"');
    const { status, location, cookie } = await begin();
    expect(status).toBe(303);
    const query = new URL(location).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      ...{ client_id: 'hostwright', redirect_uri: callback, response_type: 'code' },
      ...{ scope: 'openid profile email', code_challenge_method: 'S256' },
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(query.get(name)).toMatch(/^[\w-]{43}$/);
    expect(location).not.toContain(provider.clientSecret);
    expect(cookie).not.toContain(query.get('state'));
  });

  it('makes a person without roles, who comes back where they wanted to go', async () => {
    const { response, session } = await signIn('?next=%2Faccounts');
    expect([response.status, response.headers.get('location')]).toEqual([303, '/accounts']);
    expect(response.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^hostwright-sign-in=; .*Max-Age=0/),
    );
    expect(await look('/', session)).toContain('You have no role in any workspace.');
    expect(await rig.store.members.list()).toMatchObject([
      { kind: 'person', name: 'Ada', issuer: provider.issuer, subject: 'ada-1', grants: [] },
    ]);
    const [entry] = await rig.store.audit.list({ limit: 1, isNewestFirst: true });
    expect(entry).toMatchObject({ act: 'sign-in', result: 'done', actor: { name: 'Ada' } });
  });

  it('finds the same person again by issuer and subject, with new names and old roles', async () => {
    const [ada] = await rig.store.members.list();
    await rig.store.members.grant(ada?.id ?? '', [{ role: 'admin' }]);
    provider.user = { sub: 'ada-1', name: 'Ada L.', email: 'other@example.com' };
    const { session } = await signIn();
    expect(await look('/people', session)).toContain('Ada L.');
    // Another subject with the same e-mail is another person.
    provider.user = { sub: 'ada-2', name: 'Ada L.', email: 'other@example.com' };
    expect((await ask(`${origin}/people`, (await signIn()).session)).status).toBe(403);
    expect(await rig.store.members.list()).toHaveLength(2);
  });

  it.each(['Administrator', 'admin', 'the  ADMINISTRATOR', 'server', '\u0430dministrator'])(
    'takes nobody for the administrator or the server who is called %s',
    async (name) => {
      provider.user = { sub: 'eve-1', name, email: 'eve@example.com' };
      const { session } = await signIn();
      const found = await rig.store.sessions.find(session.replace(/^[^=]*=/, ''));
      expect(found?.person).toBe(`${name} (a person)`);
      const [entry] = await rig.store.audit.list({ limit: 1, isNewestFirst: true });
      expect(entry?.actor).toMatchObject({ kind: 'person', name: `${name} (a person)` });
    },
  );

  it('takes what no database keeps out of a name, and no subject that has it', async () => {
    provider.user = { sub: 'zoe-1', name: 'Zo\0e\n', email: 'zoe\0@example.com' };
    expect((await signIn()).response.status).toBe(303);
    expect((await rig.store.members.list()).map(({ name }) => name)).toContain('Zoe');
    provider.user = { sub: 'zoe\0-2', name: 'Zoe' };
    expect((await signIn()).response.status).toBe(403);
  });

  it('leads to pages of this server alone', async () => {
    const { response } = await signIn('?next=https%3A%2F%2Fevil.test');
    expect(response.headers.get('location')).toBe('/');
  });
});

describe('a sign-in is refused', () => {
  it.each([
    ['that the provider refuses', {}, undefined],
    ['of another audience', { claims: { aud: 'other' } }, { sub: 'x' }],
    ['of another issuer', { claims: { iss: 'https://other.test' } }, { sub: 'x' }],
    ['that was for another sign-in', { claims: { nonce: 'other' } }, { sub: 'x' }],
    ['that has expired', { claims: { exp: 1 } }, { sub: 'x' }],
    ['without a subject', { claims: { sub: '' } }, { sub: 'x' }],
    ['that another key has signed', { otherKey: true }, { sub: 'x' }],
    ['that nobody has signed', { unsigned: true }, { sub: 'x' }],
  ])('%s', async (_what, misdeeds, user) => {
    Object.assign(provider, { misdeeds, user });
    const [sessions, people] = [await countSessions(), await rig.store.members.list()];
    const { response, session } = await signIn();
    expect([response.status, session]).toEqual([403, '']);
    expect(await response.text()).toContain('The sign-in was refused');
    expect([await countSessions(), await rig.store.members.list()]).toEqual([sessions, people]);
    const [entry] = await rig.store.audit.list({ limit: 1, isNewestFirst: true });
    expect(entry).toMatchObject({ act: 'sign-in', result: 'refused' });
  });

  it('in another browser than the one that began it, with another state, and a second time', async () => {
    const first = await begin();
    const back = await visit(first.location);
    const other = await begin();
    expect((await ask(back)).status).toBe(403);
    expect((await ask(back, other.cookie)).status).toBe(403);
    expect((await ask(back, 'hostwright-sign-in=made.up')).status).toBe(403);
    expect((await ask(back, first.cookie, '192.0.2.9')).status).toBe(303);
    expect((await ask(back, first.cookie, '192.0.2.9')).status).toBe(403);
  });

  it('after ten that failed, for some minutes; what no sign-in began counts for nothing', async () => {
    const statuses: number[] = [];
    const come = async (cookie: string) =>
      statuses.push((await ask(`${callback}?code=a&state=b`, cookie, '192.0.2.50')).status);
    const refusals = (await rig.store.audit.list({ limit: 100, isNewestFirst: true })).length;
    // As an image on a page of another site would have the browser do.
    for (let count = 0; count < 12; count += 1) await come('');
    expect(await rig.store.audit.list({ limit: 100, isNewestFirst: true })).toHaveLength(refusals);
    const { cookie } = await begin();
    for (let count = 0; count < 12; count += 1) await come(cookie);
    expect(statuses).toEqual([...Array<number>(22).fill(403), 429, 429]);
  });

  it('by faults of the provider for no attempt, so that the administrator still signs in', async () => {
    const address = '192.0.2.60';
    for (let count = 0; count < 12; count += 1) {
      provider.misdeeds = {};
      const { location, cookie } = await begin();
      const back = await visit(location);
      provider.misdeeds = { down: true };
      expect((await ask(back, cookie, address)).status).toBe(502);
    }
    const fields = new URLSearchParams({ token: rig.adminToken }).toString();
    const entered = await rig.app.fetch(
      new Request(`${origin}/sign-in`, {
        ...{ method: 'POST', body: fields },
        headers: {
          ...{ origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' },
          'content-type': 'application/x-www-form-urlencoded',
        },
      }),
      { address },
    );
    expect(entered.status).toBe(303);
  });

  it('with a reason while the provider is out of reach, and not for ever', async () => {
    const fresh = await startOpenIdProvider();
    fresh.redirectUri = callback;
    fresh.misdeeds = { down: true };
    const other = await openPagesRig({ provider: fresh });
    const get = () =>
      other.app.fetch(new Request(`${origin}/sign-in/oidc`), { address: '192.0.2.1' });
    expect((await get()).status).toBe(502);
    expect(other.warnings.join()).toContain('cannot be asked');
    fresh.misdeeds = {};
    expect((await get()).status).toBe(303);
    await other.close();
    await fresh.close();
  });

  it('and says nothing of secrets', () => {
    expect(rig.warnings.join()).toContain('was refused');
    expect(rig.warnings.join()).not.toMatch(/secret of the client|eyJ/);
  });
});

describe('the double of a provider', () => {
  const exchange = async (fields: Record<string, string>) => {
    const response = await fetch(`${provider.issuer}/token`, {
      ...{ method: 'POST', body: new URLSearchParams(fields).toString() },
    });
    return response.status;
  };
  // The verifier and the challenge of the example in RFC 7636.
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const authorize = (more: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      ...{ client_id: provider.clientId, redirect_uri: callback, response_type: 'code' },
      ...{ scope: 'openid', state: 's', code_challenge_method: 'S256' },
      ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', ...more },
    });
    return fetch(`${provider.issuer}/authorize?${query.toString()}`, { redirect: 'manual' });
  };
  const fieldsOf = async () => {
    const location = (await authorize()).headers.get('location') ?? '';
    return {
      ...{ grant_type: 'authorization_code', client_id: provider.clientId },
      ...{ client_secret: provider.clientSecret, redirect_uri: callback },
      code: new URL(location).searchParams.get('code') ?? '',
      code_verifier: verifier,
    };
  };

  it('gives a token once, for the right verifier, client and address', async () => {
    const fields = await fieldsOf();
    expect([await exchange(fields), await exchange(fields)]).toEqual([200, 400]);
    const wrong = { code_verifier: 'x', redirect_uri: `${origin}/other`, client_secret: 'x' };
    for (const [name, value] of Object.entries(wrong))
      expect(await exchange({ ...(await fieldsOf()), [name]: value })).toBeGreaterThan(399);
  });

  it('sends nobody to an unknown address, and nobody back with a code who asks by half', async () => {
    expect((await authorize({ redirect_uri: 'https://evil.test' })).status).toBe(400);
    expect((await authorize({ client_id: 'other' })).status).toBe(400);
    for (const more of [{ scope: 'email' }, { code_challenge_method: 'plain' }]) {
      expect((await authorize(more)).headers.get('location')).toContain('error=invalid_request');
    }
  });
});
