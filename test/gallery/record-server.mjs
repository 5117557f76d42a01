/**
 * Writes the pictures of docs/server.md: the pages of a server after some days of a team. Part of `npm run picture`; it needs
 * Chromium and PostgreSQL.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { importBundled, root } from '../support/bundle.mjs';
import { openBrowser, takePicture } from './page-pictures.mjs';

const target = join(root, 'docs/pictures');

/** Each picture: its page, and what is of it in sight. */
const pictures = {
  overview: { path: () => '/', width: 1_000, top: 560 },
  run: { path: ({ waiting }) => `/runs/${waiting}`, width: 1_000, top: 900 },
  phone: { path: () => '/', width: 390, top: 720, scheme: 'dark' },
};

/** A repository of this machine as one that a team has. */
const renameRepository = (from) => `
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data =
    texts.currentNode.data.replace(${JSON.stringify(from)}, 'https://git.example.com/acme/infra.git');`;

async function signIn({ context }, url) {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.close();
}

async function main() {
  const entry = { stage: join(root, 'test/support/server/open-stage.ts') };
  const { loaded, close } = await importBundled('stage', entry);
  const stage = await loaded.openStage(root);
  const browser = await openBrowser();
  try {
    await signIn(browser, stage.api.signInUrl);
    const prepare = renameRepository(stage.rig.repositoryUrl);
    for (const [name, { path, ...view }] of Object.entries(pictures)) {
      const file = join(target, `server-${name}.png`);
      await takePicture(browser, `${stage.api.origin}${path(stage.runs)}`, file, {
        ...view,
        prepare,
      });
      console.log(`Wrote docs/pictures/server-${name}.png: ${(await stat(file)).size} bytes.`);
    }
  } finally {
    await browser.close();
    await stage.close();
    await close();
  }
}

await main();
