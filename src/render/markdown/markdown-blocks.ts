import type { ResourceAddress } from '../../model/address.ts';
import { groupBy, elementAt } from '../../model/group-by.ts';
import { fenceMarkdownLines } from './diff-fence.ts';
import { formatMarkdownInlineCode } from '../format/escape.ts';

/** Largest number of lines of a fenced block that is not folded in Markdown. */
export const maxUnfoldedFenceLines = 60;

/** Drawing of one sort of item (findings, changes, outputs) in blocks. */
export interface MarkdownBlockDrawing<T> {
  /** Draws the lines of one item, for a fenced block. */
  readonly draw: (item: T) => readonly string[];
  /** Summarises a project's items, for the line that shows while they are folded. */
  readonly describe: (group: readonly T[]) => string;
  /** Finds the project under which an item is grouped. */
  readonly projectOf: (item: T) => ResourceAddress;
  /** The part of the list that an item belongs to; absent where every group may be folded. */
  readonly partOf?: (item: T) => MarkdownListPart;
}

/** Lines of the first part that stay open: it may be longer than others before it is folded. */
const maxFirstLines = 2 * maxUnfoldedFenceLines;

/** A part of a list: folded, or open as long as there is little of it. The first part comes first, and stays open longest. */
export type MarkdownListPart = 'first' | 'open' | 'folded';

interface Block<T> {
  readonly item: T;
  readonly lines: readonly string[];
}

/**
 * Draws as many items as fit into the limit, in fences that are folded by project where they are many, and returns the
 * items that did not fit.
 */
export function fitMarkdownBlocks<T>(
  items: readonly T[],
  room: number,
  drawing: MarkdownBlockDrawing<T>,
): { text: string; omitted: readonly T[] } {
  const blocks: Block<T>[] = [];
  let left = room;
  for (const item of items) {
    const lines = [...drawing.draw(item), ''];
    left -= countLineCharacters(lines);
    if (left < 0) break;
    blocks.push({ item, lines });
  }
  let out = joinBlocks(blocks, drawing);
  // A group costs its fence and its heading: give up items until those fit too.
  while (blocks.length > 0 && countLineCharacters(out) > room) {
    blocks.pop();
    out = joinBlocks(blocks, drawing);
  }
  return { text: out.map((line) => `${line}\n`).join(''), omitted: items.slice(blocks.length) };
}

function joinBlocks<T>(
  blocks: readonly Block<T>[],
  { describe, projectOf, partOf }: MarkdownBlockDrawing<T>,
): string[] {
  if (!partOf && countLines(blocks) <= maxUnfoldedFenceLines) {
    return blocks.length === 0 ? [] : [...fenceOf(blocks), ''];
  }
  const groups = groupBy(blocks, ({ item }) => `${partOf?.(item) ?? ''} ${projectOf(item)}`);
  let openLines = 0;
  return [...groups.values()].flatMap((group) => {
    const { item } = elementAt(group, 0);
    const part = partOf?.(item) ?? 'folded';
    const most = part === 'first' ? maxFirstLines : maxUnfoldedFenceLines;
    // Once a group is folded, no later one is open: the first groups matter most.
    const isOpen = part !== 'folded' && openLines + countLines(group) <= most;
    if (part !== 'folded') openLines = isOpen ? openLines + countLines(group) : Infinity;
    const summary = `${formatMarkdownInlineCode(projectOf(item))}: ${describe(group.map((one) => one.item))}`;
    return foldMarkdownLines(summary, fenceOf(group), { openLines: 0, isOpen });
  });
}

function countLines<T>(blocks: readonly Block<T>[]): number {
  return blocks.reduce((sum, { lines }) => sum + lines.length, 0);
}

function fenceOf<T>(blocks: readonly Block<T>[]): string[] {
  return fenceMarkdownLines(blocks.flatMap(({ lines }) => lines).slice(0, -1));
}

/** Options for folding a block of Markdown. */
export interface MarkdownFoldOptions {
  /** Number of lines up to which a block is not folded. */
  readonly openLines?: number;
  /** Tells whether a folding block is open at first. */
  readonly isOpen?: boolean;
}

/** Folds lines of Markdown where they are many; between HTML and Markdown there has to be an empty line. */
export function foldMarkdownLines(
  summary: string,
  lines: readonly string[],
  { openLines = maxUnfoldedFenceLines, isOpen = false }: MarkdownFoldOptions = {},
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
export function countLineCharacters(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
