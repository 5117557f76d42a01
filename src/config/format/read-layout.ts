import { CST, Parser } from 'yaml';
import { escapeYamlForParser } from '../source/parse-yaml.ts';
import { decodeBracketsInText } from '../source/soften-brackets.ts';
import {
  UnknownYamlLayoutError,
  type YamlCollectionLayout,
  type YamlFileLayout,
  type YamlItemLayout,
  type YamlTriviaLine,
  type YamlScalarLayout,
  type YamlBlockTextLayout,
} from './layout.ts';
import {
  bareYamlItem,
  readYamlBrackets,
  splitYamlTokens,
  type YamlItem,
  type YamlValueWithComment,
} from './read-brackets.ts';
import { PendingTriviaLines } from './trivia.ts';

class LayoutReader {
  readonly #text: string;
  readonly #harden: RestoreBrackets;
  readonly pending: PendingTriviaLines;

  constructor(text: string, harden: RestoreBrackets) {
    this.#text = text;
    this.#harden = harden;
    this.pending = new PendingTriviaLines(text);
  }

  read(): YamlFileLayout {
    const start: YamlTriviaLine[] = [];
    let root: YamlValueWithComment | undefined;
    let between: CST.SourceToken[] = [];
    for (const token of new Parser().parse(this.#text)) {
      if (token.type === 'comment' || token.type === 'newline' || token.type === 'space') {
        between.push(token);
      } else if (token.type === 'document') {
        this.pending.read(between, false);
        between = [];
        root = this.#readDocument(token, start);
      } else if (token.type !== 'byte-order-mark') throw new UnknownYamlLayoutError();
    }
    this.pending.read(between, false);
    const { node, tail } = root ?? {};
    const trailing = this.pending.take();
    if (node?.kind !== 'map' && node?.kind !== 'list') {
      return { start, header: [], root: node, tail, trailing };
    }
    const [first, ...others] = node.items;
    const [header, before] = splitHeader(first?.before ?? []);
    node.items = first ? [{ ...first, before }, ...others] : [];
    return { start, header, root: node, tail, trailing };
  }

  #readDocument(token: CST.Document, start: YamlTriviaLine[]): YamlValueWithComment | undefined {
    const [before, behind] = splitYamlTokens(token.start, 'doc-start');
    this.pending.read(before, false);
    const isMarked = before.length < token.start.length;
    if (isMarked) start.push(...this.pending.take(), '---');
    const { props, comment } = this.pending.read(behind, isMarked);
    if (comment !== undefined) throw new UnknownYamlLayoutError();
    const root = token.value && this.readNode(token.value, props);
    this.pending.read(token.end ?? [], false);
    return root;
  }

