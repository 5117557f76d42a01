import type { DoctorCheckUp, DoctorCheckUpOutcome } from '../../model/account/check-up.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { wrapText } from '../format/measure.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';

const nameWidth = 'configuration'.length;
const outcomeWidth = 'failure'.length;
const indent = ' '.repeat(4);

function paintOf(outcome: DoctorCheckUpOutcome, style: TextStyle): (text: string) => string {
  switch (outcome) {
    case 'ok':
      return style.green;
    case 'warning':
      return style.yellow;
    case 'failure':
      return style.red;
    case 'skipped':
      return style.dim;
  }
}

/** A line for each check of `doctor`, with advice below it where there is some; then the sum. */
export function renderCheckUpsText(checkUps: readonly DoctorCheckUp[], layout: TextLayout): string {
  const { columns, style } = layout;
  const lines = checkUps.flatMap(({ name, outcome, summary, detail, hint }) => {
    const head = `${outcome.padEnd(outcomeWidth)}  ${name.padEnd(nameWidth)}  `;
    const [first = '', ...rest] = wrapText(escapeUntrustedText(summary), columns - head.length);
    const paint = paintOf(outcome, style);
    const start = `${paint(outcome.padEnd(outcomeWidth))}  ${name.padEnd(nameWidth)}  ${first}`;
    const below = [detail, hint].flatMap((text) =>
      text === undefined || text === ''
        ? []
        : wrapText(escapeUntrustedText(text), columns - indent.length).map(
            (line) => `${indent}${line}`,
          ),
    );
    return [start, ...rest.map((line) => `${' '.repeat(head.length)}${line}`), ...below];
  });
  return `${lines.join('\n')}\n\n${sumUp(checkUps, style)}\n`;
}

function sumUp(checkUps: readonly DoctorCheckUp[], style: TextStyle): string {
  const count = (outcome: DoctorCheckUpOutcome) =>
    checkUps.filter((one) => one.outcome === outcome).length;
  const [failures, warnings] = [count('failure'), count('warning')];
  const parts = [
    ...(failures > 0 ? [style.red(formatCountWithNoun('failure', failures))] : []),
    ...(warnings > 0 ? [style.yellow(formatCountWithNoun('warning', warnings))] : []),
  ];
  return parts.length > 0 ? `${parts.join(', ')}.` : style.green('No problems found.');
}

/** Renders the JSON of `doctor --json`. */
export function renderCheckUpsJson(checkUps: readonly DoctorCheckUp[]): object {
  return {
    format_version: '1.0',
    healthy: isEveryCheckUpHealthy(checkUps),
    checks: checkUps.map(({ name, outcome, code, summary, detail, hint }) => ({
      name,
      outcome,
      ...(code !== undefined && { code }),
      summary,
      ...(detail !== undefined && { detail }),
      ...(hint !== undefined && { hint }),
    })),
  };
}

/** Tells whether no check of `doctor` found a fault. */
export function isEveryCheckUpHealthy(checkUps: readonly DoctorCheckUp[]): boolean {
  return checkUps.every(({ outcome }) => outcome !== 'failure');
}
