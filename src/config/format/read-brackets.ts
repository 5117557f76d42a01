// Reader of collections in brackets. Commas and comments may be anywhere in them, so each comment is assigned to the item
// that it is about.
import type { CST } from 'yaml';
import {
  UnknownYamlLayoutError,
  type YamlCollectionLayout,
  type YamlItemLayout,
  type YamlNodeLayout,
} from './layout.ts';
import type { PendingTriviaLines } from './trivia.ts';

export type YamlItem = CST.BlockMap['items'][number] | CST.FlowCollection['items'][number];

/** A value read from YAML, with the comment behind it. */
export interface YamlValueWithComment {
  readonly node: YamlNodeLayout;
  readonly tail: string | undefined;
}

/** Reads the values that stand within brackets of YAML. */
interface ValueReader {
  readonly pending: PendingTriviaLines;
  readNode(token: CST.Token, props: readonly string[]): YamlValueWithComment;
  readEntry(item: YamlItem): YamlItemLayout;
}

/** A YAML item with neither key, value nor comments, to build others from. */
export const bareYamlItem: YamlItemLayout = {
  before: [],
  key: undefined,
  hasColon: false,
  head: undefined,
  between: [],
  value: undefined,
  tail: undefined,
};

/** Splits YAML tokens around the first one of a type. */
export function splitYamlTokens(
  tokens: readonly CST.SourceToken[],
  type: CST.SourceToken['type'],
): [CST.SourceToken[], CST.SourceToken[]] {
  const index = tokens.findIndex((token) => token.type === type);
  return index === -1 ? [[...tokens], []] : [tokens.slice(0, index), tokens.slice(index + 1)];
}

/**
 * Reads a collection in brackets.
 * @param text content of the file, to see whether the brackets are on one line
 */
export function readYamlBrackets(
  token: CST.FlowCollection,
  props: readonly string[],
  text: string,
  reader: ValueReader,
): YamlValueWithComment {
  const isMap = token.start.type === 'flow-map-start';
  const endType = isMap ? 'flow-map-end' : 'flow-seq-end';
  const [inner, outer] = splitYamlTokens(token.end, endType);
  const end = token.end[inner.length];
  if (!end) throw new UnknownYamlLayoutError();
  const items: YamlItemLayout[] = [];
  for (const item of token.items) {
    const start = readGap(item.start, items, reader.pending);
    if (item.key || item.sep || item.value) {
      items.push(readItem({ ...item, start }, isMap, reader));
    }
  }
  readGap(inner, items, reader.pending);
  const trailing = dropBlank(reader.pending.take());
  const isInline = !text.slice(token.offset, end.offset).includes('\n');
  const node: YamlCollectionLayout = {
    kind: isMap ? 'map' : 'list',
    props,
    isInline,
    items,
    trailing,
  };
  return { node, tail: reader.pending.read(outer, true).comment };
}

/**
 * Reads the tokens between two items: a comment that ends the line of the first is given to it, others are pending.
 * @returns the anchors and tags of the next item
 */
function readGap(
  tokens: readonly CST.SourceToken[],
  items: YamlItemLayout[],
  pending: PendingTriviaLines,
): CST.SourceToken[] {
  const isProp = ({ type }: CST.SourceToken) => type === 'anchor' || type === 'tag';
  const { comment } = pending.read(
    tokens.filter((token) => !isProp(token)),
    true,
  );
  const last = items.at(-1);
  if (comment !== undefined) {
    if (!last || last.tail !== undefined) pending.pushFirst(comment);
    else items[items.length - 1] = { ...last, tail: comment };
  }
  return tokens.filter(isProp);
}

function dropBlank(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line !== '');
}

function readItem(item: YamlItem, isMap: boolean, reader: ValueReader): YamlItemLayout {
  if (isMap) {
    // In `{ a }`, the parser has `a` as a value; it is a key without one.
    const [key, value] = item.key ? [item.key, item.value] : [item.value, undefined];
    return withoutBlank(reader.readEntry({ ...item, key, value } as YamlItem));
  }
  if (item.key || item.sep) {
    const { before, tail, ...entry } = reader.readEntry(item);
    const value: YamlCollectionLayout = {
      kind: 'map',
      props: [],
      isInline: true,
      trailing: [],
      items: [{ ...bareYamlItem, ...entry }],
    };
    return withoutBlank({ ...bareYamlItem, before, value, tail });
  }
  const before = reader.pending.take();
  const { props } = reader.pending.read(item.start, true);
  if (!item.value) throw new UnknownYamlLayoutError();
  const { node, tail } = reader.readNode(item.value, props);
  return withoutBlank({ ...bareYamlItem, before, value: node, tail });
}

/** Drops empty lines before an item in brackets, where they separate nothing. */
function withoutBlank(item: YamlItemLayout): YamlItemLayout {
  return { ...item, before: dropBlank(item.before) };
}
