// Words for drift and the three ways to resolve it, the same in every format.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { nameDrift, type AcceptWay, type DriftChoice } from '../../model/plan/drift-choice.ts';
import { formatPlace } from '../../model/source.ts';
import { quoteForShell } from '../format/shell.ts';
import { escapeText, quoteValue } from '../format/escape.ts';
import { kindLabel } from '../view/labels.ts';

/** Drift on one line: `projects.shop.vms.web: image was changed outside: "a" -> "b"`. */
export function describeDriftChoice(choice: DriftChoice): string {
  const address = escapeText(choice.address);
  if (choice.what !== 'changed') {
    return choice.what === 'deleted'
      ? `${address} was deleted outside`
      : `${address} was made outside, in an exclusive project`;
  }
  const values = choice.isSensitive
    ? '(sensitive value)'
    : `${quoteValue(choice.applied)} -> ${quoteValue(choice.live)}`;
  return `${address}: ${choice.field} was changed outside: ${values}`;
}

/** Describes the first way to resolve drift: the next apply restores the configured value. */
export function describePutBack(choice: DriftChoice): string {
  const label = kindLabel(choice.kind);
  if (choice.what !== 'changed') {
    return choice.what === 'deleted'
      ? `the next apply creates the ${label} again`
      : `the next apply destroys the ${label}`;
  }
  const value = choice.isSensitive ? 'its value' : quoteValue(choice.configured);
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
export function acceptCommand(choice: DriftChoice): string {
  return `hostwright drift accept ${quoteForShell(nameDrift(choice))}`;
}

/** The place that an acceptance changes, and the text there; or why it cannot be done. */
export function describeAccept(accept: AcceptWay): string {
  if (accept.kind === 'edits') {
    return accept.edits
      .map(({ source, text }) => `${escapeText(formatPlace(source))}: ${spellEdit(text)}`)
      .join('; ');
  }
  const place = accept.source ? `at ${escapeText(formatPlace(accept.source))}` : 'by hand';
  return `${place}: ${escapeText(accept.why)}`;
}

function spellEdit(text: string): string {
  return text === '' ? '(removed)' : escapeText(text.trim().replace(/,$/, ''));
}

/** Describes the third way to resolve drift: to ignore it. */
export function describeIgnore({ ignore }: DriftChoice): string {
  if ('why' in ignore) return ignore.why;
  const { line, source } = ignore;
  const place = source ? ` in the block at ${escapeText(formatPlace(source))}` : '';
  return `${escapeText(line)}${place}`;
}

/** Turns drift into a finding, for formats that hold only findings. */
export function describeAsFinding(choice: DriftChoice): Diagnostic {
  const { address, accept } = choice;
  const edited = accept.kind === 'edits' ? accept.edits[0]?.source : accept.source;
  const source = edited ?? choice.source;
  return {
    severity: 'note',
    code: 'drifted',
    summary: describeDriftChoice(choice),
    detail: `Put back: ${describePutBack(choice)}.\nAccept: ${describeAccept(accept)}\nIgnore: ${describeIgnore(choice)}`,
    address,
    ...(source && { source }),
  };
}
