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

/** Copy of a source position with its frame as text, so that the file's text is not kept in memory for it. */
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

/**
 * Copy of a value as JSON, without the source positions in it, so that values compare equal when their lines only moved in the
 * file.
 */
export function removeSourcePlaces(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) => (isPlace(part) ? undefined : part));
  return JSON.parse(text);
}

function isPlace(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'endLine' in value && 'endColumn' in value;
}
