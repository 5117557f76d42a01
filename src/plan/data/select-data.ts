// Selects the entry of the account that a `data` entry means: exactly one, or an error that lists the candidates.
import { matchPattern } from '../../expressions/notation/pattern.ts';
import { ExpressionError } from '../../expressions/parse/expression-fault.ts';
import { EvaluationBudget } from '../../expressions/values/budget.ts';
import { labelDataKind } from '../../kinds/data-sources.ts';
import type {
  DataCandidate,
  DataQueryFault,
  DataQueryOutcome,
  DataQuery,
} from '../../model/data.ts';
import { projectKind } from '../../model/kind-table.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';

/** The error about the project of a query, where not exactly one has its name or its id. */
export function explainAmbiguousQueryProject(
  { name, project = '' }: DataQuery,
  found: readonly { readonly id: string }[],
  all: readonly string[],
): DataQueryFault {
  const shown = escapeLineEnds(project);
  if (found.length > 1) {
    return {
      code: 'data-ambiguous',
      summary: `${found.length} projects are named \`${shown}\`, and \`${name}\` needs exactly one`,
      detail: `Their ids: ${formatNameList(found.map(({ id }) => id))}.`,
      hint: 'Give the id of one of them.',
      field: projectKind,
    };
  }
  const meant = suggestNearestName(project, all);
  return {
    code: 'data-not-found',
    summary: `The account has no project \`${shown}\`, in which \`${name}\` is looked for`,
    detail: all.length > 0 ? `There are ${formatNameList(all)}.` : 'There is none.',
    hint:
      meant === undefined
        ? 'Give the name or the id of a live project.'
        : `Did you mean \`${escapeLineEnds(meant)}\`?`,
    field: projectKind,
  };
}

/** Words for the wanted entry in a message: `network named \`core\``. */
function describeWanted({ kind, selector }: DataQuery): string {
  const label = labelDataKind(kind);
  if ('pattern' in selector) return `${label} that matches \`${escapeLineEnds(selector.pattern)}\``;
  const { attribute, value } = selector;
  const quoted = `\`${escapeLineEnds(value)}\``;
  return attribute === 'name' ? `${label} ${quoted}` : `${label} with the ${attribute} ${quoted}`;
}

function describePlace(projectName: string | undefined): string {
  return projectName === undefined ? '' : ` in the project \`${escapeLineEnds(projectName)}\``;
}

/** The candidates by the names that people use; those that share a name, or have none, with their ids. */
function listCandidates(candidates: readonly DataCandidate[]): string {
  const keys = candidates.map(({ key }) => key);
  const isUnique = !keys.includes(null) && new Set(keys).size === keys.length;
  const shown = isUnique
    ? keys.map(String)
    : candidates.map(({ id, key }) => (key === null ? id : `${key} (${id})`));
  return formatNameList(shown.sort(compareVersionedNames));
}

function explainMissing(
  query: DataQuery,
  candidates: readonly DataCandidate[],
  projectName: string | undefined,
): DataQueryFault {
  const { selector, kind } = query;
  const label = labelDataKind(kind);
  const keys = candidates.flatMap(({ key }) => key ?? []);
  const isById = 'attribute' in selector && selector.attribute === 'id';
  const meant =
    'attribute' in selector && !isById ? suggestNearestName(selector.value, keys) : undefined;
  const place = describePlace(projectName);
  return {
    code: 'data-not-found',
    summary: `There is no ${describeWanted(query)}${place}`,
    detail:
      candidates.length === 0
        ? `There is no ${label} at all${place}.`
        : `There ${candidates.length === 1 ? 'is' : 'are'} ${listCandidates(candidates)}.`,
    hint:
      meant === undefined
        ? 'Correct the name, the id or the pattern.'
        : `Did you mean \`${escapeLineEnds(meant)}\`?`,
    field: 'pattern' in selector ? 'match' : selector.attribute,
  };
}

