import type { Diagnostic } from './diagnostic.ts';
import type { Change } from './plan.ts';
import type { Value } from './value.ts';

const mark = '(sensitive)';

/** Shorter ones stand in many a word: they are masked only where they stand alone. */
const shortLength = 4;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((all, secret) => {
    if (secret.length >= shortLength) return all.replaceAll(secret, mark);
    return all.replace(new RegExp(`(?<![\\w-])${escapePattern(secret)}(?![\\w-])`, 'g'), mark);
  }, text);
}

/** The words of a diagnostic with every secret in them masked. */
export function maskTexts<T extends Pick<Diagnostic, 'summary' | 'detail' | 'hint'>>(
  diagnostic: T,
  texts: ReadonlySet<string>,
): T {
  if (texts.size === 0) return diagnostic;
  // The longest first: one may be a part of another.
  const secrets = [...texts].sort((a, b) => b.length - a.length);
  const { summary, detail, hint } = diagnostic;
  return {
    ...diagnostic,
    summary: maskText(summary, secrets),
    ...(detail !== undefined && { detail: maskText(detail, secrets) }),
    ...(hint !== undefined && { hint: maskText(hint, secrets) }),
  };
}

/** Every text and number that the sensitive attributes of changes have or had. */
export function listSecretTexts(
  changes: readonly Pick<Change, 'sensitive' | 'before' | 'after' | 'drift'>[],
): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { sensitive, before, after, drift } of changes) {
    for (const name of sensitive) {
      for (const side of [before, after, drift]) {
        for (const text of listTexts(side?.[name] ?? null)) texts.add(text);
      }
    }
  }
  return texts;
}

function* listTexts(value: Value): Iterable<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (String(value).trim() !== '') yield String(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values<Value>(value)) yield* listTexts(one);
  }
}
