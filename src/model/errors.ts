import type { Diagnostic } from './diagnostic.ts';

/** A failure that stops a command, with everything the user needs to fix it. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: { cause?: unknown }) {
    super(diagnostics.map((diagnostic) => diagnostic.summary).join('; '), options);
    this.name = 'DiagnosticError';
    this.diagnostics = diagnostics;
  }
}

/** A bug in Hostwright: printed with its stack and a word on how to report it. */
export class InternalError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'InternalError';
  }
}

/** The `code` of an error of Node, of its file system or of the HTTP client; undefined for any other. */
export function readErrorCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** An error for anything that was thrown. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}

/** The error that an aborted signal was given as its reason. */
export function getAbortReason({ reason }: { readonly reason: unknown }): Error {
  return toError(reason);
}