function describeSeveral({ kind, selector }: DataQuery, count: number): string {
  const labels = `${count} ${labelDataKind(kind)}s`;
  if ('pattern' in selector) return `${labels} match \`${escapeLineEnds(selector.pattern)}\``;
  const { attribute, value } = selector;
  const verb = attribute === 'name' ? 'are named' : `have the ${attribute}`;
  return `${labels} ${verb} \`${escapeLineEnds(value)}\``;
}

function explainSeveral(
  query: DataQuery,
  chosen: readonly DataCandidate[],
  projectName: string | undefined,
): DataQueryFault {
  const { name, selector, isNewest } = query;
  const isPattern = 'pattern' in selector;
  const narrow = isPattern ? 'Narrow the pattern' : 'Give the `id` of the one that is meant';
  const which = isNewest ? 'none of them is the newest' : `\`${name}\` needs exactly one`;
  return {
    code: 'data-ambiguous',
    summary: `${describeSeveral(query, chosen.length)}${describePlace(projectName)}, and ${which}`,
    detail: `They are ${listCandidates(chosen)}.`,
    hint: isNewest ? `${narrow}.` : `${narrow}, or add \`newest: true\`.`,
    field: isPattern ? 'match' : selector.attribute,
  };
}

/** The newest candidates: by the time of creation where all of them report it, else by the natural order of their names. */
function keepNewest(candidates: readonly DataCandidate[]): readonly DataCandidate[] {
  const hasTimes = candidates.every(({ createdAt }) => createdAt !== null);
  const compare = (a: DataCandidate, b: DataCandidate) =>
    hasTimes
      ? Number(a.createdAt) - Number(b.createdAt)
      : compareVersionedNames(a.key ?? '', b.key ?? '');
  const [newest] = [...candidates].sort((a, b) => compare(b, a));
  return newest ? candidates.filter((one) => compare(one, newest) === 0) : [];
}

/** The candidates that fit the name, the id or the pattern of a query. @throws ExpressionError when that takes too long */
function listSelected(
  { selector }: DataQuery,
  candidates: readonly DataCandidate[],
  steps: EvaluationBudget,
): readonly DataCandidate[] {
  const budget = steps.forExpression();
  return candidates.filter(({ id, key }) => {
    if ('pattern' in selector) return key !== null && matchPattern(key, selector.pattern, budget);
    return selector.attribute === 'id'
      ? id === selector.value
      : key?.normalize('NFC') === selector.value;
  });
}

/** Selects the entry that a query means; `steps` is the budget for patterns. */
export function selectDataEntry(
  query: DataQuery,
  candidates: readonly DataCandidate[],
  {
    projectName,
    steps = EvaluationBudget.ofRun(),
  }: { projectName?: string | undefined; steps?: EvaluationBudget | undefined } = {},
): DataQueryOutcome {
  let selected: readonly DataCandidate[];
  try {
    selected = listSelected(query, candidates, steps);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, hint } = error;
    const summary = `The pattern of \`${query.name}\` takes too long to match`;
    return { kind: 'fault', fault: { code, summary, hint, field: 'match' } };
  }
  const chosen = query.isNewest ? keepNewest(selected) : selected;
  const [only] = chosen;
  if (only && chosen.length === 1) {
    const { id, values } = only;
    return { kind: 'found', id, values, ...(projectName !== undefined && { projectName }) };
  }
  const fault = only
    ? explainSeveral(query, chosen, projectName)
    : explainMissing(query, candidates, projectName);
  return { kind: 'fault', fault };
}

/** A text as runs of digits and runs of anything else: `ubuntu-`, `24`, `.`, `04`. */
function split(text: string): readonly string[] {
  return text.match(/\d+|\D+/g) ?? [];
}

function isNumber(part: string): boolean {
  return /^\d/.test(part);
}

function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
  return left.length - right.length || compareTexts(left, right);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The natural order of names with versions in them: numbers by their value, all other characters by their letters. `9.10`
 * comes after `9.9`, and `24.04.1` after `24.04`. Zero means that neither comes first.
 */
export function compareVersionedNames(a: string, b: string): number {
  const [left, right] = [split(a.toLowerCase()), split(b.toLowerCase())];
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order =
      isNumber(part) && isNumber(other) ? compareNumbers(part, other) : compareTexts(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
