// A journey as people read it: what it orders, a line for each step, and a table of the operations at its end.
import type {
  JourneyOrder,
  JourneyReport,
  JourneyStep,
  JourneyVerdict,
} from '../../model/account/journey.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { escapeText } from '../format/escape.ts';
import { padLeft, padRight, wrapText } from '../format/measure.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Layout, Style } from '../format/style.ts';
import { describeDiagnostic } from '../json/diagnostics-json.ts';
import { countNoun, quotaLabel } from '../view/labels.ts';

const verdictWords: Readonly<Record<JourneyVerdict['kind'], string>> = {
  works: 'works',
  otherwise: 'otherwise',
  'not-tried': 'not tried',
};
const verdictWidth = 'not tried'.length;
const elapsedWidth = '59m59s'.length;
/** Wide enough for the longest title of a step. */
const titleWidth = 'Rebuild the VM from another image'.length;
const labelWidth = 'Project'.length;

/** Everything that a journey orders and needs. */
export function renderJourneyOrder(order: JourneyOrder, layout: Layout): string {
  const { style, columns } = layout;
  const { service, project, configuration, image, tariff, quotas, scopes } = order;
  const { name, cpu, ram, disk } = configuration;
  const size = `${countNoun('core', cpu)}, ${ram} GB RAM, ${disk} GB disk`;
  const needs = quotas.map(
    (need) => `${quotaLabel(need.name)} ${need.needed} of ${need.left} left`,
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
    const [first = '', ...rest] = wrapText(escapeText(text), columns - labelWidth - 5);
    const head = `  ${style.bold(padRight(label, labelWidth))}   ${first}`;
    return [head, ...rest.map((line) => `${' '.repeat(labelWidth + 5)}${line}`)];
  });
  return `${[...wrapText(intro, columns), '', ...lines].join('\n')}\n\n`;
}

function describeCosts({ sum, tariff, isPriceAssumed }: JourneyOrder): string {
  if (!tariff.price) return 'unknown: the service tells no price of this tariff';
  const assumed = isPriceAssumed ? ', a price that the sandbox assumes' : '';
  return `${sum} for one ${tariff.price.period}${assumed}`;
}

/** One step, ended: its verdict, what it was and how long it took; below that, what the account showed. */
export function renderJourneyStep(step: JourneyStep, { style, columns }: Layout): string {
  const { title, verdict, seen, elapsedMs } = step;
  const took = verdict.kind === 'not-tried' ? '' : formatElapsed(elapsedMs);
  const head = `${paint(verdict, style)}  ${padRight(title, titleWidth)}  ${padLeft(took, elapsedWidth)}`;
  const words = verdict.kind === 'works' ? [] : [verdict.words];
  const indent = ' '.repeat(verdictWidth + 2);
  const below = [...words, ...seen].flatMap((text) =>
    wrapText(`${indent}${escapeText(text)}`, columns),
  );
  return `${[head.trimEnd(), ...below].join('\n')}\n`;
}

function paint(verdict: JourneyVerdict, style: Style): string {
  const color = { works: style.green, otherwise: style.red, 'not-tried': style.dim }[verdict.kind];
  return color(padRight(verdictWords[verdict.kind], verdictWidth));
}

/**
 * The verdict on each operation: a row for each that changes something and was tried, and for each read that failed; the others
 * by the reason why they were not. Then the outcome.
 */
export function renderJourneyReport(report: JourneyReport, layout: Layout): string {
  if (report.outcome === 'declined') return '';
  const { columns, style } = layout;
  const { operations } = report;
  const rows = operations.filter(
    ({ isRead, verdict: { kind } }) => kind === 'otherwise' || (kind === 'works' && !isRead),
  );
  const width = Math.max(...rows.map(({ operation }) => operation.length));
  const indent = ' '.repeat(width + verdictWidth + 6);
  const lines = rows.flatMap(({ operation, verdict }) => {
    const words = verdict.kind === 'works' ? 'as the contract says' : verdict.words;
    const [first = '', ...rest] = wrapText(escapeText(words), columns - indent.length);
    return [
      `  ${padRight(operation, width)}  ${paint(verdict, style)}  ${first}`,
      ...rest.map((line) => `${indent}${line}`),
    ];
  });
  const head = style.bold('Operations of the contract:');
  const body = [head, ...lines, ...listUntried(report, layout), '', ...sumUp(report, layout)];
  return `\n${body.join('\n')}\n`;
}

/** The operations that were not tried, by the reason; and how many reads work, which nobody wants a row of. */
function listUntried({ operations }: JourneyReport, { columns, style }: Layout): readonly string[] {
  const reads = operations.filter(({ isRead }) => isRead);
  const used = reads.filter(({ verdict }) => verdict.kind === 'works').length;
  const reasons = groupBy(
    operations.filter(({ verdict }) => verdict.kind === 'not-tried'),
    ({ verdict }) => (verdict.kind === 'works' ? '' : verdict.words),
  );
  return [
    '',
    `Reads: ${used} of ${reads.length} were used and work as the contract says.`,
    '',
    style.bold('Not tried:'),
    ...[...reasons].flatMap(([reason, all]) => [
      ...wrapText(`  ${escapeText(reason)}:`, columns),
      ...wrapText(`    ${all.map(({ operation }) => operation).join(', ')}`, columns),
    ]),
  ];
}

function sumUp(
  { outcome, operations, left, elapsedMs }: JourneyReport,
  { columns, style }: Layout,
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
        ...left.map((address) => `  ${escapeText(address)}`),
        ...wrapText('Run the journey again: it removes this first.', columns),
      ];
  }
}

/** The answer of `contract journey --json`. */
export function renderJourneyJson(report: JourneyReport): object {
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
