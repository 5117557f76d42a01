// A service's OpenAPI document, built from the contract's own shapes and the binding that is true of it.
import { findBoundListLine } from '../../../src/api/contract/find-list-line.ts';
import type {
  Binding,
  FieldBindingLine,
  ListEnvelopeLine,
} from '../../../src/model/account/binding.ts';
import { type OperationId, routes } from '../../../src/api/contract/routes.ts';
import {
  enumWords,
  type MemberShape,
  operationShapes,
  recordBases,
  recordShapes,
} from '../../../src/api/contract/shapes.ts';
import { copyWithValueAtJsonPointer, parseJsonPointer } from '../../../src/api/binding/pointer.ts';

/** How a document is written, whatever it says. */
export interface DialectStyle {
  readonly openapi?: '3.0' | '3.1' | '2.0';
  /** The id of an operation; without it none has one. */
  readonly id?: (operation: OperationId) => string;
  /** The name of a schema. */
  readonly schema?: (record: string) => string;
  /** The name of a parameter of a path. */
  readonly param?: (name: string) => string;
  readonly tag?: (operation: OperationId) => string | undefined;
  readonly isInline?: boolean;
  /** False: no schema says what it requires. */
  readonly saysRequired?: boolean;
  /** Descriptions by record and member. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** What stands before each path, in the paths themselves. */
  readonly prefix?: string;
}

type Json = Record<string, unknown>;

/** A document, which a test may spoil. */
export interface Document extends Json {
  readonly paths: Record<string, Record<string, Json>>;
}

/** Builds the document of a service that is bound so. */
export function buildDialectDocument(binding: Binding, style: DialectStyle = {}): Document {
  return new Builder(binding, style).build();
}

class Builder {
  readonly #binding: Binding;
  readonly #style: DialectStyle;
  readonly #schemas: Json = {};
  readonly #is2: boolean;

  constructor(binding: Binding, style: DialectStyle) {
    this.#binding = binding;
    this.#style = style;
    this.#is2 = style.openapi === '2.0';
  }

