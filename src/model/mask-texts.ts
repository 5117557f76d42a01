import type { Diagnostic } from './diagnostic.ts';

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
