import { requireKnownFunction } from '../../expressions/evaluate/calls.ts';
import type { TypeChecker } from '../../expressions/evaluate/check-types.ts';
import type { CompiledExpression } from '../../expressions/evaluate/compile-expression.ts';
import { compileTemplate, type Template } from '../../expressions/evaluate/template.ts';
import { pureFunctions } from '../../expressions/functions/catalogue.ts';
import type { ExpressionFunctions } from '../../expressions/functions/define.ts';
import {
  toExpressionFault,
  type ExpressionFault,
} from '../../expressions/parse/expression-fault.ts';
import { celStringPattern } from '../../expressions/parse/quoted.ts';
import type { NameReference } from '../../expressions/parse/references.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { locateText } from '../source/locate-text.ts';
import type { YamlScalarNode } from '../source/located-node.ts';
import { type DeclaredNames, checkExpressionName } from './check-names.ts';
import { hintAtNameOfOtherTool } from './hint-at-foreign-name.ts';
import type { UnknownNameFault } from './name-fault.ts';

/** Names, types and functions that expressions are checked against before any is evaluated. */
export interface ExpressionVocabulary {
  readonly names: DeclaredNames;
  readonly types: TypeChecker;
  readonly functions: ExpressionFunctions;
}

/** Text with expressions that was compiled, and checked as far as that needs no values. */
export interface PreparedTemplate {
  readonly template: Template;
  /** Set where a fault was reported, so that the text has no value. */
  readonly isBroken: boolean;
  /** Set where the text reads `each`, so that it differs between instances. */
  readonly usesEach: boolean;
}

const literals = new RegExp(celStringPattern, 'g');

/** A text within an expression is taken as it is written: an expression in it would stay there as text. */
function findNested(text: string): readonly ExpressionFault[] {
  return [...text.matchAll(literals)].flatMap(({ 0: literal, index }) => {
    const at = literal.indexOf('${');
    if (at < 0) return [];
    const fault: ExpressionFault = {
      code: 'broken-expression',
      summary: 'A text within an expression cannot contain `${`',
      hint: 'Join texts with `+`, for example `"net-" + var.env`.',
      start: index + at,
      end: index + at + 2,
    };
    return [fault];
  });
}

/** Drops faults that begin within another: `name` of `var.my-name`. */
function withoutInner(faults: readonly ExpressionFault[]): readonly ExpressionFault[] {
  return faults.filter(({ start }) =>
    faults.every((other) => other.start >= start || other.end <= start),
  );
}

/** Finds faults of an expression that need no values, such as unknown names. */
export function findExpressionFaults(
  { references, itemReferences, calls, text }: CompiledExpression,
  { names, types, functions }: ExpressionVocabulary,
): readonly ExpressionFault[] {
  const found = [
    ...findNested(text),
    ...references.flatMap((one): ExpressionFault[] => {
      const fault = findNameFault(one, names, text);
      return fault ? [fault] : [];
    }),
    ...itemReferences.flatMap((one): ExpressionFault[] => {
      const fault = checkExpressionName(one, names);
      // Faults of what the loop goes over are those of its own reference; an item of a map is read by its key.
      return fault && fault.start > one.start && fault.isWhole !== true ? [fault] : [];
    }),
  ];
  for (const { node } of calls) {
    try {
      requireKnownFunction(node, { ...pureFunctions, ...functions });
    } catch (error) {
      found.push(toExpressionFault(error, node));
    }
  }
  const fault = found.length === 0 ? types.check(text) : undefined;
  return fault ? [fault] : withoutInner(found);
}

/** Finds all faults of a text with expressions that need no values; offsets count in the text. */
export function findTemplateFaults(
  { faults, parts }: Template,
  vocabulary: ExpressionVocabulary,
): readonly ExpressionFault[] {
  const sound = parts.filter(({ expression }) => !expression.fault);
  const found = sound.flatMap(({ expression, codeOffset }) =>
    findExpressionFaults(expression, vocabulary).map((one) => ({
      ...one,
      start: one.start + codeOffset,
      end: one.end + codeOffset,
    })),
  );
  return withoutInner([...faults, ...found]);
}

/** Compiles and checks a text with expressions once, and reports its faults. */
export function prepareTemplate(
  node: YamlScalarNode,
  vocabulary: ExpressionVocabulary,
  address: ResourceAddress | undefined,
  faults: ConfigurationFaultList,
): PreparedTemplate {
  const template = compileTemplate(String(node.value));
  const found = findTemplateFaults(template, vocabulary);
  for (const { start, end, ...fault } of found) {
    const place = locateText(node, start, end);
    faults.add({ ...fault, ...(address !== undefined && { address }), place });
  }
  const references = template.parts.flatMap(({ expression }) => expression.references);
  return {
    template,
    isBroken: found.length > 0,
    usesEach: references.some(({ root }) => root === 'each'),
  };
}

/** The fault of a name, with the best hint; undefined when nothing is, as far as the YAML shows. `text` is the expression. */
function findNameFault(
  reference: NameReference,
  names: DeclaredNames,
  text: string,
): UnknownNameFault | undefined {
  const fault = checkExpressionName(reference, names);
  if (fault?.code !== 'unknown-name') return fault;
  const { start, end, steps } = reference;
  if (fault.isWhole) return { ...fault, start, end };
  const { dashed = '' } = fault;
  const endOfKey = fault.end - String(steps.at(-1)?.key).length + dashed.length;
  if (dashed !== '' && text.slice(fault.start, endOfKey).endsWith(dashed)) {
    return { ...fault, start, end: endOfKey };
  }
  const isRoot = fault.start === start;
  const isMember = fault.start === steps[0]?.start;
  const foreign =
    isRoot || isMember ? hintAtNameOfOtherTool(reference, isRoot, names.tree) : undefined;
  if (!foreign) return fault;
  const last = foreign.steps === undefined ? undefined : steps[foreign.steps - 1];
  return { ...fault, hint: foreign.hint, ...(last && { start, end: last.end }) };
}
