// The documentation of this version, which is installed beside the program: for whoever asks without a browser.
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InternalError } from '../../model/errors.ts';

/** A page of the documentation. */
export interface DocsPage {
  /** Name of the page's file without `.md`, as `rollout`. */
  readonly name: string;
  readonly title: string;
  /** Content of the documentation page, in Markdown. */
  readonly text: string;
}

/** A section of a documentation page, from its heading to the next one. */
export interface DocsSection {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** All pages, by name. */
export async function readDocsPages(): Promise<readonly DocsPage[]> {
  const folder = await findDocsFolder();
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      const name = file.slice(0, -'.md'.length);
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
    }),
  );
}

/** The folder lies beside the program's own, wherever the bundler has put this file. */
async function findDocsFolder(): Promise<string> {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, 'docs');
    const found = await stat(join(folder, 'errors.md')).catch(() => undefined);
    if (found) return folder;
    if (at === dirname(at)) throw new InternalError('the documentation is not installed');
  }
}

/** Splits documentation pages into their sections. */
function listDocsSections(pages: readonly DocsPage[]): readonly DocsSection[] {
  return pages.flatMap(({ name, text }) =>
    // Lines of code that begin with a # stand in fences, and are no headings.
    text
      .split(/^(?=#{1,4} )/m)
      .reduce<string[]>((parts, part) => {
        const isInFence = (parts.at(-1)?.match(/^```/gm)?.length ?? 0) % 2 === 1;
        if (isInFence) parts.push(`${parts.pop() ?? ''}${part}`);
        else parts.push(part);
        return parts;
      }, [])
      .map((part) => ({
        page: name,
        text: part.trimEnd(),
        heading: /^#+ (.+)$/m.exec(part)?.[1] ?? name,
      })),
  );
}

/** Finds documentation sections that contain all of these words; sections with more of them in the heading come first. */
export function searchDocs(
  pages: readonly DocsPage[],
  query: string,
  most: number,
): readonly DocsSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const countIn = (text: string) =>
    words.filter((word) => text.toLowerCase().includes(word)).length;
  return listDocsSections(pages)
    .filter(({ text }) => words.length > 0 && countIn(text) === words.length)
    .sort((one, other) => countIn(other.heading) - countIn(one.heading))
    .slice(0, most);
}

/** Finds the documentation section about a diagnostic's code; undefined where there is none. */
export function findErrorDocsSection(
  pages: readonly DocsPage[],
  code: string,
): DocsSection | undefined {
  return listDocsSections(pages.filter(({ name }) => name === 'errors')).find(
    ({ heading }) => heading === code,
  );
}
