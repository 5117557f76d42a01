import type { DriftChoice, TextEdit } from '../../model/plan/drift-choice.ts';
import type { SourceRange } from '../../model/source.ts';

/** Renders a place in a file as JSON, without the lines around it. */
function showPlace({ file, line, column, endLine, endColumn }: SourceRange): object {
  return { file, line, column, endLine, endColumn };
}

/** The answer of `drift --json`: `drift`, in address order, each with `accept` and `ignore`. */
export function renderDriftJson(choices: readonly DriftChoice[]): object {
  return { format_version: '1.0', drift: choices.map(describeChoice) };
}

/** Renders the JSON of `drift accept --json`. */
export function renderAcceptedDriftJson(choices: readonly DriftChoice[]): object {
  return { format_version: '1.0', accepted: choices.map(describeChoice) };
}

function describeChoice(choice: DriftChoice): object {
  const { what, address, kind, accept, ignore } = choice;
  const value =
    choice.what === 'changed'
      ? {
          field: choice.field,
          applied: choice.applied,
          live: choice.live,
          configured: choice.configured,
          sensitive: choice.isSensitive,
          effect: choice.effect,
        }
      : {};
  return {
    address,
    kind,
    what,
    ...value,
    accept:
      accept.kind === 'edits'
        ? { edits: accept.edits.map(describeEdit) }
        : { why: accept.why, place: accept.source ? showPlace(accept.source) : null },
    ignore:
      'why' in ignore
        ? { why: ignore.why }
        : { line: ignore.line, place: ignore.source ? showPlace(ignore.source) : null },
  };
}

function describeEdit({ source, text }: TextEdit): object {
  return { place: showPlace(source), text };
}
