// The pages of the documentation, as the tests read them: their blocks, headings and links.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');

/** A fenced block. */
export interface Block {
  /** Of its first line within the fence. */
  readonly line: number;
  readonly language: string;
  /** What stands behind the language: `run`, `fails=CODE`, `other`. */
  readonly marks: readonly string[];
  readonly text: string;
}

export interface Link {
  readonly line: number;
  readonly target: string;
}

export interface Page {
  /** Below the root: `docs/state.md`. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
  /** The lines outside of blocks, empty where a block is. */
  readonly prose: readonly string[];
  readonly links: readonly Link[];
  readonly anchors: ReadonlySet<string>;
}

/** README, CHANGELOG, CONTRIBUTING, everything in docs and the READMEs of the examples. */
export const readPages = (): readonly Page[] =>
  [
    ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
    ...['docs', 'docs/decisions'].flatMap((folder) =>
      listIn(folder).filter((path) => path.endsWith('.md')),
    ),
    ...['examples', ...listIn('examples').filter((path) => !path.endsWith('.md'))].map(
      (folder) => `${folder}/README.md`,
    ),
  ].map(readPage);

const listIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .sort()
    .map((name) => `${folder}/${name}`);

export function readPage(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8');
  const lines = text.split('\n');
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { line: number; info: string; indent: string; inner: string[] } | undefined;
  for (const [index, line] of lines.entries()) {
    const fence = /^(\s*)```(.*)$/.exec(line);
    prose.push(open || fence ? '' : line);
    if (open && fence) {
      const [language = '', ...marks] = open.info.split(/\s+/);
      blocks.push({ line: open.line, language, marks, text: `${open.inner.join('\n')}\n` });
      open = undefined;
    } else if (open) {
      open.inner.push(line.slice(open.indent.length));
    } else if (fence) {
      const [, indent = '', info = ''] = fence;
      open = { line: index + 2, info, indent, inner: [] };
    }
  }
  return { path, text, lines, blocks, prose, links: listLinks(prose), anchors: listAnchors(prose) };
}

function listLinks(prose: readonly string[]): readonly Link[] {
  // A link may break over lines, so the whole is read at once.
  const text = prose.map((line) => line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length)));
  const all = text.join('\n');
  const found = [...all.matchAll(/\]\(([^()\s]+(?:\([^()]*\))?)\)|(?:src|srcset|href)="([^"]+)"/g)];
  return found.map((match) => ({
    line: all.slice(0, match.index).split('\n').length,
    target: match[1] ?? match[2] ?? '',
  }));
}

/** The names of headings, as code hosts make them: the second of a name gets `-1`. */
function listAnchors(prose: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const line of prose) {
    const title = /^#{1,6} (.+)$/.exec(line)?.[1];
    if (title === undefined) continue;
    const name = title
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let own = name;
    for (let count = 1; all.has(own); count += 1) own = `${name}-${count}`;
    all.add(own);
  }
  return all;
}

/** Where a link of a page leads, below the root; undefined for what is elsewhere. */
export function resolveLink(
  page: Page,
  target: string,
): { path: string; anchor?: string } | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const from = dirname(page.path);
  const whole = path === '' ? page.path : posix.normalize(posix.join(from, decodeURI(path)));
  return { path: relative(root, resolve(root, whole)), ...(anchor !== undefined && { anchor }) };
}
