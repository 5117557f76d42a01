import { countSeverity, hasErrors, type Diagnostic } from '../../model/diagnostic.ts';

/** The answer of `validate --json`: diagnostics for machines, in the order given. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[]) {
  return {
    format_version: '1.0',
    valid: !hasErrors(diagnostics),
    error_count: countSeverity(diagnostics, 'error'),
    warning_count: countSeverity(diagnostics, 'warning'),
    diagnostics: diagnostics.map(describeDiagnostic),
  };
}

/**
 * Describes a diagnostic with the keys of `terraform validate -json` and our own: `code`, `hint`, `frame`, and the
 * severity `note`. `detail` is always present, as in Terraform's.
 */
export function describeDiagnostic(diagnostic: Diagnostic) {
  const { severity, code, summary, detail, hint, address, source, approvals } = diagnostic;
  return {
    severity,
    code,
    summary,
    detail: detail ?? '',
    ...(hint !== undefined && { hint }),
    ...(address !== undefined && { address }),
    ...(approvals && { approvals }),
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
