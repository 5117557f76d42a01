// What a browser takes with the report of a large plan: until it is loaded, and until a first search is answered; the
// plan changes every second resource and makes the others. Figures: they never pass or fail.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Change } from '../../src/model/plan/plan.ts';
import { renderPlanHtml } from '../../src/render/html/report.ts';
import { hasBrowser, openBrowser } from '../support/open-browser.ts';
import { makeChange, makePlan } from '../unit/render/sample-plan.ts';

const sizes = [100, 1_000, 5_000];
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

function makeVm(index: number): Change {
  const project = `projects.p${index % 20}`;
  const vm = {
    ...{ name: `vm-${index}`, image: 'debian-12', configuration: 'c1-r1-d20', tariff: 'monthly' },
    ...{ sshKeys: ['alice', 'bob'], network: 'back', power: 'running', backups: true },
  };
  const place = { address: `${project}.vms.vm[${index}]`, project };
  return index % 2 === 0
    ? makeChange({ ...place, action: 'create', after: vm })
    : makeChange({ ...place, action: 'update', before: { ...vm, name: 'old' }, after: vm });
}

if (!hasBrowser) {
  console.log('Report: no Chromium on this machine, nothing measured');
} else {
  const directory = mkdtempSync(join(tmpdir(), 'hostwright-bench-report-'));
  const browser = await openBrowser();
  console.log('Report in a browser (milliseconds)\n');
  console.log('  changes     page MB   made   open   search');
  for (const size of sizes) {
    const plan = makePlan(Array.from({ length: size }, (_, index) => makeVm(index)));
    const start = performance.now();
    const html = renderPlanHtml(plan, { version: '0', plannedAt: 0, hashOf });
    const made = performance.now() - start;
    const path = join(directory, `${size}.html`);
    writeFileSync(path, html);
    const page = await browser.context.newPage();
    const opening = performance.now();
    await page.goto(pathToFileURL(path).href);
    await page.locator('#shown').waitFor();
    const opened = performance.now() - opening;
    const searching = performance.now();
    // By their ids: to find something by its label, the browser's driver would look at the whole page.
    await page.locator('#text').fill('vm-99');
    await page.waitForFunction("document.getElementById('shown').textContent.includes(' of ')");
    const searched = performance.now() - searching;
    await page.close();
    const cells = [made, opened, searched].map((ms) => ms.toFixed(0).padStart(7));
    console.log(
      `  ${String(size).padStart(7)}   ${(html.length / 1e6).toFixed(1).padStart(9)}${cells.join('')}`,
    );
  }
  await browser.close();
  rmSync(directory, { recursive: true, force: true });
}
