import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copyExample, run } from './program.ts';

const browserPath = process.env.HOSTWRIGHT_CHROMIUM ?? '/usr/bin/chromium';
/** Whoever has no Chromium sees these tests counted as skipped; CI has to have one. */
const hasBrowser = existsSync(browserPath) || process.env.CI === 'true';

let shop: Awaited<ReturnType<typeof copyExample>>;
let profile: string;
let browser: BrowserContext;
let asked: string[] = [];
let complaints: string[] = [];
const hostwright = (...args: string[]) => run(args, { cwd: shop.path });

async function write(name: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await hostwright(...args, '--format', 'html');
  expect(code, stderr).toBe(0);
  const path = join(shop.path, name);
  writeFileSync(path, stdout);
  return pathToFileURL(path).href;
}

async function open(url: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await browser.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.emulateMedia({ colorScheme });
  await page.goto(url);
  return page;
}

describe.runIf(hasBrowser)('a report in a browser', () => {
  let planned: string;
  let applied: string;

  beforeAll(async () => {
    shop = await copyExample('shop');
    planned = await write('plan.html', 'plan');
    await hostwright('apply', '--auto-approve');
    applied = await write('state.html', 'show');
    profile = mkdtempSync(join(tmpdir(), 'hostwright-report-'));
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: browserPath,
      headless: true,
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        ...['--disable-component-update', '--disable-sync', '--no-first-run'],
      ],
    });
    browser.on('request', (request) => asked.push(request.url()));
  });
  afterAll(async () => {
    await browser.close();
    await shop.remove();
    rmSync(profile, { recursive: true, force: true });
  });
  beforeEach(async () => {
    for (const page of browser.pages().slice(1)) await page.close();
    asked = [];
    complaints = [];
  });

  test('filters by action, kind and project, searches, and says how many are left', async () => {
    const page = await open(planned);
    const shown = page.getByRole('status');
    const visible = () => page.locator('#list > li:visible').count();
    const all = await visible();
    expect(await shown.textContent()).toBe(`${all} changes`);
    await page.getByLabel('Kind', { exact: true }).selectOption('vm');
    await page.getByLabel('Project', { exact: true }).selectOption('projects.tools');
    await page.getByText(`6 of ${all} changes`).waitFor();
    await page.keyboard.press('/');
    await page.getByLabel('Search', { exact: true }).fill('MONITORING');
    await page.getByText(`1 of ${all} changes`).waitFor();
    expect(await visible()).toBe(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText(`${all} changes`, { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: /create/ }).uncheck();
    await page.getByText(`0 of ${all} changes`).waitFor();
    expect(complaints).toEqual([]);
    expect(asked).toEqual([planned]);
  });

  test('opens a change with the keyboard alone', async () => {
    const page = await open(planned);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.locator('#list summary').first().focus();
    const isOpen = () => page.locator('#list details').first().getAttribute('open');
    const before = await isOpen();
    await page.keyboard.press('Enter');
    expect(await isOpen()).not.toBe(before);
  });

  test.each(['light', 'dark'] as const)(
    'has its landmarks, headings and names (%s)',
    async (scheme) => {
      const page = await open(planned, scheme);
      const levels = await page.evaluate<string[]>(
        "[...document.querySelectorAll('h1, h2, h3')].map((heading) => heading.textContent)",
      );
      expect(levels[0]).toBe('Plan');
      for (const section of ['Summary', 'Quotas', 'Changes', 'Dependencies']) {
        expect(levels).toContain(section);
      }
      expect(await page.getByRole('main').count()).toBe(1);
      expect(await page.getByRole('navigation').count()).toBe(1);
      const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(ground).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 17, 23)');
      await page.setViewportSize({ width: 400, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    },
  );

  test('of the state has the timeline of the last apply', async () => {
    const page = await open(applied);
    const rows = page.locator('.times tbody tr');
    expect(await rows.count()).toBeGreaterThan(10);
    expect(await page.locator('.times tr.critical').count()).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
    expect(asked).toEqual([applied]);
  });

  test('reads without scripts', () => {
    const html = readFileSync(join(shop.path, 'plan.html'), 'utf8');
    expect(html).toContain('projects.tools.vms.monitoring');
    expect(html).toContain('id="filters" role="search" aria-label="Filter the changes" hidden');
  });
});
