// Regular expressions in linear time: every place that a match could be at is followed at once, none is tried again.
// JavaScript's own would hang on `(a+)+$`.
import type { Budget } from '../evaluate/budget.ts';
import { ExpressionError } from './expression-fault.ts';
import { parsePattern, type Piece } from './pattern-parser.ts';

type Instruction =
  | { readonly kind: 'char'; readonly test: (character: string) => boolean }
  | { readonly kind: 'assert'; readonly at: 'start' | 'end' | 'word' | 'notWord' }
  | { readonly kind: 'split'; readonly to: readonly number[] }
  | { readonly kind: 'match' };

const maxInstructions = 5_000;
const compiled = new Map<string, readonly Instruction[]>();

/** Lays a pattern out as instructions; every piece goes on behind itself. */
class Program {
  readonly instructions: Instruction[] = [];

  #emit(instruction: Instruction): number {
    if (this.instructions.length >= maxInstructions) {
      throw new ExpressionError(
        'unsafe-pattern',
        'The pattern is too large',
        'Repeat less in it, or check the text in several steps.',
      );
    }
    return this.instructions.push(instruction) - 1;
  }

  /** A split whose goals become known later. */
  #fork(): number[] {
    const to: number[] = [];
    this.#emit({ kind: 'split', to });
    return to;
  }

  get #next(): number {
    return this.instructions.length;
  }

  add(piece: Piece): void {
    if (piece.kind === 'sequence') for (const item of piece.items) this.add(item);
    else if (piece.kind === 'choice') this.#addChoice(piece.options);
    else if (piece.kind === 'repeat') this.#addRepeat(piece.item, piece.min, piece.max);
    else this.#emit(piece);
  }

  finish(): readonly Instruction[] {
    this.#emit({ kind: 'match' });
    return this.instructions;
  }

  #addChoice(options: readonly Piece[]): void {
    const starts = this.#fork();
    const ends = options.map((option) => {
      starts.push(this.#next);
      this.add(option);
      return this.#fork();
    });
    for (const end of ends) end.push(this.#next);
  }

  #addRepeat(item: Piece, min: number, max: number): void {
    for (let count = 0; count < min; count += 1) this.add(item);
    if (max === Infinity) {
      const start = this.#next;
      const enter = this.#fork();
      enter.push(this.#next);
      this.add(item);
      this.#fork().push(start);
      enter.push(this.#next);
      return;
    }
    const skips: number[][] = [];
    for (let count = min; count < max; count += 1) {
      const skip = this.#fork();
      skip.push(this.#next);
      skips.push(skip);
      this.add(item);
    }
    for (const skip of skips) skip.push(this.#next);
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

function holds(at: 'start' | 'end' | 'word' | 'notWord', before?: string, after?: string): boolean {
  if (at === 'start') return before === undefined;
  if (at === 'end') return after === undefined;
  return (isWord(before) !== isWord(after)) === (at === 'word');
}

/** Every instruction that is reached without reading on; true when one of them is the match. */
function reach(
  program: readonly Instruction[],
  from: readonly number[],
  states: Set<number>,
  before: string | undefined,
  after: string | undefined,
): boolean {
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (states.has(at)) continue;
    states.add(at);
    const one = program[at];
    if (one?.kind === 'match') return true;
    if (one?.kind === 'split') open.push(...one.to);
    if (one?.kind === 'assert' && holds(one.at, before, after)) open.push(at + 1);
  }
  return false;
}

function compile(pattern: string): readonly Instruction[] {
  let program = compiled.get(pattern);
  if (!program) {
    const made = new Program();
    made.add(parsePattern(pattern));
    program = made.finish();
    compiled.set(pattern, program);
  }
  return program;
}

/** True when the pattern matches anywhere in the text. @throws ExpressionError for what RE2 does not know */
export function matchPattern(text: string, pattern: string, budget: Budget): boolean {
  const program = compile(pattern);
  const characters = Array.from(text);
  let open: number[] = [0];
  for (let at = 0; at <= characters.length; at += 1) {
    const character = characters[at];
    const states = new Set<number>();
    if (reach(program, [...open, 0], states, characters[at - 1], character)) return true;
    budget.spend(states.size);
    open = [];
    if (character === undefined) return false;
    for (const state of states) {
      const one = program[state];
      if (one?.kind === 'char' && one.test(character)) open.push(state + 1);
    }
  }
  return false;
}
