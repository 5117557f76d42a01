// Schemas of a document, each read once. What is wrong with one is reported, and the rest of it is read.
import type { ApiSchemaMember, ApiSchema, ApiDocumentFault, SchemaType } from './document.ts';
import { isJsonObject } from '../../model/json-object.ts';

type Json = Readonly<Record<string, unknown>>;

const types: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

/** The most references to references before they count as a circle. */
const longestChain = 30;

/** A value of an OpenAPI document with its JSON Pointer, for messages. */
export interface LocatedApiDocumentValue {
  readonly value: unknown;
  readonly pointer: string;
}

/** Reads the schemas of one document. */
export class ApiSchemaReader {
  readonly #root: unknown;
  readonly #faults = new Map<string, ApiDocumentFault>();
  readonly #known = new Map<unknown, ApiSchema>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Faults found in the schemas read so far, each reported once. */
  get faults(): readonly ApiDocumentFault[] {
    return [...this.#faults.values()];
  }

  report(pointer: string, what: string): void {
    this.#faults.set(`${pointer} ${what}`, { pointer, what });
  }

  /** Follows local references to what they name; undefined where one leads nowhere, which is reported. */
  resolve(
    located: LocatedApiDocumentValue,
  ): (LocatedApiDocumentValue & { readonly name?: string }) | undefined {
    let at: LocatedApiDocumentValue & { readonly name?: string } = located;
    for (let step = 0; step < longestChain; step += 1) {
      if (!isJsonObject(at.value) || typeof at.value.$ref !== 'string') return at;
      const { $ref: ref } = at.value;
      if (!ref.startsWith('#')) {
        this.report(at.pointer, `The reference ${ref} leads out of the document`);
        return undefined;
      }
      const target = this.#find(ref.slice(1));
      if (target === undefined) {
        this.report(at.pointer, `The reference ${ref} leads to nothing`);
        return undefined;
      }
      at = { value: target, pointer: ref.slice(1), name: unescape(ref.split('/').at(-1) ?? '') };
    }
    this.report(located.pointer, 'The reference leads back to itself');
    return undefined;
  }

  /** Reads the schema at a place of the document; undefined where there is none. */
  read(located: LocatedApiDocumentValue): ApiSchema | undefined {
    const { value } = located;
    if (value === undefined || value === true) return undefined;
    if (!isJsonObject(value)) {
      this.report(located.pointer, 'A schema is an object');
      return undefined;
    }
    const known = this.#known.get(value);
    if (known) return known;
    const schema = new LazySchema(this, located);
    this.#known.set(value, schema);
    return schema;
  }

  #find(pointer: string): unknown {
    let value: unknown = this.#root;
    for (const step of pointer.split('/').slice(1).map(unescape)) {
      if (Array.isArray(value)) value = value[Number(step)];
      else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step];
      else return undefined;
    }
    return value;
  }
}

/** The parts of a schema: its own keywords, and the schemas of its `allOf`, `anyOf` and `oneOf`. */
interface Parts {
  readonly name: string | undefined;
  readonly isNullable: boolean;
  /** Parts with their places in the document; alternatives are apart. */
  readonly parts: readonly {
    readonly value: Json;
    readonly pointer: string;
    readonly isSure: boolean;
  }[];
}

class LazySchema implements ApiSchema {
  readonly #reader: ApiSchemaReader;
  readonly #located: LocatedApiDocumentValue;
  readonly #kept = new Map<string, unknown>();
  #parts: Parts | undefined;
  #members: ReadonlyMap<string, ApiSchemaMember> | undefined;

  constructor(reader: ApiSchemaReader, located: LocatedApiDocumentValue) {
    this.#reader = reader;
    this.#located = located;
  }

  get name(): string | undefined {
    return this.#read().name ?? this.#first('title', isText);
  }

  get type(): SchemaType | undefined {
    return this.#keep('type', () => this.#findType());
  }

  #findType(): SchemaType | undefined {
    for (const { value, pointer } of this.#read().parts) {
      const said = [value.type].flat().filter((one) => one !== 'null' && one !== undefined);
      const known = said.find(
        (one): one is SchemaType => typeof one === 'string' && types.includes(one),
      );
      if (said.length > 0 && !known) {
        this.#reader.report(`${pointer}/type`, `${JSON.stringify(value.type)} is no type`);
      }
      if (known) return known;
    }
    if (this.members.size > 0) return 'object';
    if (this.#first('items', isJsonObject)) return 'array';
    return this.words.length > 0 ? 'string' : undefined;
  }

  get format(): string | undefined {
    return this.#keep('format', () => this.#findFormat());
  }

