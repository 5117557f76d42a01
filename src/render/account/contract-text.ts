// A contract file, and the results of the commands on it, as people read them.
import type { ContractLine, AccountReadCheck } from '../../model/account/contract-lines.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { padRight, wrapText } from '../format/measure.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import { groupBy } from '../../model/group-by.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

/** The result of `contract show`. */
export interface ContractView {
  readonly file: string | undefined;
  readonly document: { readonly file: string; readonly sha256: string } | undefined;
  readonly lines: readonly ContractLine[];
}

const stateWidth = 'otherwise'.length;
const evidenceWidth = 'specified'.length;

/**
 * Renders the lines of a contract file: every operation, and of the other lines only those that differ from the
 * contract; then the number of lines for each sort of evidence.
 */
export function renderContract(
  { file, document, lines }: ContractView,
  layout: TextLayout,
): string {
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
    ...wrapText(escapeUntrustedText(intro), columns),
    '',
    ...rows,
    '',
    ...wrapText(`Lines: ${states.join(', ')}. Evidence: ${counts.join(', ')}.`, columns),
  ].join('\n')}\n`;
}

function renderLine(line: ContractLine, { style, columns }: TextLayout): readonly string[] {
  const { state, ours, theirs, evidence } = line;
  const head = `${paint(state, style)}  ${padRight(evidence, evidenceWidth)}  ${escapeUntrustedText(line.line)}`;
  const indent = ' '.repeat(stateWidth + evidenceWidth + 4);
  const said = state === 'otherwise' ? theirs : state === 'same' ? '' : ours;
  return said === ''
    ? [head]
    : [head, ...wrapText(`${indent}${escapeUntrustedText(said)}`, columns)];
}

function paint(state: ContractLine['state'], style: TextStyle): string {
  const color = { same: style.dim, otherwise: style.green, none: style.dim, open: style.yellow };
  return color[state](padRight(state, stateWidth));
}

/** The result of `contract bind`. */
export interface BoundContractView {
  readonly out: string;
  readonly rows: readonly {
    readonly line: string;
    readonly is: ContractLine['state'];
    readonly theirs?: unknown;
    readonly why: string;
  }[];
  readonly questions: readonly { readonly line: string; readonly candidates: readonly string[] }[];
  readonly faults: readonly { readonly pointer: string; readonly what: string }[];
  readonly required: readonly {
    readonly operation: string;
    readonly at: string;
    readonly in: 'body' | 'query';
    readonly words: readonly string[];
  }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Renders the result of `contract bind`: the number of rows that match the contract, each other row on a line, then the
 * questions that a person has to answer.
 */
export function renderBoundContract(bound: BoundContractView, layout: TextLayout): string {
  const { out, rows, questions, faults, required, diagnostics } = bound;
  const wrap = (text: string) => wrapText(escapeUntrustedText(text), layout.columns);
  const others = rows.filter(({ is }) => is !== 'same');
  const count = (is: ContractLine['state']) => rows.filter((row) => row.is === is).length;
  const counts = `${count('same')} same, ${count('otherwise')} otherwise, ${count('none')} none, ${count('open')} open`;
  const asked = questions.flatMap(({ line, candidates }) =>
    wrap(`  ${line}: ${candidates.length > 0 ? `${candidates.join(', or ')}?` : 'what is it?'}`),
  );
  const needed = required.flatMap(({ operation, at, in: place, words }) => {
    const value = words.length > 0 ? words.join(' | ') : 'VALUE';
    return wrap(`  constants: { ${operation}: { ${place}: { ${at}: ${value} } } }`);
  });
  const sections = [
    groupRows(others).flatMap((group) => renderRows(group, layout)),
    wrap(`${out}: ${counts}.`),
    titled(
      ['The document is wrong here:'],
      faults.flatMap(({ pointer, what }) => wrap(`  ${pointer}: ${what}`)),
    ),
    titled(
      wrap(
        `Open. In ${out}, write in place of each "open" what is right, or "none" where the service lacks it. Then bind again:`,
      ),
      asked,
    ),
    titled(wrap(`The service requires what the contract does not know. In ${out}, write:`), needed),
    diagnostics.flatMap((one) => wrap(`${out}:${one.source?.line ?? 1}: ${one.summary}`)),
    questions.length + required.length + diagnostics.length > 0
      ? []
      : wrap(
          `Nothing is open. Name ${out} in "service.contract" of the configuration, and run "hostwright contract check".`,
        ),
  ];
  const written = sections.filter((lines) => lines.length > 0);
  return `${written.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function titled(title: readonly string[], lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [...title, ...lines];
}

type BoundRow = BoundContractView['rows'][number];

/** Groups rows whose lines say the same, so that they are shown as one. */
function groupRows(rows: readonly BoundRow[]): readonly (readonly BoundRow[])[] {
  return [
    ...groupBy(rows, ({ is, theirs, why, line }) =>
      JSON.stringify([is, theirs, why, line.split('.')[0]]),
    ).values(),
  ];
}

function renderRows(rows: readonly BoundRow[], { style, columns }: TextLayout): readonly string[] {
  const [{ is, theirs, why } = { is: 'same', theirs: undefined, why: '' } as const] = rows;
  const indent = ' '.repeat(stateWidth + 2);
  const said = theirs === undefined ? why : `${spellValue(theirs)} (${why})`;
  const wrap = (text: string) => wrapText(`${indent}${escapeUntrustedText(text)}`, columns);
  const [head = '', ...rest] = wrap(rows.map(({ line }) => line).join(', '));
  return [`${paint(is, style)}  ${head.slice(indent.length)}`, ...rest, ...wrap(said)];
}

/** Writes a value as the contract file has it. */
function spellValue(value: unknown): string {
  if (value === '') return "''";
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(spellValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${name}: ${spellValue(one)}`);
  return `{ ${entries.join(', ')} }`;
}

/** The result of `contract probe`. */
export interface ProbedContractView {
  readonly out: string;
  readonly requests: number;
  readonly found: readonly { readonly operation: string; readonly path: string | null }[];
  readonly open: readonly string[];
}

/**
 * Renders the result of `contract probe`: the path of each read operation that the service answered, and the lines that
 * a person has to fill in.
 */
export function renderProbedContract(
  { out, requests, found, open }: ProbedContractView,
  { style, columns }: TextLayout,
): string {
  const width = Math.max(...found.map(({ operation }) => operation.length));
  const rows = found.map(({ operation, path }) => {
    const said = path === null ? style.yellow('not found') : `GET ${escapeUntrustedText(path)}`;
    return `${padRight(operation, width)}  ${said}`;
  });
  const asked =
    open.length === 0
      ? []
      : [
          '',
          ...wrapText(
            `Open, since these reads did not show it: ${open.join(', ')}. In ${escapeUntrustedText(out)}, write in place of each "open" what is right, or "none" where the service lacks it. A list that was empty shows more once it has something: probe again then, with another --out.`,
            columns,
          ),
        ];
  return `${[...rows, '', `${out} is written, after ${formatCountWithNoun('request', requests)}.`, ...asked].join('\n')}\n`;
}

/** The result of `contract check`. */
export interface CheckedContractView {
  readonly account: readonly AccountReadCheck[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Renders the result of `contract check`: the service's responses for the account, and their differences from the contract. */
export function renderCheckedContract(
  { account, diagnostics }: CheckedContractView,
  { style, columns }: TextLayout,
): string {
  const width = Math.max(...account.map(({ operation }) => operation.length));
  const indent = ' '.repeat(width + 2);
  const rows = account.flatMap(({ operation, records, why, untold, mistyped }) => {
    const said = records === null ? (why ?? '') : formatCountWithNoun('record', records);
    const more = [
      ...(untold.length > 0 ? [`untold: ${untold.join(', ')}`] : []),
      ...mistyped.map((text) => `of another type: ${text}`),
    ];
    const [first = '', ...rest] = [said, ...more].flatMap((text) =>
      wrapText(escapeUntrustedText(text), columns - width - 2),
    );
    const head = `${padRight(operation, width)}  ${first}`;
    return [mistyped.length > 0 ? style.red(head) : head, ...rest.map((text) => indent + text)];
  });
  const faults = diagnostics.flatMap(({ code, summary, hint }) => [
    ...wrapText(escapeUntrustedText(`${summary} [${code}]`), columns),
    ...(hint === undefined ? [] : wrapText(escapeUntrustedText(`  ${hint}`), columns)),
    '',
  ]);
  return `${[...faults, ...rows, '', ...sumUp({ account, diagnostics }, columns)].join('\n')}\n`;
}

/** Sums up the outcome of `contract check`, with the next step for the user. */
function sumUp(checked: CheckedContractView, columns: number): readonly string[] {
  const { account } = checked;
  const answered = account.filter(({ records }) => records !== null).length;
  const isThin = account.some(({ untold }) => untold.length > 0);
  const reads = `${answered} of ${formatCountWithNoun('read', account.length)} answered`;
  const verdict = isContractCheckPassed(checked)
    ? `${reads}, and nothing is otherwise than the contract file says.`
    : `${reads}. Correct what is wrong above in the contract file, and check again.`;
  const thin =
    'No answer has what is untold: write its place in the contract file, or "none" where the service lacks it.';
  return [verdict, ...(isThin ? [thin] : [])].flatMap((text) => wrapText(text, columns));
}

/**
 * Tells whether `contract check` passed: the API document accepts every request that would be sent, and every response
 * for the account has the types of the contract.
 */
export function isContractCheckPassed({ account, diagnostics }: CheckedContractView): boolean {
  const isTyped = account.every(({ mistyped }) => mistyped.length === 0);
  return isTyped && diagnostics.every(({ severity }) => severity !== 'error');
}
