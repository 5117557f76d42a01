// `validation` of variables: each condition is checked for every use of a module, and all that do not hold are reported.
import { compileExpression } from '../../expressions/evaluate/compile-expression.ts';
import {
  hideSensitiveFault,
  type ExpressionFault,
} from '../../expressions/parse/expression-fault.ts';
import { parseTemplate, compileTemplate } from '../../expressions/evaluate/template.ts';
import { formatReference, type NameReference } from '../../expressions/parse/references.ts';
import { formatSourcePlace } from '../../model/source.ts';
import type { Value } from '../../model/value.ts';
import { findExpressionFaults, findTemplateFaults } from './prepare-template.ts';
import { emptyEachBinding } from './each.ts';
import type { ModuleExpressionContext } from './space.ts';
import type { YamlScalarNode } from '../source/located-node.ts';
import { locateText } from '../source/locate-text.ts';
import { toSourceRange } from '../source/source-file.ts';
import type {
  ModuleVariableValues,
  VariableValidation,
  VariableDeclaration,
} from '../variables/variable-declaration.ts';

/** Origin and place of the value that was given to a variable; undefined for its default. */
type GivenPlace = ModuleVariableValues['givenPlace'];

/** Refuses names other than variables: a validation judges only a value from outside. */
function refuseOthers(references: readonly NameReference[]): ExpressionFault[] {
  return references
    .filter(({ root }) => root !== 'var')
    .map((reference) => ({
      code: 'not-in-validation',
      summary: `A validation cannot read \`${formatReference(reference)}\``,
      hint: 'Read variables alone, as `var.region`.',
      start: reference.start,
      end: reference.end,
    }));
}

function findAssertFaults(
  text: string,
  space: ModuleExpressionContext,
): readonly ExpressionFault[] {
  if (text.includes('${')) {
    const start = text.indexOf('${');
    return [
      {
        code: 'broken-expression',
        summary: 'A condition is written without `${` and `}`',
        hint: 'Write the expression alone, for example `var.size <= 64`.',
        start,
        end: start + 2,
      },
    ];
  }
  const expression = compileExpression(text);
  if (expression.fault) return [expression.fault];
  const others = refuseOthers(expression.references);
  if (others.length > 0) return others;
  const vocabulary = space.vocabularyWith({});
  const found = findExpressionFaults(expression, vocabulary);
  const fault = found.length === 0 ? vocabulary.types.checkCondition(text) : undefined;
  return fault ? [fault] : found;
}

function findMessageFaults(
  text: string,
  space: ModuleExpressionContext,
): readonly ExpressionFault[] {
  const template = compileTemplate(text);
  const others = template.parts.flatMap(({ expression, codeOffset }) =>
    refuseOthers(expression.references).map((one) => ({
      ...one,
      start: one.start + codeOffset,
      end: one.end + codeOffset,
    })),
  );
  return others.length > 0 ? others : findTemplateFaults(template, space.vocabularyWith({}));
}

function report(
  node: YamlScalarNode,
  found: readonly ExpressionFault[],
  { session }: ModuleExpressionContext,
): boolean {
  for (const { start, end, ...fault } of found) {
    session.faults.add({ ...fault, place: locateText(node, start, end) });
  }
  return found.length > 0;
}

function evaluate(text: string, space: ModuleExpressionContext) {
  const { session, functions } = space;
  return session.trace(() =>
    compileExpression(text).evaluate(space.scopeOf(emptyEachBinding), {
      functions,
      budget: session.makeBudget(),
    }),
  );
}

function showValue(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fills in the error message of a variable's validation, with sensitive values hidden. */
function writeMessage(text: string, space: ModuleExpressionContext): string {
  const parts = parseTemplate(text).map((segment) => {
    if (segment.kind === 'text') return segment.text;
    const { value: outcome, isSensitive } = evaluate(segment.code, space);
    if (isSensitive) return '(sensitive value)';
    return outcome.kind === 'value' ? showValue(outcome.value) : '(unknown)';
  });
  return parts.join('').trim();
}

/** Shortens a condition to one line for a message. */
function shorten(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

function checkOne(
  { name, default: written, key }: VariableDeclaration,
  { assert, message }: VariableValidation,
  space: ModuleExpressionContext,
  givenPlace: GivenPlace,
): void {
  const { faults } = space.session;
  const text = String(assert.value);
  const { value: outcome, isSensitive } = evaluate(text, space);
  // A validation that reads a value not known yet is neither met nor broken.
  if (outcome.kind === 'unknown') return;
  if (outcome.kind === 'fault') {
    const found = isSensitive ? hideSensitiveFault(outcome.fault, 'The validation') : outcome.fault;
    const { start, end, ...fault } = found;
    faults.add({ ...fault, place: locateText(assert, start, end) });
    return;
  }
  if (outcome.value === true) return;
  const given = givenPlace(name);
  const subject = given?.origin === undefined ? 'The' : `${given.origin}: the`;
  const said = message ? writeMessage(String(message.value), space) : '';
  const place = formatSourcePlace(toSourceRange(assert));
  faults.add({
    code: 'failed-validation',
    summary: `${subject} value of the variable \`${name}\` is not valid`,
    detail:
      `${said === '' || /[.!?]$/.test(said) ? said : `${said}.`} The validation is at ${place}.`.trim(),
    hint: `Give a value for which \`${shorten(text)}\` is true.`,
    place: given ? (given.place ?? assert) : (written ?? key),
  });
}

/** Checks all validations in one module instance, and reports broken conditions and refused values. */
export function checkVariableValidations(
  space: ModuleExpressionContext,
  givenPlace: GivenPlace,
): void {
  for (const declaration of space.source.variables.values()) {
    for (const validation of declaration.validations) {
      const { assert, message } = validation;
      const isBroken = [
        report(assert, findAssertFaults(String(assert.value), space), space),
        message !== undefined &&
          report(message, findMessageFaults(String(message.value), space), space),
      ].includes(true);
      if (!isBroken) checkOne(declaration, validation, space, givenPlace);
    }
  }
}
