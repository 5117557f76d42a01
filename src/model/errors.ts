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
