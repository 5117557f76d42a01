import {
  countSeverity,
  hasErrors,
  type Diagnostic,
  type Severity,
} from '../../model/diagnostic.ts';

interface PositionJson {
  readonly line: number;
  readonly column: number;
}

/** A diagnostic with the keys of `terraform validate -json`, and our own: `code`, `hint`, `frame`. */
export interface DiagnosticJson {
  /** `note` is our addition: Terraform has errors and warnings. */
  readonly severity: Severity;
  readonly code: string;
  readonly summary: string;
  readonly detail: string;
  readonly hint?: string;
  readonly address?: string;
  readonly range?: {
    readonly filename: string;
    readonly start: PositionJson;
    readonly end: PositionJson;
  };
  /** The lines of the file with a caret, as the text shows them. */
  readonly frame?: string;
}

/** The answer of `validate --json`. */
export interface DiagnosticsJson {
  readonly format_version: '1.0';
  readonly valid: boolean;
  readonly error_count: number;
  readonly warning_count: number;
  readonly diagnostics: readonly DiagnosticJson[];
}

/** Diagnostics for machines, in the order given. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[]): DiagnosticsJson {
  return {
    format_version: '1.0',
    valid: !hasErrors(diagnostics),
    error_count: countSeverity(diagnostics, 'error'),
    warning_count: countSeverity(diagnostics, 'warning'),
    diagnostics: diagnostics.map(describeDiagnostic),
  };
}

/** One diagnostic; `detail` is always there, as it is in Terraform's. */
export function describeDiagnostic(diagnostic: Diagnostic): DiagnosticJson {
  const { severity, code, summary, detail, hint, address, source } = diagnostic;
  return {
    severity,
    code,
    summary,
    detail: detail ?? '',
    ...(hint !== undefined && { hint }),
    ...(address !== undefined && { address }),
    ...(source && {
      range: {
        filename: source.file,
        start: { line: source.line, column: source.column },
        end: { line: source.endLine, column: source.endColumn },
      },
    }),
    ...(source?.frame !== undefined && { frame: source.frame }),
  };
}
