// How a service spells the contract, as people read it.
import type { ContractLine, LookedAt } from '../../model/account/contract-lines.ts';
import { escapeText } from '../format/escape.ts';
import { padRight, wrapText } from '../format/measure.ts';
import type { Layout, Style } from '../format/style.ts';
import { countNoun } from '../view/labels.ts';

/** What `contract show` has found. */
export interface ContractView {
  readonly file: string | undefined;
  readonly document: { readonly file: string; readonly sha256: string } | undefined;
  readonly lines: readonly ContractLine[];
}

const stateWidth = 'otherwise'.length;
const evidenceWidth = 'specified'.length;

/** Every operation, and of the rest what is not spelled as in the contract; then the evidence by count. */
export function renderContract({ file, document, lines }: ContractView, layout: Layout): string {
  const { columns } = layout;
  const intro = file
    ? `${file}${document ? `, from ${document.file}` : ''}:`
    : 'No contract file is named: everything is spelled as in the contract.';
  const isOperation = ({ line }: ContractLine) => line.startsWith('operations.');
  const shown = lines.filter((line) => isOperation(line) || line.state !== 'same');
  const rows = shown.flatMap((line) => renderLine(line, layout));
  const counts = ['specified', 'published', 'assumed', 'confirmed', 'observed'].flatMap(
    (evidence) => {
      const count = lines.filter((line) => line.evidence === evidence).length;
      return count === 0 ? [] : [`${count} ${evidence}`];
    },
  );
  const states = ['same', 'otherwise', 'none', 'open'].map(
    (state) => `${lines.filter((line) => line.state === state).length} ${state}`,
  );
  return `${[
    ...wrapText(escapeText(intro), columns),
    '',
    ...rows,
    '',
    ...wrapText(`Lines: ${states.join(', ')}. Evidence: ${counts.join(', ')}.`, columns),
  ].join('\n')}\n`;
}

function renderLine(line: ContractLine, { style, columns }: Layout): readonly string[] {
  const { state, ours, theirs, evidence } = line;
  const head = `${paint(state, style)}  ${padRight(evidence, evidenceWidth)}  ${escapeText(line.line)}`;
  const indent = ' '.repeat(stateWidth + evidenceWidth + 4);
  const said = state === 'otherwise' ? theirs : state === 'same' ? '' : ours;
  return said === '' ? [head] : [head, ...wrapText(`${indent}${escapeText(said)}`, columns)];
}

function paint(state: ContractLine['state'], style: Style): string {
  const color = { same: style.dim, otherwise: style.green, none: style.dim, open: style.yellow };
  return color[state](padRight(state, stateWidth));
}

/** What the account has shown of each read, and what of it is not as the contract says. */
export function renderLookedAt(
  { account }: { readonly account: readonly LookedAt[] },
  { style, columns }: Layout,
): string {
  const width = Math.max(...account.map(({ operation }) => operation.length));
  const indent = ' '.repeat(width + 2);
  const rows = account.flatMap(({ operation, records, why, untold, mistyped }) => {
    const said = records === null ? (why ?? '') : countNoun('record', records);
    const more = [
      ...(untold.length > 0 ? [`untold: ${untold.join(', ')}`] : []),
      ...mistyped.map((text) => `of another type: ${text}`),
    ];
    const [first = '', ...rest] = [said, ...more].flatMap((text) =>
      wrapText(escapeText(text), columns - width - 2),
    );
    const head = `${padRight(operation, width)}  ${first}`;
    return [mistyped.length > 0 ? style.red(head) : head, ...rest.map((text) => indent + text)];
  });
  return `${rows.join('\n')}\n`;
}

/** True where nothing of the account is of another type than the contract says. */
export function isGoodAccount({ account }: { readonly account: readonly LookedAt[] }): boolean {
  return account.every(({ mistyped }) => mistyped.length === 0);
}
