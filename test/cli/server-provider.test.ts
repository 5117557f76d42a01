// What a provider says beside who somebody is: when a session ends there, too, and which groups give roles.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openOidcBrowser, type OidcBrowser } from '../support/server/oidc-browser.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';
import { startOpenIdProvider, type OpenIdProvider } from '../support/server/openid-provider.ts';

let provider: OpenIdProvider;
let rig: PagesRig;
let browser: OidcBrowser;

const ada = { sub: 'ada-1', name: 'Ada', email: 'ada@example.com' };

beforeAll(async () => {
  provider = await startOpenIdProvider();
  const { issuer, clientId, clientSecret } = provider;
  rig = await openPagesRig({
    provider: { issuer, clientId, clientSecret, groupsClaim: 'groups', scopes: ['groups'] },
  });
  browser = openOidcBrowser(rig);
  for (const name of ['shop', 'blog'])
    await rig.send('POST', '/api/v1/workspaces', {
      body: { name, repository: 'file:///none', branch: 'main', directory: '.', variables: {} },
    });
});
beforeEach(() => {
  provider.user = ada;
  provider.misdeeds = {};
  provider.redirectUri = `${origin}/sign-in/callback`;
  provider.signedOutUri = `${origin}/sign-in`;
});
afterAll(async () => {
  await rig.close();
  await provider.close();
});

const findAda = async () =>
  (await rig.store.members.list()).find(({ subject }) => subject === ada.sub);

const signOut = async (session: string) =>
  browser.submit('/sign-out', await browser.look('/', session), session);

/** Where a page sends the browser by itself. */
const leadOf = (response: Response) =>
  /^0; *url=(.+)$/.exec(response.headers.get('refresh') ?? '')?.[1] ?? '';

describe('signing out', () => {
  it('ends the session at the provider, too, which sends the browser back', async () => {
    const { session } = await browser.signIn();
    const left = await signOut(session);
    // A page and no redirect: the policy of the page lets its forms lead to this server alone.
    expect(left.status).toBe(200);
    expect(left.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^hostwright=; .*Max-Age=0/),
    );
    const lead = leadOf(left);
    expect(lead.startsWith(`${provider.issuer}/sign-out?`)).toBe(true);
    expect((await left.text()).replaceAll('&amp;', '&')).toContain(lead);
    const away = await fetch(lead, { redirect: 'manual' });
    expect([away.status, away.headers.get('location')]).toEqual([302, `${origin}/sign-in`]);
    expect(provider.user).toBeUndefined();
    expect(await rig.ask('SELECT 1 FROM hostwright_server.sessions')).toEqual([]);
  });

  it('keeps the token of the provider encrypted, and only for as long as the session', async () => {
    const texts = async () => rig.ask('SELECT body FROM hostwright_server.blobs');
    const before = await texts();
    const { session } = await browser.signIn();
    const during = await texts();
    expect(during).toHaveLength(before.length + 1);
    expect(JSON.stringify(during)).not.toContain(Buffer.from('eyJ').toJSON().data.join(','));
    await signOut(session);
    expect(await texts()).toHaveLength(before.length);
  });

  it('everywhere ends the own session at the provider, and its tokens here', async () => {
    const member = await findAda();
    await rig.store.members.grant(member?.id ?? '', [{ role: 'admin' }]);
    await browser.signIn();
    const { session } = await browser.signIn();
    const page = await browser.look('/settings', session);
    const left = await browser.submit('/sign-out-everywhere', page, session);
    expect(leadOf(left)).toContain('/sign-out?');
    expect(await rig.ask('SELECT 1 FROM hostwright_server.sessions')).toEqual([]);
    await rig.store.members.grant(member?.id ?? '', []);
  });

  it('works for who came by the token, and where the provider has no sign-out or is away', async () => {
    const admin = await rig.store.sessions.begin('administrator');
    const left = await signOut(`hostwright=${admin}`);
    expect([left.status, left.headers.get('location')]).toEqual([303, '/sign-in']);
    for (const misdeeds of [{ noSignOut: true }, { down: true }]) {
      const other = await startOpenIdProvider();
      const { issuer, clientId, clientSecret } = other;
      const second = await openPagesRig({ provider: { issuer, clientId, clientSecret } });
      other.misdeeds = misdeeds;
      const its = openOidcBrowser(second);
      const session = `hostwright=${await second.store.sessions.begin('Eve', undefined, 'a.b.c')}`;
      const gone = await its.submit('/sign-out', await its.look('/', session), session);
      expect([gone.status, gone.headers.get('location')]).toEqual([303, '/sign-in']);
      expect(second.warnings.join().includes('cannot be asked')).toBe(misdeeds.down === true);
      await second.close();
      await other.close();
    }
  });
});

