/**
 * Writes docs/pictures, the pictures of docs/plan.md: plans of the shop in a terminal, in a comment and as pages. Part of
 * `npm run picture`; it needs Chromium and `script` of util-linux.
 */
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dim, drawPicture, textOf } from '../support/draw-terminal.mjs';
import { cases } from './cases.mjs';
import { openBrowser, takePicture, writeComment } from './page-pictures.mjs';
import { program, root, run, serveSandbox } from './program.mjs';
import { readPlan } from './terminal-pictures.mjs';

const target = join(root, 'docs/pictures');

/** What each case shows; `shop` leads the program to it. */
const pictures = {
  async edited(browser, shop) {
    const lines = await readPlan({ ...shop, columns: 80 });
    await writeFile(
      join(target, 'plan-terminal.svg'),
      drawPicture(cut(lines), 'A plan of the shop in a terminal'),
    );
    const comment = await writeComment(
      await shop.form('markdown'),
      join(shop.work, 'comment.html'),
    );
    await takePicture(browser, comment, join(target, 'plan-comment.png'), { width: 900, top: 620 });
    const page = await shop.page('edited');
    await takePicture(browser, page, join(target, 'plan-phone.png'), { width: 390, top: 844 });
  },
  async destructive(browser, shop) {
    const page = await shop.page('destructive');
    await takePicture(browser, page, join(target, 'plan-destroy.png'), { width: 1000, top: 760 });
  },
  async refused(browser, shop) {
    const page = await shop.page('refused');
    await takePicture(browser, page, join(target, 'plan-refused.png'), { width: 1000, top: 920 });
  },
};

/** The first changes and the end of a plan; what is left out between them is said. */
function cut(lines) {
  const find = (pattern) => {
    const index = lines.findIndex((line) => pattern.test(textOf(line)));
    if (index === -1) throw new Error(`No line matches ${pattern}.`);
    return index;
  };
  const from = find(/vms\.db\[1\] will be rebuilt/);
  const to = find(/vms\.proxy\[0\] must be replaced/);
  const rest = find(/vms\.proxy\[1\] must be replaced/);
  const end = find(/^Quotas:/);
  const note = find(/^─+$/);
  const more = (count) => [dim(`  ⋮ ${count} more lines`), ''];
  return [
    ...lines.slice(0, from),
    ...more(to - from),
    ...lines.slice(to, rest),
    ...more(end - rest),
    ...lines.slice(end, note - 1),
  ];
}

async function record(browser, { work, path }, { name, before, write, flags = [] }) {
  const cwd = join(work, 'shop');
  await rm(cwd, { recursive: true, force: true });
  await mkdir(cwd);
  const sandbox = await serveSandbox('--speed', '20');
  const env = { ...sandbox.env, ...path };
  const form = (format) => run(['plan', ...flags, '--format', format], { cwd, env, mayFail: true });
  const page = async (file) => {
    const whole = join(work, `${file}.html`);
    await writeFile(whole, await form('html'));
    return pathToFileURL(whole).href;
  };
  try {
    if (before) {
      await before(root, cwd);
      await run(['apply', '--auto-approve'], { cwd, env });
    }
    await write(root, cwd);
    await pictures[name](browser, { cwd, env, flags, work, form, page });
  } finally {
    sandbox.close();
  }
}

async function main() {
  const work = await mkdtemp(join(tmpdir(), 'hostwright-pictures-'));
  await mkdir(target, { recursive: true });
  await mkdir(join(work, 'bin'));
  await symlink(program, join(work, 'bin/hostwright'));
  const path = { PATH: `${join(work, 'bin')}${delimiter}${process.env.PATH}` };
  const browser = await openBrowser();
  try {
    for (const one of cases.filter(({ name }) => name in pictures)) {
      await record(browser, { work, path }, one);
    }
    for (const file of ['terminal.svg', 'comment.png', 'phone.png', 'destroy.png', 'refused.png']) {
      const { size } = await stat(join(target, `plan-${file}`));
      console.log(`Wrote docs/pictures/plan-${file}: ${size} bytes.`);
    }
  } finally {
    await browser.close();
    await rm(work, { recursive: true, force: true });
  }
}

await main();
