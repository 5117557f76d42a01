// The site of the documentation, built and read in a browser: it asks nobody, and its search finds.
import { createServer, type Server } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { findBarriers } from '../support/axe.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/open-browser.ts';
import { startCommand } from './program.ts';

const root = resolve(import.meta.dirname, '../..');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

let folder: string;
let server: Server;
let base: string;

/** Serves the files of the site, as a static file server does. */
const serveFiles = (): Server =>
  createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const path = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const isThere = path.startsWith(folder) && existsSync(path);
    response.writeHead(isThere ? 200 : 404, {
      'content-type': types[extname(path)] ?? 'text/plain',
    });
    response.end(isThere ? readFileSync(path) : 'not found');
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hostwright-site-'));
  const command = [process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build', 'docs'];
  const built = await startCommand([...command, '--outDir', folder], { cwd: root }).ended;
  // A link that leads nowhere fails the build.
  expect(built.code, built.stderr).toBe(0);
  server = serveFiles();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 300_000);
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every page is there', () => {
  for (const page of ['index', 'docs/language', 'docs/cli', 'docs/errors', 'docs/from-terraform']) {
    expect(existsSync(join(folder, `${page}.html`)), page).toBe(true);
  }
});

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser;
  const asked: string[] = [];
  const failed: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
    browser.context.on('request', (request) => asked.push(request.url()));
    browser.context.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url());
    });
  });
  afterAll(() => browser.close());

  async function open(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.context.newPage();
    page.on('pageerror', (error) => failed.push(error.message));
    await page.emulateMedia({ colorScheme });
    await page.goto(base + path, { waitUntil: 'networkidle' });
    // Keys that come before the page's program has started are lost.
    await page.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined");
    return page;
  }

  test('the search finds a key of the language, and leads to it', async () => {
    const page = await open('/');
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('preventDestroy');
    await page.locator('.results .result').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/language\.html#lifecycle$/);
    await page.close();
  });

  test('a code of an error leads to its section', async () => {
    const page = await open('/docs/errors.html#quota-exceeded');
    await page.locator('#quota-exceeded').waitFor();
    const box = await page.locator('#quota-exceeded').boundingBox();
    expect(box?.y).toBeLessThan(400);
    await page.close();
  });

  test.each(drawSome(['light', 'dark'] as const, { short: 1, ci: 1 }, 'screens'))(
    '%s, text can be read, and nothing is too wide',
    async (scheme) => {
      for (const path of ['/', '/docs/from-terraform.html', '/docs/cli.html']) {
        const page = await open(path, scheme);
        expect(await findBarriers(page, 'color-contrast'), path).toEqual([]);
        await page.setViewportSize({ width: 390, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(390);
        await page.close();
      }
    },
  );

  test('nothing is asked of anybody else, and nothing is missing', () => {
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((url) => !url.startsWith(base) && !url.startsWith('data:'))).toEqual([]);
    expect(failed).toEqual([]);
  });
});
