import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { serveSandbox, type SandboxServer } from '../../src/sandbox/server/serve.ts';
import { findBarriers } from '../support/axe.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/open-browser.ts';
import { hasColor, readPdf, type PaperPage } from '../support/read-pdf.ts';

/** Where pictures of the pages go; none are taken without it. */
const shots = process.env.HOSTWRIGHT_SCREENSHOTS;

let sandbox: Sandbox;
let server: SandboxServer;
let browser: Browser;
/** Every address that the pages asked for, and everything that went wrong in them. */
let asked: string[] = [];
let complaints: string[] = [];

beforeAll(async () => {
  if (!hasBrowser) return;
  sandbox = await openSandbox({
    dataFile: ':memory:',
    now: () => Date.now(),
    speed: 8,
    quotas: { networks: 1, publicIps: 10 },
  });
  server = await serveSandbox(sandbox);
  browser = await openBrowser();
  browser.context.on('request', (request) => asked.push(request.url()));
}, 60_000);

afterAll(async () => {
  if (!hasBrowser) return;
  await browser.close();
  await server.close();
  sandbox.close();
});

afterEach(async () => {
  for (const page of browser.context.pages().slice(1)) await page.close();
  asked = [];
  complaints = [];
});

const origin = (): string => new URL(server.baseUrl).origin;

async function open(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await browser.context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.emulateMedia({ colorScheme });
  await page.goto(`${origin()}${path}`);
  return page;
}

async function ask(method: string, path: string, body?: unknown): Promise<{ id: string }> {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return (await response.json()) as { id: string };
}

const shoot = async (page: Page, name: string): Promise<void> => {
  if (shots !== undefined)
    await page.screenshot({ path: join(shots, name), fullPage: name.startsWith('live') });
};

