// Texts with `${…}` in them: where the expressions stand, and what the text is once they have values.
import { elementAt } from '../../model/group-by.ts';
import type { Value } from '../../model/value.ts';
import {
  compileExpression,
  type CompiledExpression,
  type EvaluationOptions,
  type EvaluationOutcome,
} from './compile-expression.ts';
import { formatNumberWithoutExponent } from '../notation/print-number.ts';
import type { ExpressionFault } from '../parse/expression-fault.ts';
import { celStringPattern } from '../parse/quoted.ts';
import type { NameTree, Unknown } from '../values/scope.ts';

/** Segment of a text: literal text, or an expression between `${` and `}`. */
export type TemplateSegment =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'expression';
      readonly code: string;
      /** Offset of its `${` in the text, and of its first character behind it. */
      readonly offset: number;
      readonly codeOffset: number;
      /** Offset behind the closing `}` of the expression. */
      readonly end: number;
      readonly isClosed: boolean;
    };

const inside = new RegExp(`${celStringPattern}|[{}"']`, 'g');
/** `inside` for code in which a quoted text goes on in the next line, which CEL does not allow. */
const insideOfLines = new RegExp(
  String.raw`${celStringPattern}|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|[{}"']`,
  'g',
);

/** Offset of the brace that closes an expression; braces and quotes inside it are stepped over. */
function findEnd(text: string, from: number, inside: RegExp): number | undefined {
  let depth = 0;
  inside.lastIndex = from;
  for (let match = inside.exec(text); match; match = inside.exec(text)) {
    // An unclosed quote swallows the rest of the text, so that no end is found.
    if (match[0] === '"' || match[0] === "'") return undefined;
    if (match[0] === '{') depth += 1;
    else if (match[0] === '}') {
      if (depth === 0) return match.index;
      depth -= 1;
    }
  }
  return undefined;
}

/** Splits a text into literal parts and expressions; `$${` is a literal `${`. */
export function parseTemplate(text: string): TemplateSegment[] {
  if (!text.includes('${')) return [{ kind: 'text', text }];
  const segments: TemplateSegment[] = [];
  let literal = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      const close = findEnd(text, at + 2, inside);
      if (literal) segments.push({ kind: 'text', text: literal });
      literal = '';
      const raw = text.slice(at + 2, close);
      const codeOffset = at + 2 + raw.length - raw.trimStart().length;
      const end = close === undefined ? text.length : close + 1;
      segments.push({
        kind: 'expression',
        code: raw.trim(),
        offset: at,
        codeOffset,
        end,
        isClosed: close !== undefined,
      });
      at = end;
    } else {
      const next = text.indexOf('$', at + 1);
      literal += text.slice(at, next < 0 ? text.length : next);
      at = next < 0 ? text.length : next;
    }
  }
  if (literal || segments.length === 0) segments.push({ kind: 'text', text: literal });
  return segments;
}

/** An expression of a template; offsets count in the text of the template. */
interface Part {
  readonly expression: CompiledExpression;
  readonly codeOffset: number;
}

/** A text with expressions, parsed once for many evaluations. */
export interface Template {
  readonly text: string;
  /** Syntax faults of the text; none of a well-formed one. Offsets count in the text of the template. */
  readonly faults: readonly ExpressionFault[];
  readonly parts: readonly Part[];
  /** Value of the template: that of its only expression, else text. Offsets of a fault count in the text of the template. */
  evaluate(scope: NameTree, options?: EvaluationOptions): EvaluationOutcome;
  /** See `CompiledExpression`; undefined for a text that is more than one expression. */
  findOwner(scope: NameTree, options?: EvaluationOptions): string | undefined;
}

function shift(fault: ExpressionFault, by: number): ExpressionFault {
  return { ...fault, start: fault.start + by, end: fault.end + by };
}

