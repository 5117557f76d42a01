// Words for drift and the three ways to resolve it, the same in every format.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { nameDrift, type AcceptDriftWay, type DriftChoice } from '../../model/plan/drift-choice.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { quoteForShell } from '../format/shell.ts';
import { escapeUntrustedText, formatValueAsJsonLine } from '../format/escape.ts';
import { formatKindLabel } from '../view/labels.ts';

/** Drift on one line: `projects.shop.vms.web: image was changed outside: "a" -> "b"`. */
export function describeDriftLine(choice: DriftChoice): string {
  const address = escapeUntrustedText(choice.address);
  if (choice.what !== 'changed') {
    return choice.what === 'deleted'
      ? `${address} was deleted outside`
      : `${address} was made outside, in an exclusive project`;
  }
  const values = choice.isSensitive
    ? '(sensitive value)'
    : `${formatValueAsJsonLine(choice.applied)} -> ${formatValueAsJsonLine(choice.live)}`;
  return `${address}: ${choice.field} was changed outside: ${values}`;
}

/** Describes the first way to resolve drift: the next apply restores the configured value. */
export function describeDriftRevert(choice: DriftChoice): string {
  const label = formatKindLabel(choice.kind);
  if (choice.what !== 'changed') {
    return choice.what === 'deleted'
      ? `the next apply creates the ${label} again`
      : `the next apply destroys the ${label}`;
  }
  const value = choice.isSensitive ? 'its value' : formatValueAsJsonLine(choice.configured);
  switch (choice.effect) {
    case 'update':
      return `the next apply sets ${value}`;
    case 'rebuild':
      return `the next apply sets ${value} and rebuilds the ${label}: its disk is lost`;
    case 'replace':
      return `the next apply sets ${value} by a replacement of the ${label}`;
  }
}

/** The command line that accepts a drifted value into the configuration. */
export function formatDriftAcceptCommand(choice: DriftChoice): string {
  const { directory } = choice;
  const at = directory === undefined ? '' : ` --chdir ${quoteForShell(directory)}`;
  return `hostwright${at} drift accept ${quoteForShell(nameDrift(choice))}`;
}

/**
 * Describes the edits by which drift is accepted into the configuration, with the place of each; or the reason why it
 * has to be done by hand.
 */
export function describeDriftAcceptance(accept: AcceptDriftWay): string {
  if (accept.kind === 'edits') {
    return accept.edits
      .map(
        ({ source, text }) =>
          `${escapeUntrustedText(formatSourcePlace(source))}: ${spellEdit(text)}`,
      )
      .join('; ');
  }
  const place = accept.source
    ? `at ${escapeUntrustedText(formatSourcePlace(accept.source))}`
    : 'by hand';
  return `${place}: ${escapeUntrustedText(accept.why)}`;
}

function spellEdit(text: string): string {
  return text === '' ? '(removed)' : escapeUntrustedText(text.trim().replace(/,$/, ''));
}

/** Describes the third way to resolve drift: to ignore it. */
export function describeDriftIgnore({ ignore }: DriftChoice): string {
  if ('why' in ignore) return ignore.why;
  const { line, source } = ignore;
  const place = source ? ` in the block at ${escapeUntrustedText(formatSourcePlace(source))}` : '';
  return `${escapeUntrustedText(line)}${place}`;
}

/** Turns drift into a finding, for formats that hold only findings. */
export function describeDriftFinding(choice: DriftChoice): Diagnostic {
  const { address, accept } = choice;
  const edited = accept.kind === 'edits' ? accept.edits[0]?.source : accept.source;
  const source = edited ?? choice.source;
  return {
    severity: 'note',
    code: 'drifted',
    summary: describeDriftLine(choice),
    detail: `Put back: ${describeDriftRevert(choice)}.\nAccept: ${describeDriftAcceptance(accept)}\nIgnore: ${describeDriftIgnore(choice)}`,
    address,
    ...(source && { source }),
  };
}