/** The contrast of each text with what is painted behind it, as WCAG counts it. Runs in the page. */
const measureContrasts = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const rgba = parse(getComputedStyle(element).backgroundColor);
    return rgba[3] === 0 ? behind(element.parentElement) : rgba.slice(0, 3);
  };
  return [...document.querySelectorAll('header *, main *')]
    .filter((element) => element.children.length === 0 && element.textContent.trim() !== '')
    .filter((element) => element.getClientRects().length > 0)
    .map((element) => {
      const one = luminance(parse(getComputedStyle(element).color).slice(0, 3));
      const other = luminance(behind(element));
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      return { text: element.textContent, ratio };
    });
})()`;

describe.runIf(hasBrowser)('the live page', () => {
  it('shows the account as it changes, without being asked', async () => {
    const page = await open('/');
    expect(await page.title()).toBe('Hostwright sandbox');
    await page.getByText(/^No project yet\./).waitFor();
    const said = page.getByRole('status');
    const project = await ask('POST', '/projects', { name: 'shop <b>&' });
    await page.getByRole('article', { name: 'Project shop <b>&' }).waitFor();
    const base = `/projects/${project.id}`;
    const vm = {
      imageId: 'img-debian-12',
      tariffId: 'trf-monthly',
      configurationId: 'cfg-c1r1d20',
    };
    await ask('POST', `${base}/vms`, { ...vm, name: 'web' });
    await ask('POST', `${base}/networks`, { name: 'backend' });
    await page.getByRole('row', { name: /Provision web shop/ }).waitFor();
    await page.getByText('creating, starting').waitFor();
    await page.getByText('1 core, 1 GB, 20 GB disk').waitFor();
    await page.getByRole('progressbar', { name: 'Provision of web' }).waitFor();
    await page.getByText('1 of 1 (full)').waitFor();
    expect(await said.textContent()).toMatch(/^1 project\. 1 VM\. \d operations? under way\.$/);
    await shoot(page, 'live-light.png');
    await page.getByText('active, running').waitFor();
    await page.getByText('No operation is under way.').waitFor();
    await page.getByText(/^Provision of .* succeeded\.$/).waitFor();
    expect(await said.textContent()).toBe('1 project. 1 VM, 1 running. No operation under way.');
    const meter = page.getByRole('meter', { name: 'Networks' });
    expect([
      await meter.getAttribute('aria-valuenow'),
      await meter.getAttribute('aria-valuemax'),
    ]).toEqual(['1', '1']);
    expect(complaints).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('can be read by %s', async (colorScheme) => {
    const page = await open('/', colorScheme);
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    const measured = await page.evaluate<{ text: string; ratio: number }[]>(measureContrasts);
    expect(measured.length).toBeGreaterThan(10);
    expect(measured.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    await shoot(page, `live-${colorScheme}-settled.png`);
  });

  it('shows VMs by name, and which of them are stopped', async () => {
    const { id } = await ask('POST', '/projects', { name: 'sorted' });
    const vm = {
      imageId: 'img-debian-12',
      tariffId: 'trf-monthly',
      configurationId: 'cfg-c1r1d20',
    };
    for (const name of ['web-10', 'web-9', 'db']) {
      await ask('POST', `/projects/${id}/vms`, { ...vm, name });
    }
    const page = await open('/');
    const project = page.getByRole('article', { name: 'Project sorted' });
    await project.getByText('web-10').waitFor();
    expect(await project.locator('.vm strong').allTextContents()).toEqual([
      'db',
      'web-9',
      'web-10',
    ]);
    await project.getByText('3 VMs, 3 running').waitFor();
    const colors = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('[aria-label="Project sorted"] .state')]
          .map((element) => getComputedStyle(element).color)`,
      );
    const [running = ''] = await colors();
    expect(await colors()).toEqual([running, running, running]);
    const stopped = await project.locator('.vm code').first().textContent();
    await ask('POST', `/projects/${id}/vms/${stopped ?? ''}/stop`);
    await project.getByText('active, stopped').waitFor();
    const [first, ...others] = await colors();
    expect(first).not.toBe(running);
    expect(others).toEqual([running, running]);
  });

  it('fits a narrow window', async () => {
    const page = await open('/', 'dark');
    await page.setViewportSize({ width: 360, height: 700 });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
    await shoot(page, 'live-narrow.png');
  });

  it('has headings in order, names for everything, and one main', async () => {
    const page = await open('/');
    const levels = await page.evaluate<string[]>(
      "[...document.querySelectorAll('h1, h2, h3')].map((heading) => heading.tagName)",
    );
    expect(levels.slice(0, 2)).toEqual(['H1', 'H2']);
    const steps = levels.slice(1).map((level, at) => Number(level[1]) - Number(levels[at]?.[1]));
    expect(Math.max(...steps)).toBe(1);
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    for (const gauge of await page.getByRole('meter').all()) {
      expect(await gauge.getAttribute('aria-label')).toBeTruthy();
    }
  });

  it('says so when the sandbox does not answer', async () => {
    const page = await open('/');
    await page.route('**/account.html', (route) => route.abort());
    await page.getByText('The sandbox does not answer; what is shown is old.').waitFor();
  });
});

