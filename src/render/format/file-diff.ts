import { createTwoFilesPatch } from 'diff';
import { escapeUntrustedText } from './escape.ts';
import type { TextStyle } from './style.ts';

/** Renders the difference between two versions of a file's text as `diff -u` does; ends with a line end. */
export function renderFileDiff(
  {
    shown,
    before,
    after,
  }: { readonly shown: string; readonly before: string; readonly after: string },
  style: TextStyle,
): string {
  const patch = createTwoFilesPatch(`old/${shown}`, `new/${shown}`, before, after, '', '', {
    context: 3,
  });
  return patch
    .split('\n')
    .filter((line, index) => index > 0 || !line.startsWith('==='))
    .map((line) => paint(line.trimEnd() === '' ? line.trimEnd() : escapeUntrustedText(line), style))
    .join('\n');
}

function paint(line: string, style: TextStyle): string {
  if (/^(?:---|\+\+\+) (?:old|new)\//.test(line)) return style.bold(line.trimEnd());
  if (line.startsWith('@@')) return style.cyan(line);
  if (line.startsWith('+')) return style.green(line);
  return line.startsWith('-') ? style.red(line) : line;
}
