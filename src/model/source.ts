/** A place in a YAML file; lines and columns count from 1. */
export interface SourceRange {
  /** The path as the user would write it, relative to the working directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The lines around the place with a caret below it, ready to print; absent where the text is not at hand. */
  readonly frame?: string | undefined;
}

/** Formats a place as `file:line:column`, which editors and terminals turn into a link. */
export function formatSourcePlace(source: SourceRange): string {
  return `${source.file}:${source.line}:${source.column}`;
}

/** A place with its frame drawn, and nothing left of the file that it is drawn from. */
export function copySourceRange({
  file,
  line,
  column,
  endLine,
  endColumn,
  frame,
}: SourceRange): SourceRange {
  return { file, line, column, endLine, endColumn, ...(frame !== undefined && { frame }) };
}

/** A value as JSON has it, without places: a line more above it in its file changes nothing. */
export function removeSourcePlaces(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) => (isPlace(part) ? undefined : part));
  return JSON.parse(text);
}

function isPlace(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'endLine' in value && 'endColumn' in value;
}
