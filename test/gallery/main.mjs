/**
 * `npm run gallery`: every form of a plan, a state and an apply, for an empty, a small, an edited, a destructive, a refused
 * and a huge plan, as pictures in the folder `gallery`, with a page that shows them all. `npm run gallery -- edited huge`
 * makes those of some. It needs Chromium and `script` of util-linux.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cases } from './cases.mjs';
import { renderIndex } from './index-page.mjs';
import {
  drawFlowchart,
  drawSvg,
  openBrowser,
  print,
  takePicture,
  writeComment,
} from './page-pictures.mjs';
import { program, root, run, serveSandbox } from './program.mjs';
import { drawPlan, drawScene, pictureOf, sceneNames } from './terminal-pictures.mjs';

const target = join(root, 'gallery');
const widths = [1440, 768, 390];
const columns = [80, 40, 120];

/** A page of a case, in its sizes and schemes; resolves to the names of the pictures. */
async function showPage(browser, folder, name, html) {
  const url = html.startsWith('http') ? html : pathToFileURL(join(folder, `${name}.html`)).href;
  if (!html.startsWith('http')) await writeFile(join(folder, `${name}.html`), html);
  const files = [];
  for (const width of widths) {
    for (const scheme of ['light', 'dark']) {
      const file = `${name}-${width}-${scheme}.png`;
      await takePicture(browser, url, join(folder, file), { width, scheme });
      files.push(file);
    }
  }
  return files;
}

async function showPlan(browser, folder, { cwd, env, flags }) {
  const form = (format) => run(['plan', ...flags, '--format', format], { cwd, env, mayFail: true });
  const files = await showPage(browser, folder, 'plan', await form('html'));
  await print(browser, pathToFileURL(join(folder, 'plan.html')).href, join(folder, 'plan.pdf'));
  const comment = await writeComment(await form('markdown'), join(folder, 'comment.html'));
  for (const scheme of ['light', 'dark']) {
    const file = `comment-${scheme}.png`;
    await takePicture(browser, comment, join(folder, file), { width: 920, scheme });
    files.push(file);
  }
  return [...files, 'plan-pdf.png'];
}

async function showGraph(browser, folder, { cwd, env }) {
  const graph = (format) => run(['graph', '--format', format], { cwd, env });
  const [mermaid, svg] = [await graph('mermaid'), await graph('svg')];
  await writeFile(join(folder, 'graph.mmd'), mermaid);
  await writeFile(join(folder, 'graph.svg'), svg);
  await drawFlowchart(browser, mermaid, join(folder, 'graph-mermaid.png'));
  await drawSvg(browser, svg, join(folder, 'graph-svg.png'));
  return ['graph-mermaid.png', 'graph-svg.png'];
}

/** The applies of a case at each width, each on an account of its own. */
async function showApplies(browser, folder, { cwd, env }) {
  const files = [];
  for (const width of columns) {
    for (const name of sceneNames) {
      const failing = await serveFailing();
      await rm(join(cwd, '.hostwright'), { recursive: true, force: true });
      try {
        const shop = { cwd, env: { ...env, ...failing.env } };
        await drawScene(browser, pictureOf(folder, name, width), { name, columns: width, ...shop });
        files.push(`${name}-${width}.png`);
      } finally {
        failing.close();
      }
    }
  }
  return files;
}

/** A sandbox on which some operations fail, slow enough to look at. */
const serveFailing = () =>
  serveSandbox('--speed', '4', '--faults', join(root, 'examples/faults/failing-operations.yaml'));

async function showCase(browser, { work, path }, { name, before, write, flags = [], quotas }) {
  const folder = join(target, name);
  await mkdir(folder, { recursive: true });
  const cwd = join(work, name);
  await mkdir(cwd, { recursive: true });
  const sandbox = await serveSandbox('--speed', '20', ...(quotas ? ['--quotas', quotas] : []));
  const env = { ...sandbox.env, ...path };
  try {
    if (before) {
      await before(root, cwd);
      await run(['apply', '--auto-approve'], { cwd, env });
    }
    await write(root, cwd);
    const files = await showPlan(browser, folder, { cwd, env, flags });
    for (const width of columns) {
      await drawPlan(browser, pictureOf(folder, 'terminal', width), {
        cwd,
        env,
        flags,
        columns: width,
      });
      files.push(`terminal-${width}.png`);
    }
    files.push(...(await showGraph(browser, folder, { cwd, env })));
    const state = await run(['show', '--format', 'html'], { cwd, env });
    files.push(...(await showPage(browser, folder, 'state', state)));
    await print(browser, pathToFileURL(join(folder, 'state.html')).href, join(folder, 'state.pdf'));
    files.push('state-pdf.png');
    if (name === 'edited') {
      for (const [page, path] of [
        ['sandbox', ''],
        ['docs', '/docs'],
      ]) {
        const url = `${sandbox.origin}${path}`;
        files.push(...(await showPage(browser, folder, page, url)));
        await print(browser, url, join(folder, `${page}.pdf`));
        files.push(`${page}-pdf.png`);
      }
      files.push(...(await showApplies(browser, folder, { cwd, env: path })));
    }
    return {
      title: name,
      pictures: files.map((file) => ({ label: file, file: `${name}/${file}` })),
    };
  } finally {
    sandbox.close();
  }
}

async function main() {
  const wanted = process.argv.slice(2);
  const names = cases.map(({ name }) => name);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`No case is named ${unknown.join(', ')}. Choose from ${names.join(', ')}.`);
    process.exit(2);
  }
  const chosen = cases.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const work = await mkdtemp(join(tmpdir(), 'hostwright-gallery-'));
  // Terminals show the program by its name.
  await mkdir(join(work, 'bin'));
  await symlink(program, join(work, 'bin/hostwright'));
  const path = { PATH: `${join(work, 'bin')}${delimiter}${process.env.PATH}` };
  const browser = await openBrowser();
  const shown = [];
  try {
    for (const one of chosen) {
      console.log(`${one.name} ...`);
      shown.push(await showCase(browser, { work, path }, one));
    }
    await writeFile(join(target, 'index.html'), renderIndex(shown));
    console.log(`Wrote gallery/index.html.`);
  } finally {
    await browser.close();
    await rm(work, { recursive: true, force: true });
  }
}

await main();
