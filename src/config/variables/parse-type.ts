// Reads a type as it is written: `list(object({ name = string, ram = optional(number, 3) }))`.
import { readYaml } from '../../expressions/notation/yaml.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import type { Value } from '../../model/value.ts';
import { convertToVariableType } from './convert-value.ts';
import {
  anyVariableType,
  describeVariableType,
  type ObjectTypeMember,
  type VariableType,
} from './value-type.ts';

/** A fault in the type of a variable, with its offsets in the type's text. */
export interface VariableTypeFault {
  readonly summary: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

class TypeSyntaxError extends Error {
  readonly fault: VariableTypeFault;

  constructor(fault: VariableTypeFault) {
    super(fault.summary);
    this.fault = fault;
  }
}

const simple = ['string', 'number', 'bool', 'any'] as const;
const collections = ['list', 'set', 'map'] as const;
const names = [...simple, ...collections, 'object', 'tuple'];
const token = /\s*(?:#[^\n]*\n?\s*)*([A-Za-z_][\w-]*|"(?:[^"\\]|\\.)*"|[(){}[\],=:]|$|[^])/y;

const example =
  'Write for example `list(string)` or `object({ name = string, ram = optional(number, 3) })`.';
/** The deepest nesting of a variable's type that is accepted. */
const maxDepth = 20;

/** Recursive-descent parser of the types of variables. */
class TypeReader {
  readonly #text: string;
  #at = 0;
  #start = 0;
  #word = '';
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next();
  }

  #next(): string {
    const before = this.#word;
    token.lastIndex = this.#at;
    const [all = '', word = ''] = token.exec(this.#text) ?? [];
    this.#at += all.length;
    this.#start = this.#at - word.length;
    this.#word = word;
    return before;
  }

  refuse(summary: string, hint = example, start = this.#start): TypeSyntaxError {
    const end = Math.max(start + 1, start === this.#start ? this.#at : this.#start);
    return new TypeSyntaxError({ summary, hint, start, end });
  }

  #is(word: string): boolean {
    return this.#word === word;
  }

  #expect(word: string): void {
    if (!this.#is(word)) {
      const found = this.#word === '' ? 'ends here' : `has \`${this.#word}\` here`;
      throw this.refuse(`The type ${found}, where \`${word}\` is missing`);
    }
    this.#next();
  }

  /** Reads a type that must end with the text. */
  readWhole(): VariableType {
    const type = this.readType();
    if (this.#word !== '') throw this.refuse('The type continues after its end');
    return type;
  }

  readType(): VariableType {
    if (this.#depth >= maxDepth) throw this.refuse('The type is nested too deeply');
    this.#depth += 1;
    try {
      return this.#readNamed();
    } finally {
      this.#depth -= 1;
    }
  }

  #readNamed(): VariableType {
    const name = this.#word;
    const start = this.#start;
    if (!/^[A-Za-z_]/.test(name)) throw this.refuse('A type is missing here');
    this.#next();
    // The name `boolean` of earlier versions and CEL means `bool`.
    const known = name === 'boolean' ? 'bool' : name;
    const plain = simple.find((one) => one === known);
    if (plain !== undefined) return { kind: plain };
    const collection = collections.find((one) => one === known);
    if (collection !== undefined) return { kind: collection, of: this.#readContent() };
    if (known === 'object') return this.#readObject();
    if (known === 'tuple') return this.#readTuple();
    if (known === 'optional') {
      throw this.refuse('`optional` is for members of objects alone', undefined, start);
    }
    const meant = suggestNearestName(name, names);
    const hint =
      meant === undefined ? `Use one of ${names.join(', ')}.` : `Did you mean \`${meant}\`?`;
    throw this.refuse(`There is no type \`${name}\``, hint, start);
  }

  /** Reads the item type of a list or a map; `any` when it has none. */
  #readContent(): VariableType {
    if (this.#word !== '(') return anyVariableType;
    this.#next();
    const of = this.readType();
    this.#expect(')');
    return of;
  }

  #readTuple(): VariableType {
    this.#expect('(');
    this.#expect('[');
    const items: VariableType[] = [];
    while (this.#word !== ']') {
      items.push(this.readType());
      if (this.#word !== ']') this.#expect(',');
    }
    this.#next();
    this.#expect(')');
    return { kind: 'tuple', items };
  }

  #readObject(): VariableType {
    this.#expect('(');
    this.#expect('{');
    const members = new Map<string, ObjectTypeMember>();
    while (this.#word !== '}') {
      const name = this.#readMemberName();
      if (members.has(name)) throw this.refuse(`The object has the member \`${name}\` twice`);
      if (this.#word === ':') this.#next();
      else this.#expect('=');
      members.set(name, this.#readMember());
      // Behind a line break Terraform needs none, and YAML may have folded it.
      if (this.#word === ',') this.#next();
    }
    this.#next();
    this.#expect(')');
    return { kind: 'object', members };
  }

  #readMemberName(): string {
    const isName = /^[A-Za-z_"]/.test(this.#word);
    if (!isName) throw this.refuse('The name of a member, or `}`, is missing here');
    const word = this.#next();
    return word.startsWith('"') ? word.slice(1, -1) : word;
  }

  #readMember(): ObjectTypeMember {
    if (!this.#is('optional')) {
      return { type: this.readType(), isOptional: false, default: null };
    }
    this.#next();
    this.#expect('(');
    const type = this.readType();
    const value = this.#is(',') ? this.#readDefault(type) : null;
    this.#expect(')');
    return { type, isOptional: true, default: value };
  }

  /** Reads the default of a member, up to the bracket that closes `optional(`: a value in YAML's flow style. */
  #readDefault(type: VariableType): Value {
    const start = this.#at;
    const end = findClose(this.#text, start);
    const written = readYaml(this.#text.slice(start, end).replace(/([{,]\s*[\w"-]+\s*)=/g, '$1: '));
    this.#at = end;
    this.#next();
    const from = start + (/^\s*/.exec(this.#text.slice(start))?.[0].length ?? 0);
    if (written === undefined)
      throw this.refuse('The default of a member is missing here', undefined, from);
    const { value, problems } = convertToVariableType(written, type);
    if (problems.length === 0) return value as Value;
    throw this.refuse(
      `The default of a member must be ${describeVariableType(type)}`,
      'Give a value of its type.',
      from,
    );
  }
}

/** Offset of the bracket that closes what is open; brackets and quotes before it are stepped over. */
function findClose(text: string, from: number): number {
  let depth = 0;
  for (const { 0: mark, index } of text
    .slice(from)
    .matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[([{}\])]/g)) {
    if ('([{'.includes(mark)) depth += 1;
    else if (')]}'.includes(mark)) {
      if (depth === 0) return from + index;
      depth -= 1;
    }
  }
  return text.length;
}

/** Parses the type of a variable; returns the fault of an invalid one. */
export function parseVariableType(text: string): VariableType | VariableTypeFault {
  try {
    return new TypeReader(text).readWhole();
  } catch (error) {
    if (error instanceof TypeSyntaxError) return error.fault;
    throw error;
  }
}
