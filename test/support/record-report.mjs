/**
 * Writes examples/shop/report-light.png and report-dark.png, the pictures in the README: the page of a plan in a real
 * browser. The plan is of the shop on an account where it stands already, and changes a bit of everything.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../', import.meta.url));
const executablePath = process.env.HOSTWRIGHT_CHROMIUM ?? '/usr/bin/chromium';

/** Runs the built program; resolves to what it prints. */
function run(directory, ...args) {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('HOSTWRIGHT_'));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'dist/main.js'), ...args], {
      cwd: directory,
      env: Object.fromEntries(kept),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${args.join(' ')} answered ${code}`)),
    );
  });
}

/** More of one, less of another, another size for the proxies, another image for the database: a bit of everything. */
const edits = [
  ['count: 10', 'count: 12'],
  ['count: 8', 'count: 7'],
  ['count: 3\n        image: debian-12', 'count: 3\n        image: ubuntu-24.04'],
  [
    'count: 2\n        image: debian-12\n        configuration: c2-r4-d40',
    'count: 2\n        image: debian-12\n        configuration: c4-r8-d80',
  ],
  ['publicPort: 80,', 'publicPort: 8080,'],
];

async function edit(path) {
  let text = await readFile(path, 'utf8');
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)} any more`);
    text = text.replace(from, to);
  }
  await writeFile(path, text);
}

/** Closes what repeats the change before it, as a reader would: the picture has one of each. */
const closeRepeated = `
  const rows = [...document.querySelectorAll('#list li[data-kind]')];
  for (const [index, row] of rows.entries())
    if (row.dataset.action === rows[index - 1]?.dataset.action) row.firstElementChild.open = false;
`;

async function takePictures(page, url) {
  await page.goto(url);
  await page.evaluate(closeRepeated);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = join(root, `examples/shop/report-${colorScheme}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    const { size } = await stat(path);
    console.log(`Wrote examples/shop/report-${colorScheme}.png: ${size} bytes.`);
  }
}

async function main() {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-report-'));
  try {
    const shop = join(directory, 'shop');
    await cp(join(root, 'examples/shop'), shop, {
      recursive: true,
      filter: (path) => basename(path) !== '.hostwright',
    });
    await run(shop, 'apply', '--auto-approve');
    await edit(join(shop, 'production.yaml'));
    const path = join(directory, 'plan.html');
    await writeFile(path, await run(shop, 'plan', '--format', 'html'));
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: { width: 1000, height: 1800 } });
    await takePictures(page, pathToFileURL(path).href);
    await browser.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await main();
