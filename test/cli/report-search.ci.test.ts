// The search of a page: what it finds is seen below its box, and gone through from there.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderPlanHtml } from '../../src/render/html/report.ts';
import { findBarriers } from '../support/axe.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/open-browser.ts';
import { makeChange, makePlan } from '../unit/render/sample-plan.ts';

const directory = mkdtempSync(join(tmpdir(), 'hostwright-search-'));
const path = join(directory, 'plan.html');
let browser: Browser;
beforeAll(async () => {
  const changes = Array.from({ length: 400 }, (_, index) => {
    const project = `projects.p${index % 4}`;
    return makeChange({ action: 'create', address: `${project}.vms.web-${index}`, project });
  });
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  writeFileSync(path, renderPlanHtml(makePlan(changes), { version: '0', plannedAt: 0, hashOf }));
  if (hasBrowser) browser = await openBrowser();
});
afterAll(async () => {
  if (hasBrowser) await browser.close();
  rmSync(directory, { recursive: true });
});

test.runIf(hasBrowser).each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)(
  'shows what is searched for below the box, goes from hit to hit and counts (%d px, %s)',
  async (width, scheme) => {
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 700 });
    await page.goto(pathToFileURL(path).href);
    await page.keyboard.press('/');
    await page.keyboard.type('web-3');
    await page.getByText('111 of 400 changes').waitFor();
    const box = page.getByLabel('Search', { exact: true });
    const current = page.locator('li[aria-current]');
    const addresses = page.locator('#list li:not([hidden]) summary > code');
    const hits = await addresses.allTextContents();
    const group = page.locator('.group.outer > summary', { hasText: 'projects.p3' });
    expect(await group.textContent()).toMatch(/\d+ of 100 changes/);
    /** The top of a hit below the box, both within the window. */
    const expectSeen = async (hit: string) => {
      const row = page.locator('#list summary', { hasText: new RegExp(`${hit}\\b`) }).last();
      const [at, above] = [await row.boundingBox(), await page.locator('.tools').boundingBox()];
      expect(above?.y).toBeGreaterThanOrEqual(0);
      expect(at?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
      expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThanOrEqual(700);
    };
    await expectSeen(hits[0] as string);
    const go = async (key: string, hit: string | undefined) => {
      await page.keyboard.press(key);
      expect(await current.locator('summary > code').textContent()).toBe(hit);
      expect(await box.evaluate('document.activeElement.id')).toBe('text');
      await expectSeen(hit as string);
    };
    await go('Enter', hits[0]);
    for (const hit of hits.slice(1, 20)) await go('Enter', hit);
    await go('Shift+Enter', hits[18]);
    for (const text of ['web-39', 'web-399']) {
      await box.fill(text);
      await page.keyboard.press('Enter');
      expect((await addresses.allTextContents()).every((one) => one.includes(text))).toBe(true);
    }
    await go('Enter', 'projects.p3.vms.web-399');
    expect(await group.textContent()).toContain('1 of 100 changes');
    expect(await findBarriers(page)).toEqual([]);
    await box.fill('');
    await page.getByText('400 changes', { exact: true }).waitFor();
    expect(await group.textContent()).toMatch(/ 100 changes/);
    expect(complaints).toEqual([]);
  },
  60_000,
);