/** The fault of an expression that is not closed: it takes the rest of the text, so there is one at most. */
function findOpen(segments: readonly TemplateSegment[]): ExpressionFault | undefined {
  const open = segments.find((segment) => segment.kind === 'expression' && !segment.isClosed);
  if (open?.kind === 'expression') {
    if (findEnd(open.code, 0, insideOfLines) !== undefined) {
      return {
        code: 'broken-expression',
        summary: 'A text in quotes has a line break in it',
        hint: 'Write `\\n` for the line break; in double-quoted YAML, write `\\\\n`.',
        start: open.offset,
        end: open.end,
      };
    }
    if (/["']/.test(open.code.replace(inside, (one) => (one.length > 1 ? '' : one)))) {
      return {
        code: 'broken-expression',
        summary: 'A text in quotes is not closed',
        hint: 'Close the quote before the `}`.',
        start: open.offset,
        end: open.end,
      };
    }
    return {
      code: 'broken-expression',
      summary: 'An expression begins with `${` and is not closed',
      hint: 'Close it with `}`; write `$${` where you mean the characters themselves.',
      start: open.offset,
      end: open.end,
    };
  }
  return undefined;
}

/** Syntax faults of all expressions of a text. */
function findFaults(
  segments: readonly TemplateSegment[],
  parts: readonly Part[],
): readonly ExpressionFault[] {
  const open = findOpen(segments);
  const closed = open ? parts.slice(0, -1) : parts;
  const broken = closed.flatMap(({ expression: { fault }, codeOffset }) =>
    fault ? [shift(fault, codeOffset)] : [],
  );
  return open ? [...broken, open] : broken;
}

/** A value within a text; undefined for what has no place in one. */
function printValue(value: Value): string | undefined {
  if (typeof value === 'number') return formatNumberWithoutExponent(value);
  return value === null || typeof value === 'object' ? undefined : String(value);
}

function refuseInText(value: Value, { expression, codeOffset }: Part): ExpressionFault {
  return {
    code: 'expression-type',
    summary: `${value === null ? 'Null' : Array.isArray(value) ? 'A list' : 'A map'} cannot be part of a text`,
    hint: 'Choose one of its values, or `list.join(", ")`; `${…}` alone keeps the type of its value.',
    start: codeOffset,
    end: codeOffset + expression.text.length,
  };
}

/** Parses a text with expressions; faults are returned, never thrown. */
export function compileTemplate(text: string): Template {
  const segments = parseTemplate(text);
  const parts = segments.flatMap((segment): Part[] =>
    segment.kind === 'expression'
      ? [{ expression: compileExpression(segment.code), codeOffset: segment.codeOffset }]
      : [],
  );
  const faults = findFaults(segments, parts);
  const evaluatePart = (
    part: Part,
    scope: NameTree,
    options?: EvaluationOptions,
  ): EvaluationOutcome => {
    const outcome = part.expression.evaluate(scope, options);
    if (outcome.kind !== 'fault') return outcome;
    return { kind: 'fault', fault: shift(outcome.fault, part.codeOffset) };
  };
  const only = segments.length === 1 ? parts[0] : undefined;
  const evaluate = (scope: NameTree, options?: EvaluationOptions): EvaluationOutcome => {
    const [fault, ...others] = faults;
    if (fault) return { kind: 'fault', fault, others };
    if (only) return evaluatePart(only, scope, options);
    let made = '';
    let next = 0;
    let unknown: Unknown | undefined;
    const failed: ExpressionFault[] = [];
    for (const segment of segments) {
      if (segment.kind === 'text') {
        made += segment.text;
        continue;
      }
      const part = elementAt(parts, next);
      next += 1;
      const outcome = evaluatePart(part, scope, options);
      if (outcome.kind === 'unknown') unknown ??= outcome.unknown;
      else if (outcome.kind === 'fault') failed.push(outcome.fault);
      else {
        const shown = printValue(outcome.value);
        if (shown === undefined) failed.push(refuseInText(outcome.value, part));
        else made += shown;
      }
    }
    // A part that fails does so whatever another one turns out to be.
    const [first, ...rest] = failed;
    if (first) return { kind: 'fault', fault: first, others: rest };
    return unknown ? { kind: 'unknown', unknown, value: unknown } : { kind: 'value', value: made };
  };
  const findOwner: Template['findOwner'] = (scope, options) =>
    only?.expression.findOwner(scope, options);
  return { text, faults, parts, evaluate, findOwner };
}