  #findFormat(): string | undefined {
    return this.#first('format', isText);
  }

  get description(): string {
    return this.#first('description', isText) ?? '';
  }

  get isNullable(): boolean {
    return this.#read().isNullable;
  }

  get words(): readonly string[] {
    return this.#keep('words', () => this.#findWords());
  }

  #findWords(): readonly string[] {
    const words = this.#read().parts.flatMap(({ value }) =>
      Array.isArray(value.enum) ? value.enum : 'const' in value ? [value.const] : [],
    );
    return [...new Set(words.filter(isText))];
  }

  get hasDefault(): boolean {
    return this.defaultValue !== undefined;
  }

  get defaultValue(): unknown {
    return this.#first('default', (value): value is unknown => value !== undefined);
  }

  get minimum(): number | undefined {
    return this.#first('minimum', (value) => typeof value === 'number');
  }

  get samples(): readonly number[] {
    return this.#keep('samples', () =>
      this.#read().parts.flatMap(({ value }) =>
        [value.example, value.examples, value.default, value.minimum, value.enum]
          .flat()
          .filter((one): one is number => typeof one === 'number'),
      ),
    );
  }

  get members(): ReadonlyMap<string, ApiSchemaMember> {
    this.#members ??= this.#readMembers();
    return this.#members;
  }

  get items(): ApiSchema | undefined {
    return this.#keep('items', () => this.#findItems());
  }

  #findItems(): ApiSchema | undefined {
    const part = this.#read().parts.find(({ value }) => isJsonObject(value.items));
    return part && this.#reader.read({ value: part.value.items, pointer: `${part.pointer}/items` });
  }

  /** A member of the schema, worked out once: schemas are read lazily and may contain themselves. */
  #keep<T>(name: string, find: () => T): T {
    if (!this.#kept.has(name)) this.#kept.set(name, find());
    return this.#kept.get(name) as T;
  }

  #readMembers(): ReadonlyMap<string, ApiSchemaMember> {
    const { parts } = this.#read();
    const required = new Set<unknown>(
      parts.flatMap(({ value, isSure }) =>
        isSure && Array.isArray(value.required) ? value.required : [],
      ),
    );
    const said = new Map<string, LocatedApiDocumentValue[]>();
    for (const { value, pointer } of parts) {
      if (value.properties === undefined) continue;
      if (!isJsonObject(value.properties)) {
        this.#reader.report(`${pointer}/properties`, 'The members of an object are an object');
        continue;
      }
      for (const [name, inner] of Object.entries(value.properties)) {
        const at = `${pointer}/properties/${escapeJsonPointerStep(name)}`;
        const own = { value: inner === true ? {} : inner, pointer: at };
        said.set(name, [...(said.get(name) ?? []), own]);
      }
    }
    // A list of required names tells nothing when none of the described members is among them.
    const isUnsaid = ![...said.keys()].some((name) => required.has(name));
    const members = new Map<string, ApiSchemaMember>();
    for (const [name, all] of said) {
      const [first = this.#located] = all;
      // Alternatives are kept together: each may have a part of an enum's words.
      const value = all.length > 1 ? { anyOf: all.map((one) => one.value) } : first.value;
      const schema = this.#reader.read({ value, pointer: first.pointer });
      if (!schema) continue;
      members.set(name, { schema, isRequired: required.has(name), isUnsaid });
    }
    for (const name of required) {
      if (typeof name === 'string' && members.has(name)) continue;
      if (members.size === 0) break;
      const what = `${JSON.stringify(name)} is required, and no member has that name`;
      this.#reader.report(`${this.#located.pointer}/required`, what);
    }
    return members;
  }

  #first<T>(key: string, is: (value: unknown) => value is T): T | undefined {
    const part = this.#read().parts.find(({ value }) => is(value[key]));
    const value = part?.value[key];
    return is(value) ? value : undefined;
  }

  #read(): Parts {
    this.#parts ??= this.#collect(this.#located, true, new Set());
    return this.#parts;
  }

  #collect(located: LocatedApiDocumentValue, isSure: boolean, seen: Set<unknown>): Parts {
    const nothing: Parts = { name: undefined, isNullable: false, parts: [] };
    const found = this.#reader.resolve(located);
    if (!found) return nothing;
    const { value, pointer, name } = found;
    if (!isJsonObject(value)) {
      this.#reader.report(pointer, 'A schema is an object');
      return nothing;
    }
    if (seen.has(value)) return nothing;
    seen.add(value);
    const beside = isJsonObject(located.value) && located.value !== value ? [located.value] : [];
    const inner = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => {
      const list = value[key];
      if (list === undefined) return [];
      if (!Array.isArray(list)) {
        this.#reader.report(`${pointer}/${key}`, `${key} is a list`);
        return [];
      }
      const isAlternative = key !== 'allOf' && list.filter((one) => !isNull(one)).length > 1;
      return list.map((one, at) => ({
        isNull: isNull(one),
        key,
        ...this.#collect(
          { value: one, pointer: `${pointer}/${key}/${at}` },
          isSure && !isAlternative,
          seen,
        ),
      }));
    });
    const alone = inner.filter((one) => !one.isNull && one.name !== undefined);
    return {
      name:
        name ?? (value.properties === undefined && alone.length === 1 ? alone[0]?.name : undefined),
      isNullable:
        [value, ...beside].some(saysNull) || inner.some((one) => one.isNull || one.isNullable),
      parts: [{ value, pointer, isSure }, ...inner.flatMap(({ parts }) => parts)],
    };
  }
}

/** True for a schema that allows null, in any of the ways of OpenAPI 2, 3.0 and 3.1. */
function saysNull(value: Json): boolean {
  return (
    value.nullable === true ||
    value['x-nullable'] === true ||
    [value.type].flat().includes('null') ||
    (Array.isArray(value.enum) && value.enum.includes(null))
  );
}

function isNull(value: unknown): boolean {
  return isJsonObject(value) && (value.type === 'null' || value.const === null);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Escapes a key as a step of a JSON Pointer. */
export function escapeJsonPointerStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescape(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
