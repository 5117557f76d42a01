import type { Address } from '../../model/address.ts';
import { groupBy, elementAt } from '../../model/group-by.ts';
import { fenceLines } from './diff-fence.ts';
import { inlineCode } from '../format/escape.ts';

/** Number of lines from which a fenced block is folded in Markdown. */
export const maxOpenLines = 60;

/** Drawing of one sort of item (findings, changes, outputs) in blocks. */
export interface BlockDrawing<T> {
  /** Draws the lines of one item, for a fenced block. */
  readonly draw: (item: T) => readonly string[];
  /** Summarises a project's items, for the line that shows while they are folded. */
  readonly describe: (group: readonly T[]) => string;
  /** Finds the project under which an item is grouped. */
  readonly projectOf: (item: T) => Address;
  /** The part of the list that an item belongs to; absent where every group may be folded. */
  readonly partOf?: (item: T) => BlockPart;
}

/** Lines of the first part that stay open: it may be longer than others before it is folded. */
const maxFirstLines = 2 * maxOpenLines;

/** A part of a list: folded, or open as long as there is little of it. The first part comes first, and stays open longest. */
export type BlockPart = 'first' | 'open' | 'folded';

interface Block<T> {
  readonly item: T;
  readonly lines: readonly string[];
}

/** As many items as there is room for, in fences, folded by project where they are many; the items without room are returned. */
export function fitBlocks<T>(
  items: readonly T[],
  room: number,
  drawing: BlockDrawing<T>,
): { text: string; omitted: readonly T[] } {
  const blocks: Block<T>[] = [];
  let left = room;
  for (const item of items) {
    const lines = [...drawing.draw(item), ''];
    left -= measureLines(lines);
    if (left < 0) break;
    blocks.push({ item, lines });
  }
  let out = joinBlocks(blocks, drawing);
  // A group costs its fence and its heading: give up items until those fit too.
  while (blocks.length > 0 && measureLines(out) > room) {
    blocks.pop();
    out = joinBlocks(blocks, drawing);
  }
  return { text: out.map((line) => `${line}\n`).join(''), omitted: items.slice(blocks.length) };
}

function joinBlocks<T>(
  blocks: readonly Block<T>[],
  { describe, projectOf, partOf }: BlockDrawing<T>,
): string[] {
  if (!partOf && countLines(blocks) <= maxOpenLines) {
    return blocks.length === 0 ? [] : [...fenceOf(blocks), ''];
  }
  const groups = groupBy(blocks, ({ item }) => `${partOf?.(item) ?? ''} ${projectOf(item)}`);
  let openLines = 0;
  return [...groups.values()].flatMap((group) => {
    const { item } = elementAt(group, 0);
    const part = partOf?.(item) ?? 'folded';
    const most = part === 'first' ? maxFirstLines : maxOpenLines;
    // Once a group is folded, no later one is open: the first groups matter most.
    const isOpen = part !== 'folded' && openLines + countLines(group) <= most;
    if (part !== 'folded') openLines = isOpen ? openLines + countLines(group) : Infinity;
    const summary = `${inlineCode(projectOf(item))}: ${describe(group.map((one) => one.item))}`;
    return foldLines(summary, fenceOf(group), { openLines: 0, isOpen });
  });
}

function countLines<T>(blocks: readonly Block<T>[]): number {
  return blocks.reduce((sum, { lines }) => sum + lines.length, 0);
}

function fenceOf<T>(blocks: readonly Block<T>[]): string[] {
  return fenceLines(blocks.flatMap(({ lines }) => lines).slice(0, -1));
}

/** Options for folding a block of Markdown. */
export interface FoldOptions {
  /** Number of lines up to which a block is not folded. */
  readonly openLines?: number;
  /** True for a folding block that is open at first. */
  readonly isOpen?: boolean;
}

/** Lines, folded where they are many; between HTML and Markdown there has to be an empty line. */
export function foldLines(
  summary: string,
  lines: readonly string[],
  { openLines = maxOpenLines, isOpen = false }: FoldOptions = {},
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

/** Counts the characters of lines, line ends included. */
export function measureLines(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