  readNode(token: CST.Token, props: readonly string[]): YamlValueWithComment {
    switch (token.type) {
      case 'alias':
      case 'scalar':
      case 'single-quoted-scalar':
      case 'double-quoted-scalar':
        return { node: readScalar(token, props, this.#harden), tail: this.#readTail(token.end) };
      case 'block-scalar': {
        const { node, hasBlankBehind } = readBlockText(token, props, this.#harden);
        this.pending.endLine();
        if (hasBlankBehind) this.pending.push('', 0);
        return { node, tail: undefined };
      }
      case 'block-map':
      case 'block-seq':
        return { node: this.#readCollection(token, props), tail: undefined };
      case 'flow-collection':
        return readYamlBrackets(token, props, this.#text, this);
      default:
        throw new UnknownYamlLayoutError();
    }
  }

  /** Reads the tokens behind a value: the comment on its line is given back, later lines are pending for the next item. */
  #readTail(tokens: readonly CST.SourceToken[] | undefined): string | undefined {
    return this.pending.read(tokens ?? [], true).comment;
  }

  #readCollection(
    token: CST.BlockMap | CST.BlockSequence,
    props: readonly string[],
  ): YamlCollectionLayout {
    const isMap = token.type === 'block-map';
    const items: YamlItemLayout[] = [];
    for (const item of token.items) {
      const isItem = isMap
        ? (item.key ?? item.sep) !== undefined
        : item.start.some(({ type }) => type === 'seq-item-ind');
      if (!isItem) this.pending.read(item.start, false);
      else items.push(isMap ? this.readEntry(item, token.indent) : this.#readListItem(item, token));
    }
    const trailing = this.pending.takeIndented(token.indent);
    return { kind: isMap ? 'map' : 'list', props, isInline: false, items, trailing };
  }

  #readListItem(item: YamlItem, { indent }: Pick<CST.BlockSequence, 'indent'>): YamlItemLayout {
    const [start, behind] = splitYamlTokens(item.start, 'seq-item-ind');
    this.pending.read(start, false);
    const before = this.pending.take();
    return { ...bareYamlItem, before, ...this.#readValue(behind, item.value, indent) };
  }

  /** Reads an entry of a map; `indent` is undefined within brackets. */
  readEntry(item: YamlItem, indent?: number): YamlItemLayout {
    if (item.start.some(({ type }) => type === 'explicit-key-ind'))
      throw new UnknownYamlLayoutError();
    const { props } = this.pending.read(item.start, false);
    const before = this.pending.take();
    const key = this.#readKey(item.key, props);
    const [colon, behind] = splitYamlTokens(item.sep ?? [], 'map-value-ind');
    const hasColon = colon.length < (item.sep?.length ?? 0);
    if (colon.some(({ type }) => type === 'newline') && hasColon)
      throw new UnknownYamlLayoutError();
    const tokens = hasColon ? behind : colon;
    return { before, key, hasColon, ...this.#readValue(tokens, item.value, indent) };
  }

  #readKey(token: CST.Token | null | undefined, props: readonly string[]): YamlScalarLayout {
    if (!token || !CST.isScalar(token) || token.type === 'block-scalar')
      throw new UnknownYamlLayoutError();
    const key = readScalar(token, props, this.#harden);
    if (key.lines.length > 1) throw new UnknownYamlLayoutError();
    const { comment, hasNewline } = this.pending.read(token.end ?? [], true);
    if (comment !== undefined || hasNewline) throw new UnknownYamlLayoutError();
    return key;
  }

  #readValue(
    tokens: readonly CST.SourceToken[],
    value: CST.Token | null | undefined,
    indent = Infinity,
  ): Pick<YamlItemLayout, 'head' | 'between' | 'value' | 'tail'> {
    const { comment: head, props } = this.pending.read(tokens, true);
    if (!value) {
      if (props.length > 0) throw new UnknownYamlLayoutError();
      const between = this.pending.takeIndented(indent + 1);
      return { head, between, value: undefined, tail: undefined };
    }
    // Comments above a block collection belong to its first item.
    const holdsItems = value.type === 'block-map' || value.type === 'block-seq';
    const between = holdsItems ? [] : this.pending.take().filter((line) => line !== '');
    const { node, tail } = this.readNode(value, props);
    return { head, between, value: node, tail };
  }
}

/** Splits off the comments of the file: those above an empty line, and those for an editor. They belong to no entry. */
function splitHeader(
  lines: readonly YamlTriviaLine[],
): [header: readonly YamlTriviaLine[], before: readonly YamlTriviaLine[]] {
  const isForEditor = (line: YamlTriviaLine) =>
    /^#\s*(?:yaml-language-server:|vim?:|-\*-)/.test(line);
  const end = Math.max(lines.lastIndexOf(''), lines.findLastIndex(isForEditor)) + 1;
  return [lines.slice(0, end), lines.slice(end)];
}

/** Reads the layout of a file without faults. @throws UnknownYamlLayoutError for YAML without a canonical form */
export function readYamlLayout(text: string): YamlFileLayout {
  const parsable = escapeYamlForParser(text);
  const harden: RestoreBrackets = parsable === text ? (written) => written : decodeBracketsInText;
  return new LayoutReader(parsable, harden).read();
}

// Readers of scalar values, without their indentation.

const styles = {
  alias: 'alias',
  scalar: 'plain',
  'single-quoted-scalar': 'single',
  'double-quoted-scalar': 'double',
} as const;

/** Restores the brackets in a text of a softened file; other texts stay as they are. */
type RestoreBrackets = (text: string) => string;

/** A value on one line, or on several that are read as one. */
function readScalar(
  token: CST.FlowScalar,
  props: readonly string[],
  harden: RestoreBrackets,
): YamlScalarLayout {
  const lines = harden(token.source)
    .split('\n')
    .map((line) => line.trim());
  const value = token.type === 'alias' ? token.source : CST.resolveAsScalar(token).value;
  return { kind: 'scalar', props, style: styles[token.type], lines, value: harden(value) };
}

const isBlank = (line: string) => line.trim() === '';

/** Reads a text behind `|` or `>`, and tells whether empty lines that are not part of it follow. */
function readBlockText(
  token: CST.BlockScalar,
  props: readonly string[],
  harden: RestoreBrackets,
): { readonly node: YamlBlockTextLayout; readonly hasBlankBehind: boolean } {
  const sourceOf = (type: string) => {
    const found = token.props.find((one) => one.type === type);
    return found && 'source' in found ? found.source : undefined;
  };
  const header = sourceOf('block-scalar-header');
  if (header === undefined) throw new UnknownYamlLayoutError();
  const lines = harden(token.source).split('\n');
  // The text behind the last line end is no line.
  if (lines.at(-1) === '') lines.pop();
  const digit = /\d/.exec(header)?.[0];
  const first = lines.find((line) => !isBlank(line)) ?? '';
  const width =
    digit === undefined
      ? first.length - first.trimStart().length
      : Math.max(0, token.indent) + Number(digit);
  const own = lines.map((line) => line.slice(width));
  let hasBlankBehind = false;
  while (!header.includes('+') && own.at(-1) === '') hasBlankBehind = own.pop() === '';
  const node: YamlBlockTextLayout = {
    kind: 'block',
    props,
    header: header.replace(/\d/, ''),
    isIndented: own.find((line) => !isBlank(line))?.startsWith(' ') === true,
    comment: sourceOf('comment')?.trimEnd(),
    lines: own,
  };
  return { node, hasBlankBehind };
}
