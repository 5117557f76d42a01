// A journey as people read it: its order, a line for each step, and a table of the operations at its end.
import type {
  JourneyPurchases,
  JourneyReport,
  JourneyStep,
  JourneyVerdict,
  JourneyOperationResult,
} from '../../model/account/journey.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { padLeft, padRight, wrapText } from '../format/measure.ts';
import { groupBy } from '../../model/group-by.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import { describeDiagnostic } from '../json/diagnostics-json.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatQuotaLabel } from '../view/labels.ts';

const verdictWords: Readonly<Record<JourneyVerdict['kind'], string>> = {
  works: 'works',
  otherwise: 'otherwise',
  'not-tried': 'not tried',
};
const verdictWidth = 'not tried'.length;
const elapsedWidth = '59m59s'.length;
/** Width of the column for titles of steps, that of the longest one. */
const titleWidth = 'Rebuild the VM from another image'.length;
const labelWidth = 'Project'.length;

/**
 * Renders the purchases and the use of quotas that a contract journey will cause in the account, before the user is
 * asked for consent.
 */
export function renderContractJourneyNeeds(order: JourneyPurchases, layout: TextLayout): string {
  const { style, columns } = layout;
  const { service, project, configuration, image, tariff, quotas, scopes } = order;
  const { name, cpu, ram, disk } = configuration;
  const size = `${formatCountWithNoun('core', cpu)}, ${ram} GB RAM, ${disk} GB disk`;
  const needs = quotas.map(
    (need) => `${formatQuotaLabel(need.name)} ${need.needed} of ${need.left} left`,
  );
  const rows: readonly (readonly [string, string])[] = [
    ['Account', service],
    ['Project', `${project}, with an SSH key, a network, a public IP, a port forward and a VM`],
    ['VM', `${name} (${size}), image ${image}, tariff ${tariff.name}`],
    ['Costs', `${describeCosts(order)}; the service tells no price of a public IP`],
    ['Quotas', needs.join(', ')],
    ['Scopes', scopes.join(', ')],
  ];
  const intro =
    'The journey tries each command of Hostwright once in a project of its own, and then removes everything.';
  const lines = rows.flatMap(([label, text]) => {
    const [first = '', ...rest] = wrapText(escapeUntrustedText(text), columns - labelWidth - 5);
    const head = `  ${style.bold(padRight(label, labelWidth))}   ${first}`;
    return [head, ...rest.map((line) => `${' '.repeat(labelWidth + 5)}${line}`)];
  });
  return `${[...wrapText(intro, columns), '', ...lines].join('\n')}\n\n`;
}

function describeCosts({ sum, tariff, isPriceAssumed }: JourneyPurchases): string {
  if (!tariff.price) return 'unknown: the service tells no price of this tariff';
  const assumed = isPriceAssumed ? ', a price that the sandbox assumes' : '';
  return `${sum} for one ${tariff.price.period}${assumed}`;
}

/**
 * Renders a finished step of a contract journey: its verdict, title and duration, and below them the observations in
 * the account.
 */
export function renderContractJourneyStep(
  step: JourneyStep,
  { style, columns }: TextLayout,
): string {
  const { title, verdict, seen, elapsedMs } = step;
  const took = verdict.kind === 'not-tried' ? '' : formatElapsed(elapsedMs);
  const head = `${paint(verdict, style)}  ${padRight(title, titleWidth)}  ${padLeft(took, elapsedWidth)}`;
  const words = verdict.kind === 'works' ? [] : [verdict.words];
  const indent = ' '.repeat(verdictWidth + 2);
  const below = [...words, ...seen].flatMap((text) =>
    wrapText(`${indent}${escapeUntrustedText(text)}`, columns),
  );
  return `${[head.trimEnd(), ...below].join('\n')}\n`;
}

function paint(verdict: JourneyVerdict, style: TextStyle): string {
  const color = { works: style.green, otherwise: style.red, 'not-tried': style.dim }[verdict.kind];
  return color(padRight(verdictWords[verdict.kind], verdictWidth));
}

/**
 * Renders the report of a contract journey: the number of operations by verdict, the behaviour of each that differs
 * from the contract, the operations not tried by reason, and the outcome.
 */