  build(): Document {
    const paths: Document['paths'] = {};
    for (const operation of Object.keys(routes) as OperationId[]) {
      const { method, path } = routes[operation];
      const line = this.#binding.operations?.[operation] ?? `${method} ${path}`;
      if (line === 'none') continue;
      const [verb = '', at = ''] = line.split(' ');
      const named = at.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${this.#param(name)}}`);
      const item = (paths[(this.#style.prefix ?? '') + named] ??= {});
      const written = this.#operation(operation, named);
      const key = verb.toLowerCase();
      item[key] = item[key] ? mergeBodies(item[key], written) : written;
    }
    const info = { title: 'A service', version: '1' };
    if (this.#is2)
      return { swagger: '2.0', info, basePath: '/v1', paths, definitions: this.#schemas };
    const openapi = this.#style.openapi === '3.1' ? '3.1.0' : '3.0.3';
    return {
      openapi,
      info,
      servers: [{ url: '/v1' }],
      paths,
      components: { schemas: this.#schemas },
    };
  }

  #param(name: string): string {
    return this.#style.param?.(name) ?? name;
  }

  #operation(operation: OperationId, path: string): Json {
    const { params, query, body, answer, isList } = operationShapes[operation];
    const places = this.#binding.parameters?.[operation] ?? {};
    const parameters: Json[] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
      this.#parameter(name, 'path', { type: 'string' }),
    );
    for (const name of [...params, ...query.filter((one) => !one.startsWith('page'))]) {
      const place = places[name] ?? (query.includes(name) ? `query ${name}` : '');
      if (place.startsWith('query '))
        parameters.push(
          this.#parameter(
            place.slice(6),
            'query',
            this.#value({ type: 'id', of: name.replace(/Id$/, '') }),
          ),
        );
    }
    const list = isList ? this.#list(operation) : undefined;
    const page = list?.page ?? { by: 'none' };
    for (const [key, name] of Object.entries(page)) {
      if (['page', 'offset', 'cursor', 'size'].includes(key)) {
        const type = key === 'cursor' ? 'string' : 'integer';
        const first = key === 'page' && 'first' in page && page.first === 0 ? { minimum: 0 } : {};
        parameters.push(this.#parameter(String(name), 'query', { type, ...first }));
      }
    }
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    let sent =
      body === undefined
        ? undefined
        : this.#record(body, operation, (name) => inPath.includes(this.#param(name)));
    for (const name of params) {
      if (places[name]?.startsWith('body '))
        sent = put(
          sent,
          places[name].slice(5),
          this.#value({ type: 'id', of: name.replace(/Id$/, '') }),
          true,
        );
    }
    for (const [pointer, value] of Object.entries(
      this.#binding.constants?.[operation]?.body ?? {},
    )) {
      sent = put(
        sent,
        pointer,
        typeof value === 'boolean' ? { type: 'boolean' } : { type: 'string', enum: [value] },
        true,
      );
    }
    if (sent && Object.keys(sent.properties ?? {}).length === 0) sent = undefined;
    let answered: Json | undefined = answer === undefined ? undefined : this.#ref(answer);
    if (list && answered) {
      const items = { type: 'array', items: answered };
      answered = wrap(list.items ?? '', items);
      if (list.total !== undefined) answered = put(answered, list.total, { type: 'integer' }, true);
      if (page.by === 'cursor')
        answered = put(answered, page.next, this.#null({ type: 'string' }), true);
      if (page.by === 'page' && list.items !== '')
        answered = put(answered, '/page', { type: 'integer' }, true);
    } else if (answered) answered = wrap(this.#binding.answers?.[operation] ?? '', answered);
    else if (routes[operation].success === 202) answered = this.#ref('commandAccepted');
    const id = this.#style.id?.(operation);
    const tag = this.#style.tag?.(operation);
    const success = String(routes[operation].success ?? 422);
    const content = (schema: Json | undefined) =>
      schema ? { content: { 'application/json': { schema } } } : {};
    return {
      ...(id !== undefined && { operationId: id }),
      ...(tag !== undefined && { tags: [tag] }),
      parameters:
        this.#is2 && sent
          ? [...parameters, { in: 'body', name: 'body', schema: sent }]
          : parameters,
      ...(!this.#is2 && sent && { requestBody: { required: true, ...content(sent) } }),
      responses: {
        [success]: this.#is2
          ? { description: 'OK', ...(answered && { schema: answered }) }
          : { description: 'OK', ...content(answered) },
      },
    };
  }

  #parameter(name: string, place: string, schema: Json): Json {
    const rest = this.#is2 ? schema : { schema };
    return { name, in: place, ...(place === 'path' && { required: true }), ...rest };
  }

  #list(operation: OperationId): ListEnvelopeLine {
    const isPaged = operationShapes[operation].query.includes('page');
    const own: ListEnvelopeLine = isPaged
      ? {
          items: '/items',
          total: '/totalCount',
          page: { by: 'page', page: 'page', size: 'pageSize' },
        }
      : { items: '', page: { by: 'none' } };
    const line = findBoundListLine(this.#binding, operation);
    return line === undefined || line === 'open' ? own : line;
  }

  #ref(record: string): Json {
    if (this.#style.isInline) return this.#record(record, record);
    const name = this.#style.schema?.(record) ?? record.charAt(0).toUpperCase() + record.slice(1);
    if (!(name in this.#schemas)) {
      this.#schemas[name] = {};
      this.#schemas[name] = this.#record(record, record);
    }
    return { $ref: `#/${this.#is2 ? 'definitions' : 'components/schemas'}/${name}` };
  }

  #record(record: string, owner: string, isMoved: (name: string) => boolean = () => false): Json {
    const base = recordBases[record];
    const { fields = {} } = this.#binding;
    const lines: Readonly<Record<string, FieldBindingLine>> = {
      ...(base && fields[base]),
      ...fields[owner],
    };
    let schema: Json = { type: 'object', properties: {} };
    for (const [name, shape] of Object.entries(recordShapes[record] ?? {})) {
      const line = lines[name] ?? `/${name}`;
      if (line === 'none' || line === 'open' || isMoved(name)) continue;
      const { at, absent } = typeof line === 'string' ? { at: line, absent: undefined } : line;
      const description = this.#style.descriptions?.[`${record}.${name}`];
      let value: Json = this.#value(shape);
      if (description !== undefined) value = { ...value, description };
      if (shape.isNullable && absent !== 'none') value = this.#null(value);
      if (at === '') return value;
      schema = put(
        schema,
        at,
        value,
        !shape.isOptional && absent !== 'none' && this.#style.saysRequired !== false,
      );
    }
    return schema;
  }

  #value(shape: MemberShape): Json {
    if (shape.isList) return { type: 'array', items: this.#value({ ...shape, isList: false }) };
    const { ids = {}, enums = {} } = this.#binding;
    switch (shape.type) {
      case 'record':
        return this.#ref(shape.record);
      case 'id':
        return (ids[shape.of] ?? ids.default) === 'number'
          ? { type: 'integer', format: 'int64' }
          : { type: 'string' };
      case 'enum':
        return {
          type: 'string',
          enum: (enumWords[shape.enum] ?? []).flatMap((word) => enums[shape.enum]?.[word] ?? word),
        };
      case 'time':
        return { type: 'string', format: 'date-time' };
      case 'number':
      case 'boolean':
        return { type: shape.type };
      default:
        return { type: 'string' };
    }
  }

  #null(schema: Json): Json {
    if (this.#is2) return { ...schema, 'x-nullable': true };
    if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
    return this.#style.openapi === '3.1'
      ? { ...schema, type: [schema.type, 'null'] }
      : { ...schema, nullable: true };
  }
}

/** A schema with another at a pointer of its values. */
function put(
  schema: Json = { type: 'object', properties: {} },
  pointer: string,
  value: Json,
  isRequired: boolean,
): Json {
  const steps = parseJsonPointer(pointer);
  const way = steps.flatMap((step) => (step === '*' ? ['items'] : ['properties', step]));
  let result = copyWithValueAtJsonPointer(schema, way, value) as Json;
  // On the way everything has a type.
  for (let at = 0; at < steps.length; at += 1) {
    const before = steps
      .slice(0, at)
      .flatMap((step) => (step === '*' ? ['items'] : ['properties', step]));
    result = copyWithValueAtJsonPointer(
      result,
      [...before, 'type'],
      steps[at] === '*' ? 'array' : 'object',
    ) as Json;
    if (!isRequired || steps[at] === '*') continue;
    const holder = before.reduce<Json>((one, key) => one[key] as Json, result);
    const had = (holder.required ?? []) as string[];
    result = copyWithValueAtJsonPointer(
      result,
      [...before, 'required'],
      [...new Set([...had, steps[at]])],
    ) as Json;
  }
  return result;
}

function wrap(pointer: string, schema: Json): Json {
  return pointer === '' ? schema : put(undefined, pointer, schema, true);
}

/** Operations of one place, told apart by their bodies. */
function mergeBodies(one: Json, other: Json): Json {
  const pick = (from: Json) => {
    const body = from.requestBody as
      { content?: { 'application/json': { schema: Json } } } | undefined;
    return (body?.content?.['application/json'].schema.properties ?? {}) as Record<string, Json>;
  };
  const [mine, theirs] = [pick(one), pick(other)];
  const properties = Object.fromEntries(
    [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].map((name) => {
      const words = [mine[name], theirs[name]].flatMap(
        (schema) => (schema?.enum ?? []) as string[],
      );
      const schema = mine[name] ?? theirs[name] ?? {};
      return [name, words.length > 0 ? { ...schema, enum: words } : schema];
    }),
  );
  const schema = { type: 'object', properties };
  return { ...one, requestBody: { content: { 'application/json': { schema } } } };
}
