// Mermaid itself, in a page of a browser: it draws a text as code hosts draw it.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const entry = createRequire(import.meta.url).resolve('mermaid');
const script = join(dirname(entry), 'mermaid.min.js');

/** Makes a page that draws; it asks nobody for anything. */
export async function openMermaid(context) {
  const page = await context.newPage();
  await page.route('**', (route) => route.abort());
  await page.setContent('<!doctype html><meta charset="utf-8"><body>');
  await page.addScriptTag({ path: script });
  // As code hosts do: what is allowed is what Mermaid allows unless it is told otherwise.
  await page.evaluate('mermaid.initialize({ startOnLoad: false, securityLevel: "strict" })');
  return page;
}

/** Draws a text and leaves the picture in the page. @throws what Mermaid says of a text that it refuses */
export async function drawMermaid(page, text) {
  await page.evaluate(`(async () => {
    const { svg } = await mermaid.render('drawn', ${JSON.stringify(text)});
    document.body.innerHTML = svg;
  })()`);
}