export function renderContractJourneyReport(report: JourneyReport, layout: TextLayout): string {
  if (report.outcome === 'declined') return '';
  const { columns, style } = layout;
  const { operations } = report;
  const reads = operations.filter(({ isRead }) => isRead);
  const working = operations.filter(({ verdict }) => verdict.kind === 'works');
  const usedReads = working.filter(({ isRead }) => isRead).length;
  const groupsOf = (kind: 'otherwise' | 'not-tried') =>
    groupBy(operations.flatMap(readReason(kind)), ({ reason }) => reason);
  const draw = (title: string, groups: ReadonlyMap<string, readonly Reasoned[]>) =>
    groups.size === 0
      ? []
      : [
          '',
          style.bold(title),
          ...[...groups].flatMap(([reason, all]) => [
            ...wrapText(`  ${escapeUntrustedText(reason)}:`, columns),
            ...listNames(all, columns),
          ]),
        ];
  const body = [
    style.bold('Works as the contract says:'),
    ...listNames(
      working.filter(({ isRead }) => !isRead),
      columns,
    ),
    `    and ${usedReads} of ${formatCountWithNoun('read', reads.length)}`,
    ...draw('Otherwise:', groupsOf('otherwise')),
    ...draw('Not tried:', groupsOf('not-tried')),
    '',
    ...sumUp(report, layout),
  ];
  return `\n${body.join('\n')}\n`;
}

/** An operation that does not work, with its behaviour; or one that was not tried, with the reason. */
interface Reasoned extends JourneyOperationResult {
  readonly reason: string;
}

function readReason(kind: 'otherwise' | 'not-tried') {
  return (one: JourneyOperationResult): readonly Reasoned[] =>
    one.verdict.kind === kind ? [{ ...one, reason: one.verdict.words }] : [];
}

function listNames(
  operations: readonly JourneyOperationResult[],
  columns: number,
): readonly string[] {
  return wrapText(`    ${operations.map(({ operation }) => operation).join(', ')}`, columns);
}

function sumUp(
  { outcome, operations, left, elapsedMs }: JourneyReport,
  { columns, style }: TextLayout,
): readonly string[] {
  const tried = operations.filter(({ isRead, verdict }) => !isRead && verdict.kind !== 'not-tried');
  const odd = operations.filter(({ verdict }) => verdict.kind === 'otherwise').length;
  const took = formatElapsed(elapsedMs);
  const gone = 'Everything that the journey made is removed.';
  const say = (text: string, color: (line: string) => string) => wrapText(text, columns).map(color);
  switch (outcome) {
    case 'declined':
      return [];
    case 'done':
      return say(
        `Journey complete after ${took}: ${tried.length} changing operations work. ${gone}`,
        style.green,
      );
    case 'interrupted':
      return say(`Journey interrupted after ${took}. ${gone}`, style.yellow);
    case 'otherwise':
      return say(
        `Journey complete after ${took}: ${odd === 1 ? '1 operation differs' : `${odd} operations differ`} from the contract. ${gone}`,
        style.red,
      );
    case 'left':
      return [
        ...say('The journey could not remove everything. Left in its state:', style.red),
        ...left.map((address) => `  ${escapeUntrustedText(address)}`),
        ...wrapText('Run the journey again: it removes this first.', columns),
      ];
  }
}

/** Renders the JSON of `contract journey --json`. */
export function renderContractJourneyJson(report: JourneyReport): object {
  const { outcome, order, steps, operations, left, diagnostics, elapsedMs } = report;
  const { configuration, tariff, quotas, ...told } = order;
  return {
    format_version: '1.0',
    outcome,
    elapsedMs,
    order: { ...told, configuration: configuration.name, tariff: tariff.name, quotas },
    steps: steps.map(({ verdict, ...step }) => ({ ...step, ...spellVerdict(verdict) })),
    operations: operations.map(({ operation, isRead, verdict }) => ({
      operation,
      isRead,
      ...spellVerdict(verdict),
    })),
    left,
    diagnostics: diagnostics.map(describeDiagnostic),
  };
}

function spellVerdict(verdict: JourneyVerdict): object {
  return { verdict: verdict.kind, ...(verdict.kind !== 'works' && { reason: verdict.words }) };
}