describe.runIf(hasBrowser)('the API reference', () => {
  it.each(['light', 'dark'] as const)('shows every operation (%s)', async (colorScheme) => {
    const page = await open('/docs', colorScheme);
    expect(await page.locator('summary').count()).toBe(72);
    expect(await page.locator('h2').first().textContent()).toBe('Start here');
    await page.getByText(`${server.baseUrl}/limits`).waitFor();
    await page.getByText('PATCH /projects/{projectId}/vms/{vmId}/rename').waitFor();
    await shoot(page, `docs-${colorScheme}.png`);
    expect(complaints).toEqual([]);
  });

  it('explains a request by its schema, and opens the operation that the address names', async () => {
    const page = await open('/docs#createVm');
    const operation = page.locator('#createVm');
    await operation.getByRole('heading', { name: 'Answers' }).waitFor();
    const body = await operation.getByLabel('Body').inputValue();
    expect(Object.keys(JSON.parse(body) as object)).toEqual([
      ...['name', 'imageId', 'tariffId', 'configurationId'],
    ]);
    await operation.getByRole('link', { name: 'VmCreate' }).first().click();
    const schema = page.locator('#schema-VmCreate');
    await schema.getByText('Required when publicIpMode is existing, refused otherwise.').waitFor();
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href').slice(1))
        .filter((id) => !document.getElementById(id))`,
    );
    expect(links).toEqual([]);
  });

  it('tries operations on this very sandbox', async () => {
    const page = await open('/docs#getLimits');
    const limits = page.locator('#getLimits');
    await limits.getByRole('button', { name: 'Send' }).click();
    await limits.getByRole('status').getByText('401 Unauthorized').waitFor();
    await page.getByLabel('Access token').fill(sandbox.token);
    await limits.getByRole('button', { name: 'Send' }).click();
    await limits.getByRole('status').getByText('200 OK').waitFor();
    expect(await limits.getByRole('status').textContent()).toContain('"remaining"');
    const { id } = await ask('POST', '/projects', { name: 'tried' });
    const renaming = page.locator('#renameProject');
    await renaming.locator('summary').click();
    await renaming.getByLabel('projectId').fill(id);
    await renaming.getByLabel('Body').fill('{"name": "renamed"}');
    await renaming.getByRole('button', { name: 'Send' }).click();
    await renaming.getByRole('status').getByText('"name": "renamed"').waitFor();
    const listing = page.locator('#listProjects');
    await listing.locator('summary').click();
    await listing.getByLabel('pageSize').fill('1');
    await listing.getByRole('button', { name: 'Send' }).click();
    await listing.getByRole('status').getByText('"pageSize": 1').waitFor();
    await shoot(page, 'docs-tried.png');
  });

  it('fits a narrow window', async () => {
    const page = await open('/docs#createVm');
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await shoot(page, 'docs-narrow.png');
  });
});

describe.runIf(hasBrowser)('for everybody', () => {
  it.each(['/', '/docs#createVm'])('%s has nothing that axe finds', async (path) => {
    const page = await open(path);
    expect(await findBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findBarriers(page, 'color-contrast')).toEqual([]);
  });
});

describe.runIf(hasBrowser)('by keys', () => {
  it.each(['/', '/docs'])('%s is walked through in the order in which it is read', async (path) => {
    const page = await open(path);
    await page.locator('main').waitFor();
    const all = 'a, button, input, textarea, summary, [tabindex="0"]';
    const expected = await page.locator(all).filter({ visible: true }).count();
    const places: number[] = [];
    const place = `(() => {
      const { left, top } = document.activeElement.getBoundingClientRect();
      return document.activeElement === document.body ? -1 : (top + scrollY) * 10_000 + left;
    })()`;
    for (let step = 0; step < expected; step += 1) {
      await page.keyboard.press('Tab');
      places.push(await page.evaluate<number>(place));
    }
    expect(places).not.toContain(-1);
    expect(new Set(places).size).toBe(expected);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe.runIf(hasBrowser)('on paper', () => {
  const night = ['#12161c', '#1b212a', '#6fd394', '#7cb8f5'];

  it.each(['/', '/docs'])('%s is light at night too', async (path) => {
    const page = await open(path, 'dark');
    await page.locator('main').waitFor();
    const sheets = await readPdf(await page.pdf({ format: 'A4', pageRanges: '1-2' }), 2);
    expect(night.filter((color) => sheets.some((sheet) => hasColor(sheet, color)))).toEqual([]);
    expect(hasColor(sheets[0] as PaperPage, '#1d5fa8')).toBe(true);
  });

  it('no project begins at the end of a sheet', async () => {
    // A page that is as long as this takes the name of a project to the end of a sheet.
    const fill = (lines: number) =>
      `document.querySelector('.gauges').style.paddingBottom = '${lines}mm'`;
    for (let height = 0; height < 48; height += 6) {
      const page = await open('/');
      await page.getByRole('article', { name: 'Project sorted' }).waitFor();
      await page.evaluate(fill(height));
      for (const { text } of await readPdf(await page.pdf({ format: 'A6' }))) {
        if (text.includes('sorted')) expect(text).toMatch(/sorted[^]*active, /);
      }
      await page.close();
    }
  }, 60_000);

  it('the reference is open', async () => {
    const page = await open('/docs');
    const sheets = await readPdf(await page.pdf({ format: 'A4' }));
    const text = sheets
      .map((sheet) => sheet.text)
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    expect(text).toContain('The counts, computed by the service.');
  });
});

it('asks for nothing outside the sandbox', async () => {
  for (const path of ['/', '/docs']) {
    const page = await open(path);
    await page.waitForLoadState('networkidle').catch(() => undefined);
  }
  const outside = asked.filter((url) => !url.startsWith(`${origin()}/`));
  expect(asked.length).toBeGreaterThan(5);
  expect(outside).toEqual([]);
});
