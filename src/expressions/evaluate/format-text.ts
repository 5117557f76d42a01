import type { Value } from '../../model/value.ts';
import { ExpressionError } from '../parse/expression-fault.ts';

const verbs = /%([-+0]*)(\d{0,4})(?:\.(\d{1,2}))?([a-zA-Z%])/g;
const maxWidth = 1_000;

function refuse(summary: string): ExpressionError {
  return new ExpressionError(
    'expression-failed',
    summary,
    'Write for example `format("web-%02d", each.index)`: %s text, %d whole number, %f number, %x hexadecimal.',
  );
}

function printNumber(
  verb: string,
  value: Value | undefined,
  precision: number | undefined,
): string {
  const isFitting = typeof value === 'number' && (verb === 'f' || Number.isInteger(value));
  if (!isFitting) {
    throw refuse(`format() needs ${verb === 'f' ? 'a number' : 'a whole number'} for %${verb}`);
  }
  switch (verb) {
    case 'd':
      return String(value);
    case 'f':
      return value.toFixed(precision ?? 6);
    case 'o':
      return value.toString(8);
    case 'b':
      return value.toString(2);
    default:
      return verb === 'x' ? value.toString(16) : value.toString(16).toUpperCase();
  }
}

function printValue(verb: string, value: Value | undefined, precision: number | undefined): string {
  if ('dfobxX'.includes(verb)) return printNumber(verb, value, precision);
  if (!'sqv'.includes(verb)) throw refuse(`format() does not know %${verb}`);
  if (verb === 's' && (typeof value === 'object' || value === undefined)) {
    throw refuse('format() cannot put a list, a map or null into %s');
  }
  const text = typeof value === 'string' && verb !== 'q' ? value : JSON.stringify(value);
  return precision === undefined ? text : text.slice(0, precision);
}

function pad(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0')) return text.padStart(width);
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

/** A text with its `%d`, `%s` … replaced by the values. @throws ExpressionError when they do not fit */
export function formatText(template?: Value, ...values: readonly Value[]): string {
  if (typeof template !== 'string') throw refuse('format() takes a text as its first argument');
  let used = 0;
  const text = template.replace(
    verbs,
    (_all, flags: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%';
      if (used >= values.length) throw refuse('format() has more places than values');
      const value = values[used];
      used += 1;
      if (Number(width) > maxWidth)
        throw refuse(`format() makes places of at most ${maxWidth} characters`);
      const shown = printValue(
        verb,
        value,
        precision === undefined ? undefined : Number(precision),
      );
      const isSigned = flags.includes('+') && 'df'.includes(verb) && !shown.startsWith('-');
      return pad(isSigned ? `+${shown}` : shown, flags, Number(width));
    },
  );
  if (used < values.length) throw refuse('format() has more values than places');
  return text;
}
