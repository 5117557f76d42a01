import type { Document } from 'yaml';

import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { SourceRange } from '../../model/source.ts';
import { FaultScriptError, parseFaultScript } from './parse-script.ts';
import { requireNamesInRehearsal, type RehearsedNames } from './refuse-absent.ts';
import type { FaultScriptVmSizes, FaultScriptProblem } from './script-reader.ts';
import { formatFaultScriptPath } from './script-reader.ts';
import type { FaultScript } from './script.ts';

/**
 * Parses a fault script from the text of a YAML or JSON file, and reports each problem at its place. `file` is the path
 * for messages; `sizes` are the VM sizes of the account, the sandbox's own unless given; `names` is given for a
 * rehearsal, and lists all that the script may name.
 * @throws DiagnosticError with all problems
 */
export async function readFaultScript(
  text: string,
  file: string,
  sizes?: FaultScriptVmSizes,
  names?: RehearsedNames,
): Promise<FaultScript> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (start: number, end: number): SourceRange => {
    const [from, to] = [lines.linePos(start), lines.linePos(Math.max(start, end))];
    return { file, line: from.line, column: from.col, endLine: to.line, endColumn: to.col };
  };
  if (document.errors.length > 0) {
    throw new DiagnosticError(
      document.errors.map(({ message, pos: [start, end] }) => ({
        severity: 'error',
        code: 'broken-faults',
        summary: 'The fault script is not YAML or JSON',
        detail: message,
        source: placeOf(start, end),
      })),
    );
  }
  try {
    const script = parseFaultScript(document.toJS({ maxAliasCount: 100 }), sizes);
    if (names) requireNamesInRehearsal(script, names);
    return script;
  } catch (error) {
    if (!(error instanceof FaultScriptError)) throw error;
    throw new DiagnosticError(
      error.problems.map((problem) => diagnose(problem, document, placeOf)),
      { cause: error },
    );
  }
}

function diagnose(
  problem: FaultScriptProblem,
  document: Document,
  placeOf: (start: number, end: number) => SourceRange,
): Diagnostic {
  const range = findRange(document, problem);
  return {
    severity: 'error',
    code: 'invalid-faults',
    summary: `${formatFaultScriptPath(problem.path)} ${problem.message.replace(/\.$/, '')}`,
    ...(range && { source: placeOf(range[0], range[1]) }),
  };
}

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

/** Range in the file for a problem's value or key; for a path that the file lacks, that of the innermost map around it. */
function findRange(document: Document, { path, isKey }: FaultScriptProblem): Ranged['range'] {
  if (isKey === true) {
    const map = document.getIn(path.slice(0, -1), true) as
      { items?: { key: Ranged & { value?: unknown } }[] } | undefined;
    const pair = map?.items?.find(({ key }) => key.value === path.at(-1));
    if (pair?.key.range) return pair.key.range;
  }
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = (depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true)) as
      Ranged | null | undefined;
    if (node?.range) return node.range;
  }
  return undefined;
}
