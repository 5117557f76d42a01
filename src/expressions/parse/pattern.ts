// Regular expressions in time that is linear in the text, as RE2 has them. JavaScript's own would hang on `(a+)+$`.
import { RE2JS, RE2JSException } from 're2js';
import type { Budget } from '../evaluate/budget.ts';
import { ExpressionError } from './expression-fault.ts';

/** Longer ones are refused: what a pattern repeats is written out when it is compiled. */
const maxLength = 1_000;
const maxInstructions = 5_000;
/** So many instructions of a pattern are followed in one step. */
const instructionsPerStep = 32;
const compiled = new Map<string, RE2JS>();

function tooLarge(): ExpressionError {
  return new ExpressionError(
    'unsafe-pattern',
    'The pattern is too large',
    'Repeat less in it, or check the text in several steps.',
  );
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (pattern.length > maxLength) throw tooLarge();
  try {
    const made = RE2JS.compile(pattern);
    if (made.programSize() > maxInstructions) throw tooLarge();
    compiled.set(pattern, made);
    return made;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new ExpressionError(
      'unsafe-pattern',
      `The pattern cannot be used: ${error.message.replace('error parsing regexp: ', '')}`,
      'Patterns are those of RE2: no look-ahead, no look-behind, no back references.',
    );
  }
}

/** True when the pattern matches anywhere in the text. @throws ExpressionError for what RE2 does not know */
export function matchPattern(text: string, pattern: string, budget: Budget): boolean {
  const program = compile(pattern);
  budget.spend(Math.ceil((text.length * program.programSize()) / instructionsPerStep));
  return program.matcher(text).find();
}
