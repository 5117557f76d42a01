// A binding while it is derived: its lines, and for each line of the table why it is as it is.
import type { Binding, JsonPointer } from '../../model/account/binding.ts';
import type { UnknownRequiredMember } from '../match/list-required.ts';
import { recordShapes } from '../../api/contract/shapes.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** A line of the contract file with the reason for it. */
export interface ExplainedBindingLine {
  /** Key of the line in the contract file: `operations.getVm`, `fields.vm.imageId`. */
  readonly line: string;
  /** `same`: as in the contract, so that the binding has no line. */
  readonly is: 'same' | 'otherwise' | 'none' | 'open';
  /** The service's spelling; absent where it is the contract's, or unknown. */
  readonly theirs?: unknown;
  /** The reason, in a few words. */
  readonly why: string;
  /** Values that a person may choose from for a line that is still open. */
  readonly candidates?: readonly string[];
}

type Tables = Omit<Binding, 'version' | 'document'>;
type Nested = 'parameters' | 'fields' | 'units' | 'enums';
type Flat = Exclude<keyof Tables, Nested>;

/** A line of a member or a word that a person has left open. */
interface UnansweredLine {
  readonly table: 'fields' | 'enums';
  readonly owner: string;
  readonly name: string;
}

/** Collects lines and rows. What a person has answered is taken, whatever is derived. */
export class BindingFileDraft {
  readonly rows: ExplainedBindingLine[] = [];
  readonly required: UnknownRequiredMember[] = [];
  readonly #tables = new Map<string, Map<string, unknown>>();
  readonly #former: Binding;

  constructor(former: Binding = { version: 1 }) {
    this.#former = former;
  }

  /** The service's words that a person has given to words of an enum. */
  findAnsweredWords(name: string): ReadonlyMap<string, readonly string[]> {
    const lines = Object.entries(this.#former.enums?.[name] ?? {});
    return new Map(
      lines.flatMap(([ours, line]) => (line === 'open' ? [] : [[ours, [line].flat()] as const])),
    );
  }

  /** The place that a person has given to a member; undefined where nobody has. */
  findAnsweredPlace(owner: string, name: string): JsonPointer | undefined {
    const line = this.#former.fields?.[owner]?.[name];
    if (line === undefined || line === 'none' || line === 'open') return undefined;
    return typeof line === 'string' ? line : line.at;
  }

  /** A row without a line, or whose line is elsewhere. */
  note(row: ExplainedBindingLine): void {
    this.rows.push(row);
  }

  /** The line of an operation, a list, an answer, or a kind of id. */
  put(table: Flat, name: string, value: unknown, row: Omit<ExplainedBindingLine, 'line'>): void {
    this.rows.push({ ...row, line: `${table}.${name}` });
    if (row.is !== 'same') this.#tableOf(table).set(name, value);
  }

  /** The line of a member of something. */
  putIn(
    table: Nested,
    owner: string,
    name: string,
    value: unknown,
    row: Omit<ExplainedBindingLine, 'line'>,
  ): void {
    this.rows.push({ ...row, line: `${table}.${owner}.${name}` });
    if (row.is === 'same') return;
    const lines = this.#tableOf(table);
    lines.set(owner, { ...(lines.get(owner) as object | undefined), [name]: value });
  }

  /** The lines so far, over them what a person has answered. */
  toBinding(): Binding {
    const { version, document, ...former } = this.#former;
    for (const { table, owner, name } of this.#listUnanswered()) {
      const lines = this.#tableOf(table);
      lines.set(owner, { ...(lines.get(owner) as object | undefined), [name]: 'open' });
    }
    const names = new Set([...this.#tables.keys(), ...Object.keys(former)]);
    const tables = [...names].sort().map((name) => {
      const derived = Object.fromEntries(this.#tableOf(name));
      return [
        name,
        keepAnswers(derived, (former as Readonly<Record<string, object>>)[name]),
      ] as const;
    });
    const filled = tables.filter(([, lines]) => Object.keys(lines).length > 0);
    return { version, ...(document && { document }), ...Object.fromEntries(filled) };
  }

  /** All lines with their reasons; those that a person has answered say so. */
  toRows(): readonly ExplainedBindingLine[] {
    const left = this.#listUnanswered().map(({ table, owner, name }) => {
      const line = `${table}.${owner}.${name}`;
      return { line, is: 'open', why: 'the document says nothing about it' } as const;
    });
    return [...this.rows, ...left].map((row) => {
      const [table = '', owner = '', ...rest] = row.line.split('.');
      const line = memberOf(memberOf(this.#former, table), owner);
      const given = rest.length === 0 ? line : memberOf(line, rest.join('.'));
      if (given === undefined || given === 'open') return row;
      const is = given === 'none' ? 'none' : 'otherwise';
      return { line: row.line, is, theirs: given, why: 'the file says so' };
    });
  }

  /**
   * Open lines of the file, of members and words that the service has, on which the document is silent: nobody has answered
   * them. Lines of a record that no bound operation sends or answers any more are not asked about.
   */
  #listUnanswered(): readonly UnansweredLine[] {
    const { fields = {}, enums = {}, operations = {} } = this.#former;
    const rows = new Map(this.rows.map((row) => [row.line, row] as const));
    const isTold = (start: string) => this.rows.some(({ line }) => line.startsWith(start));
    const openOf = (table: 'fields' | 'enums', owners: object) =>
      Object.entries(owners).flatMap(([owner, lines]: [string, object]) =>
        Object.entries(lines).flatMap(([name, line]): readonly UnansweredLine[] =>
          line === 'open' ? [{ table, owner, name }] : [],
        ),
      );
    const members = openOf('fields', fields).filter(({ owner, name }) => {
      const route = operations[owner] ?? rows.get(`operations.${owner}`)?.theirs;
      const isInPath = typeof route === 'string' && route.includes(`{${name}}`);
      return isTold(`fields.${owner}.`) && !rows.has(`fields.${owner}.${name}`) && !isInPath;
    });
    const words = openOf('enums', enums).filter(
      ({ owner }) => !isTold(`enums.${owner}.`) && this.#hasEnum(owner),
    );
    return [...members, ...words];
  }

  /** Tells whether a member that the service has is of an enum. */
  #hasEnum(name: string): boolean {
    return this.rows.some(({ line, is }) => {
      const [table, record = '', member = ''] = line.split('.');
      const shape = recordShapes[record]?.[member];
      return table === 'fields' && is !== 'none' && shape?.type === 'enum' && shape.enum === name;
    });
  }

  #tableOf(name: string): Map<string, unknown> {
    const lines = this.#tables.get(name) ?? new Map<string, unknown>();
    this.#tables.set(name, lines);
    return lines;
  }
}

/** Reads a member of an object; undefined for anything that is no object. */
function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Derived lines, replaced by the lines that a person wrote; an open line replaces none. */
function keepAnswers(derived: object, answered: object = {}): object {
  const lines = new Map<string, unknown>(Object.entries(derived));
  for (const [name, line] of Object.entries(answered)) {
    if (line === 'open') continue;
    const own = lines.get(name);
    const isTable = (value: unknown): value is object => isJsonObject(value) && !('at' in value);
    lines.set(name, isTable(line) && isTable(own) ? keepAnswers(own, line) : (line as unknown));
  }
  return Object.fromEntries(lines);
}
