// Pictures of pages, as a browser and as a printer shows them.
import { Buffer } from 'node:buffer';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { marked } from 'marked';
import markedAlert from 'marked-alert';
import { chromium } from 'playwright-core';
import { drawMermaid, openMermaid } from '../support/draw-mermaid.mjs';

const executablePath = process.env.HOSTWRIGHT_CHROMIUM ?? '/usr/bin/chromium';
/** A picture of a longer page ends here. */
const maxHeight = 6_000;

export async function openBrowser() {
  const profile = await mkdtemp(join(tmpdir(), 'hostwright-gallery-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** One picture of a page; of its top where a height is given. `prepare` is a script for the page, run before. */
export async function takePicture({ context }, url, path, view) {
  const { width, scheme = 'light', top, prepare } = view;
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.goto(url);
  if (prepare !== undefined) {
    await page.evaluate(prepare);
    // Frames of other origins are drawn by processes of their own, a moment later.
    await page.waitForTimeout(500);
  }
  const height = await page.evaluate('document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width, height: Math.min(top ?? height, maxHeight) };
  await page.screenshot({ path, fullPage: true, clip });
  await page.close();
}

/** Prints a page; writes it as a PDF, and its sheets as one picture. */
export async function print(browser, url, path) {
  const page = await browser.context.newPage();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(url);
  const pdf = await page.pdf({ path, format: 'A4' });
  await page.close();
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const sheets = [];
  for (const sheet of [...document.pages()].slice(0, 12)) {
    const { width, height, data } = await sheet.render({ scale: 0.9, render: 'bitmap' });
    sheets.push({ width, height, data: Buffer.from(data).toString('base64') });
  }
  document.destroy();
  library.destroy();
  await drawSheets(browser, sheets, path.replace('.pdf', '-pdf.png'));
}

const drawSheet = `({ width, height, data }) => {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const dots = Uint8ClampedArray.from(atob(data), (one) => one.charCodeAt(0));
  canvas.getContext('2d').putImageData(new ImageData(dots, width, height), 0, 0);
  document.body.append(canvas);
}`;

async function drawSheets({ context }, sheets, path) {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1680, height: 500 });
  await page.setContent(
    '<body style="margin:8px;background:#888;display:flex;flex-wrap:wrap;gap:8px">',
  );
  for (const sheet of sheets) await page.evaluate(`(${drawSheet})(${JSON.stringify(sheet)})`);
  await page.screenshot({ path, fullPage: true });
  await page.close();
}

/** A picture of a drawing that stands alone: as large as it is, up to the size of a page. */
export async function drawSvg({ context }, svg, path) {
  const page = await context.newPage();
  await page.setContent(`<body style="margin:16px;background:#fff">${svg}`);
  await shootDrawing(page, path);
}

/** A picture of what Mermaid makes of a text. */
export async function drawFlowchart({ context }, text, path) {
  const page = await openMermaid(context);
  await drawMermaid(page, text);
  await shootDrawing(page, path);
}

async function shootDrawing(page, path) {
  await page.setViewportSize({ width: 1440, height: 900 });
  const [width, height] = await page.evaluate(`(() => {
    const { width, height } = document.querySelector('svg').getBoundingClientRect();
    return [Math.ceil(width) + 32, Math.ceil(height) + 32];
  })()`);
  const clip = {
    x: 0,
    y: 0,
    width: Math.min(width, maxHeight),
    height: Math.min(height, maxHeight),
  };
  await page.screenshot({ path, fullPage: true, clip });
  await page.close();
}

/** A comment as the page of a pull request shows it: GitHub's dialect, GitHub's style. */
export async function writeComment(markdown, path) {
  const style = createRequire(import.meta.url).resolve('github-markdown-css/github-markdown.css');
  marked.use({ gfm: true }, markedAlert());
  await writeFile(
    path,
    [
      '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
      `<style>${await readFile(style, 'utf8')}`,
      'body{margin:0;padding:16px;box-sizing:border-box}@media(prefers-color-scheme:dark){body{background:#0d1117}}',
      '.markdown-body{max-width:860px;margin:0 auto;border:1px solid #8884;border-radius:6px;padding:16px}',
      '.lang-add{color:#116329;background:#e6ffec}.lang-gone{color:#82071e;background:#ffebe9}.lang-alert{color:#953800}',
      '@media(prefers-color-scheme:dark){.lang-add{color:#aff5b4;background:#033a16}.lang-gone{color:#ffdcd7;background:#67060c}.lang-alert{color:#ffdfb6}}</style>',
      `<article class="markdown-body">${paintDiffs(marked.parse(markdown))}</article>`,
    ].join('\n'),
  );
  return pathToFileURL(path).href;
}

/** The colours that a code host gives the lines of a `diff` fence. */
function paintDiffs(html) {
  return html.replaceAll(
    /(<code class="language-diff">)([^]*?)(<\/code>)/g,
    (_, start, text, end) => {
      const lines = text.split('\n').map((line) => {
        const tone = { '+': 'add', '-': 'gone', '!': 'alert' }[line[0]];
        return tone ? `<span class="lang-${tone}">${line}</span>` : line;
      });
      return start + lines.join('\n') + end;
    },
  );
}
