// The pages of the server in Chromium: a person's way from the link on the terminal to an applied plan, and out again.
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { findBarriers } from '../support/axe.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/open-browser.ts';
import { openService, refuseFor } from '../support/server/open-service.ts';
import { openStage, type Stage } from '../support/server/open-stage.ts';
import { listVms } from '../support/server/server-rig.ts';

describe.runIf(hasBrowser)('the pages of a server in a browser', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    stage = await openStage(resolve('.'), 60);
    browser = await openBrowser();
    page = await browser.context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const open = (path: string) => page.goto(`${stage.api.origin}${path}`);
  const heading = () => page.getByRole('heading', { level: 1 }).textContent();

  it('sign in by the link, once', async () => {
    await page.goto(stage.api.signInUrl);
    await press('Sign in');
    expect(await heading()).toBe('Workspaces');
    const cookies = await browser.context.cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax', path: '/' }]);
    await page.goto(stage.api.signInUrl);
    await press('Sign in');
    expect(await page.getByRole('alert').textContent()).toContain('was used before');
    // The refused form is an error to a browser, and to nobody else.
    complaints.length = 0;
  });

  it('show each workspace by what it comes to, filtered by the address', async () => {
    await open('/');
    const names = () => page.locator('tbody th a').allTextContents();
    expect(await names()).toEqual(['blog', 'web', 'archive', 'network']);
    await page.getByRole('link', { name: /Waiting for you 1/ }).click();
    expect(page.url()).toContain('status=waiting');
    expect(await names()).toEqual(['web']);
    await page.getByLabel('Search workspaces').fill('nothing like it');
    await press('Search');
    expect(await page.getByText('No workspace matches').isVisible()).toBe(true);
  });

  it('show a plan within a frame that has no origin, and how it differs from the plan before', async () => {
    await open(`/runs/${stage.runs.waiting}`);
    const frame = page.frameLocator('iframe');
    const title = frame.getByRole('heading', { level: 1 });
    await title.waitFor();
    expect((await title.boundingBox())?.width).toBeGreaterThan(400);
    expect(await frame.locator('body').evaluate('self.origin')).toBe('null');
    const margin = 'getComputedStyle(document.body).margin';
    expect(await frame.locator('body').evaluate(margin)).toBe('0px');
    await page.getByText('differences from the plan before').click();
    expect(await page.getByText(/vms\.web\[4\]: no change -> create/).isVisible()).toBe(true);
  });

  it('mark what is wrong in the log, and nothing else', async () => {
    await open(`/runs/${stage.runs.failed}`);
    await page.locator('#log .error').first().waitFor();
    const marked = await page.locator('#log .error').allTextContents();
    expect(marked.filter((line) => !line.includes('Error: '))).toEqual([]);
  });

  it('create a workspace, plan it live, apply the plan, and show its variables nowhere', async () => {
    const { baseUrl, token } = stage.rig.account;
    await open('/new-workspace');
    await page.getByLabel('Name').fill('second');
    await page.getByLabel('Repository').fill(stage.rig.repositoryUrl);
    await page.getByLabel('Directory').fill('second');
    await page.getByLabel('Plan each new commit').uncheck();
    await page.getByLabel('Address of the service').fill(baseUrl);
    await page.getByLabel('Token').fill(token);
    await press('Create workspace');
    expect(await heading()).toMatch(/^second/);
    expect(await page.content()).not.toContain(token);
    await press('Plan');
    await page.getByText('Waits for you:').waitFor();
    await press('Apply this plan');
    // While it runs, one stream of events says how far it is.
    await page.getByText(/Running for \d+s: \d+ of 7 done, \d+ running\./).waitFor();
    expect(await page.getByRole('progressbar', { name: 'Steps that have ended' }).isVisible()).toBe(
      true,
    );
    await page.getByRole('heading', { level: 1, name: /Apply #\d+ Succeeded/ }).waitFor();
    await page.getByText('Timeline').click();
    const times = page.getByRole('region', { name: 'Timeline of the run' });
    expect(await times.locator('tbody tr').count()).toBe(7);
    await page.getByText('Timeline').click();
    expect(await listVms(stage.rig.account)).toHaveLength(5);
    // The log comes after the page.
    await page.locator('#log').getByText('Apply complete!').waitFor();
    expect(await page.locator('#log .error').count()).toBe(0);
    await open('/workspaces/second');
    expect(await heading()).toContain('In sync');
    expect(await page.content()).not.toContain(token);
  });

  it('say when a run is tried again whose account refuses everything', async () => {
    const refusing = await openService(refuseFor(60));
    const made = await stage.api.call('POST', '/api/v1/workspaces', {
      ...{ name: 'refused', repository: stage.rig.repositoryUrl, directory: 'second' },
      variables: { HOSTWRIGHT_BASE_URL: refusing.baseUrl, HOSTWRIGHT_TOKEN: 'any' },
    });
    expect(made.status).toBe(201);
    const { id } = await stage.api.run({ operation: 'plan', workspace: 'refused' });
    await open(`/runs/${id}`);
    await page.getByText(/refuses the requests of this account\. Tried again in \d+s\./).waitFor();
    await press('Cancel');
    await page.getByRole('heading', { level: 1, name: /Plan #\d+ Cancelled/ }).waitFor();
    refusing.close();
    await stage.api.call('DELETE', '/api/v1/workspaces/refused');
  });

  it('destroy only what is named, and cancel a run', async () => {
    await open('/workspaces/second');
    await page.getByText('Destroy all managed resources').first().click();
    await page.getByLabel(/^To destroy all/).fill('second');
    await press('Destroy all resources');
    await press('Cancel');
    const end = /Destroy #\d+ (?:Cancelled|Succeeded)/;
    await page.getByRole('heading', { level: 1, name: end }).waitFor();
    await press('Run again');
    await page.getByRole('heading', { level: 1, name: /Destroy #\d+ Succeeded/ }).waitFor();
    expect(await listVms(stage.rig.account)).toEqual([]);
  });

  it('connect a git host, and show its webhook secret once', async () => {
    await open('/connections');
    await page.getByLabel('Name').fill('github');
    await page.getByLabel('Token', { exact: true }).fill('aTokenToHide');
    await press('Connect');
    const secret = /hww_[\w-]{20,}/;
    expect(await page.locator('main').textContent()).toMatch(secret);
    await open('/connections');
    const shown = await page.content();
    expect(shown).toContain('/webhooks/github');
    expect(shown).not.toMatch(secret);
    expect(shown).not.toContain('aTokenToHide');
  });

  const screens = [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const;
  it.each(drawSome(screens, { short: 1, ci: 1 }, 'screens'))(
    'keep nobody from reading them, %i wide and %s',
    async (width, colorScheme) => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const shared = { HOSTWRIGHT_VAR_shared: '1', HOSTWRIGHT_TOKEN: { value: '2', secret: true } };
      await stage.api.call('PUT', '/api/v1/variable-sets/shared', { variables: shared });
      await stage.api.call('PATCH', '/api/v1/workspaces/archive', { variableSets: ['shared'] });
      const { waiting, failed, applied, drift } = stage.runs;
      const runs = [waiting, failed, applied, drift].map((id) => `/runs/${id}`);
      const own = ['/', '/?search=none', '/new-workspace', '/accounts', '/settings', '/sign-in'];
      const team = ['/connections', '/messages', '/variables', '/people', '/audit'];
      const workspaces = ['/workspaces/web', '/workspaces/archive', '/workspaces/web/edit'];
      for (const path of [...own, ...team, ...workspaces, ...runs]) {
        await open(path);
        expect([path, await findBarriers(page)]).toEqual([path, []]);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([path, wide]).toEqual([path, width]);
      }
    },
  );

  it('sign out, and let nobody back in by the old cookie', async () => {
    await open('/settings');
    const before = await browser.context.cookies();
    await press('Sign out');
    expect(await heading()).toBe('Sign in');
    await browser.context.addCookies(before);
    await open('/settings');
    expect(await heading()).toBe('Sign in');
    expect(complaints).toEqual([]);
  });
});
