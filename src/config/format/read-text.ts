// Readers of scalar values, without their indentation.
import { CST } from 'yaml';
import { UnknownLayout, type BlockTextLayout, type ScalarLayout } from './layout.ts';

const styles = {
  alias: 'alias',
  scalar: 'plain',
  'single-quoted-scalar': 'single',
  'double-quoted-scalar': 'double',
} as const;

/** Restores the brackets in a text of a softened file; other texts stay as they are. */
export type RestoreBrackets = (text: string) => string;

/** A value on one line, or on several that are read as one. */
export function readScalar(
  token: CST.FlowScalar,
  props: readonly string[],
  harden: RestoreBrackets,
): ScalarLayout {
  const lines = harden(token.source)
    .split('\n')
    .map((line) => line.trim());
  const value = token.type === 'alias' ? token.source : CST.resolveAsScalar(token).value;
  return { kind: 'scalar', props, style: styles[token.type], lines, value: harden(value) };
}

const isBlank = (line: string) => line.trim() === '';

/** Reads a text behind `|` or `>`, and tells whether empty lines that are not part of it follow. */
export function readBlockText(
  token: CST.BlockScalar,
  props: readonly string[],
  harden: RestoreBrackets,
): { readonly node: BlockTextLayout; readonly hasBlankBehind: boolean } {
  const sourceOf = (type: string) => {
    const found = token.props.find((one) => one.type === type);
    return found && 'source' in found ? found.source : undefined;
  };
  const header = sourceOf('block-scalar-header');
  if (header === undefined) throw new UnknownLayout();
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
  const node: BlockTextLayout = {
    kind: 'block',
    props,
    header: header.replace(/\d/, ''),
    isIndented: own.find((line) => !isBlank(line))?.startsWith(' ') === true,
    comment: sourceOf('comment')?.trimEnd(),
    lines: own,
  };
  return { node, hasBlankBehind };
}
