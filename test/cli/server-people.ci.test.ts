// People at the server in Chromium: signing in by a provider, roles, tokens, and a plan that one starts and another approves.
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { findBarriers } from '../support/axe.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/open-browser.ts';
import { ApiClient } from '../support/server/api-client.ts';
import { startOpenIdProvider, type OpenIdProvider } from '../support/server/openid-provider.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import { openServerRig, type ServerRig } from '../support/server/server-rig.ts';

describe.runIf(hasBrowser)('people at a server in a browser', () => {
  let rig: ServerRig;
  let provider: OpenIdProvider;
  let api: ApiClient;
  let ada: Browser;
  let admin: Browser;
  let page: Page;
  let desk: Page;

  beforeAll(async () => {
    provider = await startOpenIdProvider();
    rig = await openServerRig(asProcesses(resolve('.')), 200);
    const env = {
      HOSTWRIGHT_SERVER_OIDC_ISSUER: provider.issuer,
      HOSTWRIGHT_SERVER_OIDC_CLIENT_ID: provider.clientId,
      HOSTWRIGHT_SERVER_OIDC_CLIENT_SECRET: provider.clientSecret,
    };
    const { ready } = await rig.start(['server', '--port', '0'], { env });
    api = new ApiClient(ready.origin ?? '', ready.adminToken ?? '', ready.signInUrl);
    provider.redirectUri = `${api.origin}/sign-in/callback`;
    provider.user = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' };
    await rig.repository.commit({ 'main.yaml': 'version: 1\nprojects: { shop: {} }\n' });
    const { baseUrl, token } = rig.account;
    await api.call('POST', '/api/v1/workspaces', {
      ...{ name: 'shop', repository: rig.repositoryUrl, approvals: { count: 1 } },
      variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
    });
    [ada, admin] = [await openBrowser(), await openBrowser()];
    [page, desk] = [await ada.context.newPage(), await admin.context.newPage()];
  });
  afterAll(async () => {
    await ada.close();
    await admin.close();
    await rig.close();
    await provider.close();
  });

  const press = (where: Page, name: string) =>
    where.getByRole('button', { name, exact: true }).click();
  const heading = (where: Page) => where.getByRole('heading', { level: 1 }).textContent();

  it('sign in by a provider, and view nothing without a role', async () => {
    await page.goto(`${api.origin}/`);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: /^Sign in with/ }).click();
    expect(await heading(page)).toBe('Workspaces');
    await page.getByText('You have no role in any workspace.').waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await page.goto(`${api.origin}/workspaces/shop`);
    expect(await heading(page)).toBe('There is no such workspace');
  });

  it('get roles from an administrator, and tokens are shown once', async () => {
    await desk.goto(api.signInUrl);
    await press(desk, 'Sign in');
    await desk.getByRole('link', { name: 'People' }).click();
    await desk.getByRole('link', { name: 'Ada Lovelace' }).click();
    await desk.getByLabel('Roles by workspace').fill('shop: approve, apply');
    await press(desk, 'Save');
    await desk.getByText('approve in shop; apply in shop').waitFor();
    await desk.getByText('New token').click();
    await desk.locator('#token-name').fill('ci');
    await desk.locator('#token-view').check();
    await press(desk, 'Make token');
    expect(await desk.locator('#new-token').textContent()).toMatch(/^hwt_/);
    await desk.goto(`${api.origin}/people`);
    expect(await desk.locator('#new-token').count()).toBe(0);
  });

  it('approve a plan that another started, and apply it', async () => {
    const { id } = await api.run({ operation: 'plan', workspace: 'shop' });
    await api.ended(id);
    await page.goto(`${api.origin}/`);
    await page.getByRole('link', { name: /^Waiting for your approval \(0 of 1\)/ }).click();
    expect(await page.getByRole('button', { name: 'Apply this plan' }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Comment').fill('small enough');
    await press(page, 'Approve');
    await page.getByText('1 of 1 approval: the plan can be applied.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await press(page, 'Apply this plan');
    await page.getByRole('heading', { level: 1, name: /Apply #\d+ Succeeded/ }).waitFor();
    await desk.goto(`${api.origin}/audit`);
    await desk.getByText('plan.approve').waitFor();
    expect(await desk.getByText('small enough').count()).toBe(1);
  });

  const screens = [
    [1440, 'light'],
    [390, 'dark'],
  ] as const;
  it.each(drawSome(screens, { short: 1, ci: 1 }, 'screens'))(
    'find no barrier, %i wide and %s',
    async (width, colorScheme) => {
      const { body } = await api.call('GET', '/api/v1/members');
      const [member] = body.members as readonly { readonly id: string }[];
      const { id } = await api.run({ operation: 'plan', workspace: 'shop' });
      await api.ended(id);
      for (const where of [page, desk]) {
        await where.setViewportSize({ width, height: 900 });
        await where.emulateMedia({ colorScheme });
      }
      const own = ['/people', `/people/${member?.id ?? ''}`, '/audit', '/workspaces/shop/edit'];
      const visits = [
        ...own.map((path) => [desk, path] as const),
        ...['/', '/workspaces/shop', `/runs/${id}`].map((path) => [page, path] as const),
      ];
      for (const [where, path] of visits) {
        await where.goto(`${api.origin}${path}`);
        await where.evaluate(
          'for (const one of document.querySelectorAll("details")) one.open = true',
        );
        expect([path, await findBarriers(where)]).toEqual([path, []]);
        const wide = await where.evaluate<number>('document.documentElement.scrollWidth');
        expect([path, wide]).toEqual([path, width]);
      }
    },
  );
});
