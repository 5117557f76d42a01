import stringWidth from 'string-width';
import type {
  YamlBlockTextLayout,
  YamlCollectionLayout,
  YamlFileLayout,
  YamlItemLayout,
  YamlTriviaLine,
  YamlNodeLayout,
  YamlScalarLayout,
} from './layout.ts';
import { bareYamlItem } from './read-brackets.ts';
import { writeYamlScalar } from './write-scalar.ts';

/** Widest line of a collection in brackets; a wider one gets a line for each item. */
const widest = 100;
const step = 2;

/** Writes a YAML file in its canonical form. */
export function writeYamlLayout({ start, header, root, tail, trailing }: YamlFileLayout): string {
  const out = [...start, ...header];
  if (root && (root.kind === 'map' || root.kind === 'list') && !fitInline(root, 0)) {
    if (root.props.length > 0) out.push(root.props.join(' '));
    writeItems(root, 0, out);
  } else if (root) writeValue('', { ...bareYamlItem, value: root, tail }, 0, out);
  writeLines(trailing, 0, out);
  while (out[0] === '') out.shift();
  while (out.at(-1) === '') out.pop();
  return out.length === 0 ? '' : `${dropDoubled(out).join('\n')}\n`;
}

/** Texts over several lines are in one line of the output, so that their empty lines stay. */
function dropDoubled(lines: readonly string[]): string[] {
  return lines.filter((line, index) => line !== '' || lines[index - 1] !== '');
}

function writeLines(lines: readonly YamlTriviaLine[], indent: number, out: string[]): void {
  for (const line of lines) out.push(line === '' ? '' : ' '.repeat(indent) + line);
}

function writeItems(
  { items, trailing }: YamlCollectionLayout,
  indent: number,
  out: string[],
): void {
  for (const [index, item] of items.entries()) {
    // An empty line above the first item of a collection is dropped.
    writeLines(index === 0 ? dropFirstBlank(item.before) : item.before, indent, out);
    const pad = ' '.repeat(indent);
    if (item.key) writeValue(`${pad}${writeKey(item.key)}:`, item, indent, out);
    else writeListItem(item, indent, out);
  }
  writeLines(trailing, indent, out);
}

function dropFirstBlank(lines: readonly YamlTriviaLine[]): readonly YamlTriviaLine[] {
  return lines[0] === '' ? lines.slice(1) : lines;
}

function writeKey(key: YamlScalarLayout): string {
  return [...key.props, ...writeYamlScalar(key, 'key')].join(' ');
}

/** Writes an item of a list; a collection in it begins on the line of the dash. */
function writeListItem(item: YamlItemLayout, indent: number, out: string[]): void {
  const { value, head } = item;
  const dash = `${' '.repeat(indent)}-`;
  const isCollection = value?.kind === 'map' || value?.kind === 'list';
  if (!isCollection || fitsBehind(dash, item) || value.props.length > 0 || head !== undefined) {
    writeValue(dash, item, indent, out);
    return;
  }
  const lines: string[] = [];
  writeItems(value, indent + step, lines);
  const [first = '', ...others] = lines;
  out.push(dash + first.slice(indent + 1), ...others);
  if (item.tail !== undefined) out.push(' '.repeat(indent + step) + item.tail);
}

/** Writes a value behind its key or its dash; its content is indented from `indent` on. */
function writeValue(lead: string, item: YamlItemLayout, indent: number, out: string[]): void {
  const { value, head, between, tail } = item;
  if (!value) {
    out.push(join(lead, head ?? '', tail ?? ''));
    writeLines(between, indent + step, out);
    return;
  }
  const props = value.props.join(' ');
  if ((value.kind === 'map' || value.kind === 'list') && !fitsBehind(lead, item)) {
    out.push(join(lead, props, head ?? tail ?? ''));
    if (head !== undefined && tail !== undefined) writeLines([tail], indent + step, out);
    writeLines(between, indent + step, out);
    writeItems(value, indent + step, out);
    return;
  }
  const pad = ' '.repeat(lead === '' ? 0 : indent + step);
  const isBelow = head !== undefined || between.length > 0;
  if (isBelow) {
    out.push(join(lead, head ?? ''));
    writeLines(between, indent + step, out);
  }
  const [first = '', ...others] = writeText(value, pad);
  const line = isBelow ? pad + join(props, first) : join(lead, props, first);
  // Joined to a single piece of output, so that empty lines within a text are all kept.
  const lines = value.kind === 'block' ? [join(line, tail ?? ''), ...others] : [line, ...others];
  const end = value.kind === 'block' ? '' : (tail ?? '');
  out.push(join(lines.join('\n'), end));
}

/** The lines of a value that is no collection on lines of its own. */
function writeText(value: YamlNodeLayout, pad: string): readonly string[] {
  if (value.kind === 'block') return writeBlock(value, pad);
  if (value.kind !== 'scalar') return [fitInline(value, -Infinity) ?? ''];
  return writeYamlScalar(value, 'value').map((line, index) =>
    index === 0 || line === '' ? line : pad + line,
  );
}

function writeBlock(
  { header, isIndented, comment, lines }: YamlBlockTextLayout,
  pad: string,
): string[] {
  // The indentation number goes between the style and the sign for the end of the text.
  const [, style = '', chomp = ''] = /^([|>])(.*)$/.exec(header) ?? [];
  const mark = `${style}${isIndented ? step : ''}${chomp}`;
  return [join(mark, comment ?? ''), ...lines.map((line) => (line === '' ? '' : pad + line))];
}

function fitsBehind(lead: string, { value, head, between, tail }: YamlItemLayout): boolean {
  if (value?.kind !== 'map' && value?.kind !== 'list') return true;
  const room = head === undefined && between.length === 0 ? lead.length : 0;
  return (
    fitInline(value, stringWidth(join(lead.slice(0, room), ...value.props, tail ?? ''))) !==
    undefined
  );
}

/** A collection in brackets where it may be there, and where there is room behind so many columns. */
function fitInline(node: YamlCollectionLayout, before: number): string | undefined {
  const { items, kind, isInline, trailing } = node;
  if (items.length === 0 && trailing.length === 0) return kind === 'map' ? '{}' : '[]';
  if (!isInline || trailing.length > 0 || items.some(hasComment)) return undefined;
  const parts = items.map(writeInline);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const text = parts.join(', ');
  const whole = kind === 'map' ? `{ ${text} }` : `[${text}]`;
  return before + stringWidth(whole) + 1 > widest ? undefined : whole;
}

function hasComment({ before, head, between, tail }: YamlItemLayout): boolean {
  return before.length + between.length > 0 || head !== undefined || tail !== undefined;
}

function writeInline({ key, hasColon, value }: YamlItemLayout): string | undefined {
  const keyText =
    key && join(...key.props, ...writeYamlScalar(key, 'flow')) + (hasColon ? ':' : '');
  if (!value) return keyText;
  const text = writeInlineValue(value);
  return text === undefined ? undefined : join(keyText ?? '', ...value.props, text);
}

function writeInlineValue(value: YamlNodeLayout): string | undefined {
  if (value.kind === 'block') return undefined;
  if (value.kind === 'scalar') {
    const lines = writeYamlScalar(value, 'flow');
    return lines.length === 1 ? lines[0] : undefined;
  }
  return fitInline(value, -Infinity);
}

/** Joins words by single spaces and leaves out empty ones. */
function join(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}