describe('groups of the provider', () => {
  const make = async (name: string, grants: readonly object[]) => {
    const answer = await rig.send('POST', '/api/v1/members', {
      body: { kind: 'group', name, grants },
    });
    const { id } = (await answer.json()) as { id: string };
    return { status: answer.status, id };
  };
  const shown = async (session: string) => {
    const answer = await browser.ask(`${origin}/api/v1/workspaces`, session);
    const { workspaces } = (await answer.json()) as { workspaces: { name: string }[] };
    return workspaces.map(({ name }) => name);
  };
  const signInWith = async (groups: unknown) => {
    provider.user = { ...ada, groups };
    return (await browser.signIn()).session;
  };

  it('asks the provider for them', async () => {
    const { location } = await browser.begin();
    expect(new URL(location).searchParams.get('scope')).toBe('openid profile email groups');
  });

  it('give their roles by workspace or for all, until somebody is out of them', async () => {
    expect((await make('shop-team', [{ role: 'plan', workspace: 'shop' }])).status).toBe(201);
    const { id } = await make('platform', [{ role: 'approve' }]);
    const session = await signInWith(['shop-team', 'unknown', '\0odd', 7]);
    expect(await shown(session)).toEqual(['shop']);
    const member = await findAda();
    expect(member).toMatchObject({ name: 'Ada', grants: [], groups: ['shop-team'] });
    const [entry] = await rig.store.audit.list({ limit: 1, isNewestFirst: true });
    expect(JSON.parse(entry?.detail ?? '')).toEqual({ by: 'openid', groups: ['shop-team'] });
    // Another group at the next sign-in takes the place of the one before.
    const next = await signInWith(['platform']);
    expect((await shown(next)).toSorted()).toEqual(['blog', 'shop']);
    expect((await rig.store.members.findWorkspace(member?.id ?? '', 'shop'))?.roles).toEqual([
      'approve',
    ]);
    // What a group allows changes at once.
    await rig.send('PATCH', `/api/v1/members/${id}`, {
      body: { grants: [{ role: 'view', workspace: 'blog' }] },
    });
    expect(await shown(next)).toEqual(['blog']);
    expect(await shown(await signInWith([]))).toEqual([]);
    expect(await shown(await signInWith('platform'))).toEqual(['blog']);
    expect(await shown(await signInWith(undefined))).toEqual([]);
  });

  it('count for as long as a session can last, and no longer', async () => {
    const session = await signInWith(['platform']);
    const age = (days: number) =>
      rig.ask(
        `UPDATE hostwright_server.members SET groups_at = now() - $1 * interval '1 day' - interval '1 minute' WHERE groups_at IS NOT NULL`,
        [days],
      );
    await age(6);
    expect(await shown(session)).toEqual(['blog']);
    await age(7);
    expect(await shown(session)).toEqual([]);
    expect((await findAda())?.groups).toEqual([]);
  });

  it('approve what the group may approve, and no longer once it may not', async () => {
    const { id } = await make('reviewers', [{ role: 'approve', workspace: 'shop' }]);
    await signInWith(['reviewers']);
    const person = await findAda();
    const may = async () =>
      (await rig.store.members.findWorkspace(person?.id ?? '', 'shop'))?.roles;
    expect(await may()).toEqual(['approve']);
    await rig.send('DELETE', `/api/v1/members/${id}`);
    expect(await may()).toEqual([]);
  });

  it('have a name once, and nobody signs in as one', async () => {
    expect((await make('platform', [])).status).toBe(409);
    provider.user = { sub: 'platform', name: 'platform' };
    const session = (await browser.signIn()).session;
    expect(await shown(session)).toEqual([]);
    const named = (await rig.store.members.list()).filter(({ name }) => name === 'platform');
    expect(named.map(({ kind }) => kind).toSorted()).toEqual(['group', 'person']);
  });

  it('are made and shown on the page of people', async () => {
    const admin = await rig.store.sessions.begin('administrator');
    const page = await browser.look('/people', `hostwright=${admin}`);
    expect(page).toContain('Groups of the provider');
    const person = await findAda();
    await signInWith(['platform']);
    const own = await browser.look(`/people/${person?.id ?? ''}`, `hostwright=${admin}`);
    expect(own).toMatch(/<dt>Groups<\/dt>\s*<dd>platform<\/dd>/);
  });
});
