import type { Address } from '../../model/address.ts';
import { fence } from './diff-fence.ts';
import { inlineCode } from '../format/escape.ts';

/** Fences with more lines than these are folded. */
export const maxOpenLines = 60;

/** How one sort of thing is drawn in blocks. */
export interface BlockDrawing<T> {
  /** The lines of one, for a fence. */
  readonly draw: (item: T) => readonly string[];
  /** What several of one project are, for the line that is seen while they are folded. */
  readonly describe: (group: readonly T[]) => string;
  /** In whose group it stands. */
  readonly projectOf: (item: T) => Address;
}

interface Block<T> {
  readonly item: T;
  readonly lines: readonly string[];
}

/** As many items as there is room for, in fences, folded by project where they are many; the rest is given back. */
export function fitBlocks<T>(
  items: readonly T[],
  room: number,
  drawing: BlockDrawing<T>,
): { text: string; omitted: readonly T[] } {
  const blocks: Block<T>[] = [];
  let left = room;
  for (const item of items) {
    const lines = [...drawing.draw(item), ''];
    left -= sizeOf(lines);
    if (left < 0) break;
    blocks.push({ item, lines });
  }
  let out = joinBlocks(blocks, drawing);
  // A group costs its fence and its heading: give up items until those fit too.
  while (blocks.length > 0 && sizeOf(out) > room) {
    blocks.pop();
    out = joinBlocks(blocks, drawing);
  }
  return { text: out.map((line) => `${line}\n`).join(''), omitted: items.slice(blocks.length) };
}

function joinBlocks<T>(
  blocks: readonly Block<T>[],
  { describe, projectOf }: BlockDrawing<T>,
): string[] {
  const lineCount = blocks.reduce((sum, { lines }) => sum + lines.length, 0);
  if (lineCount <= maxOpenLines) return blocks.length === 0 ? [] : [...fenceOf(blocks), ''];
  const groups = new Map<Address, Block<T>[]>();
  for (const block of blocks) {
    const project = projectOf(block.item);
    const group = groups.get(project);
    if (group) group.push(block);
    else groups.set(project, [block]);
  }
  return [...groups].flatMap(([project, group]) => {
    const summary = `${inlineCode(project)}: ${describe(group.map(({ item }) => item))}`;
    return fold(summary, fenceOf(group), { openLines: 0 });
  });
}

function fenceOf<T>(blocks: readonly Block<T>[]): string[] {
  return fence(blocks.flatMap(({ lines }) => lines).slice(0, -1));
}

/** How to fold. */
export interface Folding {
  /** As many lines are not folded at all. */
  readonly openLines?: number;
  /** True: it can be folded, and is not yet. */
  readonly isOpen?: boolean;
}

/** Folded where it is long; between HTML and Markdown there has to be an empty line. */
export function fold(
  summary: string,
  lines: readonly string[],
  { openLines = maxOpenLines, isOpen = false }: Folding = {},
): string[] {
  if (lines.length <= openLines) return [...lines, ''];
  return [
    `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>`,
    '',
    ...lines,
    '',
    '</details>',
    '',
  ];
}

/** Characters with line ends. */
export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
